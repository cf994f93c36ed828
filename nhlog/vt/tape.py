"""A recording of terminal output, in which one can seek; its bytes are elsewhere, here is a snapshot each 64 KiB or so.

The grid after so many parts is the same whichever way one came there.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from time import thread_time
from typing import Final

from nhlog.compression import ZSTD, Compressor, decompress
from nhlog.errors import Damaged
from nhlog.vt.grid import Grid
from nhlog.vt.redraw import redraw
from nhlog.vt.terminal import Size, Terminal

__all__ = ["Part", "Tape", "TooSlow"]

Part = bytes | Size
"""What was written, or the size that the terminal has from there on."""

_SPACING: Final = 1 << 16  # bytes from one snapshot to the next
_SLICE: Final = 1 << 14  # bytes that are fed at once, before one looks at the clock
_PATIENCE: Final = 5.0  # seconds of the processor for a recording of any length,
_SLOWEST: Final = 1 << 20  # and more for so many bytes a second: real recordings take the hundredth part
_LEVEL: Final = 3  # of zstd: snapshots are mostly alike inside


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
            for piece, _ in _together(self._parts(self._at, known)):
                self._feed(piece)
            self._at = known
        if self._at < parts and self.fault is None:
            self._advance(parts)

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
        for piece, ended in _together(self._parts(self._known, parts)):
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
                return
            self._known += ended
            self._at = self._known
            if ended and self._since >= _SPACING:
                self._keep()

    def _keep(self) -> None:
        snapshot = self._terminal.snapshot()
        if snapshot is not None:
            self._keys.append(self._at)
            self._snapshots.append(self._pack(snapshot))
            self._since = 0

    def close(self) -> None:
        """Free the terminal; may be called again."""
        self._terminal.close()


def _together(parts: Iterable[Part]) -> Iterator[tuple[Part, int]]:
    """The same parts in pieces of the size of a slice, each with how many of the parts end in it."""
    waiting: list[bytes] = []
    size = 0
    for part in parts:
        if isinstance(part, bytes) and size + len(part) <= _SLICE:
            waiting.append(part)
            size += len(part)
            continue
        if waiting:
            yield b"".join(waiting), len(waiting)
            waiting, size = [], 0
        if isinstance(part, Size):
            yield part, 1
        else:
            for start in range(0, len(part), _SLICE):
                yield part[start : start + _SLICE], int(start + _SLICE >= len(part))
    if waiting:
        yield b"".join(waiting), len(waiting)
