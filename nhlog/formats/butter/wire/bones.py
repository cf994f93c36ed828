"""The bones of a frame: kept as bytes of the file until they are needed, then positions and rotations.

The bytes hold differences to the bones of the frame before, by index in the list of players.  Readers differ in what
they count from: see :func:`reference_bones` and :func:`corrected_bones`.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from struct import Struct
from typing import Final

from nhlog.errors import Damaged
from nhlog.formats.butter.wire.primitives import read_steps, singles
from nhlog.formats.butter.wire.rotations import multiply, quaternion
from nhlog.formats.butter.wire.stored import Incomplete
from nhlog.formats.butter.wire.values import BONES, BonePlayer, Bones, Frame

__all__ = ["bones_end", "corrected_bones", "expand", "reference_bones", "stands_alone"]

_MASKS: Final = 6  # bytes: 3 for the positions, 3 for the rotations
_USED: Final = (1 << BONES) - 1
_NEW: Final = BonePlayer((0.0,) * (3 * BONES), (0.0, 0.0, 0.0, 1.0) * BONES)
_NUMBER: Final = rb"(?:[\x00-\xf0]|[\xf1-\xf8].|\xf9..|\xfa...|\xfb.{4}|\xfc.{5}|\xfd.{6}|\xfe.{7}|\xff.{8})"


@cache
def _numbers(count: int) -> re.Pattern[bytes]:
    """A pattern that matches `count` numbers of variable length."""
    return re.compile(_NUMBER + rb"{%d}" % count, re.DOTALL)


def bones_end(data: bytes, at: int) -> int:
    """The offset at which the section of bones at `at` ends; raises :class:`Incomplete` if the bytes end before."""
    head = data[at]
    at += 1
    if not head & 1:
        return at
    for _ in range(head >> 1):
        masks = int.from_bytes(data[at : at + _MASKS], "little")
        found = _numbers(3 * (masks & _USED).bit_count()).match(data, at + _MASKS)
        if found is None or at + _MASKS > len(data):  # a match begins at the end if it should begin behind it
            raise Incomplete("the bones are cut off", expected="more bytes", found=len(data) - at)
        at = found.end() + 4 * (masks >> 24 & _USED).bit_count()
    if at > len(data):
        raise Incomplete("the bones are cut off", expected="more bytes", found=len(data) - at)
    return at


def expand(section: bytes, base: Bones) -> Bones:
    """Decode a section of bones as differences to `base`; players that `base` does not have count from zero."""
    at = 1
    players = []
    for number in range(section[0] >> 1):
        last = base[number] if number < len(base) else _NEW
        masks = int.from_bytes(section[at : at + _MASKS], "little")
        at += _MASKS
        positions = list(last.positions)
        moved = [bone for bone in range(BONES) if masks >> bone & 1]
        differences, at = read_steps(section, at, 3 * len(moved))
        for place, bone in enumerate(moved):
            for axis in range(3):
                positions[3 * bone + axis] += differences[3 * place + axis]
        rotated = [bone for bone in range(BONES) if masks >> 24 + bone & 1]
        words = Struct(f"<{len(rotated)}I").unpack_from(section, at)
        at += 4 * len(rotated)
        rotations = list(last.rotations)
        for bone, bits in zip(rotated, words, strict=True):
            x, y, z, w = rotations[4 * bone : 4 * bone + 4]
            rotations[4 * bone : 4 * bone + 4] = multiply(quaternion(bits), (x, y, z, w))
        players.append(BonePlayer(singles(positions), tuple(rotations)))
    return tuple(players)


def reference_bones(frames: Iterable[tuple[bool, Frame]]) -> Iterator[Bones | None]:
    """The bones of each frame, as the reference decodes them; takes each frame with whether it is a keyframe.

    A keyframe counts from zero, although its writer did not: from the second chunk on bones are wrong (spec 9.1).
    Raises :class:`Damaged` where the reference fails: for a list that grows inside a chunk.
    """
    last: Bones | None = None
    for key, frame in frames:
        base = None if key else last
        last = frame.bones if not isinstance(frame.bones, bytes) else None
        if isinstance(frame.bones, bytes):
            if base is not None and frame.bones[0] >> 1 > len(base):
                raise Damaged("more bones than in the previous frame", expected=len(base), found=frame.bones[0] >> 1)
            last = expand(frame.bones, base or ())
        yield last


def corrected_bones(frames: Iterable[tuple[bool, Frame]]) -> Iterator[Bones | None]:
    """The bones of each frame, decoded as well as possible; takes each frame with whether it is a keyframe.

    A list of another length than in the frame before counts from zero (spec 9.10).  In keyframes the reference's writer
    counts from the frame before, other writers from zero: see :func:`stands_alone`.
    """
    last: Bones | None = None
    for key, frame in frames:
        bones = frame.bones
        if isinstance(bones, bytes):
            base = last if last is not None and bones[0] >> 1 == len(last) else ()
            if key and stands_alone(bones, base):
                base = ()
            bones = expand(bones, base)
        last = bones
        yield last


def stands_alone(section: bytes, before: Bones) -> bool:
    """Whether a keyframe counts its bones from zero, and not from those of the frame before: that moves them less."""
    if len(before) != section[0] >> 1:
        return True
    return _moved(before, expand(section, ())) <= _moved(before, expand(section, before))


def _moved(before: Bones, after: Bones) -> float:
    """The sum of all movements of bones from one frame to the next, in metres."""
    return sum(
        abs(a - b)
        for old, new in zip(before, after, strict=True)
        for a, b in zip(old.positions, new.positions, strict=True)
    )
