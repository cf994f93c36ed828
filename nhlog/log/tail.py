"""Read the newest state of a log from its end only: from its latest backup on (log spec sections 6.12 and 11.1).

The first backup's pointer is only a hint: it is tested before use, and if it is wrong the first backup is used.
"""

from nhlog.errors import NhlogError
from nhlog.files import CHUNK
from nhlog.log.columns import pass_over
from nhlog.log.reading import Moment, Source, as_one
from nhlog.log.wire.grammar import backup_pointer
from nhlog.log.wire.header import Header, parse_header
from nhlog.log.wire.lines import BACKUP_HEAD
from nhlog.log.wire.reader import LineReader
from nhlog.progress import report
from nhlog.savehead import HEAD_SIZE, parse_save_head
from nhlog.values import dataclass

__all__ = ["Tail", "length_of_tail", "read_tail"]


@dataclass(frozen=True, slots=True)
class Tail:
    """The end of a log: the `turn` of its newest save (0 without one), and the first bytes of that save, `head`.

    The last line ends at the offset `end`, and `held` bytes of a partial one follow it.
    """

    header: Header
    turn: int
    head: bytes
    end: int
    held: int


def read_tail(source: Source, head_size: int = HEAD_SIZE) -> Tail:
    """The newest state of a log, with the first `head_size` bytes of its save as far as they can be computed.

    Raises :class:`NhlogError` for an invalid header.
    """

    def read(moment: Moment) -> Tail:
        header = parse_header(moment.head)
        first = header.length
        start = _latest_backup(source, moment, first)
        saves, tail = _read_from(source, start, moment.size, header, head_size)
        if not saves and start != first:  # that backup was never completed
            _, tail = _read_from(source, first, moment.size, header, head_size)
        return tail

    try:
        return as_one(source, read)
    except NhlogError as error:
        raise error.within(source.name) from None


def length_of_tail(source: Source) -> int:
    """How many bytes :func:`read_tail` has to read, unless what it reads there is of no use; raises the same."""

    def read(moment: Moment) -> int:
        return moment.size - _latest_backup(source, moment, parse_header(moment.head).length)

    try:
        return as_one(source, read)
    except NhlogError as error:
        raise error.within(source.name) from None


def _read_from(source: Source, start: int, size: int, header: Header, head_size: int) -> tuple[int, Tail]:
    """The number of saves from `start` up to the log's `size`, and the tail that the lines there make."""
    saves, turn, head = 0, 0, b""
    reader = LineReader(start)
    while chunk := source.pread(min(CHUNK, size - (at := reader.offset + reader.held)), at):
        report("reading", at, size)
        lines, at = reader.complete(chunk).data, 0
        while at < len(lines):
            at, passed, head = pass_over(lines, at, head, head_size, len(lines), [])
            saves += passed
            known = parse_save_head(head)
            turn = turn if known is None else known.turn
    return saves, Tail(header, turn, head, reader.offset, reader.held)


def _latest_backup(source: Source, moment: Moment, first: int) -> int:
    hint = backup_pointer(moment.head[first : first + BACKUP_HEAD])
    if hint is None or not first < hint < moment.size or backup_pointer(source.pread(BACKUP_HEAD, hint)) is None:
        return first
    return hint
