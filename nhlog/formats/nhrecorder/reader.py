"""The pieces of a file.  The last one is shown as far as it has come, as nothing says that it is whole."""

from typing import Final

from nhlog.errors import Damaged, TooShort
from nhlog.formats.nhrecorder.wire.pieces import MOST_PIECE, Piece, split
from nhlog.progress import report
from nhlog.screencast import Header
from nhlog.screencast.guess import MOST_TOLD
from nhlog.screencast.raw import ToldEvents, open_raw
from nhlog.unpacked import UnpackedSource
from nhlog.vt import Size

__all__ = ["NhRecorderEvents", "open_events"]

_SECOND: Final = 1_000_000
_DAY: Final = 86_400 * _SECOND  # a longer pause is damage


class NhRecorderEvents(ToldEvents):
    """The events of such a recording; raises :class:`TooShort` if there is none yet."""

    def __init__(self, source: UnpackedSource, size: Size | None, charset: str | None) -> None:
        super().__init__(source, size, charset)
        self._time = 0  # as the file has it
        if b"\0" not in source.pread(MOST_PIECE, 0):
            raise TooShort(
                "no complete time yet", offset=source.size(), expected="a NUL and the time of the next output"
            )
        self.extend()
        if not self.times:
            raise TooShort("no output yet", offset=self.end, expected="output of a program")

    def extend(self) -> None:
        """Find the pieces that were added."""
        self.limit = self.source.size()
        while window := self.source.pread(min(MOST_PIECE, self.limit - self.end), self.end):
            report("reading", self.end, self.limit)
            start, more = self.end, self.end + len(window) < self.limit
            for piece in split(window):
                if more and piece.offset and piece.end == len(window):
                    break  # the rest of it is in the next window
                if piece.time is None and self.times and self._sizes[-1] + piece.end <= MOST_PIECE:
                    self._lengthen(piece.end)
                else:
                    self._take(piece, start, self._code_of(window, piece.start, piece.end))
            if self.end == start:
                break
        self._guess()

    def _take(self, piece: Piece, start: int, code: str) -> None:
        time = self._time if piece.time is None else piece.time
        step, self._time = time - self._time, time
        self.backwards += step < 0
        if step > _DAY:
            found = f"{step // _SECOND} s"
            self._tell(Damaged("no pause", offset=start + piece.offset, expected="less than a day", found=found))
        last = self.times[-1] if self.times else 0
        self._add(last + (step if 0 <= step <= _DAY else 0), code, start + piece.start, piece.end - piece.start)
        self.end = start + piece.end

    def _lengthen(self, size: int) -> None:
        """Add what came later to the last piece."""
        time, offset, size = self.times.pop(), self._offsets.pop(), self._sizes.pop() + size
        self._codes.pop()
        begun = self.source.pread(MOST_TOLD, offset)
        self._add(time, self._code_of(begun, 0, size), offset, size)  # it may tell a size now, or none any more
        self.end = offset + size
        self.redone += 1

    def _header(self, size: Size, charset: str) -> Header:
        return Header(size=size, charset=charset)


def open_events(path: str, size: Size | None = None, charset: str | None = None) -> NhRecorderEvents:
    """The pieces of a file; size and characters are guessed unless they are given."""
    return open_raw(path, NhRecorderEvents, size, charset, [NhRecorderEvents])
