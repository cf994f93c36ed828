"""The primitive values (spec 1): `read_*` returns a value and the offset behind it, `write_*` returns bytes.

All are big endian.  Reading raises :class:`Incomplete` if the data ends inside the value, and
:class:`~nhlog.errors.Damaged` if it is invalid.
"""

import math
import struct
from struct import Struct
from typing import Final

from nhlog.errors import Damaged, Usage
from nhlog.formats.leb128 import write_leb128
from nhlog.values import NamedTuple

__all__ = [
    "BlockPosition",
    "Incomplete",
    "Pos",
    "Vector",
    "read_block_position",
    "read_lp_pos",
    "read_lp_vector",
    "read_pos",
    "read_string",
    "read_var_int",
    "read_var_long",
    "write_block_position",
    "write_long",
    "write_lp_pos",
    "write_lp_vector",
    "write_pos",
    "write_string",
    "write_var_int",
    "write_var_long",
]

_POS: Final = Struct(">dddff")
_VIEW: Final = Struct(">hh")
_SPLIT_WORD: Final = Struct(">BBI")  # LP_VECTOR3's word: its lowest byte, the one above, then the rest big endian
_LONG: Final = Struct(">q")
_FLOAT: Final = Struct(">f")
assert (_POS.size, _VIEW.size, _SPLIT_WORD.size) == (32, 4, 6)

_VAR_INT_BYTES: Final = 5
_VAR_LONG_BYTES: Final = 10
_STEPS: Final = 4096  # of a block, in LP_POS
_TURN: Final = 65536 / 360.0  # of a degree, in LP_POS
_COMPONENT: Final = 32766.0  # the largest 15-bit component of LP_VECTOR3
_LEAST_VECTOR: Final = 3.051944088384301e-5
_MOST_VECTOR: Final = 1.7179869183e10


class Incomplete(Damaged):
    """The data ends in the middle of a value."""


class Pos(NamedTuple):
    """A position in blocks and a view in degrees; in a delta, the view is absolute."""

    x: float
    y: float
    z: float
    yaw: float
    pitch: float


class Vector(NamedTuple):
    """A velocity in blocks per tick."""

    x: float
    y: float
    z: float


class BlockPosition(NamedTuple):
    """The position of a block."""

    x: int
    y: int
    z: int


def read_var_int(data: bytes, offset: int) -> tuple[int, int]:
    """A signed 32-bit number in 1 to 5 bytes."""
    if offset < len(data) and data[offset] < 0x80:  # most are that short
        return data[offset], offset + 1
    value, end = _read_unsigned(data, offset, _VAR_INT_BYTES, "var int")
    value &= 0xFFFFFFFF
    return (value - (1 << 32) if value >= 1 << 31 else value), end


def write_var_int(value: int) -> bytes:
    """The number in as few bytes as possible; negative ones take five."""
    return write_leb128(value & 0xFFFFFFFF)


def read_var_long(data: bytes, offset: int) -> tuple[int, int]:
    """A signed 64-bit number in 1 to 10 bytes."""
    value, end = _read_unsigned(data, offset, _VAR_LONG_BYTES, "var long")
    value &= 0xFFFFFFFFFFFFFFFF
    return (value - (1 << 64) if value >= 1 << 63 else value), end


def write_var_long(value: int) -> bytes:
    """The number in as few bytes as possible; negative ones take ten."""
    return write_leb128(value & 0xFFFFFFFFFFFFFFFF)


def _read_unsigned(data: bytes, offset: int, most: int, what: str) -> tuple[int, int]:
    value, shift, end = 0, 0, offset
    try:
        while end < offset + most:
            byte = data[end]
            end += 1
            if byte < 0x80:
                return value | byte << shift, end
            value |= (byte & 0x7F) << shift
            shift += 7
    except IndexError:
        raise Incomplete(f"the data ends in a {what}", offset=offset) from None
    raise Damaged(f"{what} is too long", offset=offset, expected=f"at most {most} bytes")


def read_string(data: bytes, offset: int) -> tuple[str, int]:
    """A text: its length in bytes, then UTF-8."""
    length, start = read_var_int(data, offset)
    end = start + length
    if length < 0:
        raise Damaged("text of a negative length", offset=offset, found=length)
    if end > len(data):
        raise Incomplete("the data ends in a text", offset=offset, expected=length, found=len(data) - start)
    try:
        return str(data[start:end], "utf-8"), end
    except UnicodeDecodeError:
        raise Damaged("text is not UTF-8", offset=start) from None


def write_string(value: str) -> bytes:
    """A text: its length in bytes, then UTF-8."""
    text = value.encode()
    return write_var_int(len(text)) + text


def write_long(value: int) -> bytes:
    """A signed number in 8 bytes."""
    return _LONG.pack(value)


def read_pos(data: bytes, offset: int) -> tuple[Pos, int]:
    """POS: 32 bytes, exact."""
    return Pos(*_unpack(_POS, data, offset, "a position")), offset + 32


def write_pos(value: Pos) -> bytes:
    """POS: 32 bytes, exact."""
    return _POS.pack(*value)


def read_lp_pos(data: bytes, offset: int) -> tuple[Pos, int]:
    """LP_POS: steps of 1/4096 block and of 1/65536 turn."""
    x, offset = _read_zigzag(data, offset)
    y, offset = _read_zigzag(data, offset)
    z, offset = _read_zigzag(data, offset)
    yaw, pitch = _unpack(_VIEW, data, offset, "a view")
    return Pos(x / _STEPS, y / _STEPS, z / _STEPS, _single(yaw / _TURN), _single(pitch / _TURN)), offset + 4


def write_lp_pos(value: Pos) -> bytes:
    """LP_POS: each component rounded to the nearest step, the view modulo one turn."""
    x, y, z, yaw, pitch = value
    return b"".join(
        (
            _write_zigzag(_rounded(x * _STEPS)),
            _write_zigzag(_rounded(y * _STEPS)),
            _write_zigzag(_rounded(z * _STEPS)),
            _VIEW.pack(_short(_rounded(yaw * _TURN)), _short(_rounded(pitch * _TURN))),
        )
    )


def _read_zigzag(data: bytes, offset: int) -> tuple[int, int]:
    if offset < len(data) and data[offset] == 0:  # most do not move along every axis
        return 0, offset + 1
    value, end = _read_unsigned(data, offset, _VAR_LONG_BYTES, "var long")
    value &= 0xFFFFFFFFFFFFFFFF
    return (value >> 1) ^ -(value & 1), end


def _write_zigzag(value: int) -> bytes:
    return write_leb128(value * 2 if value >= 0 else -value * 2 - 1)


def _rounded(value: float) -> int:
    """The nearest integer, halves rounded up, clamped to 64 bits: like Java's `Math.round`."""
    if math.isnan(value):
        return 0
    if not -(2.0**63) <= value < 2.0**63:
        return -(2**63) if value < 0 else 2**63 - 1
    whole = math.floor(value)
    return whole + (value - whole >= 0.5)


def _short(value: int) -> int:
    return (value + 0x8000 & 0xFFFF) - 0x8000


def _single(value: float) -> float:
    """The nearest float32."""
    single: float = _FLOAT.unpack(_FLOAT.pack(value))[0]
    return single


_STILL: Final = Vector(0.0, 0.0, 0.0)


def read_lp_vector(data: bytes, offset: int) -> tuple[Vector, int]:
    """LP_VECTOR3: one zero byte for no movement, or three components of 15 bits and their common scale."""
    try:
        if data[offset] == 0:
            return _STILL, offset + 1
    except IndexError:
        raise Incomplete("the data ends in a vector", offset=offset) from None
    low, middle, high = _unpack(_SPLIT_WORD, data, offset, "a vector")
    word = low | middle << 8 | high << 16
    scale, end = word & 3, offset + 6
    if word & 4:
        above, end = _read_unsigned(data, end, _VAR_INT_BYTES, "var int")
        scale |= (above & 0xFFFFFFFF) << 2
    x, y, z = ((word >> shift & 0x7FFF) for shift in (3, 18, 33))
    return Vector(_component(x, scale), _component(y, scale), _component(z, scale)), end


def _component(steps: int, scale: int) -> float:
    return (min(steps, _COMPONENT) * 2.0 / _COMPONENT - 1.0) * scale


def write_lp_vector(value: Vector) -> bytes:
    """LP_VECTOR3: one byte for an almost zero vector, else 6 bytes, and a var int if the scale is above 3."""
    clamped = [0.0 if math.isnan(c) else min(max(c, -_MOST_VECTOR), _MOST_VECTOR) for c in value]
    largest = max(map(abs, clamped))
    if largest < _LEAST_VECTOR:
        return b"\0"
    scale = math.ceil(largest)
    word = scale & 3 | (4 if scale > 3 else 0)
    for component, shift in zip(clamped, (3, 18, 33), strict=True):
        word |= _rounded((component / scale * 0.5 + 0.5) * _COMPONENT) << shift
    packed = _SPLIT_WORD.pack(word & 0xFF, word >> 8 & 0xFF, word >> 16)
    return packed + write_var_int(scale >> 2) if scale > 3 else packed


def read_block_position(data: bytes, offset: int) -> tuple[BlockPosition, int]:
    """BLOCK_POSITION: 26 bits of x, 26 of z, 12 of y."""
    word: int = _unpack(_LONG, data, offset, "a block's place")[0]
    return BlockPosition(word >> 38, _signed(word, 12), _signed(word >> 12, 26)), offset + 8


def write_block_position(value: BlockPosition) -> bytes:
    """BLOCK_POSITION: 8 bytes; raises :class:`Usage` for a position out of range."""
    x, y, z = value
    if not (-(1 << 25) <= x < 1 << 25 and -(1 << 25) <= z < 1 << 25 and -(1 << 11) <= y < 1 << 11):
        raise Usage("a block outside the world", found=value)
    return ((x & 0x3FFFFFF) << 38 | (z & 0x3FFFFFF) << 12 | y & 0xFFF).to_bytes(8, "big")


def _signed(word: int, bits: int) -> int:
    half = 1 << bits - 1
    return (word + half & (1 << bits) - 1) - half


def _unpack(shape: Struct, data: bytes, offset: int, what: str) -> tuple[int, ...]:
    try:
        return shape.unpack_from(data, offset)
    except struct.error:
        raise Incomplete(f"the data ends in {what}", offset=offset) from None
