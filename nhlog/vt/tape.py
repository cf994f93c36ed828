"""A recording of terminal output, in which one can seek; its bytes are elsewhere, here is a snapshot each 64 KiB or so.

The grid after so many parts is the same whichever way one came there.

Lines that scrolled off the screen are the difficulty.  The emulator keeps some, by what the pages of its memory hold,
and a terminal that was restored from a snapshot has other pages: so it may have forgotten lines that the first one
still has.  Nobody sees that, whatever is written to either, until the terminal gets another size: then lines are
pulled back, and wrapped anew.  Two in a thousand of random recordings with many sizes showed another screen for it, to
who had sought and to who had played.  So what gets another size is always made of the snapshot before it, even where
one has come from further back, and of all parts since: that is done once between two snapshots, and only where there
are sizes.  Where snapshots are placed depends on nothing but the parts, so that tapes that do not share them agree (a
test lets one play, and the other seek and walk).

What was tried, each with 1,000 to 6,000 random recordings:
- no lines pulled back at all (GHOSTTY_TERMINAL_OPT_RESIZE_PULL_SCROLLBACK): fewer, not none; and bash shows another
  screen than tmux has;
- no lines kept (SCROLLBACK_MAX_LINES of 0): as many, and fewer bytes end the process at a screen of one row;
- snapshots without those lines (the decoder's `ready`): three times as many, as a line may have begun among them;
- the terminal replaced by its restored one at every snapshot: exact, but 0.5 ms for each 64 KiB, half of the time.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from typing import Final

from nhlog.compression import ZSTD, Compressor
from nhlog.errors import Damaged
from nhlog.progress import report
from nhlog.vt.grid import Grid
from nhlog.vt.rows import Reading, Texts
from nhlog.vt.size import USUAL_SIZE, Size
from nhlog.vt.snapshots import WHOLE_SCREEN, Drawn, Gap, Snapshots, TooSlow
from nhlog.vt.terminal import EmulatorFailed, Part, Terminal

__all__ = ["MOST_AHEAD", "Stops", "Tape", "salvaged"]

Stops = Callable[[int, Part], bool]
"""Whether one wants to look, after so many parts, the last of which is this one."""

Room = Callable[[int], int]
"""With how many bytes a piece ends, after so many in those before it."""

Piece = tuple[Part, int, bool]
"""What is fed at once, how many parts end in it, and whether one wants to look after it."""

_SPACING: Final = 1 << 16  # bytes from one snapshot to the next
MOST_AHEAD: Final = 32  # looks at a terminal that are on their way at once: more cost no less
_SLICE: Final = 3 << 15  # bytes that are fed at once, before one looks at the clock: a snapshot is due before, mostly
_PATIENCE: Final = 5.0  # seconds of the processor for a recording of any length,
_SLOWEST: Final = 1 << 20  # and more for so many bytes a second: real recordings take the hundredth part
_LEVEL: Final = 3  # of zstd: snapshots are mostly alike inside
_MOST_GAPS: Final = 16  # in a recording: each costs some starts of the emulator


def _spent(terminal: Terminal) -> float:
    """The seconds of the processor that emulating took."""
    return terminal.spent


def _slice(fed: int) -> int:
    return _SLICE


def _most_ahead() -> int:
    return MOST_AHEAD


class Tape:
    """Plays a recording; `parts` gives its parts from a number up to, not with, another one.

    `size` is the terminal's at the beginning, `clock` measures the time that the processor takes to emulate one, in
    seconds.  `snapshots` are those of the same recording, if it was played before.
    """

    def __init__(
        self,
        size: Size,
        parts: Callable[[int, int], Iterable[Part]],
        clock: Callable[[Terminal], float] = _spent,
        snapshots: Snapshots | None = None,
    ) -> None:
        self.snapshots = snapshots or Snapshots()
        self._size, self._parts, self._clock = size, parts, clock
        self._terminal = Terminal(size)
        self._at = 0  # how many parts the terminal was fed
        self._begun = -1  # after how many it was restored from a snapshot, if it was, and nothing else happened to it
        self._pack = Compressor(ZSTD, _LEVEL)
        if not self.snapshots.keys:
            self._keep(self._terminal.snapshot())

    def another(self) -> "Tape":
        """One that may stand elsewhere; what is known of the recording both know."""
        return Tape(self._size, self._parts, self._clock, self.snapshots)

    @property
    def fault(self) -> Damaged | None:
        """Why the recording cannot be played further than `reach`."""
        return self.snapshots.fault

    @property
    def gaps(self) -> list[Gap]:
        """What the emulator falls over, as far as the recording was played."""
        return self.snapshots.gaps

    def hindrance(self, parts: int) -> Damaged | None:
        """Why what is shown after so many parts is what was shown before, if it is; as far as it was played."""
        for gap in self.gaps:
            if gap.hides(parts):
                return gap.fault
        return self.fault if parts > self.reach else None

    @property
    def reach(self) -> int:
        """How many parts were fed so far; where there is a `fault`, how many there can be."""
        return self.snapshots.known

    def grid(self, parts: int) -> Grid:
        """What is shown after so many parts; within a gap, or behind a `fault`, what was before it."""
        self.go(parts)
        return self._terminal.grid()

    def redraw(self, parts: int) -> bytes:
        """What a new terminal is fed to show that, and to go on alike (see :mod:`nhlog.vt.redraw`)."""
        from nhlog.vt.redraw import redraw  # who only looks has no need of it

        self.go(parts)
        return redraw(self._terminal)

    def drawn(self, keys: list[int]) -> Drawn:
        """What new terminals are fed to go on from some places of a recording that was played to its end."""
        found = self.snapshots
        states = [(self.redraw(key), self._terminal.size) for key in keys]
        return Drawn(keys, [drawn for drawn, _ in states], found.known, found.size, sizes=[size for _, size in states])

    def go(self, parts: int) -> None:
        """Go to the place after so many parts, or as near before it as something can be shown."""
        while self.reach < parts and self._goes_on(parts):
            self._go(self.reach)
            for piece, ended, _ in _together(self._parts(self._at, parts), self._until_due()):
                if not self._feed_new(piece, ended):
                    break
                report("playing", self._at, parts)
        for gap in reversed(self.gaps):
            if gap.last is not None and gap.hides(parts):
                parts = gap.first
        self._go(min(parts, self.reach))

    def _go(self, parts: int) -> None:
        """Go to a place that is known, which may be the blank screen at the end of a gap."""
        keys = self.snapshots.keys
        key = bisect_right(keys, parts) - 1
        if parts < self._at or keys[key] > self._at:
            self._return(key)
        if self._at < parts:
            for piece, ended, _ in _together(self._parts(self._at, parts)):
                self._feed(piece)
                self._at += ended
                report("playing", self._at, parts)

    def walk(
        self, first: int, last: int, stops: Stops, word: str = "", ahead: Callable[[], int] = _most_ahead
    ) -> Iterator[tuple[int, Reading]]:
        """What the rows say after `first` parts, and wherever it `stops` up to `last` of them; each with how many.

        They are those with the ASCII `word`, if there is one.  To be quick it goes `ahead` of what it gives, by so many
        stops as that says when it has given all.  It leaves out gaps, and a `fault` ends it.  One may go elsewhere in
        between: it comes back to where it was.
        """
        self.go(first)
        at = self._at
        if at < first and self.fault is not None and at == self.reach:
            return
        reading = Reading(word)
        self._terminal.read(reading)
        yield at, reading
        while at < last and (at < self.reach or self._goes_on(last)):
            at, end = self._stretch(at, last)
            room = _slice if at < self.reach else self._until_due()
            for batch in _batches(_together(self._parts(at, end), room, stops, at), ahead):
                at, going_on = yield from self._through(batch, at, reading)
                if not going_on:
                    break

    def _through(
        self, batch: list[Piece], at: int, reading: Reading
    ) -> Generator[tuple[int, Reading], None, tuple[int, bool]]:
        """Feed these from a place on, and give what a walk does; returns where that ends, and whether all were fed."""
        if self._at != at:
            self._go(at)
        for ended, told in self._all_at_once(batch, reading):
            at += ended
            reading.take(told)
            yield at, reading
            batch = []
        for piece, ended, stopped in batch:
            if at < self.reach < at + ended:  # others have come so far meanwhile
                return at, False
            if self._at != at:
                self._go(at)
            if at + max(ended, 1) <= self.reach:  # a slice within a part is known when all of the part is
                self._feed(piece)
                self._at += ended
            elif not self._feed_new(piece, ended):
                return self._at, False
            at = self._at
            if stopped:
                self._terminal.read(reading)
                yield at, reading
        return at, True

    def _all_at_once(self, batch: list[Piece], reading: Reading) -> list[tuple[int, Texts]]:
        """Feed several pieces, with a look after each; nothing where that is not possible, or fails at one of them.

        It is not where a snapshot is due among them, whose place is to depend on nothing but the parts.
        """
        at, found = self._at, self.snapshots
        end = at + sum(ended for _, ended, _ in batch)
        pieces = [piece for piece, _, _ in batch if isinstance(piece, bytes)]
        size, new = sum(map(len, pieces)), found.known < end
        due = new and found.size + size >= len(found.keys) * _SPACING
        if not len(batch) == len(pieces) > 1 or at < found.known < end or due:
            return []
        before = self._clock(self._terminal) if new else 0.0
        try:
            told = self._terminal.feed_reading(pieces, reading)
            spent = found.spent + max(self._clock(self._terminal) - before, 0) if new else 0.0
        except EmulatorFailed:
            told, spent = [], 0.0
        if not told or (new and spent > _PATIENCE + (found.size + size) / _SLOWEST):
            self._return(bisect_right(found.keys, at) - 1)
            self._go(at)
            return []
        if new:
            found.size, found.spent, found.known = found.size + size, spent, end
        self._at = end
        return [(ended, one) for (_, ended, _), one in zip(batch, told, strict=True)]

    def _until_due(self) -> Room:
        """A piece ends where a snapshot is due, from the end of what is known on."""
        found, size = self.snapshots, self.snapshots.size
        return lambda fed: len(found.keys) * _SPACING - size - fed

    def _stretch(self, first: int, last: int) -> tuple[int, int]:
        """From where, and up to where, one can play without a gap, as far as one is known, on the way to a place.

        That is all known, or nothing of it.
        """
        last = min(last, self.reach) if first < self.reach else last
        for gap in self.gaps:
            if gap.first == first and gap.last is not None:
                first = gap.last
            elif gap.first > first:
                return first, min(last, gap.first)
        return first, max(first, last)

    def keys(self, first: int, last: int) -> list[int]:
        """The places from which one goes on at once, as far as one was, from the one before `first` parts to `last`."""
        keys = self.snapshots.keys
        return keys[bisect_right(keys, first) - 1 : bisect_left(keys, last)]

    def _return(self, key: int) -> None:
        """Have the terminal of a snapshot; the library does not take each that it made: then of the one before."""
        found = self.snapshots
        terminal = found.terminal(key)
        try:
            terminal.start()
        except EmulatorFailed:
            if not key or any(found.keys[key - 1] <= gap.first < found.keys[key] for gap in found.gaps):
                raise
            found.drop(key)
            self._return(key - 1)
            return
        self._replace(terminal)
        self._at = self._begun = found.keys[key]

    def _replace(self, terminal: Terminal) -> None:
        self._terminal.close()
        self._terminal, self._begun = terminal, -1

    def _feed(self, part: Part) -> None:
        if isinstance(part, bytes):
            self._terminal.feed(part)
            return
        self._come_from_the_snapshot()
        snapshot, begun = self._terminal.snapshot(), self._begun
        if snapshot is not None:
            restored = Terminal.restored(snapshot)
            with suppress(EmulatorFailed):  # as in `_return`: for everybody the same, from the snapshot before
                restored.start()
                self._replace(restored)
                self._begun = begun
        self._terminal.resize(part)

    def _come_from_the_snapshot(self) -> None:
        """Have the terminal that is made of the latest snapshot: what scrolled off decides what is shown."""
        keys, at = self.snapshots.keys, self._at
        key = bisect_right(keys, at) - 1
        if self._begun != keys[key]:
            self._return(key)
            self._go(at)

    def _goes_on(self, parts: int) -> bool:
        """Whether more can be fed on the way to a place; where a gap began, its end is looked for up to there."""
        found = self.snapshots
        if found.slow is not None:
            return False
        gap = found.gaps[-1] if found.gaps else None
        if gap is None or gap.last is not None:
            return True
        gap.seek(self._parts(gap.sought, parts))
        if gap.last is None or len(found.gaps) > _MOST_GAPS:
            return False
        self._replace(Terminal(gap.size))
        self._at = found.known = gap.last
        self._keep(self._terminal.snapshot())
        return True

    def _feed_new(self, piece: Part, ended: int) -> bool:
        """Feed a piece that was never fed before, which ends so many; False if one cannot go on from there as it is."""
        found, before = self.snapshots, self._clock(self._terminal)
        due = ended and found.size + len(piece) >= len(found.keys) * _SPACING
        try:
            self._feed(piece)
            snapshot = self._terminal.snapshot() if due else None  # with which one hears of the clock, too
            found.spent += max(self._clock(self._terminal) - before, 0)
        except EmulatorFailed as error:
            self._fall(error, ended)
            return False
        found.size += len(piece)
        if found.spent > _PATIENCE + found.size / _SLOWEST:
            expected = f"at least {_SLOWEST} bytes a second"
            found.slow = TooSlow("output that takes too long to emulate", expected=expected)
            self._back()  # this piece is not shown
            return False
        self._at += ended
        found.known = max(found.known, self._at)
        self._keep(snapshot)
        return True

    def _fall(self, error: EmulatorFailed, ended: int) -> None:
        """The emulator fell over a piece that ends so many parts: find out over which of them, where a gap begins."""
        found = self.snapshots
        self._back()
        try:
            for part in self._parts(self._at, self._at + max(ended - 1, 0)):
                self._feed(part)
                self._clock(self._terminal)
                self._at = found.known = self._at + 1
        except EmulatorFailed as other:
            error = other
            self._back()
        gap = Gap(self._at, error, self._terminal.size, self._at + 1)
        found.gaps.append(gap)
        for part in self._parts(gap.first, gap.first + 1):
            self._end_within(gap, part)
            break

    def _end_within(self, gap: Gap, part: Part) -> None:
        """End a gap within its first part, if a whole screen stands there behind what the emulator falls over."""
        if not isinstance(part, bytes):
            return
        last = max((found.start() for found in WHOLE_SCREEN.finditer(part)), default=0)
        if not last:
            return
        terminal = Terminal(gap.size)
        try:
            terminal.feed(part[last:])
            snapshot = terminal.snapshot()
        except EmulatorFailed:
            return
        gap.last, gap.whole = gap.first + 1, True
        self._replace(terminal)
        self._at = self.snapshots.known = gap.last
        self._keep(snapshot)

    def _back(self) -> None:
        """Go back to the last place that can be shown."""
        self._return(len(self.snapshots.keys) - 1)
        self._go(self.snapshots.known)

    def _keep(self, snapshot: bytes | None) -> None:
        """Keep a snapshot, if there is none of this place or a later one."""
        if snapshot is not None and (not self.snapshots.keys or self.snapshots.keys[-1] < self._at):
            self.snapshots.keys.append(self._at)
            self.snapshots.states.append(self._pack(snapshot))

    def close(self) -> None:
        """Free the terminal; may be called again."""
        self._terminal.close()


def salvaged(terminal: Terminal) -> Terminal:
    """Another terminal that was fed what this one was, but for what the emulator falls over; this one is closed.

    It goes on from the next whole screen behind that; without one it stands where it would be without all behind it.
    """
    base, parts = terminal.fed
    terminal.close()
    if isinstance(base, Size):
        tape = Tape(base, lambda first, last: parts[first:last])
    else:
        begun = Snapshots([0], [Compressor(ZSTD, _LEVEL)(base)])
        tape = Tape(USUAL_SIZE, lambda first, last: parts[first:last], snapshots=begun)
        tape._return(0)
    tape.go(len(parts))
    return tape._terminal


def _batches(pieces: Iterable[Piece], ahead: Callable[[], int]) -> Iterator[list[Piece]]:
    """The same pieces; several at once where it stops after each, so many at the most as are to be looked at ahead."""
    batch: list[Piece] = []
    size = most = 0
    for piece in pieces:
        data, _, stopped = piece
        if batch and not (stopped and isinstance(data, bytes) and size + len(data) <= _SLICE):
            yield batch
            batch, size = [], 0
        if not batch:
            most = ahead()
        batch.append(piece)
        size += len(data)
        if not stopped or len(batch) >= most or isinstance(data, Size):
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _together(
    parts: Iterable[Part], room: Room = _slice, stops: Stops | None = None, first: int = 0
) -> Iterator[Piece]:
    """The same parts, from the number `first` on, in pieces of the size of a slice, with how many of them end in each.

    A piece ends with the part with which it has no more `room`, or at which it `stops`, and says so.
    """
    waiting: list[bytes] = []
    size, fed, most = 0, 0, room(0)
    for count, part in enumerate(parts, first + 1):
        stopped = stops is not None and stops(count, part)
        if isinstance(part, bytes) and size + len(part) <= _SLICE:
            waiting.append(part)
            size += len(part)
            if stopped or size >= most:
                yield b"".join(waiting), len(waiting), stopped
                fed += size
                waiting, size, most = [], 0, room(fed)
            continue
        if waiting:
            yield b"".join(waiting), len(waiting), False
        if isinstance(part, Size):
            yield part, 1, stopped
        else:
            for start in range(0, len(part), _SLICE):
                last = start + _SLICE >= len(part)
                yield part[start : start + _SLICE], int(last), last and stopped
        fed += size + len(part)
        waiting, size, most = [], 0, room(fed)
    if waiting:
        yield b"".join(waiting), len(waiting), False
