"""What one pass over a log told, kept beside it in the user's cache so that the next opening is instant.

Disposable: an index that does not fit its log, byte for byte, is as good as none, and the log is read instead.
It fits where the log is the same file with the same recovery count, has not become shorter, and has either not been
written since or still has the same body up to where the index ends.
"""

import os
import sys
import zlib
from array import array
from contextlib import suppress
from pathlib import Path

import msgspec
from platformdirs import user_cache_path

from nhlog import atomic
from nhlog.files import CHUNK
from nhlog.log.columns import Columns
from nhlog.log.file import LogFile
from nhlog.log.header import Header
from nhlog.log.lines import BACKUP_HEAD

__all__ = ["WORTHWHILE", "load", "store"]

WORTHWHILE = 1 << 16  # bytes of log that are worth an index; fewer are read as fast as theirs
_LARGEST = 1 << 30  # bytes of an unpacked index; it is about as long as its log
_QUICK = 1  # zlib level; its checksum guards the file
_FORMAT = f"1 {sys.byteorder}"


class _Index(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """The file: the log it belongs to, a checksum of the log's body up to `end`, and the columns."""

    format: str
    identity: tuple[int, int]
    recovery_count: int
    modified: int
    size: int
    body: int
    kinds: bytes
    head: bytes
    numbers: list[int]
    arrays: list[bytes]


def load(file: LogFile, header: Header) -> Columns | None:
    """The columns of the log's first lines, or None; inside the log's `reading` scope."""
    try:
        packed = _path(file.identity).read_bytes()
        index = msgspec.msgpack.decode(zlib.decompressobj().decompress(packed, _LARGEST), type=_Index)
    except (OSError, zlib.error, msgspec.DecodeError):
        return None
    known = (index.format, index.identity, index.recovery_count)
    if known != (_FORMAT, file.identity, header.identification.recovery_count):
        return None
    columns = _columns(index, header)
    if columns is None or columns.end > file.size():
        return None
    unwritten = (index.modified, index.size) == (file.modified(), file.size())
    return columns if unwritten or _body(file, header, columns.end) == index.body else None


def store(file: LogFile, header: Header, columns: Columns) -> None:
    """Keep the columns for the next time, if the cache can be written; inside the log's `reading` scope."""
    index = _Index(
        format=_FORMAT,
        identity=file.identity,
        recovery_count=header.identification.recovery_count,
        modified=file.modified(),
        size=file.size(),
        body=_body(file, header, columns.end),
        kinds=bytes(columns.kinds),
        head=columns.head,
        numbers=[getattr(columns, name) for name in Columns.NUMBERS],
        arrays=[getattr(columns, name).tobytes() for name in Columns.ARRAYS],
    )
    packed = zlib.compress(msgspec.msgpack.encode(index), _QUICK)
    path = _path(file.identity)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        atomic.replace(os.fspath(path), [packed])


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


def _path(identity: tuple[int, int]) -> Path:
    device, inode = identity
    return user_cache_path("nhlog") / "logs" / f"{device:x}-{inode:x}"
