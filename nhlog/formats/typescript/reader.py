"""The events of a typescript: what the file of times beside it says of it.

That one has the same name with another ending, .timing, .tm or .time, or with that ending added.
"""

import os
from collections.abc import Iterator
from typing import Final

from nhlog.change import Change
from nhlog.errors import Damaged, TooShort
from nhlog.files import made_of
from nhlog.formats.typescript.wire.lines import (
    MOST_FIRST,
    MOST_LINE,
    Entry,
    First,
    begins,
    is_last,
    parse_entry,
    parse_first,
    resize_of,
    start_of,
)
from nhlog.screencast import INPUT, OUTPUT, RESIZE, Header, parse_resize
from nhlog.screencast.raw import RawEvents, open_raw
from nhlog.unpacked import UnpackedSource
from nhlog.vt import Size

__all__ = ["TypescriptEvents", "open_events", "timing_of"]

_ENDINGS: Final = (".timing", ".tm", ".time")
_MOST_RESIZED: Final = 1 << 16  # times that the terminal gets another size
_ROOM: Final = 1 << 16  # bytes of times that are read at once
_SAME: Final = ("OUTPUT_LOG", "INPUT_LOG")
"""What says the files that output and input went to: if they are one, both are in it."""


class TypescriptEvents(RawEvents):
    """The events of a typescript, of which `timing` has the times; raises :class:`TooShort` if there is none yet."""

    def __init__(self, source: UnpackedSource, timing: UnpackedSource, size: Size | None, charset: str | None) -> None:
        super().__init__(source, size, charset)
        self._timing = timing
        first = source.pread(MOST_FIRST, 0)
        if begins(first):
            raise TooShort("the first line is cut short", offset=len(first), expected="when script was started")
        self._first: First = parse_first(first)
        self._values = dict(self._first.values)
        self._resized: dict[int, bytes] = {}
        self.end = self._first.size
        self._at = self._seen = self._time = 0  # in the times: what was read, and their size at the last look
        self._missing = 0  # bytes of which there is the time already
        self.extend()
        if not self.times:
            raise TooShort("no output yet", offset=self.end, expected="output, and the time of it beside it")

    def extend(self) -> None:
        """Find the events that were added."""
        self.limit, self._seen, self._missing = self.source.size(), self._timing.size(), 0
        while self._at < self._seen and not self._missing:
            window = self._timing.pread(min(_ROOM, self._seen - self._at), self._at)
            whole = window.rfind(b"\n") + 1
            if not whole and len(window) < MOST_LINE:
                break
            for line in window[: whole or len(window)].splitlines(keepends=True):
                if not self._read(line.rstrip()):
                    break
                self._at += len(line)
        if self.end < self.limit and is_last(self.source.pread(MOST_FIRST, self.end)):
            self.end = self.limit
        self._guess()

    def _read(self, line: bytes) -> bool:
        """Take in a line of times; False if what it is of has not come."""
        try:
            entry = parse_entry(line)
        except Damaged as error:
            self._tell(error.within(self._timing.name, self._at))
            return True
        here = entry.kind == "O" or (entry.kind == "I" and len({self._values.get(name) for name in _SAME}) == 1)
        if here and self.end + entry.size > self.limit:
            self._missing = self.end + entry.size - self.limit
            return False
        self._time += entry.pause
        if here:
            self._add(self._time, OUTPUT if entry.kind == "O" else INPUT, self.end, entry.size)
            self.end += entry.size
        elif entry.kind == "H":
            self._values.setdefault(entry.name, entry.text)
        elif entry.kind == "S":
            self._signal(entry)
        return True

    def _signal(self, entry: Entry) -> None:
        size = resize_of(entry.text)
        if size is not None and len(self._resized) < _MOST_RESIZED:
            self._resized[len(self)] = size
            self._add(self._time, RESIZE, self.end, 0)

    def look(self) -> Change:
        """Take in what was appended to the two files."""
        if not self._timing.catch_up() or self._timing.size() < self._seen:
            return Change.REWOUND
        change = super().look()
        if change is Change.NOTHING and self._timing.size() > self._seen:
            self.extend()
            return Change.GREW
        return change

    @property
    def waiting(self) -> int:
        """The bytes at the end of which there is no time yet, or which have not come."""
        return self.limit - self.end or self._missing

    @property
    def all_faults(self) -> list[Damaged]:
        """What is wrong in the two files."""
        return [*super().all_faults, *([self._timing.fault] if self._timing.fault else [])]

    def _pieces(self, first: int, last: int) -> Iterator[tuple[int, bytes]]:
        for number, piece in super()._pieces(first, last):
            yield number, self._resized.get(number, piece)

    def data(self, number: int) -> bytes:
        """What is in an event."""
        return self._resized[number] if number in self._resized else super().data(number)

    def _told_size(self) -> Size | None:
        sides = [self._values.get(name, "") for name in ("COLUMNS", "LINES")]
        return parse_resize("x".join(sides).encode())

    def _header(self, size: Size, charset: str) -> Header:
        told = ((name, self._values.get(name)) for name in ("SHELL", "TERM"))
        return Header(
            size=size,
            start=self._first.start or start_of(self._values.get("START_TIME", "")),
            charset=charset,
            command=self._values.get("COMMAND", ""),
            environment={name: text for name, text in told if text},
        )

    def fingerprint(self) -> None:
        """None: other times would make other events of the same output."""

    def close(self) -> None:
        """Close the two files."""
        super().close()
        self._timing.close()


def open_events(
    path: str, size: Size | None = None, charset: str | None = None, timing: str | None = None
) -> TypescriptEvents:
    """The events of a typescript; the file of its times is that beside it unless it is given."""
    name = timing or timing_of(path)

    def find(source: UnpackedSource, size: Size | None, charset: str | None) -> TypescriptEvents:
        return made_of(UnpackedSource(name), lambda times: TypescriptEvents(source, times, size, charset))

    return open_raw(path, find, size, charset)


def timing_of(path: str) -> str:
    """The file with the times of a typescript; raises :class:`TooShort` if there is none beside it."""
    names = [f"{stem}{ending}" for stem in (os.path.splitext(path)[0], path) for ending in _ENDINGS]
    found = next((name for name in names if os.path.exists(name)), None)
    if found is None:
        raise TooShort("the file with the times is missing", file=path, expected=names[0])
    return found
