"""Rotations to the nearest of the 32 bits' steps (spec 4), and how far apart two are.

The reference truncates, which turns everything by a tenth of a degree; the nearest step is half as far at most, and
every reader reads it the same way.
"""

from collections.abc import Sequence
from math import acos, degrees
from typing import Final

from nhlog.formats.butter.wire.values import Rotation, Vector

__all__ = ["NO_ROTATION", "apart", "between", "nearest_rotation", "smallest_three", "turn"]

NO_ROTATION: Final = 0
"""What is stored for directions that say no rotation: the reference gets NaN from it."""

_NO_TURN: Final = (0.0, 0.0, 0.0, 0.0)
_STEPS: Final = 1023 / 1.41421356
_BIAS: Final = 0.70710678 * _STEPS
_NEAREST: Final = _BIAS + 0.5
_FAR: Final = float("inf")

Turn = tuple[float, float, float, float]  # x, y, z, w; of any length


def nearest_rotation(rotation: Rotation) -> int:
    """The 32 bits of a rotation, whichever way it is kept."""
    return rotation if isinstance(rotation, int) else smallest_three(turn(rotation[0], rotation[2]))


def turn(forward: Vector, up: Vector) -> Turn:
    """The rotation that looks along `forward` with `up` above, zeros if they say none."""
    fx, fy, fz = forward
    ux, uy, uz = up
    length = fx * fx + fy * fy + fz * fz
    if not 0 < length < _FAR:
        return _NO_TURN
    scale = length**-0.5
    fx, fy, fz = fx * scale, fy * scale, fz * scale
    rx, ry, rz = uy * fz - uz * fy, uz * fx - ux * fz, ux * fy - uy * fx
    length = rx * rx + ry * ry + rz * rz
    if not 0 < length < _FAR:
        return _NO_TURN
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
    """The 32 bits of a quaternion x, y, z, w of any length but zero."""
    x, y, z, w = rotation
    xx, yy, zz, ww = x * x, y * y, z * z, w * w
    length = xx + yy + zz + ww
    if not 0 < length < _FAR:
        return NO_ROTATION
    if ww >= xx and ww >= yy and ww >= zz:
        index, largest, a, b, c = 3, w, x, y, z
    elif xx >= yy and xx >= zz:
        index, largest, a, b, c = 0, x, y, z, w
    elif yy >= zz:
        index, largest, a, b, c = 1, y, x, z, w
    else:
        index, largest, a, b, c = 2, z, x, y, w
    scale = length**-0.5 * (_STEPS if largest > 0 else -_STEPS)
    return index | int(a * scale + _NEAREST) << 2 | int(b * scale + _NEAREST) << 12 | int(c * scale + _NEAREST) << 22


def _turn(rotation: Rotation) -> Turn:
    if not isinstance(rotation, int):
        return turn(rotation[0], rotation[2])
    if rotation == NO_ROTATION:
        return _NO_TURN
    a = ((rotation >> 2 & 1023) - _BIAS) / _STEPS
    b = ((rotation >> 12 & 1023) - _BIAS) / _STEPS
    c = ((rotation >> 22 & 1023) - _BIAS) / _STEPS
    d = max(1 - a * a - b * b - c * c, 0.0) ** 0.5
    return ((d, a, b, c), (a, d, b, c), (a, b, d, c), (a, b, c, d))[rotation & 3]


def apart(one: Rotation, other: Rotation) -> float:
    """Degrees between two rotations; 180 if only one of them is a rotation at all."""
    return 0.0 if one == other else between(_turn(one), _turn(other))


def between(one: Sequence[float], other: Sequence[float]) -> float:
    """Degrees between two quaternions of any length; 180 if only one of them is a rotation at all."""
    if one == other:
        return 0.0
    x, y, z, w = one
    a, b, c, d = other
    lengths = (x * x + y * y + z * z + w * w) * (a * a + b * b + c * c + d * d)
    if not 0 < lengths < _FAR:
        return 180.0
    return degrees(2 * acos(min(abs(x * a + y * b + z * c + w * d) * lengths**-0.5, 1.0)))
