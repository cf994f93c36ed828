"""Growing files as a relay reads them: never half a line of a log, nor half an event of a terminal's recording.

Of a log, head and lines are those of one moment.
"""

from typing import Final

from nhlog.change import Change
from nhlog.errors import Damaged, NhlogError, TooShort
from nhlog.files import Fate, File
from nhlog.formats import format_of
from nhlog.log.file import LogFile
from nhlog.log.reading import Moment, as_one
from nhlog.log.wire.header import HeaderTooShort, parse_header
from nhlog.log.wire.lines import BACKUP_HEAD
from nhlog.screencast import Events
from nhlog.values import NamedTuple

__all__ = ["LogSource", "Look", "RecordingSource", "Source", "open_source"]

_MOST_LINE: Final = 96 << 20  # bytes, as of a log's own reader


class Look(NamedTuple):
    """What a file is at one moment.

    `whole` is where its last whole line or event ends, 0 while there is too little of it; `head` is what is rewritten
    in place, `recoveries` the recovery count, None where there is none; `data` is what stands at the given offset, up
    to `whole`, and `known` the bytes before that.
    """

    whole: int
    head: bytes
    recoveries: int | None
    finished: bool
    known: bytes
    data: bytes


class LogSource:
    """A log of a game, which is the open `file`."""

    def __init__(self, path: str) -> None:
        self.name = path
        self.file = LogFile(path)

    def look(self, offset: int, most: int, known: int) -> Look:
        """The file now; a line that is not whole is left out."""
        return as_one(self.file, lambda moment: self._look(moment, offset, most, known))

    def _look(self, moment: Moment, offset: int, most: int, known: int) -> Look:
        file, size = self.file, moment.size
        try:
            header = parse_header(moment.head)
        except HeaderTooShort:
            return Look(0, b"", None, False, b"", b"")
        start = moment.head + file.pread(max(min(BACKUP_HEAD, size - len(moment.head)), 0), len(moment.head))
        data = file.pread(max(min(most, size - offset), 0), offset)
        before = file.pread(known, offset - known)
        while (end := data.rfind(b"\n") + 1) == 0 and offset + len(data) < size:
            if len(data) > _MOST_LINE:
                raise Damaged("line too long", file=self.name, offset=offset, expected=f"{_MOST_LINE} bytes")
            more = min(len(data), size - offset - len(data))
            data += file.pread(more, offset + len(data))
        whole = offset + end if end else min(offset, size)
        head = start[: header.length + BACKUP_HEAD]
        if whole < len(head):
            return Look(0, b"", None, False, b"", b"")
        count = header.identification.recovery_count
        return Look(whole, head, count, header.finished and end == len(data), before, data[:end])

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`."""
        return self.file.pread(size, offset)

    @property
    def fate(self) -> Fate:
        """What became of its name."""
        return self.file.fate

    def close(self) -> None:
        """Close it."""
        self.file.close()


class RecordingSource:
    """Any other recording; of one of a terminal, `events` are those found at the last look."""

    def __init__(self, path: str) -> None:
        self.name = path
        self._file = File(path)
        self.events: Events | None = None

    def look(self, offset: int, most: int, known: int) -> Look:
        """The file now; an event that is not whole is left out."""
        size = self._file.size()
        whole, finished = self._whole(size)
        whole = max(whole, min(offset, size))
        data = self._file.pread(max(min(most, whole - offset), 0), offset)
        return Look(whole, b"", None, finished, self._file.pread(known, offset - known), data)

    def _whole(self, size: int) -> tuple[int, bool]:
        """Where the last whole event ends, and whether it is the last one of all."""
        try:
            events = self._found()
        except TooShort:
            return 0, False
        except NhlogError:  # it is sent as it stands
            return size, False
        if events is None or events.source.packed:
            return size, False
        return min(events.end, size), events.ended

    def _found(self) -> Events | None:
        """The events in it; None if it is no recording of a terminal."""
        if self.events is not None and self.events.look() is not Change.REWOUND:
            return self.events
        self._forget()
        find = format_of(self.name).load().find
        self.events = None if find is None else find(self.name)
        return self.events

    def _forget(self) -> None:
        if self.events is not None:
            self.events.close()
            self.events = None

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`."""
        return self._file.pread(size, offset)

    @property
    def fate(self) -> Fate:
        """What became of its name."""
        return self._file.fate

    def close(self) -> None:
        """Close it."""
        self._file.close()
        self._forget()


Source = LogSource | RecordingSource
"""A file that grows."""


def open_source(path: str) -> Source:
    """The file as it is to be read; raises :class:`NhlogError`."""
    return LogSource(path) if format_of(path).id == "nhgame" else RecordingSource(path)
