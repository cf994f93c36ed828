"""Rotations to the nearest of the 32 bits' steps (spec 4).

The reference truncates, which turns everything by a tenth of a degree; the nearest step is half as far at most, and
every reader reads it the same way.
"""

from collections.abc import Sequence
from typing import Final

from nhlog.formats.butter.values import Rotation, Vector

__all__ = ["NO_ROTATION", "nearest_bits", "nearest_rotation", "smallest_three"]

NO_ROTATION: Final = 0
"""What is stored for directions that say no rotation: readers get NaN from it, as the reference does."""

_STEPS: Final = 1023 / 1.41421356
_BIAS: Final = 0.70710678 * _STEPS + 0.5


def nearest_rotation(rotation: Rotation) -> int:
    """The 32 bits of a rotation, whichever way it is kept."""
    return rotation if isinstance(rotation, int) else nearest_bits(rotation[0], rotation[2])


def nearest_bits(forward: Vector, up: Vector) -> int:
    """The 32 bits of the rotation that looks along `forward` with `up` above."""
    fx, fy, fz = forward
    ux, uy, uz = up
    length = fx * fx + fy * fy + fz * fz
    if not length > 0:
        return NO_ROTATION
    scale = length**-0.5
    fx, fy, fz = fx * scale, fy * scale, fz * scale
    rx, ry, rz = uy * fz - uz * fy, uz * fx - ux * fz, ux * fy - uy * fx
    length = rx * rx + ry * ry + rz * rz
    if not length > 0:
        return NO_ROTATION
    scale = length**-0.5
    rx, ry, rz = rx * scale, ry * scale, rz * scale
    ux, uy, uz = fy * rz - fz * ry, fz * rx - fx * rz, fx * ry - fy * rx
    w = rx + uy + fz
    x, y, z = rx - uy - fz, uy - rx - fz, fz - rx - uy
    if w >= x and w >= y and w >= z:
        index, square, a, b, c = 3, w, uz - fy, fx - rz, ry - ux
    elif x >= y and x >= z:
        index, square, a, b, c = 0, x, ry + ux, fx + rz, uz - fy
    elif y >= z:
        index, square, a, b, c = 1, y, ry + ux, fy + uz, fx - rz
    else:
        index, square, a, b, c = 2, z, fx + rz, fy + uz, ry - ux
    scale = 0.5 * (1 + square) ** -0.5 * _STEPS
    return index | int(a * scale + _BIAS) << 2 | int(b * scale + _BIAS) << 12 | int(c * scale + _BIAS) << 22


def smallest_three(rotation: Sequence[float]) -> int:
    """The 32 bits of a quaternion x, y, z, w of any length but zero."""
    x, y, z, w = rotation
    length = x * x + y * y + z * z + w * w
    if not 0 < length < float("inf"):
        return NO_ROTATION
    scale = length**-0.5 * _STEPS
    sizes = (x * x, y * y, z * z, w * w)
    index = sizes.index(max(sizes))
    if rotation[index] < 0:
        scale = -scale
    a, b, c = ((y, z, w), (x, z, w), (x, y, w), (x, y, z))[index]
    return index | int(a * scale + _BIAS) << 2 | int(b * scale + _BIAS) << 12 | int(c * scale + _BIAS) << 22
