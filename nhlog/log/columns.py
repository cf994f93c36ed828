"""What one pass over a log's lines tells: where each line is, its kind, the clock, and which turn each save has.

A row per line and a row per save, in arrays; no line is kept.  Bytes in, numbers out: no I/O.
"""

import struct
from array import array
from bisect import bisect_right
from typing import NamedTuple

from nhlog.errors import Damaged, Unsupported
from nhlog.log.blob import Blob
from nhlog.log.lines import BACKUP_HEAD, CLOCK_WRAP, parse_line
from nhlog.log.lines import Time as TimeLine
from nhlog.log.reader import RawLine
from nhlog.mdiff import MdiffError
from nhlog.mdiff import head as diff_head

__all__ = ["Columns", "SaveHead", "parse_save_head"]

_HEAD = struct.Struct("<IIIIqiii")  # version, features, sanity; turn; clock; djinni and ghost counts; time zone
HEAD_SIZE = _HEAD.size
_VERSION = 0x04030000  # of every NetHack 4.3 save; forks with the same header begin otherwise
_BACKUP, _DIFF, _TIME = b"*~+"
_SECOND = 1_000_000


class SaveHead(NamedTuple):
    """The first words of a binary save: turn counter, log clock (microseconds, zone included), zone (seconds east)."""

    turn: int
    clock: int
    zone: int


def parse_save_head(save: bytes) -> SaveHead | None:
    """The head of a NetHack 4.3 save (log spec section 7, save spec section 2), None for any other."""
    if len(save) < HEAD_SIZE:
        return None
    version, _, _, turn, clock, _, _, zone = _HEAD.unpack_from(save)
    return SaveHead(turn, clock, zone) if version == _VERSION else None


class Columns:
    """The columns of a log whose body begins at `start` and whose clock begins at `clock`.

    By line: `offsets`, `kinds` (first bytes) and `clocks` (after the line; modulo 2**64).  By save: `save_lines` and
    `save_turns`, and `backups`, the numbers of the saves that are backups.  `end` is the offset after the last line.
    """

    def __init__(self, start: int, clock: int) -> None:
        self.offsets = array("Q")
        self.kinds = bytearray()
        self.clocks = array("Q")
        self.save_lines = array("Q")
        self.save_turns = array("Q")
        self.backups = array("Q")
        self.zone = 0
        self.first_time = -1  # the first time line, which adds the zone to the clock; -1 before it
        self.clock = clock
        self.end = start
        self.head = b""  # of the latest save; empty where its chain is broken

    def add(self, line: RawLine) -> None:
        """Take the next line; a line that breaks the rules has its row, and tells nothing."""
        kind = line.data[0] if line.data else 0
        if kind == _TIME:
            self._tick(line.data)
        elif kind == _BACKUP or kind == _DIFF:
            self._save(kind, line.data)
        self.offsets.append(line.offset)
        self.kinds.append(kind)
        self.clocks.append(self.clock)
        self.end = line.offset + len(line.data) + 1

    def _tick(self, data: bytes) -> None:
        try:
            line = parse_line(data)
        except Damaged:
            return
        assert isinstance(line, TimeLine)
        self.clock = (self.clock + line.delta) % CLOCK_WRAP
        if self.first_time < 0:
            self.first_time = len(self.offsets)

    def _save(self, kind: int, data: bytes) -> None:
        number = len(self.save_lines)
        try:
            if kind == _BACKUP:
                self.backups.append(number)
                self.head = Blob(data[BACKUP_HEAD:]).head(HEAD_SIZE)[:HEAD_SIZE]
            else:
                self.head = diff_head(Blob(data[1:]).decode(), self.head, HEAD_SIZE)
        except (Damaged, Unsupported, MdiffError):
            self.head = b""
        head = parse_save_head(self.head)
        turn = self.save_turns[-1] if self.save_turns else 0
        if head is not None:
            turn, self.zone = head.turn, head.zone
        self.save_lines.append(len(self.offsets))
        self.save_turns.append(turn)

    def save_at(self, line: int) -> int:
        """The number of the latest save at or before `line`; -1 before the first."""
        return bisect_right(self.save_lines, line) - 1

    def turn(self, line: int) -> int:
        """The turn of that save."""
        save = self.save_at(line)
        return self.save_turns[save] if save >= 0 else 0

    def utc(self, line: int) -> int:
        """The clock after `line` in UTC microseconds since 1970; negative for a clock set far back."""
        clock = self.clocks[line]
        if 0 <= self.first_time <= line:
            clock = (clock - self.zone * _SECOND) % CLOCK_WRAP
        return clock if clock < CLOCK_WRAP // 2 else clock - CLOCK_WRAP
