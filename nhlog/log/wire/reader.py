"""Split bytes into complete lines; a partial last line is kept until more bytes come, and is never an error.

The lines do not depend on how the input is divided into pieces.
"""

from collections.abc import Iterator
from typing import NamedTuple

from nhlog.log.wire.lines import BadLine

__all__ = ["MAX_LINE", "LineReader", "RawLine"]

MAX_LINE = 96 << 20  # bytes; the base64 of the largest blob this reads, with room for its prefix


class RawLine(NamedTuple):
    """A complete line without its newline, and the offset of its first byte."""

    offset: int
    data: bytes


class LineReader:
    """Splits its input into lines; `offset` is where the next line begins, at first the offset of the input."""

    def __init__(self, offset: int) -> None:
        self.offset = offset
        self._partial: list[bytes] = []
        self._held = 0

    @property
    def held(self) -> int:
        """The number of bytes of the incomplete line."""
        return self._held

    @property
    def partial(self) -> bytes:
        """The bytes of the incomplete line."""
        return b"".join(self._partial)

    def feed(self, data: bytes) -> Iterator[RawLine]:
        """Yield the lines that `data` completes; raises :class:`BadLine` for a line longer than `MAX_LINE`.

        Exhaust the iterator: only then is all of `data` taken.
        """
        *lines, rest = data.split(b"\n")
        for line in lines:
            if self._held:
                self._hold(line)
                line = self.partial
                self._partial, self._held = [], 0
            elif len(line) > MAX_LINE:
                raise self._too_long(len(line))
            yield RawLine(self.offset, line)
            self.offset += len(line) + 1
        self._hold(rest)

    def drop(self) -> None:
        """Forget the incomplete line: it was cut off."""
        self._partial, self._held = [], 0

    def _hold(self, data: bytes) -> None:
        if data:
            self._partial.append(data)
            self._held += len(data)
        if self._held > MAX_LINE:
            raise self._too_long(self._held)

    def _too_long(self, size: int) -> BadLine:
        return BadLine("line too long", offset=self.offset, expected=f"at most {MAX_LINE} bytes", found=size)
