"""Picking up, dropping, wielding and wearing.

Cursed items cannot be taken off or unwielded.  The functions return whether a turn was used.
"""

from dataclasses import replace
from typing import Final

from nhlog.engines.delve.combat.harm import make_helpless
from nhlog.engines.delve.combat.missiles import drop_missile
from nhlog.engines.delve.hero.input import NOWHERE, Asking, ask_item, ask_objects
from nhlog.engines.delve.hero.moving import terrain_at
from nhlog.engines.delve.hero.trap_effects import fly_over
from nhlog.engines.delve.world.kinds import AMULET, ARMOUR, EMBER, KINDS, RING, WEAPON
from nhlog.engines.delve.world.names import letter_of, name_of
from nhlog.engines.delve.world.pack import keeps, put_in_pack, take_away, tell_item
from nhlog.engines.delve.world.sight import notice
from nhlog.engines.delve.world.state import (
    BLESSED,
    CURSED,
    KNOWN,
    LIGHTED,
    PASSED,
    QUIVERED,
    UNCURSED_KNOWN,
    WIELDED,
    WORN,
    Item,
    World,
)
from nhlog.engines.delve.world.terrain import ALTAR

__all__ = ["drop", "multidrop", "pick_up", "put_on", "quiver", "remove", "take_off", "wear", "wield"]

_RINGS: Final = 2


def pick_up(world: World) -> Asking[bool]:
    """Pick up items from the hero's square; of several the player chooses."""
    here = world.level.items_at(world.hero.square)
    if not here or fly_over(world):
        world.say("There is nothing here to pick up." if not here else "You cannot reach the floor.")
        return False
    chosen = [(here[0], here[0].count)]
    if len(here) > 1:
        chosen = yield from ask_objects(world, "Pick up what?", [(" ", item) for item in here], len(here))
    for item, count in chosen:
        _take(world, item, count)
    return bool(chosen)


def _take(world: World, item: Item, count: int) -> None:
    level = world.level
    if item.kind == EMBER:
        world.say("The Ember is warm in your hand. Far above, something stirs; far below, everything does.")
    slot = next(number for number, other in enumerate(level.items) if other is item)
    level.items[slot] = None
    if count < item.count:
        level.items[slot] = replace(item, count=item.count - count)
        item.count = count
    place = item.place
    item.flags &= ~PASSED
    if not put_in_pack(world, item):
        level.add_item(item, place)


def drop(world: World) -> Asking[bool]:
    """Drop an item, or part of a stack."""
    slot, count = yield from ask_item(
        world, "What do you want to drop?", lambda item: not item.flags & WORN, counted=True
    )
    if slot == NOWHERE or not count:
        return False
    return _let_go(world, slot, count)


def multidrop(world: World) -> Asking[bool]:
    """Drop several items."""
    pack = world.hero.pack
    items = [(letter_of(slot), item) for slot, item in enumerate(pack) if item is not None and not item.flags & WORN]
    if not items:
        world.say("You have nothing to drop.")
        return False
    chosen = yield from ask_objects(world, "What do you want to drop?", items, len(items))
    dropped = False
    for item, count in chosen:
        slot = next((number for number, other in enumerate(pack) if other is item), NOWHERE)
        if slot != NOWHERE:
            dropped = _let_go(world, slot, count) or dropped
    return dropped


def _let_go(world: World, slot: int, count: int) -> bool:
    item = world.hero.pack[slot]
    if item is None:
        return False
    kept = keeps(world, item)
    if kept is not None:
        return kept
    part = take_away(world, slot, count)
    if part is None:
        return False
    part.flags &= ~LIGHTED
    if terrain_at(world, world.hero.square) == ALTAR:
        part.flags |= UNCURSED_KNOWN
        colour = "black" if part.flags & CURSED else "golden" if part.flags & BLESSED else "grey"
        world.say(f"A {colour} glow surrounds it.")
    world.say(f"You drop {name_of(world.lore, part)}.")
    drop_missile(world, part, world.hero.square)
    return True


def wield(world: World, slot: int) -> bool:
    """Wield an item; the letter of the wielded one empties the hand."""
    item = world.hero.pack[slot] if slot >= 0 else None
    held = world.wielded()
    if item is None:
        world.say("You do not have that.")
        return False
    if item.flags & WORN:
        world.say("You are wearing that.")
        return False
    if held is not None and held.flags & CURSED:
        held.flags |= UNCURSED_KNOWN
        world.say(f"Your {name_of(world.lore, held).partition(' ')[2]} sticks to your hand!")
        return True
    if KINDS[item.kind].hands == 2 and _worn_in(world, "shield") is not None:
        world.say("You cannot wield that while you wear a shield.")
        return False
    if held is not None:
        held.flags &= ~WIELDED
    if held is item:
        world.say("Your hands are empty now.")
        return True
    item.flags = (item.flags | WIELDED) & ~QUIVERED
    tell_item(world, slot)
    if item.flags & CURSED and KINDS[item.kind].symbol == WEAPON:
        item.flags |= UNCURSED_KNOWN
        world.say("It sticks to your hand!")
    return True


def quiver(world: World, slot: int) -> bool:
    """Make an item ready to be thrown or shot."""
    item = world.hero.pack[slot] if slot >= 0 else None
    if item is None or item.flags & (WORN | WIELDED):
        world.say("You cannot make that ready.")
        return False
    for other in world.hero.pack:
        if other is not None:
            other.flags &= ~QUIVERED
    item.flags |= QUIVERED
    tell_item(world, slot)
    return True


def _worn_in(world: World, slot: str) -> Item | None:
    return next((item for item in world.worn() if KINDS[item.kind].slot == slot), None)


def wear(world: World, slot: int) -> bool:
    """Put on a piece of armour; heavy ones take several turns."""
    item = world.hero.pack[slot] if slot >= 0 else None
    kind = KINDS[item.kind] if item is not None else None
    if item is None or kind is None or kind.symbol != ARMOUR:
        world.say("You cannot wear that.")
        return False
    if item.flags & (WORN | WIELDED):
        world.say("You are using that already.")
        return False
    if (other := _worn_in(world, kind.slot)) is not None:
        world.say(f"You are wearing {name_of(world.lore, other)} already.")
        return False
    weapon = world.wielded()
    if kind.slot == "shield" and weapon is not None and KINDS[weapon.kind].hands == 2:
        world.say("Both your hands are in use.")
        return False
    if kind.slot == "body" and _worn_in(world, "cloak") is not None:
        world.say("Your cloak is in the way.")
        return False
    item.flags = (item.flags | WORN | KNOWN) & ~QUIVERED
    if item.flags & CURSED:
        item.flags |= UNCURSED_KNOWN
        world.say("It grows cold and tight. It is cursed!")
    tell_item(world, slot)
    if kind.delay > 1:
        make_helpless(world, kind.delay - 1, "dressing")
    return True


def take_off(world: World, slot: int) -> bool:
    """Take off a piece of armour."""
    item = world.hero.pack[slot] if slot >= 0 else None
    if item is None or not item.flags & WORN or KINDS[item.kind].symbol != ARMOUR:
        world.say("You are not wearing that.")
        return False
    if KINDS[item.kind].slot == "body" and _worn_in(world, "cloak") is not None:
        world.say("Your cloak is in the way.")
        return False
    if not _comes_off(world, item):
        return True
    if KINDS[item.kind].delay > 1:
        make_helpless(world, KINDS[item.kind].delay - 1, "undressing")
    return True


def _comes_off(world: World, item: Item) -> bool:
    if item.flags & CURSED:
        item.flags |= UNCURSED_KNOWN
        world.say("You cannot get it off. It is cursed!")
        return False
    item.flags &= ~WORN
    world.say(f"You were wearing {name_of(world.lore, item)}.")
    return True


def put_on(world: World, slot: int) -> bool:
    """Put on a ring or an amulet."""
    item = world.hero.pack[slot] if slot >= 0 else None
    kind = KINDS[item.kind] if item is not None else None
    if item is None or kind is None or kind.symbol not in (RING, AMULET):
        world.say("You cannot put that on.")
        return False
    if item.flags & (WORN | WIELDED):
        world.say("You are using that already.")
        return False
    worn = sum(KINDS[other.kind].symbol == kind.symbol for other in world.worn())
    if worn >= (_RINGS if kind.symbol == RING else 1):
        world.say("You have no finger free." if kind.symbol == RING else "You are wearing an amulet already.")
        return False
    item.flags = (item.flags | WORN) & ~QUIVERED
    notice(world)
    _tell_effect(world, item)
    tell_item(world, slot)
    return True


def _tell_effect(world: World, item: Item) -> None:
    """Identify a ring or an amulet whose effect is felt at once."""
    felt = {
        "ring of protection": "The air hardens around you.",
        "ring of strength": "Your arm grows lighter." if item.bonus > 0 else "Your arm grows heavy.",
        "ring of true sight": "Every edge becomes sharp.",
        "amulet of sensing": "You hear thoughts that are not yours.",
    }.get(KINDS[item.kind].name)
    if felt:
        world.say(felt)
        world.lore.known[item.kind] = 1
        item.flags |= KNOWN
    if item.flags & CURSED:
        item.flags |= UNCURSED_KNOWN
        world.say("It will not come off again.")


def remove(world: World, slot: int) -> bool:
    """Take off a ring or an amulet."""
    item = world.hero.pack[slot] if slot >= 0 else None
    if item is None or not item.flags & WORN or KINDS[item.kind].symbol not in (RING, AMULET):
        world.say("You are not wearing that.")
        return False
    _comes_off(world, item)
    return True
