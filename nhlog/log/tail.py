"""Read the newest state of a log from its end only: from its latest backup on (log spec sections 6.12 and 11.1).

The first backup's pointer is only a hint: it is tested before use, and if it is wrong the first backup is used.
"""

from nhlog.errors import NhlogError
from nhlog.files import CHUNK
from nhlog.log.columns import Columns
from nhlog.log.file import Source
from nhlog.log.wire.grammar import backup_pointer
from nhlog.log.wire.header import MAX_HEADER, Header, parse_header
from nhlog.log.wire.lines import BACKUP_HEAD
from nhlog.log.wire.reader import LineReader
from nhlog.savehead import HEAD_SIZE

__all__ = ["read_tail"]


def read_tail(source: Source, head_size: int = HEAD_SIZE) -> tuple[Header, Columns, int]:
    """The header, the columns of the lines from the latest backup on, and the bytes of a partial last line.

    The columns' clocks lack the time before that backup.  Raises :class:`NhlogError` for an invalid header.
    """
    with source.reading():
        try:
            header = parse_header(source.pread(MAX_HEADER, 0))
            first = header.length
            start = _latest_backup(source, first)
            columns, held = _read_from(source, start, header, head_size)
            if start != first and not columns.save_lines:  # that backup was never completed
                columns, held = _read_from(source, first, header, head_size)
        except NhlogError as error:
            raise error.within(source.name) from None
    return header, columns, held


def _read_from(source: Source, start: int, header: Header, head_size: int) -> tuple[Columns, int]:
    columns = Columns(start, header.start, head_size)
    reader = LineReader(start)
    while chunk := source.pread(CHUNK, reader.offset + reader.held):
        for line in reader.feed(chunk):
            columns.add(line)
    return columns, reader.held


def _latest_backup(source: Source, first: int) -> int:
    hint = backup_pointer(source.pread(BACKUP_HEAD, first))
    if hint is None or hint <= first or backup_pointer(source.pread(BACKUP_HEAD, hint)) is None:
        return first
    return hint
