"""Ways over what the hero remembers of a level: to a square, to places with names, to what is not explored yet.

They lead past traps that are known and doors that are known to be locked.  Nothing here changes the game.
"""

from collections.abc import Iterator
from typing import Final

from nhlog.engines.delve.world.board import INSIDE, OFFSETS, SIZE, X, Y, distance, flood
from nhlog.engines.delve.world.kinds import KINDS
from nhlog.engines.delve.world.state import KIND_MEMORY, PASSED, World
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

__all__ = ["CAN_WALK", "LOCKED_MEMORY", "landmarks", "places", "unexplored", "way"]

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
_LANDMARKS: Final = frozenset(kind + 1 for kind in (STAIRS_UP, STAIRS_DOWN, GATE, ALTAR, FOUNTAIN, GRAVE))
_CORPSE: Final = KIND_MEMORY + next(number for number, kind in enumerate(KINDS) if kind.name == "corpse")


def way(world: World, goal: int) -> int | None:
    """The direction of the next step by known ways to a square, or as near to it as they lead; None without a way."""
    memory, start = world.level.memory, world.hero.square
    steps = flood(memory, goal, CAN_WALK)
    if steps[start] >= SIZE or not CAN_WALK[memory[goal]]:
        steps = [distance(at, goal) for at in range(SIZE)]
    known = [
        number for number, offset in enumerate(OFFSETS) if CAN_WALK[memory[start + offset]] or start + offset == goal
    ]
    nearer = [number for number in known if steps[start + OFFSETS[number]] < steps[start]]
    return min(nearer, key=lambda number: (steps[start + OFFSETS[number]], number % 2), default=None)


def landmarks(world: World) -> dict[int, str]:
    """The names of the places that the hero knows on this level, by their squares."""
    return {at: TERRAINS[code - 1].name for at, code in enumerate(world.level.memory) if code in _LANDMARKS}


def places(world: World) -> tuple[Place, ...]:
    """The places that the hero knows on this level, but for that where the hero is; the nearest first."""
    memory, here = world.level.memory, world.hero.square
    known = sorted(landmarks(world).items(), key=lambda place: (distance(place[0], here), place[0]))
    return tuple(Place(X[at], Y[at], TERRAINS[memory[at] - 1].symbol, name) for at, name in known if at != here)


def unexplored(world: World) -> int:
    """The nearest square with something to see: an item, or what nobody has seen beside it; 0 without any."""
    memory = world.level.memory
    steps = flood(memory, world.hero.square, CAN_WALK)
    near = sorted((at for at, far in enumerate(steps) if 0 < far < SIZE), key=steps.__getitem__)
    items = _unseen_items(world)
    for beside in (OFFSETS[::2], OFFSETS):  # what can only be seen from a corner is for later: mostly that is one
        for at in near:
            if at in items or any(not memory[at + offset] and INSIDE[at + offset] for offset in beside):
                return at
    return 0


def _unseen_items(world: World) -> set[int]:
    """The squares where the hero remembers items, and has not stood since they lie there."""
    level = world.level
    traps = {trap.square for trap in level.traps if trap is not None and trap.seen}
    return {at for at in _item_squares(level.memory) if at not in traps} - {
        item.place for item in level.items if item is not None and item.flags & PASSED
    }


def _item_squares(memory: bytearray) -> Iterator[int]:
    return (at for at, code in enumerate(memory) if code >= KIND_MEMORY and code != _CORPSE)
