"""The squares of a level, numbered row by row; the outermost ring is never walked on.

So every neighbour of an occupied square is on the board.  Imports nothing of the game.
"""

from typing import Final

__all__ = [
    "HEIGHT",
    "INSIDE",
    "OFFSETS",
    "SIZE",
    "WIDTH",
    "X",
    "Y",
    "distance",
    "flood",
    "line",
    "square",
]

WIDTH: Final = 79
HEIGHT: Final = 21
SIZE: Final = WIDTH * HEIGHT
X: Final = tuple(at % WIDTH for at in range(SIZE))
Y: Final = tuple(at // WIDTH for at in range(SIZE))
INSIDE: Final = tuple(0 < X[at] < WIDTH - 1 and 0 < Y[at] < HEIGHT - 1 for at in range(SIZE))

OFFSETS: Final = (-1, -1 - WIDTH, -WIDTH, 1 - WIDTH, 1, 1 + WIDTH, WIDTH, WIDTH - 1)
"""The offsets of neighbours by a log's direction numbers (`nhlog.log.wire.lines.DIRECTIONS`), clockwise from west."""

_BESIDE: Final = tuple(tuple(at + offset for offset in OFFSETS if 0 <= at + offset < SIZE) for at in range(SIZE))
FAR: Final = 9999


def square(x: int, y: int) -> int:
    """The square in column `x` of row `y`, both on the board."""
    return y * WIDTH + x


def distance(a: int, b: int) -> int:
    """The number of steps between two squares without obstacles."""
    return max(abs(X[a] - X[b]), abs(Y[a] - Y[b]))


def line(a: int, b: int) -> list[int]:
    """The squares on the straight line from `a` (excluded) to `b` (included), by Bresenham's algorithm."""
    x, y, across, down = X[a], Y[a], abs(X[b] - X[a]), -abs(Y[b] - Y[a])
    step_x, step_y = (1 if X[b] > x else -1), (1 if Y[b] > y else -1)
    error = across + down
    way = []
    while (x, y) != (X[b], Y[b]):
        twice = 2 * error
        if twice >= down:
            error += down
            x += step_x
        if twice <= across:
            error += across
            y += step_y
        way.append(y * WIDTH + x)
    return way


def flood(terrain: bytes | bytearray, start: int, passable: bytes, limit: int = FAR) -> list[int]:
    """For each square the number of steps from `start` over `passable` squares; larger than any way if unreachable.

    `passable` has a byte for each byte of `terrain`; the outermost ring must not be passable.
    """
    steps = [FAR] * SIZE
    steps[start] = 0
    free = bytearray(terrain.translate(passable))  # passable, and not reached yet
    free[start] = 0
    front = [start]
    for number in range(1, limit + 1):
        after = []
        for at in front:
            for there in _BESIDE[at]:
                if free[there]:
                    free[there] = 0
                    steps[there] = number
                    after.append(there)
        if not after:
            break
        front = after
    return steps
