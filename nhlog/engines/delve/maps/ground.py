"""Functions shared by the level builders: digging, walls, stairs.

The floor of a level is always connected, and its edge closed.
"""

from collections.abc import Sequence

from nhlog.engines.delve.world.board import HEIGHT, INSIDE, OFFSETS, SIZE, WIDTH, distance, flood, square
from nhlog.engines.delve.world.dice import Dice
from nhlog.engines.delve.world.state import Level
from nhlog.engines.delve.world.terrain import (
    CLOSED,
    CORRIDOR,
    FLOOR,
    GATE,
    LIT,
    LOCKED,
    ROCK,
    STAIRS_DOWN,
    STAIRS_UP,
    WALK,
    WALL,
)

__all__ = ["DEEPEST", "closed_copy", "dig_passage", "enclose", "floors", "join", "put_stairs", "stairs_apart"]

DEEPEST = 10
_ROCK = bytes(byte & ~LIT in (ROCK, CORRIDOR) for byte in range(256))
_REACH = bytes(bool(walk) or byte & ~LIT in (CLOSED, LOCKED) for byte, walk in enumerate(WALK))
_INNER = tuple(at for at in range(SIZE) if INSIDE[at])


def floors(level: Level) -> list[int]:
    """The squares of plain floor."""
    return [at for at in _INNER if level.terrain[at] & ~LIT == FLOOR]


def enclose(level: Level, *, lit: bool = False) -> None:
    """Turn rock next to floor into walls."""
    terrain = level.terrain
    for at in range(SIZE):
        if terrain[at] == ROCK and any(
            0 <= at + offset < SIZE and terrain[at + offset] & ~LIT not in (ROCK, WALL, CORRIDOR)
            for offset in OFFSETS
            if abs((at + offset) % WIDTH - at % WIDTH) <= 1
        ):
            terrain[at] = WALL | (LIT if lit else 0)


def closed_copy(terrain: bytearray) -> bytearray:
    """The terrain with a solid edge."""
    copy = bytearray(terrain)
    copy[:WIDTH] = copy[-WIDTH:] = bytes((WALL,)) * WIDTH
    copy[::WIDTH] = copy[WIDTH - 1 :: WIDTH] = bytes((WALL,)) * HEIGHT
    return copy


def dig_passage(level: Level, start: int, end: int) -> bool:
    """Dig a passage through rock between two squares of rock; returns False if there is no way."""
    steps = flood(closed_copy(level.terrain), end, _ROCK)
    if steps[start] >= SIZE:
        return False
    at = start
    level.terrain[at] = CORRIDOR
    while at != end:
        straight = (-1, 1, -WIDTH, WIDTH)
        nearer = [at + offset for offset in (*straight, *OFFSETS) if steps[at + offset] < steps[at]]
        at = nearer[0]
        level.terrain[at] = CORRIDOR
    return True


def join(level: Level, dice: Dice) -> None:
    """Dig until all floor is connected."""
    while True:
        ground = [at for at in _INNER if WALK[level.terrain[at]]]
        steps = flood(level.terrain, ground[0], WALK)
        apart = [at for at in ground if steps[at] >= SIZE]
        if not apart:
            return
        reached = [at for at in ground if steps[at] < SIZE]
        start = dice.pick(apart)
        end = min(reached, key=lambda at: distance(at, start))
        _tunnel(level, start, end)


def _tunnel(level: Level, start: int, end: int) -> None:
    x, y = start % WIDTH, start // WIDTH
    while square(x, y) != end:
        if x != end % WIDTH:
            x += 1 if end % WIDTH > x else -1
        else:
            y += 1 if end // WIDTH > y else -1
        if not WALK[level.terrain[square(x, y)]]:
            level.terrain[square(x, y)] = FLOOR


def put_stairs(level: Level, up: int, down: int | None) -> None:
    """Place the stairs; the first level's way up is the gate, the deepest has none down."""
    lit = level.terrain[up] & LIT
    level.terrain[up] = (GATE if level.depth == 1 else STAIRS_UP) | lit
    if down is not None and level.depth < DEEPEST:
        level.terrain[down] = STAIRS_DOWN | level.terrain[down] & LIT


def stairs_apart(level: Level, dice: Dice, places: Sequence[int]) -> None:
    """Place the stairs on two of the squares that are far from each other."""
    up = dice.pick(places)
    steps = flood(level.terrain, up, _REACH)
    far = sorted((at for at in places if at != up and steps[at] < SIZE), key=lambda at: -steps[at])
    put_stairs(level, up, dice.pick(far[: max(len(far) // 4, 1)]))
