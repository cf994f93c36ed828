"""A recording of terminal output, in which one can seek; its bytes are elsewhere, here is a snapshot each 64 KiB or so.

The grid after so many parts is the same whichever way one came there.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from time import thread_time
from typing import Final

from nhlog.compression import ZSTD, Compressor, decompress
from nhlog.errors import Damaged
from nhlog.progress import report
from nhlog.vt.grid import Grid
from nhlog.vt.redraw import redraw
from nhlog.vt.terminal import Size, Terminal

__all__ = ["Drawn", "Part", "Snapshots", "Stops", "Tape", "TooSlow"]

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


@dataclass(slots=True)
class Snapshots:
    """What is known of a recording by playing it: `states` after so many parts each, as `keys` has them.

    `known` parts were fed so far, which took `spent` seconds of the processor for `size` bytes; where there is a
    `fault`, no more can be.
    """

    keys: list[int] = field(default_factory=list)
    states: list[bytes] = field(default_factory=list)
    known: int = 0
    size: int = 0
    spent: float = 0.0
    fault: TooSlow | None = None

    def terminal(self, number: int) -> Terminal:
        """The terminal of one of them."""
        return Terminal.restored(decompress(self.states[number], ZSTD).data)


@dataclass(slots=True)
class Drawn(Snapshots):
    """Those of all of a recording as what terminals of these `sizes` are fed, which may come from anybody.

    The emulator trusts snapshots: what is wrong in one of its own ends the process.
    """

    sizes: list[Size] = field(default_factory=list)

    def terminal(self, number: int) -> Terminal:
        """The terminal of one of them."""
        terminal = Terminal(self.sizes[number])
        terminal.feed(self.states[number])
        return terminal


class Tape:
    """Plays a recording; `parts` gives its parts from a number up to, not with, another one.

    `size` is the terminal's at the beginning, `clock` measures the time that the processor takes, in seconds.
    `snapshots` are those of the same recording, if it was played before.
    """

    def __init__(
        self,
        size: Size,
        parts: Callable[[int, int], Iterable[Part]],
        clock: Callable[[], float] = thread_time,
        snapshots: Snapshots | None = None,
    ) -> None:
        self.snapshots = snapshots or Snapshots()
        self._size, self._parts, self._clock = size, parts, clock
        self._terminal = Terminal(size)
        self._at = 0  # how many parts the terminal was fed
        self._pack = Compressor(ZSTD, _LEVEL)
        if not self.snapshots.keys:
            self._keep()

    def another(self) -> "Tape":
        """One that may stand elsewhere; what is known of the recording both know."""
        return Tape(self._size, self._parts, self._clock, self.snapshots)

    @property
    def fault(self) -> TooSlow | None:
        """Why the recording cannot be played further than `reach`."""
        return self.snapshots.fault

    @property
    def reach(self) -> int:
        """How many parts were fed so far; where there is a `fault`, how many there can be."""
        return self.snapshots.known

    def grid(self, parts: int) -> Grid:
        """What is shown after so many parts; where a `fault` hinders that, after as many as there can be."""
        self.go(parts)
        return self._terminal.grid()

    def redraw(self, parts: int) -> bytes:
        """What a new terminal is fed to show that, and to go on alike (see :mod:`nhlog.vt.redraw`)."""
        self.go(parts)
        return redraw(self._terminal)

    def drawn(self, keys: list[int]) -> Drawn:
        """What new terminals are fed to go on from some places of a recording that was played to its end."""
        found = self.snapshots
        states = [(self.redraw(key), self._terminal.size) for key in keys]
        return Drawn(keys, [drawn for drawn, _ in states], found.known, found.size, sizes=[size for _, size in states])

    def go(self, parts: int) -> None:
        """Go to the place after so many parts; where a `fault` hinders that, as far as one can."""
        keys = self.snapshots.keys
        key = bisect_right(keys, parts) - 1
        if parts < self._at or keys[key] > self._at:
            self._return(key)
        known = min(parts, self.reach)
        if self._at < known:
            played = self._at
            for piece, ended, _ in _together(self._parts(self._at, known)):
                self._feed(piece)
                played += ended
                report("playing", played, parts)
            self._at = known
        if self._at < parts and self.fault is None:
            self._advance(parts)

    def walk(self, first: int, last: int, stops: Stops) -> Iterator[tuple[int, Terminal]]:
        """The terminal after `first` parts, and wherever it `stops` up to `last` of them; each with how many they are.

        A `fault` ends it.  One may go elsewhere in between: it comes back to where it was.
        """
        self.go(first)
        at = self._at
        if at < first:
            return
        yield at, self._terminal
        for piece, ended, stopped in _together(self._parts(at, last), lambda parts, part: stops(first + parts, part)):
            if self._at != at:
                self.go(at)
            if at + max(ended, 1) <= self.reach:  # a slice within a part is known when all of the part is
                self._feed(piece)
                self._at += ended
            elif not self._feed_new(piece, ended):
                return
            at = self._at
            if stopped:
                yield at, self._terminal

    def keys(self, first: int, last: int) -> list[int]:
        """The places from which one goes on at once, as far as one was, from the one before `first` parts to `last`."""
        keys = self.snapshots.keys
        return keys[bisect_right(keys, first) - 1 : bisect_left(keys, last)]

    def _return(self, key: int) -> None:
        self._replace(self.snapshots.terminal(key))
        self._at = self.snapshots.keys[key]

    def _replace(self, terminal: Terminal) -> None:
        self._terminal.close()
        self._terminal = terminal

    def _feed(self, part: Part) -> None:
        if isinstance(part, bytes):
            self._terminal.feed(part)
            return
        snapshot = self._terminal.snapshot()  # what it leaves out may decide how lines are wrapped anew
        if snapshot is not None:
            self._replace(Terminal.restored(snapshot))
        self._terminal.resize(part)

    def _advance(self, parts: int) -> None:
        """Feed parts that were never fed before, as long as the clock allows it."""
        for piece, ended, _ in _together(self._parts(self._at, parts)):
            if not self._feed_new(piece, ended):
                return
            report("playing", self._at, parts)

    def _feed_new(self, piece: Part, ended: int) -> bool:
        """Feed a piece that was never fed before, which ends so many; False if the clock does not allow it."""
        found, before = self.snapshots, self._clock()
        self._feed(piece)
        found.spent += self._clock() - before
        found.size += len(piece)
        if found.spent > _PATIENCE + found.size / _SLOWEST:
            expected = f"at least {_SLOWEST} bytes a second"
            found.fault = TooSlow("output that takes too long to emulate", expected=expected)
            self._return(len(found.keys) - 1)  # this piece is not shown
            self.go(found.known)
            return False
        self._at += ended
        found.known = max(found.known, self._at)
        if ended and found.size >= len(found.keys) * _SPACING:
            self._keep()
        return True

    def _keep(self) -> None:
        """Take a snapshot, if there is none of this place or a later one."""
        snapshot = self._terminal.snapshot()
        if snapshot is not None and (not self.snapshots.keys or self.snapshots.keys[-1] < self._at):
            self.snapshots.keys.append(self._at)
            self.snapshots.states.append(self._pack(snapshot))

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
