"""Where each line of a log begins, and its moment: a row per stretch of lines, however many lines there are.

What is inside a stretch is kept for the latest ones alone, and worked out again from the log's bytes when somebody asks
for another: the same numbers come out as when the lines were first read.  Bytes in, numbers out: no I/O.
"""

from array import array
from bisect import bisect_right
from collections.abc import Callable
from operator import attrgetter
from typing import Final

from nhlog.errors import LogRecovered
from nhlog.lazy import LazySequence
from nhlog.log.wire.grammar import time_delta
from nhlog.log.wire.lines import CLOCK_WRAP

__all__ = ["Column", "Read", "Stretch", "Stretches", "signed"]

STRETCH: Final = 1 << 16  # bytes after which the next line begins a new one
KEPT: Final = 1 << 18  # lines whose numbers are kept, or a little more
_SECOND: Final = 1_000_000
_TIME: Final = ord("+")


Read = Callable[[int, int, int | None], bytes]
"""The log's bytes between two offsets; raises :class:`LogRecovered` where they have not that checksum."""


class Stretch:
    """Some lines that follow one another: the number of the first, and for each its offset, clock and `elapsed`."""

    __slots__ = ("clocks", "elapsed", "first", "offsets")

    def __init__(self, first: int) -> None:
        self.first = first
        self.offsets = array("Q")
        self.clocks = array("Q")
        self.elapsed = array("Q")


class Stretches:
    """The stretches of a log whose body begins at `start` and whose clock begins at `clock`.

    A row per stretch: its first line (`firsts`), where that begins (`starts`), and clock and elapsed time before it
    (`clocks`, `latests`).  The zone that counts from a line on is in `zoned` and `zones` (seconds east of UTC).
    `clock` and `latest` are as they are after the last line, `end` is the offset after it, `lines` their number.

    `read` gives the bytes between two offsets; without it all lines are kept.  `sums` has the checksums of the first
    stretches, as far as they are known; those bytes must have them.  `lost` is whether they had not, or other lines.
    """

    ROWS: Final = ("firsts", "starts", "clocks", "latests")
    ARRAYS: Final = (*ROWS, "zoned", "zones")
    NUMBERS: Final = ("begun", "clock", "latest", "end", "lines")

    def __init__(self, start: int, clock: int, read: Read | None = None) -> None:
        self.firsts = array("Q")
        self.starts = array("Q")
        self.clocks = array("Q")
        self.latests = array("Q")
        self.zoned = array("Q", [0])
        self.zones = array("q", [0])
        self.sums = array("I")
        self.lost = False
        self.begun = clock
        self.clock = clock
        self.latest = 0
        self.end = start
        self.lines = 0
        self._until = start  # from there on lines belong to a new stretch
        self._kept: dict[int, Stretch] = {}
        self._kept_lines = 0
        self._read = read
        self._last = self._at = Stretch(0)  # the one that grows, and the one that was asked for last

    def resume(self) -> None:
        """Let the next line begin a new stretch: what is known came from elsewhere."""
        self._last = self._at = Stretch(self.lines)

    def add(self, offset: int, size: int, delta: int | None) -> None:
        """Take the next line, of so many bytes with its newline; `delta` is what a time line adds to the clock."""
        if offset >= self._until:
            self._begin(offset)
        if delta is not None:
            self.clock, self.latest = self._ticked(self.clock, self.latest, delta, self.zones[-1])
        stretch = self._last
        stretch.offsets.append(offset)
        stretch.clocks.append(self.clock)
        stretch.elapsed.append(self.latest)
        self.end = offset + size
        self.lines += 1

    def zone(self, zone: int) -> None:
        """From the next line on this zone counts."""
        if zone != self.zones[-1]:
            self.zoned.append(self.lines)
            self.zones.append(zone)

    def _ticked(self, clock: int, latest: int, delta: int, zone: int) -> tuple[int, int]:
        """Clock and elapsed time after a time line; the latter never falls."""
        clock = (clock + delta) % CLOCK_WRAP
        return clock, max(latest, signed(clock - self.begun - zone * _SECOND))

    def _begin(self, offset: int) -> None:
        if self._last.offsets:
            self._keep(len(self.firsts) - 1, self._last)
        self._last = Stretch(self.lines)
        self._until = offset + STRETCH
        self.firsts.append(self.lines)
        self.starts.append(offset)
        self.clocks.append(self.clock)
        self.latests.append(self.latest)

    def _keep(self, number: int, stretch: Stretch) -> None:
        self._kept[number] = stretch
        self._kept_lines += len(stretch.offsets)
        while self._read and self._kept_lines > KEPT and len(self._kept) > 1:
            self._kept_lines -= len(self._kept.pop(next(iter(self._kept))).offsets)

    def of(self, line: int) -> Stretch:
        """The stretch that `line` is in; raises :class:`LogRecovered` where the log has other lines there now."""
        stretch = self._at
        if not 0 <= line - stretch.first < len(stretch.offsets):
            stretch = self._at = self._last if line >= self._last.first else self._find(line)
        return stretch

    def _find(self, line: int) -> Stretch:
        number = bisect_right(self.firsts, line) - 1
        stretch = self._kept.get(number)
        if stretch is None:
            stretch = self._work_out(number)
            self._keep(number, stretch)
        return stretch

    def span(self, number: int) -> tuple[int, int]:
        """The offsets between which stretch `number` is."""
        after = number + 1
        return self.starts[number], self.starts[after] if after < len(self.starts) else self.end

    def _work_out(self, number: int) -> Stretch:
        """That stretch from the log's bytes."""
        stretch, offset = Stretch(self.firsts[number]), self.starts[number]
        clock, latest = self.clocks[number], self.latests[number]
        for line, text in enumerate(self._texts(number), stretch.first):
            delta = time_delta(text) if text.startswith(b"+") else None
            if delta is not None:
                zone = self.zones[bisect_right(self.zoned, line) - 1]
                clock, latest = self._ticked(clock, latest, delta, zone)
            stretch.offsets.append(offset)
            stretch.clocks.append(clock)
            stretch.elapsed.append(latest)
            offset += len(text) + 1
        return stretch

    def _texts(self, number: int) -> list[bytes]:
        """Its lines."""
        assert self._read is not None
        start, end = self.span(number)
        after = self.firsts[number + 1] if number + 1 < len(self.firsts) else self.lines
        try:
            *texts, rest = self._read(start, end, self.sums[number] if number < len(self.sums) else None).split(b"\n")
            if rest or len(texts) != after - self.firsts[number]:
                raise LogRecovered("the log has other lines than it had", offset=start)
        except LogRecovered:
            self.lost = True
            raise
        return texts


class Column(LazySequence[int]):
    """One of the numbers of all lines: `name` is that of a stretch's array."""

    def __init__(self, stretches: Stretches, name: str) -> None:
        self._stretches = stretches
        self._column: Callable[[Stretch], array[int]] = attrgetter(name)

    def __len__(self) -> int:
        return self._stretches.lines

    def _item(self, index: int) -> int:
        stretch = self._stretches.of(index)
        return self._column(stretch)[index - stretch.first]


def signed(clock: int) -> int:
    """A 64-bit clock as a signed number."""
    clock %= CLOCK_WRAP
    return clock if clock < CLOCK_WRAP // 2 else clock - CLOCK_WRAP
