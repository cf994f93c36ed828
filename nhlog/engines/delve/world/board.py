"""The squares of a level: a square is one number, row by row, and the outermost ring is never walked on.

So every neighbour of a square that something stands on is on the board.  Imports nothing of the game.
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
"""By the direction numbers of a log (`nhlog.log.wire.lines.DIRECTIONS`), west and on clockwise."""

FAR: Final = 9999


def square(x: int, y: int) -> int:
    """The square in column `x` of row `y`, both on the board."""
    return y * WIDTH + x


def distance(a: int, b: int) -> int:
    """Steps between two squares where nothing is in the way."""
    return max(abs(X[a] - X[b]), abs(Y[a] - Y[b]))


def line(a: int, b: int) -> list[int]:
    """The squares on the straight way from `a`, which is not among them, to `b`, which is (Bresenham)."""
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
    """For each square the steps from `start` over squares that are `passable`; more than any way where there is none.

    `passable` has a byte for each byte of `terrain`; the outermost ring must not be passable.
    """
    steps = [FAR] * SIZE
    steps[start] = 0
    front = [start]
    for number in range(1, limit + 1):
        after = []
        for at in front:
            for offset in OFFSETS:
                there = at + offset
                if steps[there] == FAR and passable[terrain[there]]:
                    steps[there] = number
                    after.append(there)
        if not after:
            break
        front = after
    return steps
