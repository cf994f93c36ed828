"""Version 1: one object, in which an array has the events; read as far as it has come."""

import re
from typing import Final

from nhlog.errors import Damaged, TooShort
from nhlog.formats.asciicast.cast import AsciicastEvents
from nhlog.formats.asciicast.wire.header import parse_header
from nhlog.formats.asciicast.wire.lenient import object_of
from nhlog.formats.asciicast.wire.lines import MOST_LINE, microseconds, read_line, shown
from nhlog.progress import report
from nhlog.unpacked import UnpackedSource
from nhlog.vt import Size

__all__ = ["MOST_HEADER", "WholeEvents", "open_whole"]

MOST_HEADER: Final = 1 << 20  # bytes before the first event
_MOST_WHOLE: Final = 1 << 26  # bytes of an object that is read for a header behind the events
_ROOM: Final = 1 << 18  # bytes that are read at a time
_EVENTS: Final = re.compile(rb'"stdout"\s*:\s*\[')
_TEXT: Final = rb'"(?:[^"\\]++|\\.)*+"'
_VALUES: Final = rb'[\s,]*+(\[(?:[^\[\]"]|%s)*+' % _TEXT  # of an event, and what stands before it
_EVENT: Final = re.compile(_VALUES + rb"\])", re.DOTALL)
_BEGUN: Final = re.compile(_VALUES + rb'(?:"(?:[^"\\]++|\\.)*+\\?)?)?\Z', re.DOTALL)
_END: Final = re.compile(rb'[\s,]*\]\s*(?:\}|,\s*"|\Z)')
_NEXT: Final = re.compile(rb'\[\s*-?\d[\d.eE+-]*\s*,\s*"')  # where another event begins, behind damage


def open_whole(source: UnpackedSource, head: bytes, size: Size | None) -> "WholeEvents":
    """The events of version 1 in a file that begins with `head`, an object of which the first line is not a header."""
    found = _EVENTS.search(head)
    fields = object_of(head[: found.start()].rstrip(b" \t\r\n,") + b"}") if found else object_of(head)
    if fields is None and found is None:
        first, newline, rest = head.strip().partition(b"\n")
        if not newline or (first.strip() == b"{" and not rest.lstrip().startswith(b"[")):
            raise TooShort("the header is cut short", offset=source.size(), expected="a JSON object")
    if fields is None:
        raise Damaged("not an asciicast header", offset=0, expected="a JSON object", found=shown(head))
    if found and not {"version", "width", "height"} <= fields.keys() and source.size() <= _MOST_WHOLE:
        fields = object_of(source.pread(_MOST_WHOLE, 0)) or fields
    told = parse_header(fields)
    if told.version != 1:
        raise Damaged("the header is not on one line", offset=0)
    if found is None:
        raise Damaged("an object without events", offset=0, expected='"stdout"')
    return WholeEvents(source, told, found.end(), size)


class WholeEvents(AsciicastEvents):
    """The events of version 1, whose times count from the event before."""

    _time = 0
    _closed = False

    @property
    def appendable(self) -> bool:
        """No: it ends with the object that all of it is."""
        return False

    def extend(self) -> None:
        """Find the events that were added."""
        self.limit, room = self.source.size(), _ROOM
        while self.end < self.limit and not self._closed:
            report("reading", self.end, self.limit)
            window = self.source.pread(min(room, self.limit - self.end), self.end)
            taken = self._read(window)
            if not taken and len(window) == MOST_LINE:
                taken = self._skip(window, 0, len(window))
            self.end += taken
            if taken:
                room = _ROOM
            elif len(window) == room:
                room = min(4 * room, MOST_LINE)
            else:
                break
        if self._closed:
            self.end = self.limit

    def _read(self, window: bytes) -> int:
        """Take in the events in the window, and return the size of what was read of it."""
        at = 0
        while not self._closed:
            if found := _EVENT.match(window, at):
                self._read_event(found[1], self.end + found.start(1))
                at = found.end()
            elif _END.match(window, at):
                self._closed = True
            elif (another := _NEXT.search(window, at + 1)) and not _BEGUN.match(window, at):
                at += self._skip(window, at, another.start())
            else:
                break
        return at

    def _read_event(self, piece: bytes, offset: int) -> None:
        found = read_line(piece, offset, len(self) + 1, values=2)
        self._time += microseconds(found.seconds)
        if found.fault:
            found.fault.what = found.fault.what.replace("line", "event", 1)
            self._tell(found.fault)
        if found.code is None:
            self.lost += len(piece)
        else:
            self._take(self._time, found.code, "", offset, len(piece))

    def _skip(self, window: bytes, first: int, last: int) -> int:
        """Tell of damage in the window, and return its size."""
        found = shown(window[first:last])
        self._tell(Damaged("not an event", offset=self.end + first, expected="[delay, text]", found=found))
        self.lost += last - first
        return last - first

    def _data(self, code: str, piece: bytes) -> bytes:
        return read_line(piece, 0, 0, values=2).data.encode()
