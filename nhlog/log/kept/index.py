"""What one pass over a log found, kept in the user's cache so that the next opening is quick however long the log is.

The problem: to know the lines and saves of a log one has to read all of it, 290 ms for 8 MB, and others write to it
meanwhile: NetHack 4 by its rules, editors, copying and damaged disks by none.  An answer that is quick and of another
log than the one in the file would be worse than no answer.

So the index is disposable, and never trusted further than it fits:

- The log was not written since (the fingerprint of its file is the same): it fits.  6 ms.
- The log grew by its rules: it has the same recovery count, and the last two stretches before the end of the index have
  the same checksums.  Whatever cuts a log raises that count, so nothing before them can be other lines by the rules.
- It was written otherwise, as by who touched it: all stretches are compared.  9 ms for 8 MB: a checksum passes over
  bytes forty times as fast as a reader of lines.
- Each stretch that is read again later is compared then: one that was changed against the rules is noticed at the
  latest when somebody wants to see it, and the index is forgotten.
- What comes out of the cache is as hostile as a file: its shape is checked before it is used.  A right checksum says
  who wrote it, not that it makes sense.

Rejected: the time of the file alone (an edit that kept the old time gave old answers); one checksum of the whole log
(it has to be made anew with each line that is added); a row for each line (one for each stretch of lines makes 0.5 MB
of these 8 MB, from which the lines of a stretch are read when somebody looks there).

Who changes this keeps: of an answer that nothing was compared for, the file has the fingerprint of then; and a number
that is read here is never used as a place or a length before it is in its bounds.
"""

import sys
import zlib
from array import array
from collections.abc import Sequence
from operator import le, lt
from typing import Final

import msgspec

from nhlog.cache import Cache, Fingerprint, entry_name, fingerprint
from nhlog.log.columns import SAVES, Columns
from nhlog.log.file import LogCopy, LogFile
from nhlog.log.reading import Moment
from nhlog.log.stretches import Read, Stretches
from nhlog.log.wire.header import Header
from nhlog.log.wire.lines import BACKUP_HEAD
from nhlog.progress import report
from nhlog.values import NamedTuple

__all__ = ["Indexed", "checksum", "forget", "indexed", "load", "store"]

_DAY: Final = 1 << 31  # seconds that a zone may have: a save has 32 bits for it
_LARGEST: Final = 1 << 64
_LATEST: Final = 2  # stretches before the end of the index that are looked at in a log that grew


class _Index(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """The log as it was, and the columns; `byteorder` is that of the machine whose arrays these are.

    `sums` are the checksums of the stretches, the last of which ends where the index ends.
    """

    byteorder: str
    fingerprint: Fingerprint | None
    recovery_count: int
    head: bytes
    numbers: list[int]
    by_kind: list[list[int]]
    kinds: memoryview
    sums: memoryview
    arrays: list[memoryview]


_CACHE: Final = Cache("logs", 4, _Index)


class Indexed(NamedTuple):
    """The first lines of a log, by which its index recognises it: their number of saves, and sums of their stretches.

    What follows from these lines alone can be kept beside the index, with what `mark` says, and is as true as the
    index where a later one begins with them.
    """

    recovery_count: int
    sums: "array[int]"
    saves: int

    @property
    def mark(self) -> tuple[int, int, int]:
        """Recovery count, number of stretches, and the checksum of their checksums."""
        return self.recovery_count, len(self.sums), zlib.crc32(self.sums.tobytes())

    def begins_with(self, mark: tuple[int, int, int]) -> bool:
        """Whether this is the log of that mark, grown or as it was."""
        _, stretches, _ = mark
        return stretches <= len(self.sums) and self._replace(sums=self.sums[:stretches]).mark == mark


def indexed(header: Header, columns: Columns) -> Indexed:
    """The lines that an index has which was just loaded."""
    return Indexed(header.identification.recovery_count, columns.stretches.sums[:], len(columns.save_lines))


def load(file: LogFile | LogCopy, moment: Moment, header: Header, read: Read) -> Columns | None:
    """The columns of the log's first lines, or None; whoever reads on finds out whether the log was cut meanwhile."""
    index = _CACHE.load(entry_name(file.identity))
    known = (sys.byteorder, header.identification.recovery_count)
    if index is None or (index.byteorder, index.recovery_count) != known:
        return None
    columns = _columns(index, header, read)
    if columns is None or columns.end > moment.size:
        return None
    if index.fingerprint == fingerprint(file):
        return columns
    grew = index.fingerprint is not None and index.fingerprint.size < moment.size
    stretches = columns.stretches
    looked_at = range(max(len(stretches.starts) - _LATEST, 0) if grew else 0, len(stretches.starts))
    return columns if all(_sum(file, stretches, number) == stretches.sums[number] for number in looked_at) else None


def store(file: LogFile | LogCopy, header: Header, columns: Columns, read: Read) -> Indexed:
    """Keep the columns for the next time, if the cache can be written; outside of any lock, as it takes its time.

    Returns the lines that the index has now.
    """
    as_it_is = fingerprint(file)
    stretches = columns.stretches
    sums = stretches.sums[:]
    for number in range(len(sums), len(stretches.starts)):
        sums.append(checksum(read(*stretches.span(number), None), first=number == 0))
        report("indexing", number + 1, len(stretches.starts))
    index = _Index(
        byteorder=sys.byteorder,
        fingerprint=as_it_is,
        recovery_count=header.identification.recovery_count,
        head=columns.head,
        numbers=[getattr(part, name) for part, name in _names(columns, "NUMBERS")],
        by_kind=[getattr(columns, name) for name in Columns.BY_KIND],
        kinds=memoryview(columns.kinds),
        sums=memoryview(sums).cast("B"),
        arrays=[memoryview(getattr(part, name)).cast("B") for part, name in _names(columns, "ARRAYS")],
    )
    _CACHE.store(entry_name(file.identity), index)
    return Indexed(index.recovery_count, sums, len(columns.save_lines))


def forget(file: LogFile | LogCopy) -> None:
    """Remove the index of this log."""
    _CACHE.remove(entry_name(file.identity))


def checksum(data: bytes, *, first: bool) -> int:
    """That of a stretch; of the `first` one less the first backup's pointer, which is rewritten in place."""
    return zlib.crc32(data[BACKUP_HEAD:] if first else data)


def _sum(file: LogFile | LogCopy, stretches: Stretches, number: int) -> int:
    start, end = stretches.span(number)
    report("comparing", number, len(stretches.starts))
    return checksum(file.pread(end - start, start), first=number == 0)


def _names(columns: Columns, kind: str) -> list[tuple[Columns | Stretches, str]]:
    return [(part, name) for part in (columns, columns.stretches) for name in getattr(part, kind)]


def _columns(index: _Index, header: Header, read: Read) -> Columns | None:
    columns = Columns(header.length, header.start, read=read)
    stretches = columns.stretches
    numbers, arrays = _names(columns, "NUMBERS"), _names(columns, "ARRAYS")
    by_kind = [len(found) for found in index.by_kind]
    if (len(index.numbers), len(index.arrays), by_kind) != (len(numbers), len(arrays), [256, 256]):
        return None
    if not all(-_LARGEST <= number < _LARGEST for number in (*index.numbers, *index.by_kind[0], *index.by_kind[1])):
        return None
    for (part, name), number in zip(numbers, index.numbers, strict=True):
        setattr(part, name, number)
    for (part, name), data in zip([*arrays, (stretches, "sums")], [*index.arrays, index.sums], strict=True):
        column = array(getattr(part, name).typecode)
        if len(data) % column.itemsize:
            return None
        column.frombytes(data)
        setattr(part, name, column)
    columns.numbers, columns.sizes = index.by_kind
    columns.kinds = bytearray(index.kinds)
    columns.head = index.head
    if not _stretches_fit(stretches, header.length) or not _columns_fit(columns):
        return None
    stretches.resume()
    return columns


def _stretches_fit(stretches: Stretches, start: int) -> bool:
    """Whether the rows are of one length, and each stretch has lines: the first at `start`, the others behind it."""
    rows = {len(getattr(stretches, name)) for name in (*Stretches.ROWS, "sums")}
    zones = len(stretches.zones) == len(stretches.zoned) and all(-_DAY <= zone <= _DAY for zone in stretches.zones)
    starts, firsts = [*stretches.starts, stretches.end], [*stretches.firsts, stretches.lines]
    moments = min(stretches.begun, stretches.clock, stretches.latest) >= 0
    moments &= max([stretches.latest, *stretches.latests]) < _LARGEST // 2
    lines = starts[0] == start and firsts[0] == 0 and _rise(starts) and _rise(firsts)
    zones = zones and stretches.zoned[:1] == array("Q", [0]) and all(map(le, stretches.zoned, stretches.zoned[1:]))
    return len(rows) == 1 and zones and moments and lines


def _columns_fit(columns: Columns) -> bool:
    """Whether the lines that are named are there, and of the kinds that they have to be; and the saves likewise."""
    lines, saves, kinds = columns.stretches.lines, len(columns.save_lines), columns.kinds
    if len(kinds) != lines or len(columns.save_turns) != saves or not -1 <= columns.first_time < lines:
        return False
    named = ((columns.save_lines, lines), (columns.sessions, lines), (columns.backups, saves), (columns.unknown, saves))
    if not all(_rise(numbers) and (not numbers or numbers[-1] < most) for numbers, most in named):
        return False
    if any(line >= lines for line in columns.broken) or not -_DAY <= columns.zone <= _DAY:
        return False
    count = sum(kinds.count(kind) for kind in SAVES)
    return count == saves and all(kinds[line] in SAVES for line in columns.save_lines)


def _rise(numbers: Sequence[int]) -> bool:
    """Whether each is greater than the one before."""
    return all(map(lt, numbers, numbers[1:]))
