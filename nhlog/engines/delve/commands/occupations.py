"""Occupations, which take several turns, one turn at a time: running, travelling, searching, resting, eating.

Each has a function that does one turn of it and returns whether it took one; `World.occupation` is what remains.
"""

from collections.abc import Callable
from typing import Final

from nhlog.engines.delve.hero.input import Asking
from nhlog.engines.delve.hero.moving import climb, descend, search_around, step, terrain_at, trapdoor_here
from nhlog.engines.delve.items.meals import eat_on
from nhlog.engines.delve.world.board import OFFSETS, SIZE, distance, flood
from nhlog.engines.delve.world.sight import visible_monsters
from nhlog.engines.delve.world.state import KIND_MEMORY, Occupation, World
from nhlog.engines.delve.world.terrain import (
    BROKEN,
    CORRIDOR,
    DOORS,
    FLOOR,
    GATE,
    OPEN,
    STAIRS_DOWN,
    STAIRS_UP,
    TERRAINS,
)

__all__ = ["MOST_TURNS", "go_down", "go_on", "go_up", "rest", "run", "search", "travel"]

MOST_TURNS: Final = 1000
_WALKED: Final = bytes(
    memory >= KIND_MEMORY
    or (0 < memory <= len(TERRAINS) and (TERRAINS[memory - 1].walk or TERRAINS[memory - 1].symbol == "+"))
    for memory in range(256)
)
"""The remembered terrain that the travel command walks on; known traps are avoided."""


def _limited(turns: int | None) -> int:
    return min(max(turns if turns is not None else 1, 1), MOST_TURNS)


def search(world: World, turns: int | None) -> Asking[bool]:
    """Search, for this many turns."""
    return (yield from _begin(world, Occupation("search", _limited(turns))))


def rest(world: World, turns: int | None) -> Asking[bool]:
    """Rest, for this many turns."""
    return (yield from _begin(world, Occupation("rest", _limited(turns))))


def run(world: World, direction: int) -> Asking[bool]:
    """Run in a direction until something interesting appears."""
    if not 0 <= direction < len(OFFSETS):
        return (yield from step(world, direction))
    return (yield from _begin(world, Occupation("run", MOST_TURNS, direction)))


def travel(world: World, at: int) -> Asking[bool]:
    """Travel to a square by known ways."""
    if not at or at == world.hero.square:
        world.say("Travel where?" if not at else "You are there.")
        return False
    return (yield from _begin(world, Occupation("travel", MOST_TURNS, at)))


def go_down(world: World) -> Asking[bool]:
    """Go down the stairs; if not on stairs, travel to known ones."""
    return (yield from _stairs(world, (STAIRS_DOWN,), descend))


def go_up(world: World) -> Asking[bool]:
    """Go up the stairs; if not on stairs, travel to known ones."""
    return (yield from _stairs(world, (STAIRS_UP, GATE), climb))


def _stairs(world: World, kinds: tuple[int, ...], take: Callable[[World], Asking[bool]]) -> Asking[bool]:
    known = [at for at, code in enumerate(world.level.memory) if code - 1 in kinds]
    if terrain_at(world, world.hero.square) in kinds or not known or (STAIRS_DOWN in kinds and trapdoor_here(world)):
        return (yield from take(world))
    world.say("You set out for the stairs.")
    return (yield from travel(world, known[0]))


def _begin(world: World, occupation: Occupation) -> Asking[bool]:
    world.occupation = occupation
    return (yield from go_on(world))


def go_on(world: World) -> Asking[bool]:
    """Continue the hero's occupation for one turn."""
    doing = world.occupation
    if doing is None:
        world.say("You have nothing to go on with.")
        return False
    left = Occupation(doing.name, doing.left - 1, doing.target)
    world.occupation = left if left.left > 0 else None
    spent = yield from _TURNS[doing.name](world, doing.target)
    if not spent:
        world.occupation = None
    return spent


def _search(world: World, target: int) -> Asking[bool]:
    yield from ()
    return search_around(world)


def _rest(world: World, target: int) -> Asking[bool]:
    yield from ()
    return True


def _run(world: World, direction: int) -> Asking[bool]:
    start = world.hero.square
    spent = yield from step(world, direction)
    here = world.hero.square
    ground = terrain_at(world, here)
    if here == start or world.noticed or _company(world):
        world.occupation = None
    elif ground == CORRIDOR:
        _follow(world, direction)
    elif ground != FLOOR or (_beside_door(world, here) and not _beside_door(world, start)):
        world.occupation = None
    return spent


def _company(world: World) -> bool:
    """Whether a monster is near."""
    return any(distance(monster.square, world.hero.square) < 3 for monster in visible_monsters(world))


def _beside_door(world: World, at: int) -> bool:
    """Whether a door or a passage is orthogonally adjacent."""
    grounds = [terrain_at(world, at + offset) for offset in OFFSETS[::2]]
    return any(ground in DOORS or ground in (BROKEN, CORRIDOR) for ground in grounds)


def _follow(world: World, direction: int) -> None:
    """Turn with a passage; stop where it branches."""
    at = world.hero.square
    back = (direction + 4) % 8
    ahead = [
        number
        for number in range(8)
        if number not in (back, (back + 1) % 8, (back - 1) % 8) and _WALKED[world.level.memory[at + OFFSETS[number]]]
    ]
    if direction in ahead and len(ahead) == 1:
        return
    straight = [number for number in ahead if number % 2 == 0] or ahead
    if len(straight) == 1 and world.occupation is not None:
        world.occupation = Occupation("run", world.occupation.left, straight[0])
    else:
        world.occupation = None


def _travel(world: World, goal: int) -> Asking[bool]:
    start = world.hero.square
    number = _way(world, goal)
    if number is None:
        world.say("You do not know a way there.")
        return False
    at = start + OFFSETS[number]
    if any(monster.square == at for monster in visible_monsters(world)):
        world.say("Somebody is in the way.")
        return False
    spent = yield from step(world, number)
    here = world.hero.square
    if here == goal or (here == start and terrain_at(world, at) != OPEN):
        world.occupation = None
    return spent


def _way(world: World, goal: int) -> int | None:
    """The direction of the next step by known ways to a square, or as near to it as they lead; None without a way."""
    memory, start = world.level.memory, world.hero.square
    steps = flood(memory, goal, _WALKED)
    if steps[start] >= SIZE or not _WALKED[memory[goal]]:
        steps = [distance(at, goal) for at in range(SIZE)]
    known = [
        number for number, offset in enumerate(OFFSETS) if _WALKED[memory[start + offset]] or start + offset == goal
    ]
    nearer = [number for number in known if steps[start + OFFSETS[number]] < steps[start]]
    return min(nearer, key=lambda number: (steps[start + OFFSETS[number]], number % 2), default=None)


def _eat(world: World, slot: int) -> Asking[bool]:
    yield from ()
    return eat_on(world, slot)


_TURNS: Final[dict[str, Callable[[World, int], Asking[bool]]]] = {
    "search": _search,
    "rest": _rest,
    "run": _run,
    "travel": _travel,
    "eat": _eat,
}
