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
        """Yield the lines that `data` completes; raises :class:`BadLine` for a line longer than `MAX_LINE`."""
        offset, lines = self.complete(data)
        for line in lines.split(b"\n")[:-1]:
            yield RawLine(offset, line)
            offset += len(line) + 1

    def complete(self, data: bytes) -> RawLine:
        """All lines that `data` completes in one, each with its newline; raises :class:`BadLine` like `feed`."""
        offset, end = self.offset, data.rfind(b"\n") + 1
        lines = data[:end]
        if end:
            longest = max(map(len, lines.split(b"\n"))) if end > MAX_LINE else 0
            if (size := max(self._held + data.index(b"\n"), longest)) > MAX_LINE:
                raise self._too_long(size)
            lines = self.partial + lines
            self.drop()
            self.offset += len(lines)
        self._hold(data[end:])
        return RawLine(offset, lines)

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
