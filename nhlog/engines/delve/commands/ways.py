"""Ways over what the hero remembers of a level: to a square, to places with names, to what is not explored yet.

They lead past traps that are known and doors that are known to be locked.  Nothing here changes the game.
"""

import re
from typing import Final

from nhlog.engines.delve.world.board import OFFSETS, SIZE, X, Y, distance, flood
from nhlog.engines.delve.world.kinds import number_of
from nhlog.engines.delve.world.sight import can_see, visible_monsters
from nhlog.engines.delve.world.state import KIND_MEMORY, PASSED, TRAP_MEMORY, World
from nhlog.engines.delve.world.terrain import (
    ALTAR,
    FOUNTAIN,
    GATE,
    GRAVE,
    LOCKED,
    STAIRS_DOWN,
    STAIRS_UP,
    TERRAINS,
)
from nhlog.engines.prompts import Place

__all__ = ["CAN_WALK", "LOCKED_MEMORY", "landmarks", "places", "pursuit", "unexplored", "way"]

CAN_WALK: Final = bytes(
    memory >= KIND_MEMORY
    or (
        0 < memory <= len(TERRAINS)
        and memory - 1 != LOCKED
        and (TERRAINS[memory - 1].walk or TERRAINS[memory - 1].symbol == "+")
    )
    for memory in range(256)
)
"""The remembered squares that ways lead over."""
LOCKED_MEMORY: Final = LOCKED + 1
_LANDMARKS: Final = re.compile(
    b"[%s]" % re.escape(bytes(kind + 1 for kind in (STAIRS_UP, STAIRS_DOWN, GATE, ALTAR, FOUNTAIN, GRAVE)))
)
_CORPSE: Final = KIND_MEMORY + number_of("corpse")
_ITEMS: Final = re.compile(b"[%s]" % re.escape(bytes(code for code in range(KIND_MEMORY, 256) if code != _CORPSE)))


def way(world: World, goal: int) -> int | None:
    """The direction of the next step by known ways to a square, or as near to it as they lead; None without a way."""
    memory, start = _ground(world), world.hero.square
    steps = flood(memory, goal, CAN_WALK)
    if world.rules > 1:  # from a trap, too, on which no way leads
        steps[start] = 1 + min(steps[start + offset] for offset in OFFSETS) if goal != start else 0
    if steps[start] >= SIZE or not CAN_WALK[memory[goal]]:
        steps = [distance(at, goal) for at in range(SIZE)]
    known = [
        number for number, offset in enumerate(OFFSETS) if CAN_WALK[memory[start + offset]] or start + offset == goal
    ]
    nearer = [number for number in known if steps[start + OFFSETS[number]] < steps[start]]
    return min(nearer, key=lambda number: (steps[start + OFFSETS[number]], number % 2), default=None)


def pursuit(world: World, goal: int) -> int | None:
    """The direction of the next step to a square that somebody is on, by known ways and past all others; or None."""
    ground, start = bytearray(_ground(world)), world.hero.square
    steps = flood(ground, goal, CAN_WALK)
    nearer = [number for number, offset in enumerate(OFFSETS) if steps[start + offset] < SIZE]
    return min(nearer, key=lambda number: (steps[start + OFFSETS[number]], number % 2), default=None)


def landmarks(world: World) -> dict[int, str]:
    """The names of the places that the hero knows on this level, by their squares."""
    memory = world.level.memory
    return {found.start(): TERRAINS[memory[found.start()] - 1].name for found in _LANDMARKS.finditer(memory)}


def places(world: World) -> tuple[Place, ...]:
    """The places that the hero knows on this level, but for that where the hero is; the nearest first."""
    memory, here = world.level.memory, world.hero.square
    known = sorted(landmarks(world).items(), key=lambda place: (distance(place[0], here), place[0]))
    return tuple(Place(X[at], Y[at], TERRAINS[memory[at] - 1].symbol, name) for at, name in known if at != here)


def unexplored(world: World) -> list[int]:
    """The way to the nearest square with an item, or beside what nobody has seen; empty without any.

    Items that the hero sees come before anything else.  What can only be seen from a corner is for later: mostly that
    is one.
    """
    items = _unseen_items(world)
    if world.rules > 2 and (here := [at for at in items if can_see(world, at)]):
        ground, start = _ground(world), world.hero.square
        steps = flood(ground, start, CAN_WALK)
        nearest = min(here, key=lambda at: (steps[at], at))
        if 0 < steps[nearest] < SIZE:
            back = [nearest]
            while steps[back[-1]] > 1:
                back.append(next(back[-1] + offset for offset in OFFSETS if steps[back[-1] + offset] < steps[back[-1]]))
            return back[::-1]
    return _nearest(world, items)


def _nearest(world: World, items: set[int]) -> list[int]:
    """The way to the nearest of these squares, or beside what nobody has seen."""
    memory, ground = world.level.memory, _ground(world)
    start = world.hero.square
    before = {start: start}
    later = 0
    front = [start]
    while front:
        after = []
        for at in front:
            for offset in OFFSETS:
                there = at + offset
                if there in before or not CAN_WALK[ground[there]]:
                    continue
                before[there] = at
                if there in items or _unknown(memory, there, OFFSETS[::2]):
                    return _followed(before, there)
                if not later and _unknown(memory, there, OFFSETS[1::2]):
                    later = there
                after.append(there)
        front = after
    return _followed(before, later) if later else []


def _unknown(memory: bytearray, at: int, beside: tuple[int, ...]) -> bool:
    a, b, c, d = beside
    return not (memory[at + a] and memory[at + b] and memory[at + c] and memory[at + d])


def _followed(before: dict[int, int], goal: int) -> list[int]:
    """The squares from the start, which is before itself, to the goal; without the start."""
    way = []
    while before[goal] != goal:
        way.append(goal)
        goal = before[goal]
    return way[::-1]


def _unseen_items(world: World) -> set[int]:
    """The squares where the hero remembers items, and has not stood since they lie there."""
    level = world.level
    items = {found.start() for found in _ITEMS.finditer(level.memory)}
    return items - {item.place for item in level.items if item is not None and item.flags & PASSED}


def _ground(world: World) -> bytes | bytearray:
    """What the hero remembers of the level, with the traps that things lie on, and where monsters are seen."""
    memory = world.level.memory
    if world.rules == 1:
        return memory
    ground = bytearray(memory)
    for trap in world.level.traps:
        if trap is not None and trap.seen:
            ground[trap.square] = TRAP_MEMORY + trap.kind
    for monster in visible_monsters(world):
        ground[monster.square] = 0
    return ground
