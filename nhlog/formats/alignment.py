"""Two ways over the same course: where one comes to on the other's, place by place in the order of both.

The nearest place would be another one wherever a course crosses itself.  Both ways are taken as places at equal
distances, so that speed and standing still do not matter, and paired by dynamic time warping: of all pairings that go
on in both, the one with the least sum of distances.  What was paired is kept, so that to go on costs one place.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from math import dist, hypot, inf, isfinite
from typing import Final

__all__ = ["Alignment", "TimedPlace"]

TimedPlace = tuple[int, tuple[float, ...]]
"""A tick, and the place to which a move led in it."""

MOST_PLACES: Final = 2000  # of a way: a longer one has them farther apart
BAND: Final = 100  # places before and after the last pair in which the next one is looked for


class Alignment:
    """The way of a ghost, with places at least `spacing` apart; `tick` aligns another way with it."""

    def __init__(self, way: Sequence[TimedPlace], spacing: float) -> None:
        self._way = [timed for timed in way if _is_finite(timed)]
        length = sum(dist(before, after) for (_, before), (_, after) in pairwise(self._way))
        self._spacing = max(spacing, length / MOST_PLACES)
        self._marks: list[int] = []  # indexes of the places that are compared
        for index, timed in enumerate(self._way):
            if not self._marks or dist(self._way[self._marks[-1]][1], timed[1]) >= self._spacing:
                self._marks.append(index)
        self._forget()

    def _forget(self) -> None:
        self._read = 0  # places of the other way
        self._taken: list[int] = []  # the indexes of those that are compared
        self._pairs: list[int] = []  # for each of these, the number of the mark
        self._last: TimedPlace | None = None  # the last of them
        self._first, self._sums = 0, [inf]  # the number of a mark, and the least sums of distances from there on

    def tick(self, other: Sequence[TimedPlace]) -> int | None:
        """The tick of the ghost at the place at which the other way ends; None if the ghost never moved.

        The other way begins where the ghost's does; it may be longer or shorter than when it was asked for last.
        """
        if len(self._marks) < 2 or not other:
            return None
        if self._taken and self._taken[-1] < len(other) and other[self._taken[-1]] != self._last:
            self._forget()  # it was rewound, and took another way
        for index in range(self._read, len(other)):
            self._read = index + 1
            if self._is_far(other[index]):
                self._pair(index, other[index][1])
                self._last = other[index]
        passed = bisect_left(self._taken, len(other))
        mark = self._pairs[passed - 1] if passed else 0
        return self._nearest(mark, other[-1])[0] if _is_finite(other[-1]) else self._way[self._marks[mark]][0]

    def farthest(self, other: Sequence[TimedPlace], within: float) -> int | None:
        """The ghost's tick at the last place on its way to which another way came so near; None if it came to none."""
        self.tick(other)
        reached = []
        for mark, (first, end) in zip(self._pairs, pairwise([*self._taken, len(other)]), strict=True):
            for timed in filter(_is_finite, other[first:end]):
                tick, place = self._nearest(mark, timed)
                reached += [tick] if dist(place, timed[1]) <= within else []
        return max(reached, default=None)

    def _is_far(self, timed: TimedPlace) -> bool:
        """Whether a place is far enough from the last one that was compared."""
        return _is_finite(timed) and (self._last is None or dist(self._last[1], timed[1]) >= self._spacing)

    def _pair(self, index: int, place: tuple[float, ...]) -> None:
        """Pair the next place of the other way with a mark."""
        here = self._pairs[-1] if self._pairs else 0
        first, end = max(here - BAND, 0), min(here + BAND + 1, len(self._marks))
        sums: list[float] = []
        for number in range(first, end):
            before = number - self._first
            ways = [self._sums[at] for at in (before, before - 1) if 0 <= at < len(self._sums)] if self._pairs else []
            least = min([*ways, *sums[-1:]], default=0.0)
            sums.append(least + dist(self._way[self._marks[number]][1], place))
        self._first, self._sums = first, sums
        self._taken.append(index)
        self._pairs.append(first + sums.index(min(sums)))

    def _nearest(self, mark: int, timed: TimedPlace) -> TimedPlace:
        """The ghost's place that is nearest, between this mark and the second after it."""
        end = self._marks[mark + 2] if mark + 2 < len(self._marks) else len(self._way) - 1
        between = self._way[self._marks[mark] : end + 1]
        return min(between, key=lambda place: dist(place[1], timed[1]))


def _is_finite(timed: TimedPlace) -> bool:
    return isfinite(hypot(*timed[1]))
