"""Recordings of bytes as a program wrote them; the file does not say in which characters, nor for which terminal.

In some formats the output tells a size (see `guess`): then it is a resize.  If it is the first event the terminal has
that size from the beginning; what came before a later one was for a terminal whose size is guessed.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Final, TypeVar

from nhlog.cache import fingerprint
from nhlog.errors import Usage
from nhlog.screencast.events import OUTPUT, RESIZE, Events, Header, opened
from nhlog.screencast.guess import CHARSETS, UTF_8, CharsetGuess, SizeGuess, format_told, parse_told
from nhlog.unpacked import UnpackedSource
from nhlog.vt import Part, Size

__all__ = ["RawEvents", "ToldEvents", "open_raw"]

_SAMPLE: Final = 1 << 18  # bytes of output that size and characters are guessed from
_LONG: Final = 1 << 20  # bytes of a file whose events are kept: those of a shorter one are found in a few milliseconds


class _Sample:
    """What the output of the first events tells: of how many, and how many bytes more are looked at.

    Each is looked at once, as who watches comes with each of them; but not if the last one became another one.
    """

    def __init__(self, redone: int) -> None:
        self.events, self.room, self.redone = 0, _SAMPLE, redone
        self.size, self.charset = SizeGuess(), CharsetGuess()


class RawEvents(Events):
    """The events of such a recording; `size` and `charset` are used instead of what is guessed."""

    _given: tuple[Size | None, str | None] = (None, None)  # also of events that are recalled
    _sample: _Sample | None = None

    def __init__(self, source: UnpackedSource, size: Size | None, charset: str | None) -> None:
        super().__init__(source)
        self._given = size, charset

    def _guess(self) -> None:
        """Make a new header where more is known than the time before; to be called when there are more events."""
        sample = self._sample
        if sample is None or (sample.room > 0 and sample.redone != self.redone):
            sample = self._sample = _Sample(self.redone)
        if sample.room > 0 and sample.events < len(self):
            self._sample_more(sample)
            size, charset = self._given
            size = size or self._told_size() or sample.size.size
            self.header = self._header(size, charset or sample.charset.charset)

    def _forget(self) -> None:
        super()._forget()
        self._sample = None

    @abstractmethod
    def _header(self, size: Size, charset: str) -> Header:
        """The header with this size and these characters."""

    def _told_size(self) -> Size | None:
        """The size that the file tells, if it does."""
        return None

    def _sample_more(self, sample: _Sample) -> None:
        """Take in the output of the events that are new; the size is told by what came before another one."""
        found: tuple[list[bytes], list[bytes]] = [], []
        resized = next(self.numbers(RESIZE), len(self))
        for number, data in self._pieces(sample.events, len(self)):
            if sample.room <= 0:
                break
            if self.code(number) == OUTPUT:
                found[number > resized].append(data[: sample.room])
                sample.room -= len(data)
        sample.events = len(self)
        before, after = map(b"".join, found)
        sample.size.take(before)
        sample.charset.take(before + after)

    def parts(self, first: int, last: int) -> Iterator[Part]:
        """What the terminal is fed for each of the events; output as UTF-8."""
        parts = super().parts(first, last)
        return parts if self.header.charset == UTF_8 else self._as_utf_8(parts, first)

    def _as_utf_8(self, parts: Iterator[Part], first: int) -> Iterator[Part]:
        charset = self.header.charset
        for number, part in enumerate(parts, first):
            output = self.code(number) == OUTPUT and isinstance(part, bytes)
            yield bytes(part).decode(charset, "replace").encode() if output else part


class ToldEvents(RawEvents):
    """The events of a recording in which output tells sizes; a size that is given is used instead of the first one."""

    def _code_of(self, data: bytes, start: int, end: int) -> str:
        """The code of an event that is this piece of output."""
        return RESIZE if parse_told(data, start, end) else OUTPUT

    @property
    def _begins_told(self) -> bool:
        """Whether the first event tells the size at the beginning, which the header has."""
        return bool(self.times) and self.code(0) == RESIZE

    def _told_size(self) -> Size | None:
        return self._told(self._piece(0)) if self._begins_told else None

    def _told(self, piece: bytes) -> Size | None:
        told = parse_told(piece)
        return told.clamped() if told else None

    def _piece(self, number: int) -> bytes:
        return self.source.pread(self._sizes[number], self._offsets[number])

    def _data(self, code: str, piece: bytes) -> bytes:
        if code != RESIZE:
            return piece
        size = self._told(piece)
        return b"%dx%d" % size if size else piece

    def data(self, number: int) -> bytes:
        """What is in an event."""
        return super().data(number) if number or not self._begins_told else b"%dx%d" % self.header.size

    def parts(self, first: int, last: int) -> Iterator[Part]:
        """What the terminal is fed for each of the events; output as UTF-8."""
        if first == 0 < last and self._begins_told:
            return chain((self.header.size,), super().parts(1, last))
        return super().parts(first, last)

    def really(self, number: int) -> bytes | None:
        """The piece that tells a size in another way than termrec does, or a larger one than a terminal can have."""
        if self.code(number) != RESIZE:
            return None
        piece = self._piece(number)
        size = self._told(piece)
        if size is None or (number == 0 and size != self.header.size):
            return None  # another one was given
        return None if piece == format_told(size, first=number == next(self.numbers(RESIZE))) else piece


R = TypeVar("R", bound=RawEvents)


def open_raw(
    path: str,
    make: Callable[[UnpackedSource, Size | None, str | None], R],
    size: Size | None,
    charset: str | None,
    kinds: Sequence[type[R]] = (),
) -> R:
    """The events that `make` finds in a file, with a size and characters if they are given.

    Of an archived one, or a long one that was opened before, they may be known, if they are of one of the `kinds`.
    """
    if charset is not None and charset not in CHARSETS:
        raise Usage("no such charset", expected=" ".join(CHARSETS), found=charset)

    def find(source: UnpackedSource) -> R:
        long = bool(kinds) and source.file is not None and not source.packed and source.size() >= _LONG
        if not (source.far or (long and size is None and charset is None)):
            return make(source, size, charset)
        from nhlog.screencast.kept import keep_events, recalled  # nobody else needs it

        if known := recalled(source, kinds, size, charset):
            return known
        state = fingerprint(source.file) if source.file else None
        events = make(source, size, charset)
        if not source.far:
            keep_events(events, state)
        return events

    return opened(path, find)
