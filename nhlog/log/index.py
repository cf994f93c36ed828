"""What one pass over a log found, kept in the user's cache so that the next opening is instant.

Disposable: an index that does not fit its log, byte for byte, is as good as none, and the log is read instead.
It fits where the log has the same recovery count, has not become shorter, and has either not been written since or
still has the same body up to where the index ends.
"""

import sys
import zlib
from array import array

import msgspec

from nhlog.cache import Cache, Fingerprint, entry_name, fingerprint
from nhlog.files import CHUNK
from nhlog.log.columns import Columns
from nhlog.log.file import LogFile
from nhlog.log.wire.header import Header
from nhlog.log.wire.lines import BACKUP_HEAD

__all__ = ["WORTHWHILE", "load", "store"]

WORTHWHILE = 1 << 16  # bytes of log that are worth an index; fewer are read as fast as theirs


class _Index(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """The log as it was, a checksum of its body up to the last column's end, and the columns.

    `byteorder` is that of the machine whose arrays these are.
    """

    byteorder: str
    fingerprint: Fingerprint | None
    recovery_count: int
    body: int
    kinds: bytes
    head: bytes
    numbers: list[int]
    arrays: list[bytes]


_CACHE = Cache("logs", 2, _Index)


def load(file: LogFile, header: Header) -> Columns | None:
    """The columns of the log's first lines, or None; inside the log's `reading` scope."""
    index = _CACHE.load(entry_name(file.identity))
    known = (sys.byteorder, header.identification.recovery_count)
    if index is None or (index.byteorder, index.recovery_count) != known:
        return None
    columns = _columns(index, header)
    if columns is None or columns.end > file.size():
        return None
    unwritten = index.fingerprint == fingerprint(file)
    return columns if unwritten or _body(file, header, columns.end) == index.body else None


def store(file: LogFile, header: Header, columns: Columns) -> None:
    """Keep the columns for the next time, if the cache can be written; inside the log's `reading` scope."""
    index = _Index(
        byteorder=sys.byteorder,
        fingerprint=fingerprint(file),
        recovery_count=header.identification.recovery_count,
        body=_body(file, header, columns.end),
        kinds=bytes(columns.kinds),
        head=columns.head,
        numbers=[getattr(columns, name) for name in Columns.NUMBERS],
        arrays=[getattr(columns, name).tobytes() for name in Columns.ARRAYS],
    )
    _CACHE.store(entry_name(file.identity), index)


def _columns(index: _Index, header: Header) -> Columns | None:
    columns = Columns(header.length, header.start)
    if len(index.numbers) != len(Columns.NUMBERS) or len(index.arrays) != len(Columns.ARRAYS):
        return None
    for name, number in zip(Columns.NUMBERS, index.numbers, strict=True):
        setattr(columns, name, number)
    for name, data in zip(Columns.ARRAYS, index.arrays, strict=True):
        if len(data) % array("Q").itemsize:
            return None
        setattr(columns, name, array("Q", data))
    columns.kinds = bytearray(index.kinds)
    columns.head = index.head
    same = len(columns.kinds) == len(columns.offsets) == len(columns.clocks) == len(columns.elapsed)
    return columns if same and len(columns.save_lines) == len(columns.save_turns) else None


def _body(file: LogFile, header: Header, end: int) -> int:
    """A checksum of the lines up to `end`, less the first backup's pointer, which is rewritten in place."""
    checksum = 0
    for at in range(header.length + BACKUP_HEAD, end, CHUNK):
        checksum = zlib.crc32(file.pread(min(CHUNK, end - at), at), checksum)
    return checksum
