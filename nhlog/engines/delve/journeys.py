"""What takes several turns and is done one turn at a time: running, travelling, searching, resting, eating.

Each has a function that does one turn of it and says whether it took one; `World.occupation` is what is left.
"""

from collections.abc import Callable
from typing import Final

from nhlog.engines.delve.asking import Asking
from nhlog.engines.delve.board import OFFSETS, SIZE, distance, flood
from nhlog.engines.delve.meals import eat_on
from nhlog.engines.delve.moving import search_around, step, terrain_at
from nhlog.engines.delve.sight import visible_monsters
from nhlog.engines.delve.state import Occupation, World
from nhlog.engines.delve.terrain import CORRIDOR, FLOOR, TERRAINS
from nhlog.engines.delve.wire.levels import KIND_MEMORY

__all__ = ["MOST_TURNS", "go_on", "rest", "run", "search", "travel"]

MOST_TURNS: Final = 1000
_WALKED: Final = bytes(
    memory >= KIND_MEMORY
    or (0 < memory <= len(TERRAINS) and (TERRAINS[memory - 1].walk or TERRAINS[memory - 1].symbol == "+"))
    for memory in range(256)
)
"""What a traveller walks on, by what is remembered there; known traps are gone around."""


def _limited(turns: int | None) -> int:
    return min(max(turns if turns is not None else 1, 1), MOST_TURNS)


def search(world: World, turns: int | None) -> Asking[bool]:
    """Search, for so many turns."""
    return (yield from _begin(world, Occupation("search", _limited(turns))))


def rest(world: World, turns: int | None) -> Asking[bool]:
    """Do nothing, for so many turns."""
    return (yield from _begin(world, Occupation("rest", _limited(turns))))


def run(world: World, direction: int) -> Asking[bool]:
    """Walk on in a direction until something is of interest."""
    if not 0 <= direction < len(OFFSETS):
        return (yield from step(world, direction))
    return (yield from _begin(world, Occupation("run", MOST_TURNS, direction)))


def travel(world: World, at: int) -> Asking[bool]:
    """Walk to a square by ways that are known."""
    if not at or at == world.hero.square:
        world.say("Travel where?" if not at else "You are there.")
        return False
    return (yield from _begin(world, Occupation("travel", MOST_TURNS, at)))


def _begin(world: World, occupation: Occupation) -> Asking[bool]:
    world.occupation = occupation
    return (yield from go_on(world))


def go_on(world: World) -> Asking[bool]:
    """One more turn of what the hero is doing."""
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
    monsters_near = any(distance(monster.square, start) < 3 for monster in visible_monsters(world))
    before = _openings(world, start)
    spent = yield from step(world, direction)
    here = world.hero.square
    if here == start or monsters_near or terrain_at(world, here) not in (FLOOR, CORRIDOR):
        world.occupation = None
    elif terrain_at(world, here) == CORRIDOR:
        _follow(world, direction)
    elif (
        _openings(world, here) != before
        and before
        and terrain_at(world, start) != CORRIDOR
        and _beside_door(world, here)
    ):
        world.occupation = None
    return spent


def _openings(world: World, at: int) -> int:
    return 1 + sum(bool(_WALKED[world.level.memory[at + offset]]) for offset in OFFSETS)


def _beside_door(world: World, at: int) -> bool:
    return any(
        TERRAINS[terrain_at(world, at + offset)].symbol in "+|" or terrain_at(world, at + offset) == CORRIDOR
        for offset in OFFSETS[::2]
    )


def _follow(world: World, direction: int) -> None:
    """Turn with a passage; stop where it parts."""
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
    level, start = world.level, world.hero.square
    steps = flood(level.memory, goal, _WALKED)
    places = [number for number in range(8) if steps[start + OFFSETS[number]] < min(steps[start], SIZE)]
    if not _WALKED[level.memory[goal]] or not places:
        nearest = [number for number in range(8) if distance(start + OFFSETS[number], goal) < distance(start, goal)]
        places = [number for number in nearest if _WALKED[level.memory[start + OFFSETS[number]]]]
        if not places:
            world.say("You do not know a way there.")
            return False
        steps = [distance(at, goal) for at in range(SIZE)]
    best = min(places, key=lambda number: (steps[start + OFFSETS[number]], number % 2))
    if start + OFFSETS[best] in level.occupants and visible_monsters(world):
        world.say("Somebody is in the way.")
        return False
    spent = yield from step(world, best)
    if world.hero.square == goal or (world.hero.square == start and not _opened(world, start + OFFSETS[best])):
        world.occupation = None
    elif world.hero.square == start or not _of_interest(world):
        world.disturbed = False if world.hero.hp > 0 and not world.killer and world.occupation else world.disturbed
    return spent


def _opened(world: World, at: int) -> bool:
    """Whether there is an open door now."""
    return TERRAINS[terrain_at(world, at)].symbol == "|"


def _of_interest(world: World) -> bool:
    return bool(world.helpless or world.hero.stuck or world.destination)


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
