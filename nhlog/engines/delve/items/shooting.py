"""Throwing and firing.

Several missiles fly one after the other.
"""

from nhlog.engines.delve.combat.missiles import launch
from nhlog.engines.delve.hero.input import NOWHERE, Arguments, Asking, ask_direction, ask_item
from nhlog.engines.delve.items.potions import shatter
from nhlog.engines.delve.world.board import OFFSETS
from nhlog.engines.delve.world.kinds import KINDS, WEAPON
from nhlog.engines.delve.world.names import name_of
from nhlog.engines.delve.world.pack import keeps, take_away
from nhlog.engines.delve.world.state import QUIVERED, WIELDED, Item, World

__all__ = ["fire", "throw"]


def throw(world: World, given: Arguments) -> Asking[bool]:
    """Throw an item in a direction."""
    slot = given.slot
    if given.letter is None:
        slot, _ = yield from ask_item(
            world, "What do you want to throw?", lambda item: KINDS[item.kind].symbol == WEAPON
        )
        if slot == NOWHERE:
            return False
    if slot < 0 or world.hero.pack[slot] is None:
        world.say("You do not have that.")
        return False
    direction = given.direction
    if direction is None:
        direction = yield from ask_direction(world, "Throw where?")
    return _let_fly(world, slot, direction)


def fire(world: World, direction: int) -> bool:
    """Shoot or throw the readied item; without one, what suits the wielded weapon."""
    slot = _ready(world)
    if slot < 0:
        world.say("You have nothing ready to fire. Make something ready first.")
        return False
    return _let_fly(world, slot, direction)


def _ready(world: World) -> int:
    pack = world.hero.pack
    weapon = world.wielded()
    fits = KINDS[weapon.kind].fires if weapon is not None else ""
    for slot, item in enumerate(pack):
        if item is not None and item.flags & QUIVERED:
            return slot
    for slot, item in enumerate(pack):
        if item is not None and (KINDS[item.kind].name == fits if fits else _thrown(item)):
            return slot
    return -1


def _thrown(item: Item) -> bool:
    kind = KINDS[item.kind]
    return (kind.missile and kind.name != "arrow") or (kind.name == "dagger" and not item.flags & WIELDED)


def _let_fly(world: World, slot: int, direction: int) -> bool:
    item = world.hero.pack[slot]
    if item is None or not 0 <= direction < len(OFFSETS):
        world.say("You cannot throw it there.")
        return False
    kept = keeps(world, item)
    if kept is not None:
        return kept
    weapon = world.wielded()
    launcher = weapon if weapon is not None and KINDS[weapon.kind].fires == KINDS[item.kind].name else None
    shots = 1
    if launcher is not None or KINDS[item.kind].name == "dagger":
        skilled = world.person.role in ("Ranger", "Rogue")
        shots += world.dice.below(2) if skilled and world.dice.below(2) else 0
    for _ in range(min(shots, item.count)):
        missile = take_away(world, slot, 1)
        if missile is None:
            break
        world.say(f"You {'shoot' if launcher else 'throw'} {name_of(world.lore, missile)}.")
        if KINDS[missile.kind].symbol == "!":
            shatter(world, missile, OFFSETS[direction])
        else:
            launch(world, missile, OFFSETS[direction], launcher)
    return True
