"""Caves: a cellular automaton on noise, in a dry and a wet variant.

Separate parts are joined or filled.
"""

from typing import Final

from nhlog.engines.delve.maps.ground import enclose, floors, join, stairs_apart
from nhlog.engines.delve.world.board import INSIDE, OFFSETS, SIZE, flood
from nhlog.engines.delve.world.dice import Dice
from nhlog.engines.delve.world.state import Level
from nhlog.engines.delve.world.terrain import FLOOR, ROCK, SHALLOWS, WALK, WATER

__all__ = ["automaton", "cave", "flooded"]

FULL: Final = 44  # percent of rock in the noise
STEPS: Final = 4
SMALL: Final = 12  # squares of a hollow that is filled
_INNER: Final = tuple(at for at in range(SIZE) if INSIDE[at])


def automaton(dice: Dice, full: int) -> bytearray:
    """A byte for each square, 1 if it is solid; the edge always is."""
    solid = bytearray(b"\1" * SIZE)
    for at in _INNER:
        solid[at] = dice.percent(full)
    for _ in range(STEPS):
        before = bytes(solid)
        for at in _INNER:
            around = sum(before[at + offset] for offset in OFFSETS)
            solid[at] = around > 4 or (around == 4 and before[at])
    return solid


def cave(level: Level, dice: Dice) -> None:
    """Make a dry cave."""
    _hollow(level, dice)
    join(level, dice)
    enclose(level)
    stairs_apart(level, dice, floors(level))


def flooded(level: Level, dice: Dice) -> None:
    """Make a cave with lakes that can be crossed by shallow water."""
    _hollow(level, dice)
    join(level, dice)
    lakes = automaton(dice, 48)
    ground = floors(level)
    for at in ground:
        if lakes[at]:
            deep = all(lakes[at + offset] for offset in OFFSETS)
            level.terrain[at] = WATER if deep else SHALLOWS
    while True:
        steps = flood(level.terrain, next(at for at in ground if WALK[level.terrain[at]]), WALK)
        apart = [at for at in ground if WALK[level.terrain[at]] and steps[at] >= SIZE]
        drowned = [at for at in ground if level.terrain[at] == WATER]
        if not apart or not drowned:
            break
        rims = [at for at in drowned if any(level.terrain[at + offset] == SHALLOWS for offset in OFFSETS)]
        for at in rims or drowned:
            level.terrain[at] = SHALLOWS
    enclose(level)
    stairs_apart(level, dice, floors(level))


def _hollow(level: Level, dice: Dice) -> None:
    """Dig the caves, and fill parts of fewer than `SMALL` squares."""
    solid = automaton(dice, FULL)
    for at in _INNER:
        if not solid[at]:
            level.terrain[at] = FLOOR
    left = set(floors(level))
    while left:
        steps = flood(level.terrain, min(left), WALK)
        part = {at for at in left if steps[at] < SIZE}
        left -= part
        if len(part) < SMALL and left:
            for at in part:
                level.terrain[at] = ROCK
