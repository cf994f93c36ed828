"""Numbers that change a little from frame to frame, written as differences in half floats.

A decoded number differs from the recorded one by at most `TOLERANCE`, or by the step of the half in which a keyframe
stores it.  The difference of the recorded numbers is written, which repeats and compresses well, unless the error would
become too large; then the difference to the decoded number is.  So errors never add up.
"""

from array import array
from collections.abc import Sequence
from functools import cache
from operator import add, sub
from struct import Struct
from typing import Final

from nhlog.formats.butter.wire.primitives import clamp_to_half, half_step

__all__ = ["TOLERANCE", "HalfDifferences", "NeedsKeyframe"]


class NeedsKeyframe(Exception):
    """A frame cannot be stored as differences to the one before: it must be a keyframe."""


TOLERANCE: Final = 2.0**-10
"""The largest error of a number, in metres or metres per second: the game gives thousandths."""


@cache
def _halves(count: int) -> Struct:
    return Struct(f"<{count}e")


class HalfDifferences:
    """Encodes rows of `width` numbers: one row per player, or a single row."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._zeros = (0.0,) * width
        self._recorded: Sequence[float] = ()
        self._base: list[float] = []  # what a decoder had before this frame ...
        self._decoded: list[float] = []  # ... and has after it

    def step(self, recorded: Sequence[float], origins: Sequence[int], *, key: bool) -> bytes:
        """The bytes of the differences to the next frame, whose rows follow one another in `recorded`.

        `origins` has for each row its start among the numbers of the frame before, -1 for a new row; `key` makes all
        rows new.  Raises :class:`NeedsKeyframe` if a difference is not finite or beyond the range of a half.
        """
        base: list[float] = []
        before: list[float] = []
        for origin in origins:
            known = origin >= 0 and not key
            if known and origin >= len(self._decoded):
                raise NeedsKeyframe  # a decoder has nothing to count from
            base += self._decoded[origin : origin + self._width] if known else self._zeros
            before += self._recorded[origin : origin + self._width] if known else self._zeros
        halves = _halves(len(recorded))
        moved, decoded = b"", list[float]()
        try:
            moved = halves.pack(*map(sub, recorded, before))
            steps = halves.unpack(moved)
            decoded = array("f", map(add, base, steps)).tolist()
            errors = [*map(sub, recorded, decoded)]
            if not key and errors and not -TOLERANCE <= min(errors) <= max(errors) <= TOLERANCE:
                moved = halves.pack(*self._nearer(recorded, base, steps, errors))
                decoded = array("f", map(add, base, halves.unpack(moved))).tolist()
            total = sum(decoded)
            far = bool(total - total)  # NaN, if one of them is NaN or infinite
        except OverflowError:
            far = True
        if far:
            if not key:
                raise NeedsKeyframe
            moved = halves.pack(*map(clamp_to_half, recorded))
            decoded = [*halves.unpack(moved)]
        self._recorded, self._base, self._decoded = recorded, base, decoded
        return moved

    def _nearer(
        self, recorded: Sequence[float], base: Sequence[float], steps: Sequence[float], errors: Sequence[float]
    ) -> list[float]:
        """The steps, corrected where the error is too large; numbers that stand still keep their keyframe's error."""
        better = [*steps]
        for place, error in enumerate(errors):
            if not -TOLERANCE <= error <= TOLERANCE:
                first = place - place % 3
                still = not any(steps[first : first + 3])
                if not (still and abs(error) <= half_step(recorded[place])):
                    better[place] = recorded[place] - base[place]
        return better

    def near(self, place: int, limit: float) -> bool:
        """Whether each number of the vector at `place` is within `limit` of the one decoded before this frame."""
        recorded, base = self._recorded, self._base
        return all(-limit <= recorded[at] - base[at] <= limit for at in (place, place + 1, place + 2))

    def hold(self, place: int) -> None:
        """Note that the vector at `place` is not stored in this frame: the decoder keeps the one it had."""
        self._decoded[place : place + 3] = self._base[place : place + 3]
