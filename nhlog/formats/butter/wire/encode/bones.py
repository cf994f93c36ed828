"""Encoding of a frame's bones (spec 3).

Decoded bones differ from the recorded ones by at most `POSITION_TOLERANCE` and `ROTATION_TOLERANCE`.  The reference's
writer counts from the frame before even in a keyframe, where its reader counts from zero (spec 9.1).  Here a keyframe
stores its bones whole, so that both that reader and a corrected one decode them right, from any chunk on.  Where the
number of players changes, these readers count from different bones (9.10): such a frame must be a keyframe, too.
"""

from functools import cache
from math import cos, isfinite, radians
from typing import Final

from nhlog.formats.butter.wire.encode.differences import NeedsKeyframe
from nhlog.formats.butter.wire.primitives import varint_bytes
from nhlog.formats.butter.wire.rotations import Quaternion, quaternion, smallest_three
from nhlog.formats.butter.wire.values import BONES, BonePlayer, Bones

__all__ = ["POSITION_TOLERANCE", "ROTATION_TOLERANCE", "BonesEncoder"]

POSITION_TOLERANCE: Final = 0.0015  # metres that a bone may be off
ROTATION_TOLERANCE: Final = 1.6  # degrees that it may be turned too far
_MOVES: Final = 0.001  # metres from one frame to the next that are written, as the reference does
_COARSE: Final = 6  # steps of a rotation's component that differences are rounded to: they pack better

_SCALE: Final = 4096  # steps in a metre
_MOST: Final = 8191
_MOST_PLAYERS: Final = 127
_MOVES_SQUARE: Final = (_MOVES * _SCALE) ** 2
_FARTHEST_SQUARE: Final = (POSITION_TOLERANCE * _SCALE) ** 2
_STRAIGHT: Final = cos(radians(ROTATION_TOLERANCE / 2)) ** 2
_UNTURNED: Final[Quaternion] = (0.0, 0.0, 0.0, 1.0)


@cache
def _steps_bytes(steps: int) -> bytes:
    """The bytes of a signed number of steps, clamped to the range of the format."""
    steps = min(max(steps, -_MOST), _MOST)
    return varint_bytes(steps << 1 ^ steps >> 63)


@cache
def _coarse(component: int) -> int:
    """A component of a rotation difference, rounded to `_COARSE` steps; 512 is no rotation."""
    return min(max(512 + round((component - 512) / _COARSE) * _COARSE, 0), 1023)


class _Skeleton:
    """The bones of one player, in steps: as recorded last, and as a decoder has them."""

    __slots__ = ("_places", "_recorded", "_turns")

    def __init__(self) -> None:
        self._recorded = [0.0] * (3 * BONES)
        self._places = [0] * (3 * BONES)
        self._turns: list[Quaternion] = []

    def update(self, bones: BonePlayer) -> bytes:
        """The bytes of the bones that moved or that a decoder has wrong: masks, positions, rotations."""
        moved, positions = self._move([value * _SCALE if isfinite(value) else 0.0 for value in bones.positions])
        turned, rotations = self._turn(bones.rotations)
        return b"".join((moved.to_bytes(3, "little"), turned.to_bytes(3, "little"), *positions, *rotations))

    def _move(self, recorded: list[float]) -> tuple[int, list[bytes]]:
        """Mask and bytes of the positions: recorded differences, which compress well, or those that correct a bone."""
        places, before, mask, pieces = self._places, self._recorded, 0, []
        for bone in range(BONES):
            at = 3 * bone
            x, y, z = recorded[at : at + 3]
            px, py, pz = places[at : at + 3]
            bx, by, bz = before[at : at + 3]
            moves = _square(x - bx, y - by, z - bz) > _MOVES_SQUARE
            if not moves and _square(x - px, y - py, z - pz) <= _FARTHEST_SQUARE:
                continue
            steps = round(x - bx), round(y - by), round(z - bz)
            if not moves or _square(x - px - steps[0], y - py - steps[1], z - pz - steps[2]) > _FARTHEST_SQUARE:
                steps = round(x - px), round(y - py), round(z - pz)
            for place, step in enumerate(steps, at):
                places[place] += min(max(step, -_MOST), _MOST)
                pieces.append(_steps_bytes(step))
            mask |= 1 << bone
        self._recorded = recorded
        return mask, pieces

    def _turn(self, rotations: tuple[float, ...]) -> tuple[int, list[bytes]]:
        """Mask and bytes of the rotations that are off, as differences to those that the decoder has."""
        new = not self._turns
        turns = self._turns = self._turns or [_UNTURNED] * BONES
        mask, pieces = 0, []
        for bone in range(BONES):
            x, y, z, w = rotations[4 * bone : 4 * bone + 4]
            lx, ly, lz, lw = last = turns[bone]
            dot = x * lx + y * ly + z * lz + w * lw
            if dot * dot < _STRAIGHT * (x * x + y * y + z * z + w * w) < float("inf"):
                turn = (
                    x * lw - w * lx - y * lz + z * ly,
                    y * lw - w * ly - z * lx + x * lz,
                    z * lw - w * lz - x * ly + y * lx,
                    dot,
                )
                bits = smallest_three(turn)
                if not new:
                    a, b, c = _coarse(bits >> 2 & 1023), _coarse(bits >> 12 & 1023), _coarse(bits >> 22)
                    bits = bits & 3 | a << 2 | b << 12 | c << 22
                turns[bone] = _times(quaternion(bits), last)
                pieces.append(bits.to_bytes(4, "little"))
                mask |= 1 << bone
        return mask, pieces


def _square(x: float, y: float, z: float) -> float:
    return x * x + y * y + z * z


def _times(a: Quaternion, b: Quaternion) -> Quaternion:
    """The product of two quaternions: the rotation `b`, then `a`."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by + ay * bw + az * bx - ax * bz,
        aw * bz + az * bw + ax * by - ay * bx,
        aw * bw - ax * bx - ay * by - az * bz,
    )


class BonesEncoder:
    """Encodes the bones of a session, frame by frame."""

    def __init__(self) -> None:
        self._skeletons: list[_Skeleton] | None = None

    def section(self, bones: Bones | None, *, key: bool) -> bytes:
        """The bytes for the next frame; raises :class:`NeedsKeyframe` if the number of players changed."""
        if bones is None:
            self._skeletons = None
            return bytes(1)
        if key or self._skeletons is None:
            self._skeletons = [_Skeleton() for _ in bones[:_MOST_PLAYERS]]
        elif len(self._skeletons) != len(bones):
            raise NeedsKeyframe
        head = bytes((1 | len(self._skeletons) << 1,))
        return head + b"".join([one.update(of) for one, of in zip(self._skeletons, bones, strict=False)])
