"""LZ4 blocks, by which FIQHack compresses what NetHack 4 deflates (github.com/lz4/lz4, lz4_Block_format.md).

A block is a row of sequences: a token with two lengths of four bits, literal bytes, and how far back and how long to
copy; the last sequence ends after its literals.  A length of 15 goes on in further bytes, as long as these are 255.
"""

from typing import Final

from nhlog.errors import Damaged

__all__ = ["unpack"]

_MORE: Final = 15
_SHORTEST: Final = 4  # bytes of a copy, which are not counted in its length


class _BadBlock(Damaged):
    """The block breaks the rules of the format."""


def unpack(block: bytes, size: int) -> bytes:
    """The first `size` bytes of the unpacked block, all of it if it has fewer; raises :class:`Damaged`."""
    out = bytearray()
    at, end = 0, len(block)
    while len(out) < size:
        token = _byte(block, at)
        literals, at = _length(block, at + 1, token >> 4)
        if literals > end - at:
            raise _BadBlock("bad LZ4 block: cut short", expected=f"{literals} literal bytes", found=end - at)
        out += block[at : at + literals]
        at += literals
        if at == end or len(out) >= size:
            break
        distance = _byte(block, at) | _byte(block, at + 1) << 8
        length, at = _length(block, at + 2, token & _MORE)
        if not 0 < distance <= len(out):
            raise _BadBlock("bad LZ4 block: a copy from before the start", expected=f"1 to {len(out)}", found=distance)
        _copy(out, distance, min(length + _SHORTEST, size - len(out)))
    return bytes(out[:size])


def _byte(block: bytes, at: int) -> int:
    if at >= len(block):
        raise _BadBlock("bad LZ4 block: cut short")
    return block[at]


def _length(block: bytes, at: int, length: int) -> tuple[int, int]:
    """A length that begins with these four bits, and where its bytes end."""
    if length < _MORE:
        return length, at
    while (more := _byte(block, at)) == 0xFF:
        length, at = length + more, at + 1
    return length + more, at + 1


def _copy(out: bytearray, distance: int, length: int) -> None:
    """Append `length` bytes from so far back; where they overlap what is appended, they repeat it."""
    pattern = bytes(out[-distance:][:length])
    out += (pattern * (length // len(pattern) + 1))[:length]
