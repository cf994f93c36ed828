"""The meaning of the commands of a diff: the output as pieces of the base with bytes between them (spec 1, 4.4).

Invariant: a segment is one copy and the bytes after it, and decoding segments needs no base. So one decoder serves to
rebuild a save, to change one in place and to get only its first bytes.
"""

from collections.abc import Iterable, Iterator

from nhlog.mdiff.errors import MAX_SAVE, MdiffError
from nhlog.mdiff.syntax import read
from nhlog.mdiff.table import (
    COORD,
    COORD_UNIT,
    COPY,
    DIRECTIONS,
    EDIT,
    EOF_CRC32,
    ERASE,
    ERASE_SIZES,
    INCREMENT,
    SEEK,
)

__all__ = ["Segment", "Segments", "beginning", "resolve"]

Segment = tuple[int, int, int, bytes, bool]
"""Offset of the command in the diff, start and end of its copy in the base, the data after the copy, and whether that
data is added to the bytes of the base after the copy instead of being literal."""


class Segments:
    """The segments of a diff, decoded on iteration; `crc` is that of the whole output, once the end was read.

    Iterating raises :class:`MdiffError` if the diff is malformed or its output exceeds MAX_SAVE.
    """

    def __init__(self, diff: bytes) -> None:
        self._diff = diff
        self.crc: int | None = None

    def __iter__(self) -> Iterator[Segment]:
        position = length = anchor = 0
        for offset, body, end, command, arg1, arg2, _ in read(self._diff):
            if command == SEEK:
                position -= arg1
                continue
            copy, data, adjusts = arg1, self._diff[body:end], False
            if command == COPY:
                anchor = length + copy
            elif command == EDIT:
                copy = 0
            elif command == COORD:
                copy = arg1 * COORD_UNIT + (anchor - length) % COORD_UNIT
                data, adjusts = DIRECTIONS[arg2], True
            elif command == ERASE:
                data = bytes(ERASE_SIZES[arg2])
            elif command == INCREMENT:
                data, adjusts = b"\x01", True
            elif command == EOF_CRC32:
                self.crc = arg2
            advance = copy + len(data)
            length += advance
            if length > MAX_SAVE:
                raise MdiffError("diff makes too large a save", offset=offset, expected=f"at most {MAX_SAVE} bytes")
            yield offset, position, position + copy, data, adjusts
            position += advance


def beginning(segments: Iterable[Segment], base_head: bytes, size: int) -> bytes:
    """The first `size` bytes that the segments make of a base that begins so; fewer if they need more of the base."""
    save = bytearray()
    for _, start, end, data, adjusts in segments:
        if start < 0 and (adjusts or start < end):
            break
        copy = base_head[start:end]
        literal = _adjusted(base_head, end, data) if adjusts else data
        save += copy
        if len(copy) < end - start:
            break
        save += literal
        if len(literal) < len(data) or len(save) >= size:
            break
    return bytes(save[:size])


def resolve(segments: Iterable[Segment], base: bytes | bytearray) -> Iterator[tuple[int, int, bytes]]:
    """Start and end of each segment's copy, and the literal bytes after it, all inside `base`.

    Raises :class:`MdiffError` for a segment that reads outside `base`; one that reads nothing may be anywhere.
    """
    size = len(base)
    for offset, start, end, data, adjusts in segments:
        reach = end + len(data) if adjusts else end
        if start < reach and (start < 0 or reach > size):
            raise MdiffError(
                "diff reads outside the base",
                offset=offset,
                expected=f"0 to {size}",
                found=f"{start} to {reach}",
            )
        yield start, end, _adjusted(base, end, data) if adjusts else data


def _adjusted(base: bytes | bytearray, position: int, deltas: bytes) -> bytes:
    """The bytes of `base` from `position`, each with its delta added (mod 256); fewer if the base ends before."""
    old = base[position : position + len(deltas)]
    return bytes([(byte + delta) & 0xFF for byte, delta in zip(old, deltas, strict=False)])
