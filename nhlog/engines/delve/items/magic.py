"""Magic that wands, spells and scrolls share: bolts, light, mapping.

The functions return whether the hero notices the effect.
"""

from collections.abc import Callable
from typing import Final

from nhlog.engines.delve.combat.blows import blink
from nhlog.engines.delve.combat.harm import free_near, frighten, wake, wound
from nhlog.engines.delve.combat.missiles import path
from nhlog.engines.delve.hero.moving import change_terrain
from nhlog.engines.delve.maps.stock import new_monster, random_species
from nhlog.engines.delve.world.board import INSIDE, SIZE, distance
from nhlog.engines.delve.world.names import call_monster
from nhlog.engines.delve.world.sight import can_see, notice, spotted
from nhlog.engines.delve.world.species import SPECIES
from nhlog.engines.delve.world.state import ASLEEP, SLOWED, TRAP_MEMORY, Monster, World
from nhlog.engines.delve.world.terrain import BROKEN, CLOSED, CORRIDOR, FLOOR, LIT, LOCKED, SECRET, SIGHT, SOLID, WALL

__all__ = ["RAYS", "beckon", "dig", "light_up", "magic_map", "ray", "scare"]

FAR: Final = 10
_MEMORY_OF: Final = {SECRET: WALL, LOCKED: CLOSED}


def ray(world: World, offset: int, effect: Callable[[World, Monster], None], *, through: bool) -> bool:
    """Apply an effect to the first monster in a direction, or `through` to all; returns whether the hero saw one."""
    met = False
    for at in path(world, world.hero.square, offset, FAR):
        monster = world.level.occupants.get(at)
        if monster is not None:
            met = met or can_see(world, at)
            monster.goal = world.hero.square
            effect(world, monster)
            if not through:
                break
    return met


def _name(world: World, monster: Monster) -> str:
    return call_monster(world, monster.species, seen=spotted(world, monster))


def _damage(
    count: int, sides: int, verb: str, *, fire: bool = False, frost: bool = False
) -> Callable[[World, Monster], None]:
    def effect(world: World, monster: Monster) -> None:
        traits = SPECIES[monster.species].traits
        if fire and "fireproof" in traits:
            world.say(f"{_name(world, monster)} does not mind the fire.")
            wake(monster)
            return
        damage = world.dice.roll(count, sides)
        world.say(f"{_name(world, monster)} is {verb}!")
        wound(world, monster, damage * 3 // 2 if frost and "fireproof" in traits else damage, fire=fire)

    return effect


def _slumber(world: World, monster: Monster) -> None:
    wake(monster)
    if "dead" in SPECIES[monster.species].traits or SPECIES[monster.species].mind == "warden":
        world.say(f"{_name(world, monster)} does not sleep.")
        return
    monster.flags |= ASLEEP
    monster.timer = world.dice.between(8, 20)
    world.say(f"{_name(world, monster)} falls asleep.")


def _slow(world: World, monster: Monster) -> None:
    wake(monster)
    monster.flags |= SLOWED
    monster.timer = max(monster.timer, 40)
    world.say(f"{_name(world, monster)} moves slowly.")


def _banish(world: World, monster: Monster) -> None:
    wake(monster)
    if SPECIES[monster.species].mind == "warden":
        world.say("The Warden cannot be sent from its hearth.")
        return
    world.say(f"{_name(world, monster)} is gone.")
    blink(world, monster)


def _mend(world: World, monster: Monster) -> None:
    monster.hp = min(monster.hp + world.dice.roll(3, 6), monster.most)
    world.say(f"{_name(world, monster)} looks better.")


RAYS: Final = {
    "striking": (_damage(2, 10, "struck"), False),
    "sparks": (_damage(2, 6, "burned by sparks"), False),
    "fire": (_damage(5, 6, "burned", fire=True), True),
    "frost": (_damage(5, 6, "frozen", frost=True), True),
    "slumber": (_slumber, True),
    "slowness": (_slow, False),
    "banishing": (_banish, False),
    "force bolt": (_damage(2, 8, "struck"), False),
    "fire bolt": (_damage(4, 6, "burned", fire=True), True),
    "sleep": (_slumber, True),
    "healing": (_mend, False),
}
"""By the last words of a wand's or a spell's name: the effect on a monster, and whether the ray goes on behind it."""


def dig(world: World, offset: int) -> bool:
    """Dig a tunnel in a direction."""
    at = world.hero.square
    dug = 0
    for _ in range(8):
        at += offset
        if not INSIDE[at]:
            break
        ground = world.level.terrain[at]
        if SOLID[ground]:
            change_terrain(world, at, CORRIDOR if not ground & LIT else FLOOR)
            dug += 1
        elif ground & ~LIT in (CLOSED, LOCKED):
            change_terrain(world, at, BROKEN)
            dug += 1
    if dug:
        world.say("Stone turns to dust.")
    return dug > 0


def light_up(world: World) -> bool:
    """Light the hero's surroundings permanently."""
    if world.hero.blind:
        return False
    world.say("Light fills the place.")
    notice(world)
    for at in range(SIZE):
        if world.view[at] and distance(at, world.hero.square) < 12:
            world.level.terrain[at] |= LIT
    notice(world)
    return True


def magic_map(world: World) -> None:
    """Map the level."""
    level = world.level
    for at in range(SIZE):
        ground = level.terrain[at] & ~LIT
        if (SIGHT[ground] or ground in (CLOSED, LOCKED, SECRET, WALL)) and level.memory[at] < TRAP_MEMORY:
            if ground == SECRET:
                change_terrain(world, at, CLOSED)
                ground = CLOSED
            level.memory[at] = _MEMORY_OF.get(ground, ground) + 1


def beckon(world: World) -> bool:
    """Create a monster near the hero."""
    at = free_near(world, world.hero.square)
    if not at:
        return False
    monster = new_monster(world.dice, random_species(world.dice, world.level.depth), at)
    monster.flags &= ~ASLEEP
    if world.level.add_monster(monster):
        world.say(f"{call_monster(world, monster.species, seen=spotted(world, monster), an=True)} appears!")
        return True
    return False


def scare(world: World, turns: int) -> bool:
    """Let all monsters that see the hero flee."""
    seen = False
    for monster in world.level.live():
        if world.view[monster.square] and distance(monster.square, world.hero.square) < 12:
            frighten(world, monster, turns)
            seen = seen or spotted(world, monster)
    return seen
