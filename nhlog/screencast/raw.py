"""Recordings of bytes as a program wrote them; the file does not say for which terminal, in which characters."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from nhlog.errors import Usage
from nhlog.screencast.events import OUTPUT, Events, Header, opened
from nhlog.screencast.guess import CHARSETS, UTF_8, guess_charset, guess_size
from nhlog.unpacked import UnpackedSource
from nhlog.vt import Part, Size

__all__ = ["RawEvents", "open_raw"]

_SAMPLE: Final = 1 << 18  # bytes of output that size and characters are guessed from


class RawEvents(Events):
    """The events of such a recording; `size` and `charset` are used instead of what is guessed."""

    def __init__(self, source: UnpackedSource, size: Size | None, charset: str | None) -> None:
        super().__init__(source)
        self._given = size, charset
        self._sampled: bytes | None = None

    def _guess(self) -> None:
        """Make a new header where more is known than the time before; to be called when there are more events."""
        sample = self._sample()
        if sample != self._sampled:
            self._sampled = sample
            size, charset = self._given
            self.header = self._header(
                size or self._told_size() or guess_size(sample), charset or guess_charset(sample)
            )

    @abstractmethod
    def _header(self, size: Size, charset: str) -> Header:
        """The header with this size and these characters."""

    def _told_size(self) -> Size | None:
        """The size that the file tells, if it does."""
        return None

    def _sample(self) -> bytes:
        """The output of the first events."""
        found, room = [], _SAMPLE
        for number, data in self._pieces(0, len(self)):
            if room <= 0:
                break
            if self.code(number) == OUTPUT:
                found.append(data[:room])
                room -= len(data)
        return b"".join(found)

    def parts(self, first: int, last: int) -> Iterator[Part]:
        """What the terminal is fed for each of the events; output as UTF-8."""
        charset = self.header.charset
        if charset == UTF_8:
            yield from super().parts(first, last)
            return
        for number, part in enumerate(super().parts(first, last), first):
            output = self.code(number) == OUTPUT and isinstance(part, bytes)
            yield bytes(part).decode(charset, "replace").encode() if output else part


R = TypeVar("R", bound=RawEvents)


def open_raw(
    path: str,
    make: Callable[[UnpackedSource, Size | None, str | None], R],
    size: Size | None,
    charset: str | None,
    kinds: Sequence[type[R]] = (),
) -> R:
    """The events that `make` finds in a file, with a size and characters if they are given.

    Of an archived one they may be known, if they are of one of the `kinds`.
    """
    if charset is not None and charset not in CHARSETS:
        raise Usage("no such charset", expected=" ".join(CHARSETS), found=charset)

    def find(source: UnpackedSource) -> R:
        if source.far:
            from nhlog.screencast.archived import recalled  # nobody else needs it

            if known := recalled(source, kinds, size, charset):
                return known
        return make(source, size, charset)

    return opened(path, find)
