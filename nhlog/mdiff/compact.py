"""An encoder for small beta3 diffs: unlike the reference encoder, it searches for the best alignment and commands.

Invariant: whatever is chosen, every decoder that follows spec section 4 gets the new save from the diff, which ends
with the CRC of that save.
"""

from collections.abc import Callable, Iterable
from typing import Final
from zlib import crc32

from nhlog.kernels import COMPILED, mdiff_align, mdiff_choose, mdiff_encode
from nhlog.kernels.mdiff_align import FRESH
from nhlog.mdiff.align import Saves, Shift, Stretch, align
from nhlog.mdiff.choose import bounded, choose, most_states, zeros_apart
from nhlog.mdiff.prices import BYTES, Deflated, Frequencies, Tariff
from nhlog.mdiff.table import BETA3, COPY, COPYEDIT, COPYEDIT1, EDIT

__all__ = ["KernelSaves", "choose_by_kernel", "encode"]

_TURN: Final = 5.0
"""The price of a change of shift in bytes: the seek, and the copy that ends before it."""

_STEADY_TURN: Final = 40.0
"""The price of a change of shift in a diff to be compressed: it breaks a pattern, and so do the edits after it."""

_COMPRESSIBLE: Final = 128
"""The size of a diff in bytes from which compression may change what is best. (Below, it gains 0.1 %.)"""

_NEW_LEVEL: Final = 2000
"""The size of the smallest diff for a new level, in bytes; a map resembles itself more than any other."""


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


class KernelSaves(Saves):
    """The old and the new save, compared by the kernels."""

    def __init__(self, base: bytes, new: bytes) -> None:
        super().__init__(base, new)
        self._keys: dict[bytes, int] = {}  # filled when it is needed

    def turns(self, turn: float, literal: Callable[[bytes], float]) -> list[tuple[int, Shift]]:
        """See :meth:`~nhlog.mdiff.align.Saves.turns`."""
        turns = mdiff_align.turns(self.base, self.new, turn, literal, self._keys)
        return [(at, None if shift == FRESH else shift) for at, shift in turns]

    def cut(self, low: int, high: int, before: Shift, after: Shift) -> int:
        """See :meth:`~nhlog.mdiff.align.Saves.cut`."""
        return mdiff_align.cut(self.base, self.new, low, high, _number(before), _number(after))

    def edits(self, start: int, stop: int, shift: Shift) -> Iterable[tuple[int, int]]:
        """See :meth:`~nhlog.mdiff.align.Saves.edits`."""
        return mdiff_align.edits(self.base, self.new, start, stop, _number(shift))


def _number(shift: Shift) -> int:
    return FRESH if shift is None else shift


def choose_by_kernel(base: bytes, new: bytes, stretches: list[Stretch], tariff: Tariff) -> bytes:
    """See :func:`nhlog.mdiff.choose.choose`."""
    stretches = bounded(stretches, len(new))
    plain = [(stretch.start, stretch.stop, stretch.shift, stretch.edits) for stretch in stretches]
    ways = mdiff_choose.choose(base, new, plain, most_states(stretches), tariff.prices, crc32(new))
    diff = bytearray(BETA3)
    places = mdiff_encode.PLACES
    for stop, copy, command, arg1, arg2 in ways:
        if copy >= 0:
            places = mdiff_encode.write(diff, places, COPY, copy, 0)
        if command >= 0:
            places = mdiff_encode.write(diff, places, command, arg1, arg2)
        if command == COPYEDIT:
            diff += new[stop - arg2 - 1 : stop]
        elif command == COPYEDIT1:
            diff += new[stop - 1 : stop]
        elif command == EDIT:
            diff += new[stop - arg1 - 1 : stop]
    return bytes(diff)


_SAVES: Final = KernelSaves if COMPILED else Saves
_CHOOSE: Final = choose_by_kernel if COMPILED else choose
"""The two searches of `encode`.  The kernels give the same answers sooner; as plain Python they would take longer."""
