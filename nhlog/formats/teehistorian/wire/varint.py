"""Variable integers (spec 1): one to five bytes for any 32-bit number; only the shortest form is written."""

import re
from typing import Final

__all__ = ["NeedMore", "pack", "unpack", "unpack_all", "wrapped"]

EXTENDED: Final = 0x80  # another byte follows
SIGN: Final = 0x40  # in the first byte: all bits of the number are flipped
LAST: Final = 4  # the byte after which nothing follows, whatever it says
PADDING: Final = 0x0F  # what counts of that byte; DDNet never sets more of it
_INT: Final = re.compile(rb"[\x80-\xff]{0,4}+[\x00-\x7f]|[\x80-\xff]{5}")


class NeedMore(Exception):
    """The data ends inside a value, which need not be invalid."""


def unpack(data: bytes, at: int) -> tuple[int, int]:
    """The number at `at`, and the offset behind it; raises :class:`NeedMore` if the data ends inside it."""
    try:
        byte = data[at]
        value, shift, end = byte & 0x3F, 6, at + 1
        sign = byte & SIGN
        while byte & EXTENDED and end <= at + LAST:
            byte = data[end]
            value |= (byte & (0x7F if end < at + LAST else PADDING)) << shift
            shift += 7
            end += 1
    except IndexError:
        raise NeedMore from None
    return (~value if sign else value), end


def unpack_all(data: bytes) -> tuple[int, ...]:
    """All numbers in `data`, without an incomplete one at the end."""
    if data.isascii():  # one byte each
        return tuple(map(_single, data))
    texts = _INT.findall(data)
    numbers = tuple(map(_short, texts))
    if None in numbers:
        return tuple(unpack(text, 0)[0] for text in texts)
    return numbers  # type: ignore[return-value]  # None is not among them


def pack(value: int) -> bytes:
    """The shortest bytes of a signed 32-bit number; raises :class:`OverflowError` for a larger one."""
    if not -(1 << 31) <= value < 1 << 31:
        raise OverflowError(f"{value} has more than 32 bits")
    sign, left = (SIGN, ~value) if value < 0 else (0, value)
    first, left = left & 0x3F | sign, left >> 6
    if not left:
        return bytes((first,))
    parts = [first | EXTENDED]
    while left >> 7:
        parts.append(left & 0x7F | EXTENDED)
        left >>= 7
    parts.append(left)
    return bytes(parts)


def wrapped(value: int) -> int:
    """`value` wrapped to signed 32 bits, as sums of differences may overflow."""
    return (value + (1 << 31) & 0xFFFFFFFF) - (1 << 31)


# The numbers of one byte, and those of one or two: nearly all there are.
_single: Final = tuple(unpack(bytes((byte,)), 0)[0] for byte in range(EXTENDED)).__getitem__
_short: Final = {pack(value): value for value in range(-(1 << 13), 1 << 13)}.get
