"""Versions 2 and 3: a line each for the header and the events, which are found in one pass.

A line is an event once it has ended, or if it is a whole array without: then nothing but space can follow.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from nhlog.errors import Damaged
from nhlog.formats.asciicast.cast import AsciicastEvents
from nhlog.formats.asciicast.wire.lines import (
    LAST,
    MOST_LINE,
    PLAIN_CODES,
    REFUSALS,
    decode_line,
    microseconds,
    read_line,
)
from nhlog.progress import report
from nhlog.screencast.events import Found

__all__ = ["LinedEvents"]

_ROOM: Final = 1 << 18  # bytes that are read at a time
_LAST_SECOND: Final = LAST // 1_000_000
_MOST_COMMENTS: Final = 1 << 16  # that are kept
_SPACE: Final = b" \t\r"
_COMMENT: Final = b"#"


class LinedEvents(AsciicastEvents):
    """The events of version 2, whose times count from the start, or 3, whose times count from the event before."""

    def _forget(self) -> None:
        super()._forget()
        self._time = 0  # the last one
        self._lines = 1  # that were read
        self._skipping = False  # the rest of a line that is too long
        self._comments: list[tuple[int, int, int]] = []  # events before which there is one, where it is, its size

    def found(self, labelled: Iterable[int]) -> Found | None:
        """What is known of them; None where there are remarks."""
        return None if self._comments else super().found(labelled)

    def extend(self) -> None:
        """Find the lines that were added."""
        self.limit, room = self.source.size(), _ROOM
        while self.end < self.limit:
            report("reading", self.end, self.limit)
            window = self.source.pread(min(room, self.limit - self.end), self.end)
            whole = window.rfind(b"\n") + 1
            if self._skipping:
                self._skip(window)
            elif whole:
                self._read(window[: whole - 1].split(b"\n"))
                room = _ROOM
            elif len(window) >= MOST_LINE:
                fault = Damaged(f"line {self._lines + 1} is too long", expected=f"at most {MOST_LINE} bytes")
                fault.offset = self.end
                self._tell(fault)
                self._skipping = True
            elif len(window) == room:
                room = min(4 * room, MOST_LINE)
            else:
                self._read_last(window)
                return

    def _skip(self, window: bytes) -> None:
        found = window.find(b"\n") + 1
        self._skipping = not found
        self._lines += not self._skipping
        self.lost += found or len(window)
        self.end += found or len(window)

    def _read(self, lines: list[bytes]) -> None:
        at, relative = self.end, self.version == 3
        for line in lines:
            self._lines += 1
            try:
                seconds, code, _ = decode_line(line)
            except REFUSALS:
                self._read_odd(line, at)
            else:
                if code in PLAIN_CODES and 0 <= seconds <= _LAST_SECOND:
                    self._time = microseconds(seconds) + (self._time if relative else self.origin)
                    self._take(self._time, code, "", at, len(line))
                else:
                    self._read_odd(line, at)
            at += len(line) + 1
        self.end = at

    def _read_odd(self, line: bytes, at: int) -> None:
        """Take in a line that needs a second look, or tell what is wrong with it."""
        bare = line.strip(_SPACE)
        if not bare or (bare.startswith(_COMMENT) and self.version == 3):
            if bare and len(self._comments) < _MOST_COMMENTS:
                self._comments.append((len(self), at, len(line)))
            return
        found = read_line(line, at, self._lines)
        if found.fault:
            self._tell(found.fault)
        if found.begins:
            self.origin = self._time
        if found.code is None and self.version == 2:
            self.lost += len(line) + 1
            return
        self._time = microseconds(found.seconds) + (self._time if self.version == 3 else self.origin)
        if found.code is None:
            self.lost += len(line) + 1
        else:
            self._take(self._time, found.code, "" if found.fault else found.data, at, len(line))

    def _read_last(self, line: bytes) -> None:
        """Take in a line that has not ended, if it is an event already."""
        try:
            decode_line(line)
        except REFUSALS:
            return
        self._read([line])
        self._lines -= 1  # which is to end yet
        self.end -= 1

    def comments(self) -> Iterator[tuple[int, bytes]]:
        """The lines of remarks, each with the event before which it stands."""
        for number, offset, size in self._comments:
            yield number, self.source.pread(size, offset).strip(_SPACE).removeprefix(_COMMENT).strip(_SPACE)

    def _data(self, code: str, piece: bytes) -> bytes:
        try:
            return decode_line(piece)[2].encode()
        except REFUSALS:
            return read_line(piece, 0, 0).data.encode()
