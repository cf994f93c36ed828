"""Numbers that change a little from frame to frame, written as halves of their differences.

What a decoder has of a number is within `TOLERANCE` of what was recorded, or within the step of the half in which a
keyframe stores it: a difference is that of the recorded numbers, which repeats and packs well, until the decoder would
be further off, and then the difference to what the decoder has.  So errors never add up.
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
    """No difference leads from what the decoder has to what was recorded: the frame must be a keyframe."""


TOLERANCE: Final = 2.0**-10
"""Metres, or metres per second, that a moving number may be off: the game tells thousandths."""


@cache
def _halves(count: int) -> Struct:
    return Struct(f"<{count}e")


class HalfDifferences:
    """Rows of `width` numbers: one row for each player, or for what there is one of."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._zeros = (0.0,) * width
        self._recorded: Sequence[float] = ()
        self._base: list[float] = []  # what a decoder had before this frame ...
        self._decoded: list[float] = []  # ... and has after it

    def step(self, recorded: Sequence[float], origins: Sequence[int], *, key: bool) -> bytes:
        """The differences to the next frame, whose rows follow one another in `recorded`.

        `origins` says for each row where it began in the frame before, -1 if it was not there.  With `key` nothing was.
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
        """The steps, mended where they leave an error; what stands still stays where its keyframe has it."""
        better = [*steps]
        for place, error in enumerate(errors):
            if not -TOLERANCE <= error <= TOLERANCE:
                first = place - place % 3
                still = not any(steps[first : first + 3])
                if not (still and abs(error) <= half_step(recorded[place])):
                    better[place] = recorded[place] - base[place]
        return better

    def near(self, place: int, limit: float) -> bool:
        """Whether each number of the vector at `place` is within `limit` of what the decoder had before."""
        recorded, base = self._recorded, self._base
        return all(-limit <= recorded[at] - base[at] <= limit for at in (place, place + 1, place + 2))

    def hold(self, place: int) -> None:
        """The vector at `place` is not stored: the decoder keeps what it had."""
        self._decoded[place : place + 3] = self._base[place : place + 3]
