"""Where each line of a log begins, and its moment: a row per stretch of lines, however many lines there are.

What is inside a stretch is kept for the latest ones alone, and worked out again from the log's bytes when somebody asks
for another: the same numbers come out as when the lines were first read.  Bytes in, numbers out: no I/O.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Final

from nhlog.errors import LogRecovered
from nhlog.kernels.log_lines import BROKEN, ENTER, PLAIN, SAVE, TIME, moments
from nhlog.log.wire.lines import CLOCK_WRAP
from nhlog.values import LazySequence

__all__ = ["CLASSES", "ENTERED", "Column", "Read", "Stretch", "Stretches", "signed"]

STRETCH: Final = 1 << 16  # bytes after which the next line begins a new one
KEPT: Final = 1 << 23  # bytes of lines, and of their numbers, that are kept, or a little more
_NUMBERS: Final = 24  # bytes for each line
_SECOND: Final = 1_000_000

ENTERED: Final = b"welcome"  # what a client logs first when it begins to play (log spec section 6.1)
_BY_CLASS: Final = {
    PLAIN: b"abcdefghijklmnopqrstuvwxyzPDKYMOLBRQ",
    TIME: b"+",
    SAVE: b"*~",
    ENTER: ENTERED[:1],
}
_CLASS: Final = {kind: number for number, kinds in _BY_CLASS.items() for kind in kinds}
CLASSES: Final = bytes(_CLASS.get(kind, BROKEN) for kind in range(256))
"""What a line is by its kind, for :func:`~nhlog.kernels.log_lines.walk`."""


Read = Callable[[int, int, int | None], bytes]
"""The log's bytes between two offsets; raises :class:`LogRecovered` where they have not that checksum."""


class Stretch:
    """Some lines that follow one another: the number of the first, and for each its offset, clock and `elapsed`.

    The numbers of lines that were added are worked out when somebody asks for one of them: see :meth:`Stretches.of`.
    """

    __slots__ = ("_bytes", "added", "clock", "clocks", "elapsed", "end", "first", "latest", "lines", "offsets")

    def __init__(self, first: int, end: int, clock: int, latest: int) -> None:
        self.first = first
        self.lines = 0
        self.offsets = array("Q")
        self.clocks = array("Q")
        self.elapsed = array("Q")
        self.end, self.clock, self.latest = end, clock, latest  # after those that were worked out
        self.added: list[bytes] = []  # what follows them
        self._bytes = 0

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes, or took when its lines were added."""
        return self._bytes + _NUMBERS * self.lines

    def add(self, data: bytes, lines: int) -> None:
        """Add so many lines."""
        self.added.append(data)
        self._bytes += len(data)
        self.lines += lines

    def work_out(self, zoned: list[int], zeros: list[int]) -> None:
        """Work out the numbers of all that were added; see :func:`~nhlog.kernels.log_lines.moments` for the zones."""
        starts, clocks, elapsed = moments(b"".join(self.added), self.end, zoned, zeros, signed(self.clock), self.latest)
        self.added.clear()
        self.end = starts.pop()
        self.offsets.extend(starts)
        self.clocks.frombytes(array("q", clocks).tobytes())
        self.elapsed.extend(elapsed)
        if starts:
            self.clock, self.latest = self.clocks[-1], self.elapsed[-1]


class Stretches:
    """The stretches of a log whose body begins at `start` and whose clock begins at `clock`.

    A row per stretch: its first line (`firsts`), where that begins (`starts`), and clock and elapsed time before it
    (`clocks`, `latests`).  The zone that counts from a line on is in `zoned` and `zones` (seconds east of UTC).
    `clock` and `latest` are as they are after the last line, `end` is the offset after it, `lines` their number.

    `read` gives the bytes between two offsets; without it all lines are kept.  `sums` has the checksums of the first
    stretches, as far as they were computed; the bytes that are read must have them.  `lost` is whether they had others,
    or other lines.
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
        self._kept_bytes = 0
        self._read = read
        self._last = self._at = Stretch(0, start, clock, 0)  # the one that grows, and the one that was asked for last

    def resume(self) -> None:
        """Let the next line begin a new stretch: the stretches so far came from an index."""
        self._last = self._at = Stretch(self.lines, self.end, self.clock, self.latest)

    def room(self, offset: int) -> int:
        """Up to which offset lines are in the same stretch as the next one, which begins at `offset`."""
        if offset >= self._until:
            self._begin(offset)
        return self._until

    def add(self, data: bytes, lines: int, clock: int, latest: int) -> None:
        """Take the next lines, as :func:`~nhlog.kernels.log_lines.walk` found them; all are in one stretch."""
        self._last.add(data, lines)
        self.clock, self.latest = clock % CLOCK_WRAP, latest
        self.end += len(data)
        self.lines += lines
        if len(data) > 2 * STRETCH:  # the last line is long: better its numbers than its bytes
            self._work_out(self._last)

    def zone(self, zone: int, line: int) -> None:
        """From this line on, of those that are still to be added, this zone counts."""
        if zone != self.zones[-1]:
            self.zoned.append(line)
            self.zones.append(zone)

    def _work_out(self, stretch: Stretch) -> None:
        """Have the numbers of all lines of a stretch, to which some were added."""
        first = stretch.first + len(stretch.offsets)
        zones = slice(bisect_right(self.zoned, first) - 1, bisect_left(self.zoned, stretch.first + stretch.lines))
        zoned = [line - first for line in self.zoned[zones]]
        zeros = [signed(self.begun + zone * _SECOND) for zone in self.zones[zones]]
        stretch.work_out(zoned, zeros)

    def _begin(self, offset: int) -> None:
        if self._last.lines:
            self._keep(len(self.firsts) - 1, self._last)
        self._last = Stretch(self.lines, offset, self.clock, self.latest)
        self._until = offset + STRETCH
        self.firsts.append(self.lines)
        self.starts.append(offset)
        self.clocks.append(self.clock)
        self.latests.append(self.latest)

    def _keep(self, number: int, stretch: Stretch) -> None:
        self._kept[number] = stretch
        self._kept_bytes += stretch.size
        while self._read and self._kept_bytes > KEPT and len(self._kept) > 1:
            self._kept_bytes -= self._kept.pop(next(iter(self._kept))).size

    def of(self, line: int) -> Stretch:
        """The stretch that `line` is in; raises :class:`LogRecovered` where the log has other lines there now."""
        stretch = self._at
        if not 0 <= line - stretch.first < stretch.lines:
            stretch = self._at = self._last if line >= self._last.first else self._find(line)
        if stretch.added:
            self._work_out(stretch)
        return stretch

    def extent(self, line: int) -> tuple[int, int]:
        """The offset of a line, and the one after its newline."""
        stretch = self.of(line)
        at, offsets = line - stretch.first, stretch.offsets
        if at + 1 < len(offsets):
            return offsets[at], offsets[at + 1]
        after = bisect_right(self.firsts, line)
        return offsets[at], self.starts[after] if after < len(self.starts) else self.end

    def span_around(self, line: int) -> tuple[int, int]:
        """The offsets between which the stretch of a line is."""
        return self.span(self.number(line))

    def _find(self, line: int) -> Stretch:
        number = self.number(line)
        stretch = self._kept.get(number)
        if stretch is None:
            stretch = self._read_again(number)
            self._keep(number, stretch)
        return stretch

    def number(self, line: int) -> int:
        """The number of the stretch of a line."""
        return bisect_right(self.firsts, line) - 1

    def span(self, number: int) -> tuple[int, int]:
        """The offsets between which stretch `number` is."""
        after = number + 1
        return self.starts[number], self.starts[after] if after < len(self.starts) else self.end

    def _read_again(self, number: int) -> Stretch:
        """That stretch from the log's bytes."""
        first, (start, end) = self.firsts[number], self.span(number)
        after = self.firsts[number + 1] if number + 1 < len(self.firsts) else self.lines
        stretch = Stretch(first, start, self.clocks[number], self.latests[number])
        stretch.add(self.read(number), after - first)
        self._work_out(stretch)
        if stretch.end != end or len(stretch.offsets) != stretch.lines:
            self.lost = True
            raise LogRecovered("the log has other lines than it had", offset=start)
        return stretch

    def each_line(self, first: int) -> Iterator[bytes]:
        """The bytes of each line from number `first` on, without its newline: sooner than one by one.

        Raises :class:`LogRecovered` where the log has other lines now.
        """
        for number in range(max(self.number(first), 0), len(self.starts)):
            yield from self.read(number).split(b"\n")[max(first - self.firsts[number], 0) : -1]

    def read(self, number: int) -> bytes:
        """The lines of stretch `number`; raises :class:`LogRecovered` where the log has other lines there now."""
        assert self._read is not None
        try:
            return self._read(*self.span(number), self.sums[number] if number < len(self.sums) else None)
        except LogRecovered:
            self.lost = True
            raise


class Column(LazySequence[int]):
    """One of the numbers of all lines: `name` is that of a stretch's array, `last` that of the last line's number."""

    def __init__(self, stretches: Stretches, name: str, last: str = "") -> None:
        self._stretches = stretches
        self._column: Callable[[Stretch], array[int]] = attrgetter(name)
        self._last = last

    def __len__(self) -> int:
        return self._stretches.lines

    def _item(self, index: int) -> int:
        if self._last and index == self._stretches.lines - 1:
            return int(getattr(self._stretches, self._last))  # so that the log's bytes are not read for it
        stretch = self._stretches.of(index)
        return self._column(stretch)[index - stretch.first]

    def following(self) -> Callable[[int], int]:
        """A function that gives the numbers of lines that follow one another: sooner than one by one."""
        first = after = 0
        numbers: array[int] = array("Q")

        def number(line: int) -> int:
            nonlocal first, after, numbers
            if not first <= line < after:
                stretch = self._stretches.of(line)
                first, after, numbers = stretch.first, stretch.first + stretch.lines, self._column(stretch)
            return numbers[line - first]

        return number


def signed(clock: int) -> int:
    """A 64-bit clock as a signed number."""
    clock %= CLOCK_WRAP
    return clock if clock < CLOCK_WRAP // 2 else clock - CLOCK_WRAP
