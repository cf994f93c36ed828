"""Encoding of a frame's bones (spec 3).

Decoded bones differ from the recorded ones by at most `POSITION_TOLERANCE` and `ROTATION_TOLERANCE`.  The reference's
writer counts from the frame before even in a keyframe, where its reader counts from zero (spec 9.1).  Here a keyframe
stores its bones whole, so that both that reader and a corrected one decode them right, from any chunk on.  Where the
number of players changes, these readers count from different bones (9.10): such a frame must be a keyframe, too.
"""

from functools import cache
from math import cos, inf, isfinite, radians
from typing import Final

from nhlog.formats.butter.wire.encode.differences import NeedsKeyframe
from nhlog.formats.butter.wire.primitives import varint_bytes
from nhlog.formats.butter.wire.rotations import Quaternion, quaternion, smallest_three
from nhlog.formats.butter.wire.values import BONES, BonePlayer, Bones

__all__ = ["POSITION_TOLERANCE", "ROTATION_TOLERANCE", "BonesEncoder"]

POSITION_TOLERANCE: Final = 0.0015  # metres that a bone may be off
ROTATION_TOLERANCE: Final = 2.0  # degrees that it may be turned too far

_SCALE: Final = 4096  # steps in a metre
_MOVE: Final = 4  # steps that moves are rounded to, and ...
_TURN: Final = 8  # ... steps of a rotation's component: coarse numbers pack better
_MOST: Final = 8191
_MOST_PLAYERS: Final = 127
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
    """A component of a rotation, rounded to `_TURN` steps; 512 is no rotation."""
    return min(max(512 + round((component - 512) / _TURN) * _TURN, 0), 1023)


def _coarse_move(*differences: float) -> tuple[int, ...]:
    return tuple([round(difference / _MOVE) * _MOVE for difference in differences])


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
            moves = _square(x - bx, y - by, z - bz) > _FARTHEST_SQUARE
            if not moves and _square(x - px, y - py, z - pz) <= _FARTHEST_SQUARE:
                continue
            steps = _coarse_move(x - bx, y - by, z - bz)
            if not moves or _square(x - px - steps[0], y - py - steps[1], z - pz - steps[2]) > _FARTHEST_SQUARE:
                steps = _coarse_move(x - px, y - py, z - pz)
            for place, step in enumerate(steps, at):
                places[place] += min(max(step, -_MOST), _MOST)
                pieces.append(_steps_bytes(step))
            mask |= 1 << bone
        self._recorded = recorded
        return mask, pieces

    def _turn(self, rotations: tuple[float, ...]) -> tuple[int, list[bytes]]:
        """Mask and bytes of the rotations that are off, as differences to those that the decoder has."""
        turns = self._turns = self._turns or [_UNTURNED] * BONES
        mask, pieces = 0, []
        for bone in range(BONES):
            recorded = rotations[4 * bone], rotations[4 * bone + 1], rotations[4 * bone + 2], rotations[4 * bone + 3]
            if _off(recorded, turns[bone]):
                bits, turns[bone] = _turned(recorded, turns[bone])
                pieces.append(bits.to_bytes(4, "little"))
                mask |= 1 << bone
        return mask, pieces


def _off(recorded: Quaternion, decoded: Quaternion) -> bool:
    """Whether a rotation is turned too far; not so if the recorded one is none."""
    x, y, z, w = recorded
    a, b, c, d = decoded
    dot = x * a + y * b + z * c + w * d
    return dot * dot < _STRAIGHT * (x * x + y * y + z * z + w * w) < inf


def _turned(recorded: Quaternion, last: Quaternion) -> tuple[int, Quaternion]:
    """The difference that turns `last` into `recorded`, as coarse as it may be, and what a decoder then has."""
    x, y, z, w = last
    bits = smallest_three(_times(recorded, (-x, -y, -z, w)))
    a, b, c = _coarse(bits >> 2 & 1023), _coarse(bits >> 12 & 1023), _coarse(bits >> 22)
    coarse = bits & 3 | a << 2 | b << 12 | c << 22
    turn = _times(quaternion(coarse), last)
    return (bits, _times(quaternion(bits), last)) if _off(recorded, turn) else (coarse, turn)


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
