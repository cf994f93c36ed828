"""Reading and writing of the numbers of spec 4; every float is the float32 that the reference gets.

Results are rounded where the reference rounds them: a double holds the exact product of two float32, and their sum
precisely enough that rounding it once gives what float32 arithmetic gives.
"""

import math
from collections.abc import Sequence
from functools import cache
from struct import Struct
from typing import Final

from nhlog.errors import Damaged

__all__ = [
    "clamp_to_half",
    "half_step",
    "nearest_half",
    "read_steps",
    "read_varint",
    "single",
    "singles",
    "varint_bytes",
]

_SINGLE: Final = Struct("<f")


def single(value: float) -> float:
    """The float32 nearest to `value`; an infinity beyond the range of float32."""
    try:
        rounded: float = _SINGLE.unpack(_SINGLE.pack(value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return rounded


@cache
def _struct(count: int) -> Struct:
    return Struct(f"<{count}f")


def singles(values: Sequence[float]) -> tuple[float, ...]:
    """The float32 nearest to each value, like :func:`single`."""
    form = _struct(len(values))
    try:
        return form.unpack(form.pack(*values))
    except OverflowError:
        return tuple(map(single, values))


# half floats, to the nearest

_MOST_HALF: Final = 65504.0
_HALF_BITS: Final = 11  # of the mantissa, the hidden one included
_LEAST_HALF: Final = 2.0**-24
_HALF: Final = Struct("<e")


def half_step(value: float) -> float:
    """The distance between neighbouring half floats at `value`."""
    return max(math.ldexp(1.0, math.frexp(value)[1] - _HALF_BITS), _LEAST_HALF)


def clamp_to_half(value: float) -> float:
    """`value` clamped to the range of half floats; NaN stays NaN."""
    return min(max(value, -_MOST_HALF), _MOST_HALF) if value == value else value


def nearest_half(value: float) -> float:
    """The half float nearest to `value`; NaN stays NaN."""
    found: float = _HALF.unpack(_HALF.pack(clamp_to_half(value)))[0]
    return found


# numbers of variable length

_ONE, _TWO, _THREE = 240, 2287, 67823  # the largest numbers of one, two and three bytes


def varint_bytes(number: int) -> bytes:
    """A number of 0 or more as a number of variable length, in the fewest bytes (spec 3)."""
    if number <= _ONE:
        return bytes((number,))
    if number <= _TWO:
        return bytes(((number - _ONE >> 8) + 241, number - _ONE & 255))
    if number <= _THREE:
        return b"\xf9" + (number - _TWO - 1).to_bytes(2, "big")
    size = max((number.bit_length() + 7) // 8, 3)
    return bytes((247 + size,)) + number.to_bytes(size, "little")


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """The number of variable length at `at`, and the offset of its end; raises :class:`Damaged` if it is cut off."""
    first = data[at] if at < len(data) else 255
    if first <= _ONE:
        return first, at + 1
    size = 1 if first <= 248 else 2 if first == 249 else first - 247
    rest = data[at + 1 : at + 1 + size]
    if len(rest) < size:
        raise Damaged("the data ends inside a number", offset=at, expected=f"{size + 1} bytes", found=len(data) - at)
    end = at + 1 + size
    if first <= 248:
        return _ONE + (first - 241 << 8) + rest[0], end
    if first == 249:
        return _TWO + 1 + int.from_bytes(rest, "big"), end
    return int.from_bytes(rest, "little"), end


_STEPS_PER_METRE: Final = 4096  # of a bone's position


def read_steps(data: bytes, at: int, count: int) -> tuple[list[float], int]:
    """The next `count` differences of bones' positions in metres, and the offset of their end."""
    values = []
    for _ in range(count):
        number, at = read_varint(data, at)
        values.append((number >> 1 ^ -(number & 1)) / _STEPS_PER_METRE)
    return values, at
