"""The frames of a file: where each is and when it came, found by their heads alone.

Damage ends nothing: reading goes on where frames prove each other again.  A frame of which a part is missing at the end
may still be growing.
"""

from array import array
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

from nhlog.compression import MOST_MAGIC
from nhlog.errors import Damaged, NhlogError, TooShort, Unsupported
from nhlog.formats.ttyrec.wire.frames import DAY, HEADS, INPUT, MAX_FRAME, OUTPUT, chains, parse_head, resumes
from nhlog.timeline import MICROSECONDS
from nhlog.unpacked import UnpackedSource

__all__ = ["Index", "opened"]

_LEAST: Final = 1 << 12  # bytes that are read at a time, and more where all of them are frames:
_WINDOW: Final = 4 * MAX_FRAME  # whole ones, if there are
_MOST_FAULTS: Final = 1 << 10  # that are remembered
_EXPECTED: Final = "frames of seconds, microseconds and size"


class Index:
    """The frames so far, and `faults`; `end` is where the last whole frame ends, `limit` what was looked at.

    Raises :class:`TooShort` if there is no whole frame yet, :class:`Unsupported` if these are no frames.
    """

    def __init__(self, source: UnpackedSource) -> None:
        self.source = source
        self.faults: list[Damaged] = []
        self.lost = 0  # bytes that belong to no frame
        self.times = array("q")  # microseconds since the first frame; they never fall
        self.keys = array("Q")  # the frames of the other channels
        self.scores = array("Q")
        self._offsets, self._sizes, self._channels = array("Q"), array("I"), bytearray()
        self.start = self._time = 0
        self.end = 0
        self.head = self._choose_head()
        self.extend()
        if not self.times:
            raise TooShort("no frame is whole yet", offset=self.end, expected=_EXPECTED)

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

    @property
    def settled(self) -> bool:
        """Whether more frames cannot show that these are others."""
        return len(self.times) >= len(HEADS) + 2

    def __len__(self) -> int:
        return len(self.times)

    def extend(self) -> None:
        """Find what was added to the source."""
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
            head = parse_head(window, at, self.head)
        except Damaged:
            return None
        if head is None or at + self.head + head.size > len(window) or not self._follows(head.time, self.end + at):
            return None
        step = head.time - self._time if self.times else 0
        self.start = self.start if self.times else head.time
        self.times.append((self.times[-1] if self.times else 0) + (step if 0 <= step <= DAY else 0))
        self._time = head.time
        self._offsets.append(self.end + at + self.head)
        self._sizes.append(head.size)
        self._channels.append(head.channel)
        if head.channel != OUTPUT:
            (self.keys if head.channel == INPUT else self.scores).append(len(self.times) - 1)
        return self.head + head.size

    def _follows(self, time: int, offset: int) -> bool:
        """Whether a frame may stand here: not a day from the one before it, or another session begins."""
        if not self.times or abs(time - self._time) <= DAY:
            return True
        return time > 0 and chains(self.source.pread, offset, self.head, self.source.size()) > 1

    def _resume(self, window: bytes) -> bool:
        """Skip damage, if this is some and frames follow it."""
        try:
            head = parse_head(window, 0, self.head)
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
        found = resumes(self.source.pread, self.end + 1, self.head, size, self._time)
        self._tell(fault)
        self.lost += (size if found is None else found) - self.end
        self.end = size if found is None else found
        return found is not None

    def _tell(self, fault: Damaged) -> None:
        if len(self.faults) < _MOST_FAULTS:
            self.faults.append(fault.within(self.source.name))

    @property
    def all_faults(self) -> list[Damaged]:
        """What is wrong in the frames, and in what they are packed in."""
        return [*self.faults, *([self.source.fault] if self.source.fault else [])]

    @property
    def fault(self) -> Damaged | None:
        """The first of them."""
        return next(iter(self.all_faults), None)

    @property
    def waiting(self) -> int:
        """The bytes at the end that are no whole frame yet."""
        return self.limit - self.end

    def channel(self, number: int) -> int:
        """The channel of a frame."""
        return self._channels[number]

    def offset(self, number: int) -> int:
        """Where a frame's head begins."""
        return self._offsets[number] - self.head

    def data(self, number: int) -> bytes:
        """What is in a frame."""
        return self.source.pread(self._sizes[number], self._offsets[number])

    def moment(self, number: int) -> int:
        """The frame's own time, microseconds since 1970, which may fall."""
        found = parse_head(self.source.pread(self.head, self.offset(number)), 0, self.head)
        return found.time if found else self.start

    def sample(self, most: int) -> bytes:
        """The output of the first frames, `most` bytes at most."""
        parts, room = [], most
        for number in range(len(self)):
            if self._channels[number] == OUTPUT:
                parts.append(self.data(number)[:room])
                room -= len(parts[-1])
            if room <= 0:
                break
        return b"".join(parts)


@contextmanager
def opened(path: str) -> Iterator[Index]:
    """The frames of a file, for as long as the context lasts; raises as :class:`Index` does."""
    with closing(UnpackedSource(path)) as source:
        try:
            index = Index(source)
        except NhlogError as error:
            raise error.within(source.name) from None
        yield index
