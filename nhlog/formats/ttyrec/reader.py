"""The frames of a file: where each is and when it came, found by their heads alone.

Damage ends nothing: reading goes on where frames prove each other again.  A frame of which a part is missing at the end
may still be growing.
"""

from array import array
from collections.abc import Iterator
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
from nhlog.formats.ttyrec.wire.guess import CHARSETS, UTF_8, guess_charset, guess_size
from nhlog.screencast import OUTPUT, SCORE, Events, Header, opened
from nhlog.timeline import MICROSECONDS
from nhlog.unpacked import UnpackedSource
from nhlog.vt import Size

__all__ = ["TtyrecEvents", "encoder", "open_events"]

_LEAST: Final = 1 << 12  # bytes that are read at a time, and more where all of them are frames:
_WINDOW: Final = 4 * MAX_FRAME  # whole ones, if there are
_SPAN: Final = 1 << 18  # bytes of frames that are read at a time
_SAMPLE: Final = 1 << 18  # bytes of output that size and characters are guessed from
KIND: Final = "ttyrec"
"""What a header has more: which kind of ttyrec it is, so that it can be made again of another recording."""
_EXPECTED: Final = "frames of seconds, microseconds and size"


class TtyrecEvents(Events):
    """The frames of a ttyrec; `size` and `charset` are used instead of what is guessed.

    Raises :class:`TooShort` if there is no whole frame yet, :class:`Unsupported` if these are no frames.
    """

    def __init__(self, source: UnpackedSource, size: Size | None = None, charset: str | None = None) -> None:
        super().__init__(source)
        self._given = size, charset
        self._sampled: bytes | None = None
        self.extend()
        if not self.times:
            raise TooShort("no frame is whole yet", offset=self.end, expected=_EXPECTED)

    def _begin(self) -> None:
        """Know of no frames."""
        self._forget()
        self._offsets, self._sizes = array("Q"), array("I")
        self._first = self._time = 0  # microseconds since 1970
        self._head = self._choose_head()

    def _choose_head(self) -> int:
        """The size of heads: the one by which more frames follow each other."""
        size = self.source.size()
        if size < max(HEADS[0], MOST_MAGIC):
            raise TooShort(
                "empty file" if not size else "the first frame is cut short", offset=size, expected=_EXPECTED
            )
        parse = [chains(self.source.pread, 0, head, size) for head in HEADS]
        if not any(parse):
            raise Unsupported("no ttyrec", offset=0, expected=_EXPECTED)
        return HEADS[parse.index(max(parse))]

    def extend(self) -> None:
        """Find what was added to the source."""
        if len(self) < len(HEADS) + 2:  # few frames may look as others do
            self._begin()
        self._scan()
        sample = self._sample()
        if sample != self._sampled:
            self._sampled = sample
            size, charset = self._given
            self.header = Header(
                size=size or guess_size(sample),
                start=self._first,
                charset=charset or guess_charset(sample),
                more={KIND: HEADS.index(self._head) + 1},
            )

    def _scan(self) -> None:
        self.limit, room = self.source.size(), _LEAST
        while True:
            window, at = self.source.pread(room, self.end), 0
            while (taken := self._take(window, at)) is not None:
                at += taken
            self.end += at
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
        self._add((self.times[-1] if self.times else 0) + (step if 0 <= step <= DAY else 0), CODES[head.channel])
        self._time = head.time
        self._offsets.append(self.end + at + self._head)
        self._sizes.append(head.size)
        return self._head + head.size

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
            fault = Damaged("no frame", expected=expected, found=f"{head.time // MICROSECONDS} s")
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

    def offset(self, number: int) -> int:
        """Where a frame's head begins."""
        return self._offsets[number] - self._head

    def data(self, number: int) -> bytes:
        """What is in a frame."""
        data = self.source.pread(self._sizes[number], self._offsets[number])
        return b"%d" % int.from_bytes(data[:4], "little", signed=True) if self.code(number) == SCORE else data

    def moment(self, number: int) -> int:
        """The frame's own time, microseconds since 1970, which may fall."""
        found = parse_head(self.source.pread(self._head, self.offset(number)), 0, self._head)
        return found.time if found else self._first

    def parts(self, first: int, last: int) -> Iterator[bytes]:
        """The output of the frames from one up to another one, as UTF-8."""
        charset = self.header.charset
        for number, data in self._pieces(first, last):
            if self.code(number) != OUTPUT:
                yield b""
            else:
                yield data if charset == UTF_8 else data.decode(charset, "replace").encode()

    def _pieces(self, first: int, last: int) -> Iterator[tuple[int, bytes]]:
        """What is in the frames from one up to another one, each with its number; read many at a time."""
        start, window = 0, b""
        for number in range(first, last):
            at, size = self._offsets[number], self._sizes[number]
            if at + size > start + len(window):
                end = self._offsets[last - 1] + self._sizes[last - 1]
                start, window = at, self.source.pread(max(size, min(_SPAN, end - at)), at)
            yield number, window[at - start : at - start + size]

    def _sample(self) -> bytes:
        """The output of the first frames."""
        found, room = [], _SAMPLE
        for number, data in self._pieces(0, len(self)):
            if room <= 0:
                break
            if self.code(number) == OUTPUT:
                found.append(data[:room])
                room -= len(data)
        return b"".join(found)


def open_events(path: str, size: Size | None = None, charset: str | None = None) -> TtyrecEvents:
    """The frames of a file; size and characters are guessed unless they are given."""
    if charset is not None and charset not in CHARSETS:
        raise Usage("no such charset", expected=" ".join(CHARSETS), found=charset)
    return opened(path, lambda source: TtyrecEvents(source, size, charset))


def encoder(header: Header, version: int | None, after: Events | None, *, exact: bool) -> TtyrecEncoder:
    """Makes a ttyrec of version 1, 2 or 3, or what is to be appended to one.

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
