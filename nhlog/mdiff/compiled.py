"""The two searches of the compact encoder by the kernels: the same answers as of `align` and `choose`, sooner.

Only for where the kernels are compiled: as plain Python they would take longer.
"""

from collections.abc import Callable, Iterable
from zlib import crc32

from nhlog.kernels import mdiff_align, mdiff_choose, mdiff_encode
from nhlog.kernels.mdiff_align import FRESH
from nhlog.mdiff import align
from nhlog.mdiff.align import Shift, Stretch
from nhlog.mdiff.choose import bounded, most_states
from nhlog.mdiff.prices import Tariff
from nhlog.mdiff.table import BETA3, COPY, COPYEDIT, COPYEDIT1, EDIT

__all__ = ["Saves", "choose"]


class Saves(align.Saves):
    """The old and the new save, and their comparison."""

    def __init__(self, base: bytes, new: bytes) -> None:
        super().__init__(base, new)
        self._keys: dict[bytes, int] = {}  # filled when it is needed

    def turns(self, turn: float, literal: Callable[[bytes], float]) -> list[tuple[int, Shift]]:
        """See :meth:`align.Saves.turns`."""
        turns = mdiff_align.turns(self.base, self.new, turn, literal, self._keys)
        return [(at, None if shift == FRESH else shift) for at, shift in turns]

    def cut(self, low: int, high: int, before: Shift, after: Shift) -> int:
        """See :meth:`align.Saves.cut`."""
        return mdiff_align.cut(self.base, self.new, low, high, _number(before), _number(after))

    def edits(self, start: int, stop: int, shift: Shift) -> Iterable[tuple[int, int]]:
        """See :meth:`align.Saves.edits`."""
        return mdiff_align.edits(self.base, self.new, start, stop, _number(shift))


def _number(shift: Shift) -> int:
    return FRESH if shift is None else shift


def choose(base: bytes, new: bytes, stretches: list[Stretch], tariff: Tariff) -> bytes:
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
