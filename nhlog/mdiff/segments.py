"""What the commands of a diff mean: the output as pieces of the base with bytes between them (spec 1, 4.4).

Invariant: a segment is one copy and the bytes behind it, and making segments needs no base. So one decoder
serves to rebuild a save, to change one in place and to look at its first bytes alone.
"""

from collections.abc import Iterable, Iterator

from nhlog.mdiff.commands import (
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
from nhlog.mdiff.errors import MAX_SAVE, MdiffError
from nhlog.mdiff.syntax import read

__all__ = ["Segment", "adjusted", "resolve", "segments"]

Segment = tuple[int, int, int, bytes, bool]
"""Offset of the command in the diff, start and end of its copy in the base, the data behind the copy, and
whether that data is not literal but is to be added to the bytes of the base that follow the copy."""


def segments(diff: bytes, size: int = MAX_SAVE + 1) -> tuple[list[Segment], int | None]:
    """The segments of `diff`, and the CRC-32 that it gives for its output, if any.

    Reads no further than to the segment that makes byte number `size` of the output.
    Raises MdiffError for a malformed diff and for an output above MAX_SAVE.
    """
    found: list[Segment] = []
    crc = None
    position = length = anchor = 0
    for offset, body, end, command, arg1, arg2, _ in read(diff):
        if command == SEEK:
            position -= arg1
            continue
        copy, data, adjusts = arg1, diff[body:end], False
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
            crc = arg2
        found.append((offset, position, position + copy, data, adjusts))
        advance = copy + len(data)
        position += advance
        length += advance
        if length > MAX_SAVE:
            raise MdiffError("diff makes too large a save", offset=offset, expected=f"at most {MAX_SAVE} bytes")
        if length >= size:
            break
    return found, crc


def resolve(found: Iterable[Segment], base: bytes | bytearray) -> Iterator[tuple[int, int, bytes]]:
    """Start and end of each segment's copy, and the literal bytes behind it, all inside `base`.

    What reads nothing may lie anywhere. Raises MdiffError for what does not.
    """
    size = len(base)
    for offset, start, end, data, adjusts in found:
        reach = end + len(data) if adjusts else end
        if start < reach and (start < 0 or reach > size):
            raise MdiffError(
                "diff reads outside the base",
                offset=offset,
                expected=f"0 to {size}",
                found=f"{start} to {reach}",
            )
        yield start, end, adjusted(base, end, data) if adjusts else data


def adjusted(base: bytes | bytearray, position: int, deltas: bytes) -> bytes:
    """The bytes of `base` from `position`, each with its delta added (mod 256); fewer where the base ends."""
    old = base[position : position + len(deltas)]
    return bytes([(byte + delta) & 0xFF for byte, delta in zip(old, deltas, strict=False)])
