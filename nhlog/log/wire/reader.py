"""Split bytes into complete lines; a partial last line is kept until more bytes come, and is never an error.

The lines do not depend on how the input is divided into pieces.  The newest are remembered: by these a log is known
again after a cut, and the cut can be undone.
"""

from collections import deque
from collections.abc import Iterator
from typing import Final

from nhlog.log.wire.lines import BadLine
from nhlog.values import NamedTuple

__all__ = ["MAX_LINE", "LineReader", "NewestLines", "RawLine"]

MAX_LINE = 96 << 20  # bytes; the base64 of the largest blob this reads, with room for its prefix
MOST: Final = 1 << 20  # bytes of the newest lines that are remembered, and a piece more at most: hundreds of turns


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


class NewestLines:
    """What was read of a log's lines last, up to the offset `end`."""

    def __init__(self, end: int) -> None:
        self.end = end
        self._pieces: deque[bytes] = deque()
        self._size = 0

    def add(self, lines: bytes) -> None:
        """Take in the lines that follow; what is older than need be is forgotten."""
        if not lines:
            return
        self.end += len(lines)
        lines = lines[-MOST:]
        self._pieces.append(lines)
        self._size += len(lines)
        while self._size - len(self._pieces[0]) >= MOST:
            self._size -= len(self._pieces.popleft())

    def latest(self, size: int) -> bytes:
        """The last `size` bytes, fewer where fewer are remembered."""
        found: deque[bytes] = deque()
        for piece in reversed(self._pieces):
            if size <= 0:
                break
            found.appendleft(piece[-size:])
            size -= len(piece)
        return b"".join(found)

    def after(self, offset: int) -> bytes:
        """All that follows an offset; empty where not all of it is remembered."""
        size = self.end - offset
        return self.latest(size) if 0 < size <= self._size else b""
