"""A log as a row of lines, read under its read lock and followed as it grows.

What is known of a log is true of its bytes below `end` as long as its recovery count stands; when the count was
raised, everything known is dropped (log spec sections 1, 6, 7 and 11.5).
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Self

from nhlog.errors import Damaged, LogRecovered, NhlogError, Unsupported
from nhlog.files import CHUNK
from nhlog.log import index
from nhlog.log.columns import Columns
from nhlog.log.file import LogFile, Source
from nhlog.log.grammar import parse_line
from nhlog.log.header import IDENTIFICATION_SIZE, MAX_HEADER, parse_header, parse_identification
from nhlog.log.lines import Backup, Diff, Line
from nhlog.log.reader import LineReader, RawLine
from nhlog.log.saves import SaveChain

__all__ = ["Log"]


class Log:
    """An open log, positioned nowhere: lines and saves are asked for by number.

    Opening reads the header and passes once over the lines; raises :class:`~nhlog.errors.NhlogError` for a header that
    breaks the rules.  Lines that do are kept as they are: reading one raises :class:`Damaged`.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.reload()

    def reload(self) -> None:
        """Drop everything known and read the log anew."""
        file = self.source if isinstance(self.source, LogFile) else None
        with self._placed(), self.source.reading():
            self.header = parse_header(self.source.pread(MAX_HEADER, 0))
            known = index.load(file, self.header) if file else None
        self.columns = known or Columns(self.header.length, self.header.start)
        self._reader = LineReader(self.columns.end)
        self._block = RawLine(0, b"")
        self.saves = SaveChain(self.columns, self.payload)
        indexed = self.columns.end
        self._scan()
        if file and self.end - indexed >= index.WORTHWHILE:
            with self._steady():
                index.store(file, self.header, self.columns)

    def refresh(self) -> bool:
        """Read what was added; whether anything was, or the header's state changed.

        Raises :class:`LogRecovered` when the recovery count was raised or the log became shorter: then `reload`.
        """
        before = (self.header, self.size)
        with self._placed(), self._steady():
            self.header = parse_header(self.source.pread(MAX_HEADER, 0))
        self._scan()
        return (self.header, self.size) != before

    def _scan(self) -> None:
        """Take in all complete lines, a chunk under each lock: a writer never waits for a whole file to be read."""
        chunk = b"more"
        while chunk:
            with self._placed(), self._steady():
                if self.source.size() < self.size:
                    raise LogRecovered("the log became shorter", expected=f"at least {self.size} bytes")
                chunk = self.source.pread(CHUNK, self.size)
            with self._placed():
                for line in self._reader.feed(chunk):
                    self.columns.add(line)
                self._settle()

    def _settle(self) -> None:
        """Find the turns that take whole saves to know; a save that cannot be rebuilt has the one before it."""
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
        """What stands after the last complete line: a line being written, or one whose writer died."""
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
        return len(self.columns.offsets)

    @contextmanager
    def _placed(self) -> Iterator[None]:
        """Errors from inside name the file."""
        try:
            yield
        except NhlogError as error:
            raise error.within(self.source.name) from None

    @contextmanager
    def _steady(self) -> Iterator[None]:
        """A read lock under which what is known of the log still holds."""
        with self.source.reading():
            found = parse_identification(self.source.pread(IDENTIFICATION_SIZE, 0)).recovery_count
            expected = self.header.identification.recovery_count
            if found != expected:
                raise LogRecovered(
                    "the log was recovered or rewound meanwhile",
                    file=self.source.name,
                    expected=f"recovery count {expected}",
                    found=found,
                )
            yield

    def raw(self, number: int) -> RawLine:
        """Line `number` as it stands."""
        offsets = self.columns.offsets
        offset = offsets[number]
        after = offsets[number + 1] if number + 1 < len(offsets) else self.end
        start = offset - self._block.offset
        if not 0 <= start <= len(self._block.data) - (after - offset):
            size = min(max(CHUNK // 4, after - offset), self.end - offset)
            with self._placed(), self._steady():
                self._block = RawLine(offset, self.source.pread(size, offset))
            start = 0
        return RawLine(offset, self._block.data[start : start + after - offset - 1])

    def line(self, number: int) -> Line:
        """The value of line `number`; raises :class:`Damaged`."""
        raw = self.raw(number)
        try:
            return parse_line(raw.data)
        except Damaged as error:
            raise error.within(self.source.name, raw.offset) from None

    def save(self, number: int) -> bytes:
        """Binary save `number`, whole; raises :class:`Damaged` where it cannot be rebuilt."""
        with self._placed():
            return self.saves.save(number)

    def payload(self, number: int) -> bytes:
        """What the line of save `number` holds: a whole save or a diff; raises :class:`Damaged`."""
        at = self.columns.save_lines[number]
        line = self.line(at)
        assert isinstance(line, Backup | Diff)
        try:
            return line.blob.decode()
        except NhlogError as error:
            raise error.within(self.source.name, self.columns.offsets[at]) from None
