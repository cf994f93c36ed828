"""The frames of a file: where each is and when it came, found by their heads alone.

Damage ends nothing: reading goes on where frames prove each other again.  A frame of which a part is missing at the end
may still be growing.
"""

import re
from dataclasses import replace
from typing import Final

from nhlog.compression import MOST_MAGIC
from nhlog.errors import Damaged, TooShort, Unsupported, Usage
from nhlog.formats.ttyrec.wire.encode import VERSIONS, TtyrecEncoder
from nhlog.formats.ttyrec.wire.frames import (
    CODES,
    DAY,
    HEADS,
    MAX_FRAME,
    chains,
    parse_head,
    resumes,
)
from nhlog.kernels import ttyrec
from nhlog.progress import report
from nhlog.screencast import OUTPUT, RESIZE, SCORE, Events, Header
from nhlog.screencast.events import Found
from nhlog.screencast.guess import MOST_TOLD
from nhlog.screencast.raw import ToldEvents, open_raw
from nhlog.timeline import MICROSECONDS
from nhlog.unpacked import UnpackedSource
from nhlog.vt import Size

__all__ = ["TtyrecEvents", "encoder", "open_events", "version_named"]

_LEAST: Final = 1 << 12  # bytes that are read at a time, and more where all of them are frames:
_WINDOW: Final = 4 * MAX_FRAME  # whole ones, if there are
KIND: Final = "ttyrec"
"""What a header has more: that it is of a ttyrec, 3 or 2 with channels, 1 without, so that it can be made again."""
_NAMED: Final = re.compile(r"\.ttyrec([23])(?:\.\w+)?$")
_EXPECTED: Final = "frames of seconds, microseconds and size"


class TtyrecEvents(ToldEvents):
    """The frames of a ttyrec; `size` and `charset` are used instead of what is guessed.

    Raises :class:`TooShort` if there is no whole frame yet, :class:`Unsupported` if these are no frames.
    """

    def __init__(self, source: UnpackedSource, size: Size | None = None, charset: str | None = None) -> None:
        super().__init__(source, size, charset)
        self.extend()
        if not self.times:
            raise TooShort("no complete frame yet", offset=self.end, expected=_EXPECTED)

    def _begin(self) -> None:
        """Know of no frames."""
        self._forget()
        self._first = self._time = 0  # microseconds since 1970
        self._head = self._choose_head()
        self.version = 3 if self._head == HEADS[1] else 1

    def _choose_head(self) -> int:
        """The size of heads: the one by which more frames follow each other."""
        size = self.source.size()
        if size < max(HEADS[0], MOST_MAGIC):
            raise TooShort(
                "empty file" if not size else "the first frame is cut short", offset=size, expected=_EXPECTED
            )
        parse = [chains(self.source.pread, 0, head, size) for head in HEADS]
        if not any(parse):
            raise Unsupported("not a ttyrec", offset=0, expected=_EXPECTED)
        return HEADS[parse.index(max(parse))]

    def extend(self) -> None:
        """Find what was added to the source."""
        if len(self) < len(HEADS) + 2:  # few frames may look as others do
            self._begin()
        else:
            self._time = self.moment(len(self) - 1)  # which is not known of those that were recalled
        self._scan()
        self._guess()

    def _header(self, size: Size, charset: str) -> Header:
        return Header(size=size, start=self._first, charset=charset, more={KIND: self.version})

    def _scan(self) -> None:
        self.limit, room = self.source.size(), _LEAST
        while True:
            window, at = self.source.pread(room, self.end), 0
            while (taken := self._take(window, at)) is not None:
                at = self._take_all(window, at + taken)
            self.end += at
            report("reading", self.end, self.limit)
            if not at and self._resume(window):
                room = _LEAST  # there may be more damage
            elif at or len(window) == room < _WINDOW:
                room = min(4 * room, _WINDOW)
            else:
                return

    def _take(self, window: bytes, at: int) -> int | None:
        """Take in the frame at a place of the window, and return its size; None if it is not whole, or none."""
        try:
            head = parse_head(window, at, self._head)
        except Damaged:
            return None
        if head is None or at + self._head + head.size > len(window) or not self._follows(head.time, self.end + at):
            return None
        step = head.time - self._time if self.times else 0
        self.backwards += step < 0
        self._first = self._first if self.times else head.time
        time = (self.times[-1] if self.times else 0) + (step if 0 <= step <= DAY else 0)
        start, whole = at + self._head, self._head + head.size
        code = CODES[head.channel]
        if code == OUTPUT and head.size <= MOST_TOLD:
            code = self._code_of(window, start, at + whole)
        self._add(time, code, self.end + start, head.size)
        self._time = head.time
        return whole

    def _take_all(self, window: bytes, at: int) -> int:
        """Take in what follows of frames in which nothing has to be looked at twice, and return where they end."""
        if self._time > ttyrec.LATEST:
            return at
        end, self._time, backwards, times, offsets, sizes, channels = ttyrec.walk(
            window,
            at,
            self._head,
            self.end + at,
            self._time,
            self.times[-1],
            DAY,
            len(CODES),
            MAX_FRAME,
            MOST_TOLD,
        )
        self.backwards += backwards
        self._add_all(times, [*map(CODES.__getitem__, channels)], offsets, sizes)
        return end

    def _follows(self, time: int, offset: int) -> bool:
        """Whether a frame may stand here: not a day from the one before it, or another session begins."""
        if not self.times or abs(time - self._time) <= DAY:
            return True
        return time > 0 and chains(self.source.pread, offset, self._head, self.source.size()) > 1

    def _resume(self, window: bytes) -> bool:
        """Skip damage, if this is some and frames follow it."""
        try:
            head = parse_head(window, 0, self._head)
            if head is None or self._follows(head.time, self.end):
                return False  # the rest may come
            expected = f"a time near {self._time // MICROSECONDS} s, that of the frame before"
            fault = Damaged("not a frame", expected=expected, found=f"{head.time // MICROSECONDS} s")
        except Damaged as error:
            fault = error
        fault.offset = self.end
        if not self.times:
            return False
        size = self.source.size()
        found = resumes(self.source.pread, self.end + 1, self._head, size, self._time)
        self._tell(fault)
        self.lost += (size if found is None else found) - self.end
        self.end = size if found is None else found
        return found is not None

    def recall(self, found: Found) -> None:
        """Know what was found before, in the same file."""
        super().recall(found)
        self._head, self._first = HEADS[self.version == 3], self.header.start or 0

    def offset(self, number: int) -> int:
        """Where a frame's head begins."""
        return self._offsets[number] - self._head

    def _data(self, code: str, piece: bytes) -> bytes:
        if code == SCORE:
            return b"%d" % int.from_bytes(piece[:4], "little", signed=True)
        return super()._data(code, piece) if code == RESIZE else piece

    def moment(self, number: int) -> int:
        """The frame's own time, microseconds since 1970, which may fall."""
        found = parse_head(self.source.pread(self._head, self.offset(number)), 0, self._head)
        return found.time if found else self._first


def open_events(path: str, size: Size | None = None, charset: str | None = None) -> TtyrecEvents:
    """The frames of a file; size and characters are guessed unless they are given."""
    return open_raw(path, TtyrecEvents, size, charset, [TtyrecEvents])


def version_named(path: str) -> int | None:
    """The version that the name of a file says; None for ``.ttyrec``, which may be any."""
    found = _NAMED.search(path)
    return int(found[1]) if found else None


def encoder(header: Header, version: int | None, after: Events | None, *, exact: bool) -> TtyrecEncoder:
    """Make a ttyrec of version 1, 2 or 3, or what is to be appended to one.

    What came from a ttyrec becomes one of the same kind, if it is to be `exact`.
    """
    came = header.more.get(KIND) if exact else None
    origin = came if came in VERSIONS else None
    if version not in (None, *VERSIONS):
        raise Usage("no such version of ttyrec", expected="1, 2 or 3", found=version)
    if after is None:
        return TtyrecEncoder(header, version or origin or 1, sized=origin is None, exact=exact)
    end = after.moment(len(after) - 1) or 0
    begun = end if header.start is None else max(header.start, end)
    return TtyrecEncoder(replace(header, start=begun), after.header.more.get(KIND, 1), exact=exact)
