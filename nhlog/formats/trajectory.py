"""Paths through space as plots: how fast somebody was on them, and how long in which square of a map."""

from array import array
from collections.abc import Sequence
from itertools import pairwise
from math import ceil, dist, floor, isfinite
from typing import Final

from nhlog.plots import Heat, Mark, Scale, Series, Walls
from nhlog.values import NamedTuple

__all__ = ["Extent", "Squares", "Trajectory", "around", "speeds"]

_MOST_POINTS: Final = 300  # of a curve: a speed is that of the path between two of them
_MOST_SQUARES: Final = 1 << 20

Extent = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class Trajectory(NamedTuple):
    """Where somebody was: the steps of the recording, their times in seconds, and the places."""

    steps: list[int]
    times: list[float]
    places: list[tuple[float, ...]]

    def add(self, step: int, time: float, place: tuple[float, ...]) -> None:
        """Add a place; one that is not finite is left out."""
        if all(map(isfinite, place)):
            self.steps.append(step)
            self.times.append(time)
            self.places.append(place)


def speeds(name: str, path: Trajectory, length: float, fastest: float, longest: float) -> Series:
    """How fast somebody was, in a recording of this length in seconds.

    Who would have been faster than `fastest` was put there, and where nothing is known for longer than `longest`
    seconds there is no path.
    """
    piece = max(length / _MOST_POINTS, 1e-9)
    times: list[float] = []
    values: list[float] = []
    steps: list[int] = []
    far = passed = 0.0
    for before, after in pairwise(range(len(path.steps))):
        span = path.times[after] - path.times[before]
        distance = dist(path.places[before], path.places[after])
        if 0 < span <= longest and distance <= fastest * span:
            far, passed = far + distance, passed + span
        if passed and (path.times[after] // piece != path.times[before] // piece or span > longest):
            times.append(path.times[before])
            values.append(round(far / passed, 3))
            steps.append(path.steps[before])
            far = passed = 0.0
    return Series(name, times, values, steps)


def around(places: Sequence[tuple[float, ...]], least: float) -> Extent:
    """The whole squares in which these places are, and around them a margin, of `least` squares or a twentieth."""
    xs, ys = [place[0] for place in places], [place[1] for place in places]
    margin = max(least, (max(xs) - min(xs)) / 20, (max(ys) - min(ys)) / 20)
    return floor(min(xs) - margin), floor(min(ys) - margin), ceil(max(xs) + margin), ceil(max(ys) + margin)


class Squares:
    """The squares of a map, and how long somebody was in each; they are of size 1 where there are not too many."""

    def __init__(self, extent: Extent) -> None:
        left, top, right, bottom = extent
        size = 1
        while (right - left) * (bottom - top) / (size * size) > _MOST_SQUARES:
            size *= 2
        self._columns, self._rows = max(ceil((right - left) / size), 1), max(ceil((bottom - top) / size), 1)
        self._extent = left, top, left + self._columns * size, top + self._rows * size
        self._size = size
        self._seconds = array("d", bytes(8 * self._columns * self._rows))
        self._firsts = array("q", [-1]) * (self._columns * self._rows)

    def add(self, step: int, x: float, y: float, seconds: float) -> None:
        """Somebody was there for so long, from this step on; what is outside the map does not count."""
        column, row = floor((x - self._extent[0]) / self._size), floor((y - self._extent[1]) / self._size)
        if not (0 <= column < self._columns and 0 <= row < self._rows):
            return
        square = row * self._columns + column
        self._seconds[square] += seconds
        if not 0 <= self._firsts[square] <= step:
            self._firsts[square] = step

    def heat(self, title: str, x: Scale, y: Scale, marks: Sequence[Mark] = (), walls: Walls | None = None) -> Heat:
        """The map; marks that are outside are left out."""
        left, top, right, bottom = self._extent
        inside = tuple(mark for mark in marks if left <= mark.x <= right and top <= mark.y <= bottom)
        return Heat(
            title=title,
            x=x,
            y=y,
            extent=self._extent,
            columns=self._columns,
            rows=self._rows,
            seconds=self._seconds,
            firsts=self._firsts,
            marks=inside,
            walls=walls,
        )
