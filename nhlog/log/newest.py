"""The newest lines of a log, as they were read: by these it is known again after a cut, and a cut can be undone.

Bytes of complete lines only, which nobody rewrites: so what is remembered stays what the log has, or had.
"""

from collections import deque
from typing import Final

__all__ = ["NewestLines"]

MOST: Final = 1 << 20  # bytes that are remembered, and a piece more at most: hundreds of turns


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
