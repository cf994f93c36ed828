"""The table of a log's lines and saves, made in one pass: offset, kind and clock of each line, turn of each save.

A row per line and a row per save, in arrays; the lines themselves are not kept.  Bytes in, numbers out: no I/O.
"""

import string
from array import array
from bisect import bisect_right

from nhlog.errors import Damaged, Unsupported
from nhlog.log.wire.grammar import parse_line
from nhlog.log.wire.lines import CLOCK_WRAP, Backup, Diff, Line
from nhlog.log.wire.lines import Time as TimeLine
from nhlog.log.wire.reader import RawLine
from nhlog.mdiff import head as diff_head
from nhlog.savehead import HEAD_SIZE, parse_save_head

__all__ = ["Columns"]

_BACKUP, _DIFF, _TIME = b"*~+"
_SAVES = (_BACKUP, _DIFF)
_ENTER = b"welcome"  # what a client logs first when it begins to play (log spec section 6.1)
_KINDS = frozenset(string.ascii_lowercase.encode() + b"PDKYMOLBRQ")  # of lines that are neither times nor saves
_SECOND = 1_000_000


class Columns:
    """The columns of a log whose body begins at offset `start` and whose clock begins at `clock`.

    By line: `offsets`, `kinds` (first bytes), `clocks` (after the line; modulo 2**64) and `elapsed` (microseconds of
    UTC since `clock`, never decreasing).  By save: `save_lines` and `save_turns`.  Row numbers: `backups` (saves),
    `unknown` (saves whose turn is known only from the whole save: see `settle`), `sessions` (lines with which a player
    entered the game) and `broken` (lines that are malformed).  `end` is the offset after the last line, `head` the
    first `head_size` bytes of the latest save, as far as known.
    """

    ARRAYS = ("offsets", "clocks", "elapsed", "save_lines", "save_turns", "backups", "unknown", "sessions", "broken")
    NUMBERS = ("start", "zone", "first_time", "clock", "latest", "end")

    def __init__(self, start: int, clock: int, head_size: int = HEAD_SIZE) -> None:
        self.offsets = array("Q")
        self.kinds = bytearray()
        self.clocks = array("Q")
        self.elapsed = array("Q")
        self.save_lines = array("Q")
        self.save_turns = array("Q")
        self.backups = array("Q")
        self.unknown = array("Q")
        self.sessions = array("Q")
        self.broken = array("Q")
        self.start = clock
        self.zone = 0
        self.first_time = -1  # the first time line, which adds the zone to the clock; -1 before it
        self.clock = clock
        self.latest = 0  # of `elapsed`
        self.end = start
        self.head = b""
        self._head_size = head_size

    def add(self, line: RawLine) -> None:
        """Add the next line; a malformed line gets a row, but changes nothing else."""
        kind = line.data[0] if line.data else 0
        if kind == _TIME:
            self._tick(line.data)
        elif kind in _SAVES:
            self._save(kind, line.data)
        elif line.data == _ENTER:
            self.sessions.append(len(self.offsets))
        elif kind not in _KINDS:
            self.broken.append(len(self.offsets))
        self.offsets.append(line.offset)
        self.kinds.append(kind)
        self.clocks.append(self.clock)
        self.elapsed.append(self.latest)
        self.end = line.offset + len(line.data) + 1

    def _tick(self, data: bytes) -> None:
        try:
            line = parse_line(data)
        except Damaged:
            self.broken.append(len(self.offsets))
            return
        assert isinstance(line, TimeLine)
        self.clock = (self.clock + line.delta) % CLOCK_WRAP
        if self.first_time < 0:
            self.first_time = len(self.offsets)
        self.latest = max(self.latest, _signed(self.clock - self.start - self.zone * _SECOND))

    def _save(self, kind: int, data: bytes) -> None:
        number = len(self.save_lines)
        if kind == _BACKUP:
            self.backups.append(number)
        try:
            self.head = self._next_head(parse_line(data))
        except Unsupported:
            self.head = b""
        except Damaged:
            if self.head or kind == _BACKUP:  # a diff after a broken one is not broken itself
                self.broken.append(len(self.offsets))
            self.head = b""
        else:
            if len(self.head) < HEAD_SIZE:
                self.unknown.append(number)
        self.save_lines.append(len(self.offsets))
        self.save_turns.append(self.last_turn)
        self._take_head(number, self.head)

    def _next_head(self, line: Line) -> bytes:
        """The first bytes of the save of a save line, as far as known."""
        if isinstance(line, Backup):
            return line.blob.head(self._head_size)[: self._head_size]
        assert isinstance(line, Diff)
        return diff_head(line.blob.decode(), self.head, self._head_size)

    def settle(self, number: int, save: bytes) -> None:
        """Set the turn of save `number`, one of the `unknown`, from the whole save."""
        self._take_head(number, save)
        if number == len(self.save_lines) - 1:
            self.head = save[: self._head_size]

    def _take_head(self, number: int, save: bytes) -> None:
        head = parse_save_head(save)
        if head is not None:
            self.save_turns[number] = head.turn
            self.zone = head.zone

    @property
    def last_turn(self) -> int:
        """The turn of the newest save; 0 before the first."""
        return self.save_turns[-1] if self.save_turns else 0

    def save_at(self, line: int) -> int:
        """The number of the latest save at or before `line`; -1 before the first."""
        return bisect_right(self.save_lines, line) - 1

    def turn(self, line: int) -> int:
        """The turn of the latest save at or before `line`; 0 before the first."""
        save = self.save_at(line)
        return self.save_turns[save] if save >= 0 else 0

    def utc(self, line: int) -> int:
        """The clock after `line` in UTC microseconds since 1970; negative for a clock set far back."""
        clock = self.clocks[line]
        if 0 <= self.first_time <= line:
            clock -= self.zone * _SECOND
        return _signed(clock)


def _signed(clock: int) -> int:
    """A 64-bit clock as a signed number."""
    clock %= CLOCK_WRAP
    return clock if clock < CLOCK_WRAP // 2 else clock - CLOCK_WRAP
