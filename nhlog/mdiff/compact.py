"""An encoder for small beta3 diffs: unlike the reference encoder, it searches for the best alignment and commands.

Invariant: whatever is chosen, every decoder that follows spec section 4 gets the new save from the diff, which ends
with the CRC of that save.
"""

from collections.abc import Callable
from typing import Final

from nhlog.kernels import COMPILED
from nhlog.mdiff import compiled
from nhlog.mdiff.align import Saves, align
from nhlog.mdiff.choose import choose, zeros_apart
from nhlog.mdiff.prices import BYTES, Deflated, Frequencies

__all__ = ["encode"]

_TURN: Final = 5.0
"""The price of a change of shift in bytes: the seek, and the copy that ends before it."""

_STEADY_TURN: Final = 40.0
"""The price of a change of shift in a diff to be compressed: it breaks a pattern, and so do the edits after it."""

_COMPRESSIBLE: Final = 128
"""The size of a diff in bytes from which compression may change what is best. (Below, it gains 0.1 %.)"""

_NEW_LEVEL: Final = 2000
"""The size of the smallest diff for a new level, in bytes; a map resembles itself more than any other."""

_SAVES: Final = compiled.Saves if COMPILED else Saves
_CHOOSE: Final = compiled.choose if COMPILED else choose
"""The kernels give the same answers; as plain Python they would take longer."""


def encode(base: bytes, new: bytes, cost: Callable[[bytes], int] = len) -> bytes:
    """A beta3 diff from `base` to `new`, with CRC, for which `cost` is about the lowest.

    `cost` is called with a few candidate diffs: one with about the fewest bytes and, unless that one is short, others
    that compress better. For a save of 40 KB most commands of a game take well under a millisecond, one that reveals a
    screenful of map about 20 ms, a new level 100 ms; a megabyte with nothing in common, a second. With compiled
    kernels it is a fifth of that.
    """
    saves = _SAVES(base, new)
    near = align(saves, _TURN)
    shortest = _CHOOSE(base, new, zeros_apart(new, near), BYTES)
    if len(shortest) < _COMPRESSIBLE:
        return shortest
    steady = align(saves, _STEADY_TURN, Deflated() if len(shortest) > _NEW_LEVEL else len)
    candidates = (shortest, near), (_CHOOSE(base, new, steady, BYTES), steady)
    best, stretches = min(candidates, key=lambda candidate: cost(candidate[0]))
    return min(best, _CHOOSE(base, new, stretches, Frequencies(best)), key=cost)
