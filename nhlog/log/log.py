"""A log as a row of lines, read without a lock and followed as it grows.

What is known of a log is true of its bytes below `end` as long as its recovery count does not change; when the count
was raised, everything known is dropped (log spec sections 1, 6, 7 and 11.5).  So bytes are read first, and believed if
the header still has the count afterwards (:mod:`nhlog.log.reading`).
"""

import math
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Self

from nhlog.change import Change
from nhlog.errors import Damaged, LogRecovered, NhlogError, Unsupported
from nhlog.files import CHUNK
from nhlog.log.columns import Columns
from nhlog.log.file import LogCopy, LogFile
from nhlog.log.reading import LOOK_AGAIN, PATIENCE, KnownHeader, Source, busy, patiently, settled
from nhlog.log.saves import SaveChain
from nhlog.log.wire.grammar import parse_line
from nhlog.log.wire.header import Header, parse_header
from nhlog.log.wire.lines import Backup, Diff, Line
from nhlog.log.wire.reader import LineReader, NewestLines, RawLine
from nhlog.progress import report
from nhlog.values import NamedTuple

if TYPE_CHECKING:
    from nhlog.log.kept.chains import ChainCache
    from nhlog.log.kept.index import Indexed

__all__ = ["Log", "Mark"]

WORTHWHILE = 1 << 16  # bytes of log that are worth an index and keyframes in the cache; fewer are read as fast as these
AT_ONCE = 1 << 19  # bytes of a copy in a store that are asked for at once
ENOUGH = 1024  # bytes of the newest lines by which a log is recognised: the times of some turns, or a part of a save


class Mark(NamedTuple):
    """What of a log was read at some time, to be given to :meth:`Log.since`."""

    columns: Columns
    header: Header
    size: int


class Log:
    """An open log, positioned nowhere: lines and saves are asked for by number.

    Opening reads the header and passes once over the lines; raises :class:`~nhlog.errors.NhlogError` for a header that
    breaks the rules.  Lines that do are kept as they are: reading one raises :class:`Damaged`.

    `cut_off` are the lines that the latest cut removed, if all of them were read here not long before; else empty.
    `indexed` says which of its lines the index in the cache has, if there is one.  `known` reads bytes of lines that
    were read before, and raises where the file has others now.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.cut_off = b""
        self.indexed: Indexed | None = None
        self.known = KnownHeader(source)
        self.reload()

    def reload(self) -> None:
        """Forget everything and read the log again."""
        patiently(self.source, self._read_all)
        self._refreshed = self.mark

    def _read_all(self) -> None:
        """Read the log from its beginning; raises :class:`LogRecovered` where it is cut meanwhile."""
        file = self.source if isinstance(self.source, LogFile | LogCopy) else None
        with self.known.placed():
            moment = settled(self.source)
            self.known.take(moment.head)
            known, self.indexed = None, None
            if file and moment.size >= WORTHWHILE:
                from nhlog.log.kept import index

                known = index.load(file, moment, self.header, self._stretch)
                self.indexed = index.indexed(self.header, known) if known else None
        self.columns = known or Columns(self.header.length, self.header.start, read=self._stretch)
        self._reader = LineReader(self.columns.end)
        self._block = RawLine(0, b"")
        self._newest = NewestLines(self.columns.end)
        self.saves = SaveChain(
            self.columns, self.payload, partial(self._stored_saves, self.columns), self.columns.diffs
        )
        before = self.columns.end
        self._scan()
        self._remember_newest()
        if file and self.end - before >= WORTHWHILE:
            from nhlog.log.kept import index

            self.indexed = index.store(file, self.header, self.columns, self._stretch)

    def refresh(self) -> Change:
        """Look at the log again, and return how it changed since the last successful call.

        What was added is read; a log that was rewound, or became shorter, is read anew.  A partial line that was cut
        off, or that its writer could not finish, is forgotten; the lines that were read stay.  If nothing changed, this
        takes one look at the file's size and one read of the header.  Raises :class:`LockNotObtained` where others
        write, or cut, without end, and :class:`NhlogError` for a header that breaks the rules; the next call returns
        the change that was read until then.
        """
        before, newest = self._refreshed, self._newest
        try:
            self._scan()
        except LogRecovered:
            patiently(self.source, lambda: self._scan() if self._stands() else self._read_all())
            if self._newest is not newest:
                self.cut_off = newest.after(self.end)
        self._refreshed = self.mark
        return self.since(before)

    def _stands(self) -> bool:
        """Whether a log that was recovered still has all lines that were read: then it is not read again.

        After a rewind other times are written, so it is enough to compare the newest lines.
        """
        if self.columns.stretches.lost:
            return False
        with self.known.placed():
            moment = settled(self.source)
            header = parse_header(moment.head)
        newest = self._newest.latest(ENOUGH)
        found = self.source.pread(len(newest), self.end - len(newest))
        if not newest or found != newest or header.length != self.header.length:
            return False
        self.known.take(moment.head)
        self._reader.drop()
        return True

    def _remember_newest(self) -> None:
        """Keep the last bytes of the lines, if they are those of an index and were not read."""
        size = min(ENOUGH, self.end - self.header.length)
        if len(self._newest.latest(size)) < size:
            start = self.end - size
            self._newest = NewestLines(start)
            self._newest.add(self.known.read(size, start))

    @property
    def header(self) -> Header:
        """The header, as it was last read or written here."""
        return self.known.header

    @property
    def mark(self) -> Mark:
        """A mark of what is read by now, for `since`."""
        return Mark(self.columns, self.header, self.size)

    def since(self, mark: Mark) -> Change:
        """How the log has changed since `mark`, as far as it was read or written here since then."""
        if self.columns is not mark.columns:
            return Change.REWOUND
        if (self.header, self.size) == (mark.header, mark.size):
            return Change.NOTHING
        return Change.FINISHED if self.header.finished and not mark.header.finished else Change.GREW

    def _scan(self) -> None:
        """Take in all complete lines, and the part of one whose writer left it so; one in the making is waited for."""
        deadline = math.inf
        while self._scan_chunk() or self._is_in_the_making():
            if self._reader.held and self.source.written:
                deadline = min(deadline, time.monotonic() + PATIENCE)
                if time.monotonic() > deadline:
                    self._reader.drop()
                    raise busy(self.source)
                time.sleep(LOOK_AGAIN)

    def _is_in_the_making(self) -> bool:
        """Whether a line that has no newline yet may still get one: somebody writes, or did so since it was read."""
        return self._reader.held > 0 and (self.source.written or self.source.size() != self.size)

    def _scan_chunk(self) -> bool:
        """Read the next bytes; return whether there may be more of them."""
        size = self.source.size()
        if size < self.size:
            raise LogRecovered("the log became shorter", file=self.source.name, expected=f"at least {self.size} bytes")
        if self.columns.stretches.lost:
            raise LogRecovered("the log has other lines than it had", file=self.source.name)
        chunk = self.source.pread(more, self.size) if (more := min(CHUNK, size - self.size)) else b""
        changed = self.known.look_again()  # raises where the chunk is not to be believed
        self._take(chunk)
        report("reading", self.size, size)
        return changed or self.size < size  # what came before the header was changed belongs to it

    def _take(self, chunk: bytes) -> None:
        """Add the bytes that follow those read before; their lines are likely to be asked for next."""
        if not chunk:
            return
        if not self._reader.held:
            self._block = RawLine(self.size, chunk)
        with self.known.placed():
            lines = self._reader.complete(chunk)
            self._newest.add(lines.data)
            self.columns.add(lines)
            self._settle()

    def take_own(self, writes: Iterable[tuple[int, bytes]]) -> None:
        """Take in what this process wrote, as (offset, bytes), without reading it again; inside its `writing` scope.

        Writes are to the fields of the header, to the first backup's pointer, or to the log's end.
        """
        fields = []
        for offset, data in writes:
            if offset == self.size:
                self._take(data)
            elif offset < self.header.length:
                fields.append((offset, data))
        self.known.take_own(fields)

    def take_cut(self, line: bytes) -> None:
        """Take in that this process cut off the partial line and wrote `line` as line 1; inside its `writing` scope."""
        self._reader.drop()
        self.take_own([(0, line)])

    def is_as_known(self) -> bool:
        """Whether the file still has the line 1 and the size that were read: then no byte of the lines changed.

        It stays so for who asks under the write lock.
        """
        if not self.known.has_line_1() or self.source.size() != self.size:
            return False
        return self._reader.held > 0 or self.source.pread(1, self.size - 1) == b"\n"

    def _settle(self) -> None:
        """Find the turns that only whole saves have; one that cannot be rebuilt has the turn of the save before it."""
        while self.columns.unknown:
            number = self.columns.unknown.pop(0)
            with suppress(Damaged, Unsupported):
                self.columns.settle(number, self.save(number))

    @property
    def size(self) -> int:
        """Bytes read so far: up to `end`, and the part of a line after it."""
        return self._reader.offset + self._reader.held

    @property
    def partial(self) -> bytes:
        """The bytes after the last complete line: a line being written, or one whose writer died."""
        return self._reader.partial

    @property
    def end(self) -> int:
        """The offset after the last complete line."""
        return self._reader.offset

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; may be called again."""
        self.source.close()

    def __len__(self) -> int:
        """The number of complete lines in the body."""
        return len(self.columns.kinds)

    def _stretch(self, start: int, end: int, checksum: int | None) -> bytes:
        """The bytes between two offsets, for `columns`; raises :class:`LogRecovered` for others than the index knew."""
        data = self.known.read(end - start, start)
        if checksum is not None:
            from nhlog.log.kept import index

            if checksum != index.checksum(data, first=start == self.header.length):
                raise self._contradiction(start)
        return data

    def _contradiction(self, offset: int) -> LogRecovered:
        """The error for an index that the lines at an offset contradict; it is thrown away."""
        from nhlog.log.kept import index

        if isinstance(self.source, LogFile | LogCopy):
            index.forget(self.source)
        self.columns.stretches.lost = True
        return LogRecovered("the log has other lines than its index knew", file=self.source.name, offset=offset)

    def _stored_saves(self, columns: Columns) -> "ChainCache | None":
        """Where keyframes of the log with these columns outlast it; none for what is short, or no file."""
        if not isinstance(self.source, LogFile) or self.size < WORTHWHILE:
            return None
        from nhlog.log.kept.chains import ChainCache

        def span(first: int, last: int) -> tuple[int, int] | None:
            lines = columns.save_lines
            return (columns.offsets[lines[first]], columns.after(lines[last])) if last < len(lines) else None

        return ChainCache(self.source.identity, span, lambda start, end: self._stretch(start, end, None))

    def raw(self, number: int) -> RawLine:
        """The bytes of line `number`."""
        stretches = self.columns.stretches
        offset, after = stretches.extent(number)
        start = offset - self._block.offset
        if not 0 <= start <= len(self._block.data) - (after - offset):
            size = stretches.span_around(number)[1] - offset  # no more: its numbers were read with it, or are next
            self._block = RawLine(offset, self.known.read(size, offset))
            start = 0
        return RawLine(offset, self._block.data[start : start + after - offset - 1])

    def blocks(self) -> Iterator[RawLine]:
        """The bytes of all lines in order, many whole lines at a time, each with its newline.

        Raises :class:`LogRecovered` if an index has lines that the file does not have.
        """
        stretches = self.columns.stretches
        for number in range(len(stretches.starts)):
            offset, end = stretches.span(number)
            data = self._stretch(offset, end, None)
            if not data.endswith(b"\n"):
                raise self._contradiction(offset)
            yield RawLine(offset, data)

    def line(self, number: int) -> Line:
        """The value of line `number`; raises :class:`Damaged` with the offset of the line, as `verify` reports it."""
        raw = self.raw(number)
        try:
            return parse_line(raw.data)
        except Damaged as error:
            raise error.within(self.source.name, raw.offset - (error.offset or 0)) from None

    def save(self, number: int) -> bytes:
        """Binary save `number`, whole; raises :class:`Damaged` where it cannot be rebuilt."""
        with self.known.placed():
            if isinstance(self.source, LogCopy):
                self._fetch(number)
            return self.saves.save(number)

    def _fetch(self, number: int) -> None:
        """Ask the store of a copy at once for all that a save is made of, from its backup on, if it is not too much."""
        columns = self.columns
        backup = columns.backup_at(number)
        if backup >= 0:
            start, _ = columns.stretches.span_around(columns.save_lines[columns.backups[backup]])
            _, end = columns.stretches.span_around(columns.save_lines[number])
            if end - start <= AT_ONCE:
                self.source.pread(end - start, start)

    def last_sound(self, number: int) -> int:
        """The latest save at or before `number` that can be rebuilt; -1 where there is none."""
        with self.known.placed():
            return self.saves.last_sound(number)

    def payload(self, number: int, size: int | None = None) -> bytes:
        """What the line of save `number` holds: a diff, or a whole save; raises :class:`Damaged`.

        Of a whole save its first `size` bytes may be enough, and a few more: the rest is not unpacked.
        """
        at = self.columns.save_lines[number]
        line = self.line(at)
        if not isinstance(line, Backup | Diff):
            raise self._contradiction(self.columns.offsets[at])
        try:
            return line.blob.decode() if size is None or isinstance(line, Diff) else line.blob.head(size)
        except NhlogError as error:
            raise error.within(self.source.name, self.columns.offsets[at]) from None
