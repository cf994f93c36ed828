"""Bytes in, complete lines out; a partial last line means "need more", never an error.

The same lines come out whether the bytes come at once or one by one.
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
    """Splits what it is fed into lines; `offset` is where the first line fed to it begins."""

    def __init__(self, offset: int) -> None:
        self.offset = offset
        self._partial: list[bytes] = []
        self._held = 0

    @property
    def held(self) -> int:
        """Bytes of the line that is not complete yet."""
        return self._held

    @property
    def partial(self) -> bytes:
        """Those bytes."""
        return b"".join(self._partial)

    def feed(self, data: bytes) -> Iterator[RawLine]:
        """The lines that `data` completes; raises :class:`BadLine` when one grows past `MAX_LINE`.

        All of `data` is taken when the iteration ends.
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

    def _hold(self, data: bytes) -> None:
        if data:
            self._partial.append(data)
            self._held += len(data)
        if self._held > MAX_LINE:
            raise self._too_long(self._held)

    def _too_long(self, size: int) -> BadLine:
        return BadLine("line too long", offset=self.offset, expected=f"at most {MAX_LINE} bytes", found=size)
