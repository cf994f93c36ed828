"""The bones of a frame to their section (spec 3), counted from what a decoder has by then.

The reference's writer counts from the frame before even in a keyframe, where its reader counts from zero (spec 9.1).
Here a keyframe says its bones as they are, so both that reader and a corrected one have them right, from any chunk on.
The two also differ where the number of players changes (9.10): that is out of reach of differences.  What is off by no
more than a millimetre or a degree stays as it is, as it does for the reference.
"""

from functools import cache
from math import isfinite
from typing import Final

from nhlog.formats.butter.encode_moves import Unreachable
from nhlog.formats.butter.primitives import Quaternion, quaternion, varint_bytes
from nhlog.formats.butter.rotations import smallest_three
from nhlog.formats.butter.values import BONES, BonePlayer, Bones

__all__ = ["CLOSE", "COSINE", "BoneWriter"]

CLOSE: Final = 0.001  # metres that a bone may be off
COSINE: Final = 0.9999619230641713  # of half a degree, the half of what it may be turned too far
_SCALE: Final = 4096  # steps in a metre
_MOST: Final = 8191
_PRESENT: Final = 1
_MOST_PLAYERS: Final = 127

_UNTURNED: Final[Quaternion] = (0.0, 0.0, 0.0, 1.0)


@cache
def _steps_bytes(steps: int) -> bytes:
    """A signed number of steps."""
    return varint_bytes(steps << 1 ^ steps >> 63)


class _Skeleton:
    """The bones of one player as a decoder has them: positions in steps, and rotations."""

    __slots__ = ("_places", "_turns")

    def __init__(self) -> None:
        self._places = [0] * (3 * BONES)
        self._turns = [_UNTURNED] * BONES

    def update(self, bones: BonePlayer) -> bytes:
        """Masks, positions and rotations of what is off."""
        moved, positions = self._move(bones.positions)
        turned, rotations = self._turn(bones.rotations)
        return b"".join((moved.to_bytes(3, "little"), turned.to_bytes(3, "little"), *positions, *rotations))

    def _move(self, positions: tuple[float, ...]) -> tuple[int, list[bytes]]:
        places, mask, pieces = self._places, 0, []
        limit = (CLOSE * _SCALE) ** 2
        recorded = [value * _SCALE if isfinite(value) else 0.0 for value in positions]
        for bone in range(BONES):
            at = 3 * bone
            x, y, z = recorded[at] - places[at], recorded[at + 1] - places[at + 1], recorded[at + 2] - places[at + 2]
            if x * x + y * y + z * z > limit:
                mask |= 1 << bone
                for place, off in ((at, x), (at + 1, y), (at + 2, z)):
                    steps = round(min(max(off, -_MOST), _MOST))
                    places[place] += steps
                    pieces.append(_steps_bytes(steps))
        return mask, pieces

    def _turn(self, rotations: tuple[float, ...]) -> tuple[int, list[bytes]]:
        turns, mask, pieces = self._turns, 0, []
        for bone in range(BONES):
            x, y, z, w = rotations[4 * bone : 4 * bone + 4]
            lx, ly, lz, lw = last = turns[bone]
            dot = x * lx + y * ly + z * lz + w * lw
            length = x * x + y * y + z * z + w * w
            if dot * dot < COSINE * COSINE * length < float("inf"):
                # from there to here: the rotation times the inverse of the last
                bits = smallest_three(
                    (
                        x * lw - w * lx - y * lz + z * ly,
                        y * lw - w * ly - z * lx + x * lz,
                        z * lw - w * lz - x * ly + y * lx,
                        dot,
                    )
                )
                mask |= 1 << bone
                turns[bone] = _times(quaternion(bits), last)
                pieces.append(bits.to_bytes(4, "little"))
        return mask, pieces


def _times(a: Quaternion, b: Quaternion) -> Quaternion:
    """The rotation `b` and then `a`."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by + ay * bw + az * bx - ax * bz,
        aw * bz + az * bw + ax * by - ay * bx,
        aw * bw - ax * bx - ay * by - az * bz,
    )


class BoneWriter:
    """The bones of a session, frame by frame."""

    def __init__(self) -> None:
        self._skeletons: list[_Skeleton] | None = None

    def section(self, bones: Bones | None, *, key: bool) -> bytes:
        """The section of the next frame; raises :class:`Unreachable` where only a keyframe can tell the bones."""
        if bones is None:
            self._skeletons = None
            return bytes(1)
        if key or self._skeletons is None:
            self._skeletons = [_Skeleton() for _ in bones]
        if len(self._skeletons) != len(bones) or len(bones) > _MOST_PLAYERS:
            raise Unreachable
        head = bytes((_PRESENT | len(bones) << 1,))
        return head + b"".join([one.update(of) for one, of in zip(self._skeletons, bones, strict=True)])
