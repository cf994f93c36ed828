"""The effects of traps on the hero, by the trap's name.

A trap that was triggered becomes known.
"""

from collections.abc import Callable
from typing import Final

from nhlog.engines.delve.combat.harm import hurt, make_helpless, wake_all
from nhlog.engines.delve.maps.ground import DEEPEST
from nhlog.engines.delve.world.powers import has
from nhlog.engines.delve.world.state import Trap, World
from nhlog.engines.delve.world.traps import TRAPS

__all__ = ["find_trap", "fly_over", "spring"]


def fly_over(world: World) -> bool:
    """Whether the hero floats over the floor."""
    return world.hero.floating > 0


def find_trap(world: World, trap: Trap) -> None:
    """Make a trap known to the hero."""
    if not trap.seen:
        trap.seen = 1
        world.disturbed = True
        world.say(f"You find a {TRAPS[trap.kind].name}.")


def spring(world: World, trap: Trap) -> None:
    """Trigger a trap."""
    trap.seen = 1
    world.disturbed = True
    _SPRINGS[TRAPS[trap.kind].name](world, trap)


def _dart(world: World, trap: Trap) -> None:
    world.say("A dart shoots out of the wall!")
    if world.dice.below(3):
        hurt(world, world.dice.roll(1, 5), "a dart trap")
        if world.dice.one_in(6):
            world.say("It was poisoned.")
            world.hero.poisoned = min(world.hero.poisoned + 6, 60)
    else:
        world.say("It misses.")


def _pit(world: World, trap: Trap) -> None:
    world.say("You fall into a pit!")
    hurt(world, world.dice.roll(1, 6), "a fall into a pit")
    world.hero.stuck = world.dice.between(3, 5)


def _snare(world: World, trap: Trap) -> None:
    world.say("A snare closes around your ankle!")
    world.hero.stuck = world.dice.between(4, 7)


def _alarm(world: World, trap: Trap) -> None:
    world.say("A wire snaps, and bells ring all over the level!")
    wake_all(world)


def _gas(world: World, trap: Trap) -> None:
    if has(world, "freedom"):
        world.say("Sweet gas hisses out. You yawn.")
        return
    world.say("Sweet gas hisses out. You fall asleep.")
    make_helpless(world, world.dice.between(5, 12), "asleep")


def _trapdoor(world: World, trap: Trap) -> None:
    if world.level.depth >= DEEPEST:
        world.say("The trapdoor is jammed.")
        return
    world.say("The floor opens under you!")
    world.destination = (world.level.depth + 1, "fall")


def _fire(world: World, trap: Trap) -> None:
    world.say("A jet of fire shoots up!")
    damage = world.dice.roll(2, 6)
    hurt(world, damage // 2 if has(world, "warding") else damage, "a jet of fire")


def _elsewhere(world: World, trap: Trap) -> None:
    world.say("The stone under your foot hums.")
    world.destination = (world.level.depth, "anywhere")


_SPRINGS: Final[dict[str, Callable[[World, Trap], None]]] = {
    "dart trap": _dart,
    "pit": _pit,
    "snare": _snare,
    "alarm wire": _alarm,
    "sleep gas vent": _gas,
    "trapdoor": _trapdoor,
    "fire jet": _fire,
    "standing stone of elsewhere": _elsewhere,
}
