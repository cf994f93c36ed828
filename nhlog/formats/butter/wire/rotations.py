"""Rotations: packed into 32 bits, as quaternions, and as the axes forward, left and up (spec 4).

Reading gives the float32 that the reference gets.  Writing rounds the components to the nearest step, where the
reference truncates them, which turns everything by a tenth of a degree.
"""

import math
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from nhlog.formats.butter.wire.primitives import single, singles
from nhlog.formats.butter.wire.values import Axes, Rotation, Vector

__all__ = [
    "NO_ROTATION",
    "Quaternion",
    "angle_between",
    "angle_between_rotations",
    "axes",
    "axes_of",
    "axes_or_zeros",
    "look_rotation",
    "multiply",
    "nearest_rotation",
    "quaternion",
    "smallest_three",
]

Quaternion = tuple[float, float, float, float]  # x, y, z, w

NO_ROTATION: Final = 0
"""The 32 bits that are stored for axes that are no rotation; the reference reads NaN from them."""

_NO_AXES: Final[Axes] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))

# reading, in float32

_ROOT_HALF: Final = 0.70710678  # as the reference writes them
_ROOT_TWO: Final = 1.41421356
_STEPS: Final = 1023  # of a component


@cache
def _component(stored: int) -> float:
    return single(single(stored / _STEPS) * _ROOT_TWO - _ROOT_HALF)


def quaternion(bits: int) -> Quaternion:
    """Unpack 32 bits; the fourth component is NaN if the three stored ones are too long for a unit quaternion."""
    a, b, c = _component(bits >> 2 & 0x3FF), _component(bits >> 12 & 0x3FF), _component(bits >> 22)
    rest = single(single(single(1 - single(a * a)) - single(b * b)) - single(c * c))
    d = single(math.sqrt(rest)) if rest >= 0 else math.nan
    return ((d, a, b, c), (a, d, b, c), (a, b, d, c), (a, b, c, d))[bits & 3]


def axes_of(rotation: Quaternion) -> Axes:
    """The forward, left and up axes of a quaternion."""
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
    """The forward, left and up axes of a rotation, packed or not."""
    return _expanded(rotation) if isinstance(rotation, int) else rotation


def axes_or_zeros(rotation: Rotation) -> Axes:
    """The forward, left and up axes of a rotation, packed or not; zeros for `NO_ROTATION`."""
    return _NO_AXES if rotation == NO_ROTATION else axes(rotation)


def _cross(a: Vector, b: Vector) -> Vector:
    products = singles((a[1] * b[2], a[2] * b[1], a[2] * b[0], a[0] * b[2], a[0] * b[1], a[1] * b[0]))
    x, y, z = singles((products[0] - products[1], products[2] - products[3], products[4] - products[5]))
    return x, y, z


def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """The product of two quaternions: the rotation `b`, then `a`."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    cx, cy, cz = _cross((ax, ay, az), (bx, by, bz))
    xx, yy, zz = singles((ax * bx, ay * by, az * bz))
    dot = single(single(xx + yy) + zz)
    p = singles((ax * bw, bx * aw, ay * bw, by * aw, az * bw, bz * aw, aw * bw))
    x, y, z, w = singles((p[0] + p[1], p[2] + p[3], p[4] + p[5], p[6] - dot))
    x, y, z = singles((x + cx, y + cy, z + cz))
    return x, y, z, w


# writing, in doubles

_NOT_A_ROTATION: Final[Quaternion] = (0.0, 0.0, 0.0, 0.0)
_SCALE: Final = _STEPS / _ROOT_TWO
_BIAS: Final = _ROOT_HALF * _SCALE
_NEAREST: Final = _BIAS + 0.5


def nearest_rotation(rotation: Rotation) -> int:
    """Pack a rotation into 32 bits, unless it is packed already."""
    return rotation if isinstance(rotation, int) else smallest_three(look_rotation(rotation[0], rotation[2]))


def look_rotation(forward: Vector, up: Vector) -> Quaternion:
    """The quaternion, not normalised, that looks along `forward` with `up` above; zeros if the axes are invalid."""
    fx, fy, fz = forward
    ux, uy, uz = up
    length = fx * fx + fy * fy + fz * fz
    if not 0 < length < math.inf:
        return _NOT_A_ROTATION
    scale = length**-0.5
    fx, fy, fz = fx * scale, fy * scale, fz * scale
    rx, ry, rz = uy * fz - uz * fy, uz * fx - ux * fz, ux * fy - uy * fx
    length = rx * rx + ry * ry + rz * rz
    if not 0 < length < math.inf:
        return _NOT_A_ROTATION
    scale = length**-0.5
    rx, ry, rz = rx * scale, ry * scale, rz * scale
    ux, uy, uz = fy * rz - fz * ry, fz * rx - fx * rz, fx * ry - fy * rx
    # the matrix has rows right, up and forward; the largest component is found first, for its precision
    w, x, y, z = rx + uy + fz, rx - uy - fz, uy - rx - fz, fz - rx - uy
    if w >= x and w >= y and w >= z:
        return uz - fy, fx - rz, ry - ux, 1 + w
    if x >= y and x >= z:
        return 1 + x, ry + ux, fx + rz, uz - fy
    if y >= z:
        return ry + ux, 1 + y, fy + uz, fx - rz
    return fx + rz, fy + uz, 1 + z, ry - ux


def smallest_three(rotation: Sequence[float]) -> int:
    """Pack the three smallest components of a quaternion of any length; `NO_ROTATION` if it is zero or not finite."""
    x, y, z, w = rotation
    xx, yy, zz, ww = x * x, y * y, z * z, w * w
    length = xx + yy + zz + ww
    if not 0 < length < math.inf:
        return NO_ROTATION
    if ww >= xx and ww >= yy and ww >= zz:
        index, largest, a, b, c = 3, w, x, y, z
    elif xx >= yy and xx >= zz:
        index, largest, a, b, c = 0, x, y, z, w
    elif yy >= zz:
        index, largest, a, b, c = 1, y, x, z, w
    else:
        index, largest, a, b, c = 2, z, x, y, w
    scale = length**-0.5 * (_SCALE if largest > 0 else -_SCALE)
    return index | int(a * scale + _NEAREST) << 2 | int(b * scale + _NEAREST) << 12 | int(c * scale + _NEAREST) << 22


def _quaternion(rotation: Rotation) -> Quaternion:
    """The quaternion of a rotation in doubles, not normalised; zeros if it is none."""
    if not isinstance(rotation, int):
        return look_rotation(rotation[0], rotation[2])
    if rotation == NO_ROTATION:
        return _NOT_A_ROTATION
    a = ((rotation >> 2 & 1023) - _BIAS) / _SCALE
    b = ((rotation >> 12 & 1023) - _BIAS) / _SCALE
    c = ((rotation >> 22 & 1023) - _BIAS) / _SCALE
    d = max(1 - a * a - b * b - c * c, 0.0) ** 0.5
    return ((d, a, b, c), (a, d, b, c), (a, b, d, c), (a, b, c, d))[rotation & 3]


def angle_between_rotations(one: Rotation, other: Rotation) -> float:
    """The angle between two rotations in degrees; 180 if only one of them is valid."""
    return 0.0 if one == other else angle_between(_quaternion(one), _quaternion(other))


def angle_between(one: Sequence[float], other: Sequence[float]) -> float:
    """The angle between two quaternions of any length in degrees; 180 if only one of them is valid."""
    if one == other:
        return 0.0
    x, y, z, w = one
    a, b, c, d = other
    lengths = (x * x + y * y + z * z + w * w) * (a * a + b * b + c * c + d * d)
    if not 0 < lengths < math.inf:
        return 180.0
    return math.degrees(2 * math.acos(min(abs(x * a + y * b + z * c + w * d) * lengths**-0.5, 1.0)))
