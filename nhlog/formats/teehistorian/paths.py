"""The ways of tees: where one was in each tick of a leg, read once and kept while it goes on."""

from bisect import bisect_right

from nhlog.formats.alignment import TimedPlace
from nhlog.formats.teehistorian.reading.index import Cursor, Index

__all__ = ["Paths"]


class Paths:
    """The ways of the tees of an index, of which the last one asked for is kept."""

    def __init__(self, index: Index) -> None:
        self._cursor = Cursor(index)
        self._from: tuple[int, int] | None = None  # client id and first tick of the way that is kept
        self._next = 0  # the tick after the last that was read
        self._way: list[TimedPlace] = []

    def way(self, cid: int, first: int, last: int) -> list[TimedPlace]:
        """The places of a client's tee in ticks `first` to `last`, each with the tick in which it came there."""
        if self._from != (cid, first):
            self._from, self._next, self._way = (cid, first), first, []
        for tick in range(self._next, last + 1):
            self._cursor.go(tick)
            place = self._cursor.world.place(cid)
            if place is not None and (not self._way or self._way[-1][1] != place):
                self._way.append((tick, place))
        self._next = max(self._next, last + 1)
        return self._way[: bisect_right(self._way, last, key=lambda timed: timed[0])]
