"""What a timeline has for each line of a log, computed by chunk from the columns, fast also for very long logs.

A row of the ledger ends with a save, with the end of the game, or with the line before the next command or end: the
kinds of two lines decide.  So rows are only counted by chunk, and located when they are needed.

An axis must never fall, but a damaged turn counter can: the turn axis has the highest turn so far.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from nhlog.values import LazySequence, pattern

__all__ = ["HighestTurns", "RowEnds"]

_CHUNK: Final = 1 << 12  # lines
_SAVES: Final = 256  # of a chunk of turns
_KEPT: Final = 64  # chunks whose ends are kept, and as many of turns
_ENDS: Final = bytes(kind in b"Q*~" for kind in range(256))  # what ends a row, by kind, and what ends the one before
_BEGINS: Final = bytes(kind in b"Qabcdefghijklmnopqrstuvwxyz" for kind in range(256))
_END: Final = pattern(rb"[Q*~]|.(?=[Qa-z]|\Z)", re.DOTALL)


class RowEnds(LazySequence[int]):
    """The last line of each row of a log whose lines have these kinds.

    `before` are the row ends of the same log when it had fewer lines, whose results are reused.
    """

    def __init__(self, kinds: bytearray, before: "RowEnds | None" = None) -> None:
        self._kinds = kinds
        self._lines = len(kinds)
        self._rows: array[int] = before._rows if before else array("Q", [0])  # that end before each chunk
        self._found: dict[int, array[int]] = before._found if before else {}
        self._newest: array[int] | None = None  # of the last chunk, whose last row may grow
        while len(self._rows) * _CHUNK < self._lines:
            self._rows.append(self._rows[-1] + self._count(len(self._rows) - 1))
        self._last = max(self._lines - 1, 0) // _CHUNK
        self._length = self._rows[self._last] + self._count(self._last)

    def __len__(self) -> int:
        return self._length

    def _item(self, index: int) -> int:
        chunk = bisect_right(self._rows, index, 0, self._last + 1) - 1
        return self._ends(chunk)[index - self._rows[chunk]]

    def before(self, line: int) -> int:
        """How many rows end before this line: the number of the one that it is in."""
        chunk = min(max(line, 0) // _CHUNK, self._last)
        return self._rows[chunk] + bisect_left(self._ends(chunk), line)

    def onwards(self, index: int) -> Iterator[int]:
        """The items from `index` on: a chunk is looked up once, and not once for each."""
        while index < self._length:
            chunk = bisect_right(self._rows, index, 0, self._last + 1) - 1
            before = self._rows[chunk]
            after = self._rows[chunk + 1] if chunk < self._last else self._length
            yield from self._ends(chunk)[index - before : after - before]
            index = after

    def _count(self, chunk: int) -> int:
        """The number of rows that end in a chunk: lines that end one, or that are followed by the start of another."""
        start = chunk * _CHUNK
        end = min(start + _CHUNK, self._lines)
        following = self._kinds[start + 1 : end + 1].translate(_BEGINS).ljust(end - start, b"\1")
        return (int.from_bytes(self._kinds[start:end].translate(_ENDS)) | int.from_bytes(following)).bit_count()

    def _ends(self, chunk: int) -> "array[int]":
        """The last lines of the rows that end in a chunk, and perhaps of the next one, which nobody asks for."""
        if chunk == self._last:
            if self._newest is None:
                self._newest = self._look(chunk)
            return self._newest
        ends = self._found.get(chunk)
        if ends is None:
            ends = self._found[chunk] = self._look(chunk)
            if len(self._found) > _KEPT:
                del self._found[next(iter(self._found))]
        return ends

    def _look(self, chunk: int) -> "array[int]":
        start = chunk * _CHUNK
        end = min(start + _CHUNK, self._lines)
        kinds = bytes(self._kinds[start : min(end + 1, self._lines)])
        return array("Q", [start + found.start() for found in _END.finditer(kinds)])


class HighestTurns:
    """The highest turns of a sequence of turns, that of a log's saves, which may grow."""

    def __init__(self, turns: Sequence[int]) -> None:
        self._turns = turns
        self._before = array("Q", [0])  # the highest before each chunk
        self._found: dict[int, array[int]] = {}  # the highest up to each save, by chunk, those asked for lately

    def upto(self, save: int) -> int:
        """The highest turn of the saves up to number `save`; 0 if `save` is negative."""
        if save < 0:
            return 0
        chunk, place = divmod(save, _SAVES)
        highest = self._found.get(chunk)
        if highest is None or place >= len(highest):  # or more have come since
            highest = self._found[chunk] = self._look(chunk)
            if len(self._found) > _KEPT:
                del self._found[next(iter(self._found))]
        return highest[place]

    def _look(self, chunk: int) -> "array[int]":
        while len(self._before) <= chunk:
            end = len(self._before) * _SAVES
            self._before.append(max(self._before[-1], *self._turns[end - _SAVES : end]))
        first = chunk * _SAVES
        return array("Q", accumulate(self._turns[first : first + _SAVES], max, initial=self._before[chunk]))[1:]
