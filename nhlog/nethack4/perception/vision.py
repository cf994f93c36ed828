"""Line of sight on a level, computed exactly as in the engine (perception spec section 2.3).

The result depends only on the squares that block sight and on the viewer's square; only values that depend on the
blocking squares alone are kept.
"""

from collections.abc import Iterator
from functools import cached_property, lru_cache

from nhlog.nethack4.save.levels.locations import COLNO, ROWNO

__all__ = ["Area", "Opaque", "area", "disc", "squares"]

_LAST = COLNO - 1
_ROWS = 32 * ROWNO  # whose lines of sight are kept: from turn to turn few change

Area = list[bytearray]  # one byte per square, row by row: 1 where something holds
Point = tuple[int, int]


def area() -> Area:
    """An empty area."""
    return [bytearray(COLNO) for _ in range(ROWNO)]


def disc(x: int, y: int, widths: tuple[int, ...]) -> Iterator[Point]:
    """The squares of the level around a square; `widths` has half the width of each row, the middle one first."""
    reach = len(widths) - 1
    for row in range(max(y - reach, 0), min(y + reach, ROWNO - 1) + 1):
        width = widths[abs(row - y)]
        for column in range(max(x - width, 0), min(x + width, _LAST) + 1):
            yield column, row


def squares(found: Area) -> Iterator[Point]:
    """The squares of an area."""
    for y, row in enumerate(found):
        x = row.find(1)
        while x >= 0:
            yield x, y
            x = row.find(1, x + 1)


class Opaque:
    """The squares of a level that block sight, and the lines of sight between them."""

    def __init__(self, blocked: Area) -> None:
        self.blocked = blocked

    def is_clear_between(self, x: int, y: int, to_x: int, to_y: int) -> bool:
        """Whether no square on the midpoint line between two squares blocks sight; the two themselves may."""
        across, down = abs(to_x - x), abs(to_y - y)
        step_x, step_y = (1 if to_x > x else -1), (1 if to_y > y else -1)
        blocked = self.blocked
        if down > across:
            error = 2 * across - down
            for _ in range(down - 1):
                if error >= 0:
                    x += step_x
                    error -= 2 * down
                y += step_y
                error += 2 * across
                if blocked[y][x]:
                    return False
            return True
        error = 2 * down - across
        for _ in range(across - 1):
            if error >= 0:
                y += step_y
                error -= 2 * across
            x += step_x
            error += 2 * down
            if blocked[y][x]:
                return False
        return True

    def seen_from(self, x: int, y: int) -> Area:
        """The squares that could be seen from a square if they were lit."""
        seen = area()
        first, last = self._own_row(x, y)
        seen[y][first : last + 1] = b"\1" * (last + 1 - first)
        for step in (1, -1):
            if 0 <= y + step < ROWNO:
                if x < _LAST:
                    self._sweep(seen, x, y, y + step, step, x, last, 1)
                if x > 0:
                    self._sweep(seen, x, y, y + step, step, x, first, -1)
        return seen

    def _own_row(self, x: int, y: int) -> Point:
        """The first and the last visible column of the viewer's own row."""
        row = self.blocked[y]
        left, right = self._stops[-1][y], self._stops[1][y]
        if not row[x]:
            return left[x], right[x]
        first = 0 if x == 0 else x - 1 if row[x - 1] else left[x - 1]
        last = _LAST if x == _LAST else x + 1 if row[x + 1] else right[x + 1]
        return first, last

    @cached_property
    def _stops(self) -> dict[int, list[tuple[int, ...]]]:
        """By direction and row, for each column where a line of sight along the row ends."""
        return {
            1: [_stops_right(bytes(row)) for row in self.blocked],
            -1: [_stops_left(bytes(row)) for row in self.blocked],
        }

    def _sweep(self, seen: Area, x: int, y: int, row: int, step: int, near: int, far: int, way: int) -> None:
        """Mark the visible squares of `row` between the columns `near` and `far`, and those of the rows behind it.

        `step` leads to the next row, `way` is the direction along the row, away from the hero at (x, y).
        """
        limit = _LAST if way > 0 else 0
        stops, blocked, marks = self._stops[way][row], self.blocked[row], seen[row]
        before = self.blocked[row - step]
        while (far - near) * way >= 0:
            end = stops[near]
            if blocked[near]:
                if (end - far) * way > 0:
                    end = far if before[far] else far + way
                _mark(marks, near, end)
                near = end + way
                continue
            if near != x:
                while (end - near) * way >= 0 and not self.is_clear_between(x, y, near, row):
                    near += way
                if (near - limit) * way >= 0:
                    if near == limit:
                        marks[near] = 1
                    return
                if (near - end) * way >= 0:
                    near = end
                    continue
            reach = end
            if (end - far) * way > 0:
                reach = far - way
                while (end - reach) * way > 0 and self.is_clear_between(x, y, reach + way, row):
                    reach += way
            if near == reach == x and x != limit and blocked[x + way]:
                reach = x + way
            if (reach - near) * way < 0:
                return
            _mark(marks, near, reach)
            if 0 <= row + step < ROWNO:
                self._sweep(seen, x, y, row + step, step, near, reach, way)
            near = reach + way


def _mark(marks: bytearray, one: int, other: int) -> None:
    first, last = (one, other) if one <= other else (other, one)
    marks[first : last + 1] = b"\1" * (last + 1 - first)


@lru_cache(maxsize=_ROWS)
def _stops_left(row: bytes) -> tuple[int, ...]:
    """For a clear square the nearest blocking one to its left, for a blocking one the left end of its run."""
    stops = []
    wall = run = 0
    for x, blocked in enumerate(row):
        if blocked:
            if x == 0 or not row[x - 1]:
                run = x
            wall = x
        stops.append(run if blocked else wall)
    return tuple(stops)


@lru_cache(maxsize=_ROWS)
def _stops_right(row: bytes) -> tuple[int, ...]:
    """The same to its right."""
    return tuple(_LAST - stop for stop in reversed(_stops_left(row[::-1])))
