"""The effects of scrolls.

A scroll whose effect is noticed becomes known.
"""

from collections.abc import Callable
from typing import Final

from nhlog.engines.delve.combat.harm import hurt, wound
from nhlog.engines.delve.hero.input import Asking, ask_menu, ask_place
from nhlog.engines.delve.hero.moving import arrive_at
from nhlog.engines.delve.items.learning import identify, learn
from nhlog.engines.delve.items.magic import beckon, light_up, magic_map, scare
from nhlog.engines.delve.world.board import OFFSETS
from nhlog.engines.delve.world.kinds import KINDS, UNTOLD
from nhlog.engines.delve.world.names import caption, name_of
from nhlog.engines.delve.world.pack import tell_item
from nhlog.engines.delve.world.powers import has
from nhlog.engines.delve.world.species import SPECIES
from nhlog.engines.delve.world.state import BLESSED, CURSED, KNOWN, UNCURSED_KNOWN, WIELDED, WORN, Item, World
from nhlog.engines.delve.world.terrain import WALK

__all__ = ["read_scroll"]

MOST_BONUS: Final = 7


def read_scroll(world: World, item: Item) -> Asking[None]:
    """Apply the effect of reading a scroll, which was removed from the pack already."""
    known = yield from _SCROLLS[KINDS[item.kind].name](world, item)
    if known:
        learn(world, item.kind)


def _identify(world: World, item: Item) -> Asking[bool]:
    learn(world, item.kind)
    pack = world.hero.pack
    doubtful = [slot for slot, other in enumerate(pack) if other is not None and _doubtful(world, other)]
    if not doubtful:
        world.say("You know all that you carry.")
        return True
    most = 1 + world.dice.below(2) + 2 * bool(item.flags & BLESSED)
    labels = [caption(world.lore, other) for slot in doubtful if (other := pack[slot])]
    picked = yield from ask_menu("What do you want to know?", labels, 1 if item.flags & CURSED else most)
    for number in picked or [0]:
        other = pack[doubtful[number]]
        if other is not None:
            identify(world, other)
            tell_item(world, doubtful[number])
    return True


def _doubtful(world: World, item: Item) -> bool:
    if KINDS[item.kind].symbol in UNTOLD and not world.lore.known[item.kind]:
        return True
    return not (item.flags & KNOWN and item.flags & UNCURSED_KNOWN)


def _enchant_weapon(world: World, item: Item) -> Asking[bool]:
    yield from ()
    weapon = world.wielded()
    if weapon is None or KINDS[weapon.kind].symbol != ")":
        world.say("Your hands twitch.")
        return False
    step = -1 if item.flags & CURSED else 2 if item.flags & BLESSED else 1
    world.say(f"Your {name_of(world.lore, weapon).partition(' ')[2]} glows {'black' if step < 0 else 'blue'}.")
    weapon.bonus = max(min(weapon.bonus + step, MOST_BONUS), -3)
    if step > 0:
        weapon.flags &= ~CURSED
    return True


def _enchant_armour(world: World, item: Item) -> Asking[bool]:
    yield from ()
    worn = [other for other in world.worn() if KINDS[other.kind].slot]
    if not worn:
        world.say("Your skin glows, then fades.")
        return False
    armour = world.dice.pick(worn)
    step = -1 if item.flags & CURSED else 2 if item.flags & BLESSED else 1
    world.say(f"Your {name_of(world.lore, armour).partition(' ')[2]} glows {'black' if step < 0 else 'silver'}.")
    armour.bonus = max(min(armour.bonus + step, MOST_BONUS), -3)
    if step > 0:
        armour.flags &= ~CURSED
    return True


def _remove_curse(world: World, item: Item) -> Asking[bool]:
    yield from ()
    if item.flags & CURSED:
        world.say("The scroll crumbles.")
        return False
    freed = False
    for other in world.hero.pack:
        if other is not None and other.flags & CURSED and (item.flags & BLESSED or other.flags & (WORN | WIELDED)):
            other.flags &= ~CURSED
            freed = True
    world.say("You feel as if somebody were helping you." if freed else "You feel at peace.")
    return freed


def _teleportation(world: World, item: Item) -> Asking[bool]:
    if item.flags & BLESSED or world.hero.confused:
        at = yield from ask_place(world, "Where do you want to be?", world.hero.square)
        if at and WALK[world.level.terrain[at]] and at not in world.level.occupants:
            world.hero.stuck = 0
            arrive_at(world, at)
            return True
        world.say("Your thoughts wander, and you with them.")
    if item.flags & CURSED:
        depth = world.level.depth + world.dice.between(-1, 2)
        world.destination = (max(depth, 1), "elsewhere")
    else:
        world.destination = (world.level.depth, "anywhere")
    return True


def _mapping(world: World, item: Item) -> Asking[bool]:
    yield from ()
    if item.flags & CURSED or world.hero.confused:
        world.say("A map forms in your mind, upside down.")
        return False
    world.say("A map forms in your mind.")
    magic_map(world)
    return True


def _light(world: World, item: Item) -> Asking[bool]:
    yield from ()
    return light_up(world)


def _terror(world: World, item: Item) -> Asking[bool]:
    yield from ()
    world.say("You read a name aloud that should not be.")
    return scare(world, 30 if item.flags & BLESSED else 18)


def _fire(world: World, item: Item) -> Asking[bool]:
    yield from ()
    world.say("The scroll bursts into flame!")
    for offset in OFFSETS:
        monster = world.level.occupants.get(world.hero.square + offset)
        if monster is not None and "fireproof" not in SPECIES[monster.species].traits:
            wound(world, monster, world.dice.roll(4, 6), fire=True)
    if not item.flags & BLESSED:
        hurt(world, world.dice.roll(1, 4) if has(world, "warding") else world.dice.roll(2, 4), "a burning scroll")
    return True


def _beckoning(world: World, item: Item) -> Asking[bool]:
    yield from ()
    seen = False
    for _ in range(3 if item.flags & CURSED else 1):
        seen = beckon(world) or seen
    return seen


def _rust(world: World, item: Item) -> Asking[bool]:
    yield from ()
    worn = [other for other in world.worn() if KINDS[other.kind].slot]
    if not worn:
        world.say("Your skin itches.")
        return False
    armour = world.dice.pick(worn)
    world.say(f"Your {name_of(world.lore, armour).partition(' ')[2]} crumbles a little.")
    armour.bonus = max(armour.bonus - 1, -3)
    return True


def _return(world: World, item: Item) -> Asking[bool]:
    yield from ()
    if world.hero.recall:
        world.hero.recall = 0
        world.say("The air is still again.")
    else:
        world.hero.recall = world.dice.between(12, 24)
        world.say("The air around you begins to stir.")
    return True


_SCROLLS: Final[dict[str, Callable[[World, Item], Asking[bool]]]] = {
    "scroll of identify": _identify,
    "scroll of enchant weapon": _enchant_weapon,
    "scroll of enchant armour": _enchant_armour,
    "scroll of remove curse": _remove_curse,
    "scroll of teleportation": _teleportation,
    "scroll of mapping": _mapping,
    "scroll of light": _light,
    "scroll of terror": _terror,
    "scroll of fire": _fire,
    "scroll of beckoning": _beckoning,
    "scroll of rust": _rust,
    "scroll of return": _return,
}
