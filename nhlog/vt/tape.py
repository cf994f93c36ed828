"""A recording of terminal output, in which one can seek; its bytes are elsewhere, here is a snapshot each 64 KiB or so.

The grid after so many parts is the same whichever way one came there.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from time import thread_time
from typing import Final

from nhlog.compression import ZSTD, Compressor, decompress
from nhlog.errors import Damaged
from nhlog.vt.grid import Grid
from nhlog.vt.redraw import redraw
from nhlog.vt.terminal import Size, Terminal

__all__ = ["Part", "Stops", "Tape", "TooSlow"]

Part = bytes | Size
"""What was written, or the size that the terminal has from there on."""

Stops = Callable[[int, Part], bool]
"""Whether one wants to look, after so many parts, the last of which is this one."""

_SPACING: Final = 1 << 16  # bytes from one snapshot to the next
_SLICE: Final = 1 << 14  # bytes that are fed at once, before one looks at the clock
_PATIENCE: Final = 5.0  # seconds of the processor for a recording of any length,
_SLOWEST: Final = 1 << 20  # and more for so many bytes a second: real recordings take the hundredth part
_LEVEL: Final = 3  # of zstd: snapshots are mostly alike inside


def _nowhere(parts: int, part: Part) -> bool:
    return False


class TooSlow(Damaged):
    """The output takes far longer to emulate than what programs write."""


class Tape:
    """Plays a recording; `parts` gives its parts from a number up to, not with, another one.

    `size` is the terminal's at the beginning, `clock` measures the time that the processor takes, in seconds.
    """

    def __init__(
        self, size: Size, parts: Callable[[int, int], Iterable[Part]], clock: Callable[[], float] = thread_time
    ) -> None:
        self.fault: TooSlow | None = None
        self._parts, self._clock = parts, clock
        self._terminal = Terminal(size)
        self._at = 0  # how many parts the terminal was fed
        self._known = 0  # how many parts were ever fed
        self._bytes = self._since = 0  # fed for the first time, and since the last snapshot
        self._spent = 0.0  # seconds
        self._pack = Compressor(ZSTD, _LEVEL)
        self._keys: list[int] = []
        self._snapshots: list[bytes] = []
        self._keep()

    @property
    def reach(self) -> int:
        """How many parts were fed so far; where there is a `fault`, how many there can be."""
        return self._known

    def grid(self, parts: int) -> Grid:
        """What is shown after so many parts; where a `fault` hinders that, after as many as there can be."""
        self._go(parts)
        return self._terminal.grid()

    def redraw(self, parts: int) -> bytes:
        """What a new terminal is fed to show that, and to go on alike (see :mod:`nhlog.vt.redraw`)."""
        self._go(parts)
        return redraw(self._terminal)

    def _go(self, parts: int) -> None:
        key = bisect_right(self._keys, parts) - 1
        if parts < self._at or self._keys[key] > self._at:
            self._return(key)
        known = min(parts, self._known)
        if self._at < known:
            for piece, _, _ in _together(self._parts(self._at, known)):
                self._feed(piece)
            self._at = known
        if self._at < parts and self.fault is None:
            self._advance(parts)

    def walk(self, first: int, last: int, stops: Stops) -> Iterator[tuple[int, Terminal]]:
        """The terminal after `first` parts, and wherever it `stops` up to `last` of them; each with how many they are.

        A `fault` ends it.  One may go elsewhere in between: it comes back to where it was.
        """
        self._go(first)
        at = self._at
        if at < first:
            return
        yield at, self._terminal
        for piece, ended, stopped in _together(self._parts(at, last), lambda parts, part: stops(first + parts, part)):
            if self._at != at:
                self._go(at)
            if at < self._known:
                self._feed(piece)
                self._at += ended
            elif not self._feed_new(piece, ended):
                return
            at = self._at
            if stopped:
                yield at, self._terminal

    def keys(self, first: int, last: int) -> list[int]:
        """The places from which one goes on at once, as far as one was, from the one before `first` parts to `last`."""
        return self._keys[bisect_right(self._keys, first) - 1 : bisect_left(self._keys, last)]

    def _return(self, key: int) -> None:
        self._terminal.close()
        self._terminal = Terminal.restored(decompress(self._snapshots[key], ZSTD).data)
        self._at = self._keys[key]

    def _feed(self, part: Part) -> None:
        if isinstance(part, Size):
            self._terminal.resize(part)
        else:
            self._terminal.feed(part)

    def _advance(self, parts: int) -> None:
        """Feed parts that were never fed before, as long as the clock allows it."""
        for piece, ended, _ in _together(self._parts(self._known, parts)):
            if not self._feed_new(piece, ended):
                return

    def _feed_new(self, piece: Part, ended: int) -> bool:
        """Feed a piece that was never fed before, which ends so many; False if the clock does not allow it."""
        before = self._clock()
        self._feed(piece)
        self._spent += self._clock() - before
        self._bytes += len(piece)
        self._since += len(piece)
        if self._spent > _PATIENCE + self._bytes / _SLOWEST:
            expected = f"at least {_SLOWEST} bytes a second"
            self.fault = TooSlow("output that takes too long to emulate", expected=expected)
            self._return(len(self._keys) - 1)  # this piece is not shown
            self._go(self._known)
            return False
        self._known += ended
        self._at = self._known
        if ended and self._since >= _SPACING:
            self._keep()
        return True

    def _keep(self) -> None:
        snapshot = self._terminal.snapshot()
        if snapshot is not None:
            self._keys.append(self._at)
            self._snapshots.append(self._pack(snapshot))
            self._since = 0

    def close(self) -> None:
        """Free the terminal; may be called again."""
        self._terminal.close()


def _together(parts: Iterable[Part], stops: Stops = _nowhere) -> Iterator[tuple[Part, int, bool]]:
    """The same parts in pieces of the size of a slice, each with how many of the parts end in it.

    A piece ends with a part at which it `stops`, and says so.
    """
    waiting: list[bytes] = []
    size = 0
    for count, part in enumerate(parts, 1):
        stopped = stops(count, part)
        if isinstance(part, bytes) and size + len(part) <= _SLICE:
            waiting.append(part)
            size += len(part)
            if stopped:
                yield b"".join(waiting), len(waiting), True
                waiting, size = [], 0
            continue
        if waiting:
            yield b"".join(waiting), len(waiting), False
            waiting, size = [], 0
        if isinstance(part, Size):
            yield part, 1, stopped
        else:
            for start in range(0, len(part), _SLICE):
                ended = start + _SLICE >= len(part)
                yield part[start : start + _SLICE], int(ended), ended and stopped
    if waiting:
        yield b"".join(waiting), len(waiting), False
