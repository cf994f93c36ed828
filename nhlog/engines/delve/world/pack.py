"""The pack: adding and removing items.

Similar items share a letter; no item is ever in two places.
"""

from dataclasses import replace

from nhlog.engines.delve.world.kinds import EMBER, FOOD, GOLD, KINDS, POTION, SCROLL
from nhlog.engines.delve.world.names import caption, letter_of
from nhlog.engines.delve.world.state import (
    CURSED,
    LIGHTED,
    MOST_ITEMS,
    PACK_PLACE,
    QUIVERED,
    UNCURSED_KNOWN,
    WIELDED,
    WORN,
    Item,
    World,
)

__all__ = ["alike", "has_ember", "keeps", "put_in_pack", "stow", "take_away", "tell_item"]

_STACKED = (POTION, SCROLL, FOOD)
MOST_STACK = 500


def alike(a: Item, b: Item) -> bool:
    """Whether two items form one stack."""
    kind = KINDS[a.kind]
    stacks = kind.symbol in _STACKED or kind.missile or kind.name in ("dagger", "torch")
    return (
        stacks
        and (a.kind, a.bonus, a.extra, a.charges) == (b.kind, b.bonus, b.extra, b.charges)
        and (a.flags ^ b.flags) & ~(QUIVERED | WIELDED) == 0
        and not (a.flags | b.flags) & LIGHTED
        and a.count + b.count <= MOST_STACK
    )


def keeps(world: World, item: Item) -> bool | None:
    """None if the item can be dropped; else gives the reason in a message, and returns whether trying took time."""
    if item.flags & WORN:
        world.say("You are wearing that.")
        return False
    if item.flags & WIELDED and item.flags & CURSED:
        item.flags |= UNCURSED_KNOWN
        world.say("You cannot let go of it. It is cursed!")
        return True
    if sum(other is not None for other in world.level.items) >= MOST_ITEMS:
        world.say("There is no room left on this level.")
        return False
    return None


def has_ember(world: World) -> bool:
    """Whether the hero carries the Ember."""
    return any(item is not None and item.kind == EMBER for item in world.hero.pack)


def stow(world: World, item: Item) -> int:
    """Put an item into the pack; returns its slot, or -1 if there is no room."""
    pack = world.hero.pack
    for slot, other in enumerate(pack):
        if other is not None and alike(other, item):
            other.count += item.count
            return slot
    for slot, other in enumerate(pack):
        if other is None:
            item.place = PACK_PLACE
            pack[slot] = item
            return slot
    return -1


def put_in_pack(world: World, item: Item) -> bool:
    """Put an item that is in no place into the pack, with a message; returns False if there is no room."""
    if item.kind == GOLD:
        world.hero.gold = min(world.hero.gold + item.count, 1_000_000_000)
        return True
    if item.kind == EMBER:
        item.flags |= LIGHTED
    slot = stow(world, item)
    if slot < 0:
        world.say("Your pack is full.")
        return False
    tell_item(world, slot)
    return True


def tell_item(world: World, slot: int) -> None:
    """Give a message about the item in a slot."""
    item = world.hero.pack[slot]
    if item is not None:
        world.messages.append(f"{letter_of(slot)} - {caption(world.lore, item)}.")


def take_away(world: World, slot: int, count: int) -> Item | None:
    """Remove `count` items from a slot of the pack; they are in no place afterwards."""
    item = world.hero.pack[slot]
    if item is None or count < 1:
        return None
    if count >= item.count:
        world.hero.pack[slot] = None
        item.flags &= ~(WIELDED | WORN | QUIVERED)
        return item
    item.count -= count
    part = replace(item, count=count)
    part.flags &= ~(WIELDED | WORN | QUIVERED)
    return part
