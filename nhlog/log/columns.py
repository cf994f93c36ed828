"""The table of a log's lines and saves, made in one pass: offset, kind and clock of each line, turn of each save.

A byte per line, a row per save and per stretch of lines, in arrays; no line is kept.  Bytes in, numbers out: no I/O.
"""

import binascii
from array import array
from bisect import bisect_left, bisect_right
from typing import Final
from zlib import crc32

from nhlog.errors import Damaged, Unsupported
from nhlog.kernels import COMPILED
from nhlog.kernels.log_lines import walk
from nhlog.kernels.log_saves import Rules, diffs, follow, payload
from nhlog.log.stretches import CLASSES, ENTERED, Column, Read, Stretches, signed
from nhlog.log.wire.blob import MAX_DATA, inflated
from nhlog.log.wire.grammar import diff_blob, parse_line
from nhlog.log.wire.lines import Backup
from nhlog.log.wire.reader import RawLine
from nhlog.mdiff import head as diff_head
from nhlog.mdiff.errors import MAX_COMMANDS
from nhlog.savehead import HEAD_SIZE, VERSIONS, parse_save_head

__all__ = ["RULES", "SAVES", "Columns", "next_head", "pass_over"]

_BACKUP, _DIFF = b"*~"
SAVES = (_BACKUP, _DIFF)  # first bytes of the lines that hold saves
_SECOND = 1_000_000
_AT_ONCE: Final = 1 << 19  # bytes of diffs that are given at once
_NEAR: Final = 16 if COMPILED else 0
"""Bytes in which the end of a line is found as fast one by one; as plain Python there are none."""


RULES: Final = Rules(binascii.a2b_base64, inflated, crc32, VERSIONS, HEAD_SIZE, MAX_DATA, MAX_COMMANDS)
"""What the kernels need of saves."""


class Columns:
    """The columns of a log whose body begins at offset `start` and whose clock begins at `clock`.

    By line: `offsets`, `kinds` (first bytes), `clocks` (after the line; modulo 2**64) and `elapsed` (microseconds of
    UTC since `clock`, never falling); all but the kinds are worked out from what `read` gives (see
    :class:`~nhlog.log.stretches.Stretches`).  By kind: `numbers` of lines and their `sizes`.  By save: `save_lines`
    and `save_turns`.  Numbers of some: `backups` (saves), `unknown` (saves whose turn only the whole save has: see
    `settle`), `sessions` (lines with which somebody entered the game) and `broken` (lines that cannot be parsed because
    they break the rules).  `head` is that of the latest save, as far as it can be computed.
    """

    BY_KIND: Final = ("numbers", "sizes")
    ARRAYS: Final = ("save_lines", "save_turns", "backups", "unknown", "sessions", "broken")
    NUMBERS: Final = ("zone", "first_time")

    def __init__(
        self,
        start: int,
        clock: int,
        read: Read | None = None,
    ) -> None:
        self.stretches = Stretches(start, clock, read)
        self.offsets = Column(self.stretches, "offsets")
        self.clocks = Column(self.stretches, "clocks", "clock")
        self.elapsed = Column(self.stretches, "elapsed", "latest")
        self.kinds = bytearray()
        self.numbers = [0] * 256
        self.sizes = [0] * 256
        self.save_lines = array("I")
        self.save_turns = array("I")
        self.backups = array("I")
        self.unknown = array("I")
        self.sessions = array("I")
        self.broken = array("I")
        self.zone = 0
        self.first_time = -1  # the first time line, which adds the zone to the clock; -1 before it
        self.head = b""

    @property
    def end(self) -> int:
        """The offset after the last line."""
        return self.stretches.end

    @property
    def clock(self) -> int:
        """What the log's clock shows after the last line."""
        return self.stretches.clock

    def add(self, lines: RawLine) -> None:
        """Add the next lines, each with its newline; one that breaks the rules has a row, and changes nothing else."""
        offset, data = lines
        at = 0
        while at < len(data):
            stretches, first, begun = self.stretches, len(self.kinds), at
            until = stretches.room(offset + at) - offset
            at, kinds, timed, clock, latest, self.head, saves, turns, zoned, zones = walk(
                data,
                at,
                until,
                CLASSES,
                ENTERED,
                _NEAR,
                RULES,
                self.numbers,
                self.sizes,
                first,
                signed(stretches.begun),
                self.zone,
                signed(stretches.clock),
                stretches.latest,
                self.last_turn,
                self.head,
                self._other,
            )
            self.save_lines.extend(saves)
            self.save_turns.extend(turns)
            for line, zone in zip(zoned, zones, strict=True):
                self._take_zone(zone, line)
            if timed >= 0 > self.first_time:
                self.first_time = timed
            self.kinds += bytes(kinds)
            stretches.add(data[begun:at], len(kinds), clock, latest)

    def _other(self, line: int, saves: int, data: bytes, head: bytes) -> bytes:
        """Take a line that is neither plain, a time nor a sound diff; returns what the latest save begins with then."""
        if data[:1] in (b"*", b"~"):
            return self._save(line, len(self.save_lines) + saves, data, head)
        (self.sessions if data == ENTERED else self.broken).append(line)
        return head

    def _save(self, line: int, number: int, data: bytes, head: bytes) -> bytes:
        if data[0] == _BACKUP:
            self.backups.append(number)
        try:
            head = next_head(data, head, HEAD_SIZE)
        except Unsupported:
            return b""
        except Damaged:
            self.broken.append(line)
            return b""
        if len(head) < HEAD_SIZE:
            self.unknown.append(number)
        return head

    def settle(self, number: int, save: bytes) -> None:
        """Set the turn of save `number`, one of the `unknown`, from the whole save."""
        head = parse_save_head(save)
        if head is not None:
            self.save_turns[number] = head.turn
            self._take_zone(head.zone, self.stretches.lines)
        if number == len(self.save_lines) - 1:
            self.head = save[:HEAD_SIZE]

    def _take_zone(self, zone: int, line: int) -> None:
        """From this line on this zone counts."""
        self.zone = zone
        self.stretches.zone(zone, line)

    @property
    def last_turn(self) -> int:
        """The turn of the newest save; 0 before the first."""
        return self.save_turns[-1] if self.save_turns else 0

    def lost(self) -> list[tuple[int, int]]:
        """The saves that broken lines make unreadable: each range's first, and the backup that is whole again.

        A save line that breaks the rules takes with it all that were saved as differences to it.
        """
        ranges: list[tuple[int, int]] = []
        for line in self.broken:
            save = self.save_at(line)
            if self.kinds[line] in SAVES and (not ranges or save >= ranges[-1][1]):
                after = bisect_right(self.backups, save)
                ranges.append((save, self.backups[after] if after < len(self.backups) else len(self.save_lines)))
        return ranges

    def diffs(self, first: int, last: int) -> list[bytes]:
        """What the lines of saves `first` to `last`, which are diffs, hold: of some of them, from the first on.

        They are found by how they begin: no other line is looked at.  They end before one that has to be decoded alone.
        """
        stretches = self.stretches
        found: list[bytes] = []
        room = _AT_ONCE
        while first <= last and room > 0:
            stretch = stretches.number(self.save_lines[first])
            begin = bisect_left(self.save_lines, stretches.firsts[stretch])
            whole = bisect_left(self.backups, first) - bisect_left(self.backups, begin)
            more = diffs(stretches.read(stretch), first - begin - whole, last + 1 - first, room, RULES)
            if not more:
                break
            found += more
            first += len(more)
            room -= sum(map(len, more))
        return found

    def save_at(self, line: int) -> int:
        """The number of the latest save at or before `line`; -1 before the first."""
        return bisect_right(self.save_lines, line) - 1

    def after(self, line: int) -> int:
        """The offset after `line` and its newline."""
        return self.offsets[line + 1] if line + 1 < len(self.offsets) else self.end

    def backup_at(self, save: int) -> int:
        """The number in `backups` of the latest one at or before save number `save`; -1 before the first."""
        return bisect_right(self.backups, save) - 1

    def backup_offset(self, index: int) -> int:
        """Where that one of `backups` begins."""
        return self.offsets[self.save_lines[self.backups[index]]]

    def turn(self, line: int) -> int:
        """The turn of the latest save at or before `line`; 0 before the first."""
        save = self.save_at(line)
        return self.save_turns[save] if save >= 0 else 0

    def utc(self, line: int) -> int:
        """The clock after `line` in UTC microseconds since 1970; negative for a clock set far back."""
        clock = self.clocks[line]
        if 0 <= self.first_time <= line:
            clock -= self.zone * _SECOND
        return signed(clock)


def next_head(data: bytes, head: bytes, size: int) -> bytes:
    """The first `size` bytes of the save of a save line, or fewer; the save before it begins with `head`.

    Raises :class:`Damaged` or :class:`Unsupported`.
    """
    if data[0] == _DIFF:
        diff = payload(data, 1, len(data), RULES)
        return diff_head(diff_blob(data).decode() if diff is None else diff, head, size)
    line = parse_line(data)
    assert isinstance(line, Backup)
    return line.blob.head(size)[:size]


def pass_over(lines: bytes, at: int, head: bytes, size: int, most: int, watched: list[int]) -> tuple[int, int, bytes]:
    """Pass over saves as :func:`~nhlog.kernels.log_saves.follow`, or over one that it leaves: none only where none is.

    `head` and the one that it gives are empty where they cannot be computed.
    """
    at, passed, head = follow(lines, at, head, size, most, watched, RULES)
    if passed or at == len(lines):
        return at, passed, head
    end = lines.index(b"\n", at)
    try:
        return end + 1, 1, next_head(lines[at:end], head, size)
    except (Damaged, Unsupported):
        return end + 1, 1, b""
