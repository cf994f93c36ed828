"""The numbers of spec 4, both ways: every float that comes out is the float32 that the reference has.

What the reference rounds, we round at the same place: a double holds the exact sum or product of two float32, so
rounding it once gives what float32 arithmetic gives.
"""

import math
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from struct import Struct
from typing import Final

from nhlog.errors import Damaged
from nhlog.formats.butter.wire.values import Axes, Rotation, Vector

__all__ = [
    "Quaternion",
    "angle",
    "axes",
    "axes_of",
    "half_bits",
    "half_bytes",
    "half_value",
    "inverse",
    "multiply",
    "pack_rotation",
    "quaternion",
    "read_steps",
    "read_varint",
    "rotation_bits",
    "single",
    "singles",
    "steps_bytes",
    "turned",
    "varint_bytes",
]

Quaternion = tuple[float, float, float, float]  # x, y, z, w

_SINGLE: Final = Struct("<f")
_BITS: Final = Struct("<I")


def single(value: float) -> float:
    """The float32 nearest to `value`."""
    try:
        rounded: float = _SINGLE.unpack(_SINGLE.pack(value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return rounded


@cache
def _struct(count: int) -> Struct:
    return Struct(f"<{count}f")


def singles(values: Sequence[float]) -> tuple[float, ...]:
    """The float32 nearest to each value."""
    form = _struct(len(values))
    try:
        return form.unpack(form.pack(*values))
    except OverflowError:
        return tuple(map(single, values))


# half floats


@cache
def _half_rows() -> tuple[tuple[int, int], ...]:
    """For each sign and exponent of a float32: what the half begins with, and how far the mantissa is shifted."""
    rows = []
    for sign in (0, 0x8000):
        for exponent in range(256):
            power = exponent - 127
            if power < -24:
                rows.append((sign, 24))
            elif power < -14:
                rows.append((sign | 0x400 >> -power - 14, -power - 1))
            elif power <= 15:
                rows.append((sign | power + 15 << 10, 13))
            elif power < 128:
                rows.append((sign | 0x7C00, 24))
            else:
                rows.append((sign | 0x7C00, 13))
    return tuple(rows)


def half_bits(value: float) -> int:
    """The half of a float32, truncated toward zero as the reference does."""
    bits: int = _BITS.unpack(_SINGLE.pack(value))[0]
    base, shift = _half_rows()[bits >> 23]
    return base + ((bits & 0x7FFFFF) >> shift)


def half_bytes(values: Sequence[float]) -> bytes:
    """The halves of these float32, one after the other."""
    count = len(values)
    rows = _half_rows()
    words = Struct(f"<{count}I").unpack(_struct(count).pack(*values))
    halves = [rows[word >> 23][0] + ((word & 0x7FFFFF) >> rows[word >> 23][1]) for word in words]
    return Struct(f"<{count}H").pack(*halves)


@cache
def half_value(bits: int) -> float:
    """The float32 of a half."""
    value: float = Struct("<e").unpack(bits.to_bytes(2, "little"))[0]
    return value


# rotations

_ROOT_HALF: Final = 0.70710678  # as the reference writes them
_ROOT_TWO: Final = 1.41421356
_STEPS: Final = 1023


@cache
def _component(stored: int) -> float:
    return single(single(stored / _STEPS) * _ROOT_TWO - _ROOT_HALF)


def pack_rotation(rotation: Quaternion) -> int:
    """The 32 bits of a rotation: the largest component is left out (spec 4); a NaN gives 0."""
    largest, index = 0.0, 0
    for at, component in enumerate(rotation):
        if abs(component) > largest:
            largest, index = abs(component), at
    sign = -1 if rotation[index] < 0 else 1
    bits, shift = index, 2
    for at, component in enumerate(rotation):
        if at != index:
            scaled = (component * sign + _ROOT_HALF) / _ROOT_TWO * _STEPS
            bits |= (int(scaled) & 0xFFFF) << shift if math.isfinite(scaled) else 0
            shift += 10
    return bits & 0xFFFFFFFF


def quaternion(bits: int) -> Quaternion:
    """The rotation of 32 bits; where its three components are too long for the fourth, that is NaN."""
    a, b, c = _component(bits >> 2 & 0x3FF), _component(bits >> 12 & 0x3FF), _component(bits >> 22)
    rest = single(single(single(1 - single(a * a)) - single(b * b)) - single(c * c))
    d = single(math.sqrt(rest)) if rest >= 0 else math.nan
    return ((d, a, b, c), (a, d, b, c), (a, b, d, c), (a, b, c, d))[bits & 3]


def axes_of(rotation: Quaternion) -> Axes:
    """Forward, left and up of a rotation."""
    x, y, z, w = rotation
    xx, yy, zz, xy, xz, yz, wx, wy, wz = singles(
        (x * x, y * y, z * z, x * y, x * z, y * z, w * x, w * y, w * z),
    )
    sums = singles((xz + wy, yz - wx, xx + yy, xy - wz, xx + zz, yz + wx))
    f0, f1, f2, u0, u1, u2 = singles(
        (2 * sums[0], 2 * sums[1], 1 - 2 * sums[2], 2 * sums[3], 1 - 2 * sums[4], 2 * sums[5]),
    )
    return (f0, f1, f2), _cross((u0, u1, u2), (f0, f1, f2)), (u0, u1, u2)


@lru_cache(maxsize=4096)
def _expanded(bits: int) -> Axes:
    return axes_of(quaternion(bits))


def axes(rotation: Rotation) -> Axes:
    """Forward, left and up, whichever way the rotation is kept."""
    return _expanded(rotation) if isinstance(rotation, int) else rotation


def _cross(a: Vector, b: Vector) -> Vector:
    products = singles((a[1] * b[2], a[2] * b[1], a[2] * b[0], a[0] * b[2], a[0] * b[1], a[1] * b[0]))
    x, y, z = singles((products[0] - products[1], products[2] - products[3], products[4] - products[5]))
    return x, y, z


def _normal(a: Vector) -> Vector:
    xx, yy, zz = singles((a[0] * a[0], a[1] * a[1], a[2] * a[2]))
    length = single(math.sqrt(single(single(xx + yy) + zz)))
    if not length:
        return math.nan, math.nan, math.nan
    x, y, z = singles((a[0] / length, a[1] / length, a[2] / length))
    return x, y, z


def turned(forward: Vector, up: Vector) -> Quaternion:
    """The rotation that looks along `forward` with `up` above, reckoned as the reference does; NaN if they say none."""
    ahead = _normal(_normal(forward))
    right = _normal(_cross(up, ahead))
    above = _cross(ahead, right)
    (m00, m01, m02), (m10, m11, m12), (m20, m21, m22) = right, above, ahead
    trace = single(single(m00 + m11) + m22)
    if trace > 0:
        root = single(math.sqrt(single(trace + 1)))
        scale = single(0.5 / root)
        x, y, z = _scaled(scale, m12 - m21, m20 - m02, m01 - m10)
        return x, y, z, single(root * 0.5)
    if m00 >= m11 and m00 >= m22:
        root, scale = _root(m00, m11, m22)
        y, z, w = _scaled(scale, m01 + m10, m02 + m20, m12 - m21)
        return single(0.5 * root), y, z, w
    if m11 > m22:
        root, scale = _root(m11, m00, m22)
        x, z, w = _scaled(scale, m10 + m01, m21 + m12, m20 - m02)
        return x, single(0.5 * root), z, w
    root, scale = _root(m22, m00, m11)
    x, y, w = _scaled(scale, m20 + m02, m21 + m12, m01 - m10)
    return x, y, single(0.5 * root), w


def _root(plus: float, one: float, two: float) -> tuple[float, float]:
    rest = single(single(single(1 + plus) - one) - two)
    if not rest > 0:
        return math.nan, math.nan
    root = single(math.sqrt(rest))
    return root, single(0.5 / root)


def _scaled(scale: float, *values: float) -> tuple[float, ...]:
    return singles([value * scale for value in singles(values)])


def rotation_bits(rotation: Rotation) -> int:
    """The 32 bits of a rotation, whichever way it is kept."""
    return rotation if isinstance(rotation, int) else pack_rotation(turned(rotation[0], rotation[2]))


# rotations of bones


def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """The rotation `b` and then `a`."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    cx, cy, cz = _cross((ax, ay, az), (bx, by, bz))
    xx, yy, zz = singles((ax * bx, ay * by, az * bz))
    dot = single(single(xx + yy) + zz)
    p = singles((ax * bw, bx * aw, ay * bw, by * aw, az * bw, bz * aw, aw * bw))
    x, y, z, w = singles((p[0] + p[1], p[2] + p[3], p[4] + p[5], p[6] - dot))
    x, y, z = singles((x + cx, y + cy, z + cz))
    return x, y, z, w


def _dot(a: Quaternion, b: Quaternion) -> float:
    xx, yy, zz, ww = singles([one * two for one, two in zip(a, b, strict=True)])
    return single(single(single(xx + yy) + zz) + ww)


def inverse(rotation: Quaternion) -> Quaternion:
    """The rotation back."""
    length = _dot(rotation, rotation)
    scale = single(1 / length) if length else math.inf
    x, y, z, w = rotation
    a, b, c, d = singles([-x * scale, -y * scale, -z * scale, w * scale])
    return a, b, c, d


def angle(a: Quaternion, b: Quaternion) -> float:
    """Degrees between two rotations; 0 where the reference takes them for the same."""
    dot = _dot(a, b)
    if dot > 0.999998986721039:
        return 0.0
    return single(math.acos(min(abs(dot), 1.0)) * 2.0 * 57.2957801818848) if dot == dot else math.nan


# numbers of variable length

_ONE, _TWO, _THREE = 240, 2287, 67823  # the largest numbers of one, two and three bytes


def varint_bytes(number: int) -> bytes:
    """A number from 0 on, in as few bytes as it takes (spec 3)."""
    if number <= _ONE:
        return bytes((number,))
    if number <= _TWO:
        return bytes(((number - _ONE >> 8) + 241, number - _ONE & 255))
    if number <= _THREE:
        return b"\xf9" + (number - _TWO - 1).to_bytes(2, "big")
    size = max((number.bit_length() + 7) // 8, 3)
    return bytes((247 + size,)) + number.to_bytes(size, "little")


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """The number at `at`, and where it ends; raises :class:`Damaged` where it is cut off."""
    first = data[at] if at < len(data) else 255
    if first <= _ONE:
        return first, at + 1
    size = 1 if first <= 248 else 2 if first == 249 else first - 247
    rest = data[at + 1 : at + 1 + size]
    if len(rest) < size:
        raise Damaged("cut off in a number", offset=at, expected=f"{size + 1} bytes", found=len(data) - at)
    end = at + 1 + size
    if first <= 248:
        return _ONE + (first - 241 << 8) + rest[0], end
    if first == 249:
        return _TWO + 1 + int.from_bytes(rest, "big"), end
    return int.from_bytes(rest, "little"), end


_SCALE: Final = 4096  # steps of a bone's position in a metre
_MOST: Final = 8191


def steps_bytes(difference: Iterable[float]) -> bytes:
    """The position of a bone as differences in metres: steps of 1/4096 m, no more than 2 m."""
    parts = []
    for value in difference:
        scaled = min(max(single(value + 2) / 4 * 16384 - 8192, -_MOST - 1), _MOST)
        steps = int(scaled)
        parts.append(varint_bytes(steps << 1 ^ steps >> 63))
    return b"".join(parts)


def read_steps(data: bytes, at: int, count: int) -> tuple[list[float], int]:
    """The next `count` differences in metres, and where they end."""
    values = []
    for _ in range(count):
        number, at = read_varint(data, at)
        values.append((number >> 1 ^ -(number & 1)) / _SCALE)
    return values, at
