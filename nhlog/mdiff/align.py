"""Which bytes of an old save a new one keeps, and where: insertions, deletions and moves, found by their content.

Invariant: the stretches lie end to end and cover the new save, and outside of its edits a stretch equals the base
`shift` bytes further on. So however good a find is, every byte is accounted for.

The new save is walked through in blocks. In each block the base may stand at any of a few shifts, or the bytes
may be fresh, of no base at all. What differs costs an edit, a change of shift costs a turn, and the cheapest way
through all blocks wins. New shifts are looked for only where those at hand cost too much.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final, NamedTuple

__all__ = ["BLOCK", "Stretch", "align"]

BLOCK: Final = 64
"""Bytes that are judged together. (Less finds shorter moves, in more time; most are not worth their seek.)"""

_LEAP: Final = 16 * BLOCK
"""Bytes that are compared at once where the saves agree."""

_KEY: Final = 16
LOOK=8
_STRIDE: Final = 8
"""Every `_STRIDE` bytes of the base, `_KEY` bytes are indexed; so what the saves have in common is found in each
block where it goes on for `_STRIDE` + `_KEY` bytes."""

_EDIT: Final = 2.0
_TURN: Final = 16.0
_LEAVE: Final = 32.0
"""The prices of an edit, data not included, of a turn to another shift and of a turn to fresh bytes; in bytes. A
seek takes less, but the gains of a turn by chance are lost again when the diff is compressed."""

_BEARABLE: Final = 10.0
"""What a block may cost before other shifts are looked for: that takes more time than a small edit is worth."""

_RIVALS: Final = 8
_RECENT: Final = 6
"""How many ways are followed at once, and how many shifts are tried again without having been found again."""

_DIFFERS: Final = b"\0" + b"\1" * 255
"""Translates the XOR of two bytes into whether they differ."""


class Stretch(NamedTuple):
    """Bytes `start` to `stop` of the new save: those of the base from `start + shift`, but for the edits."""

    start: int
    stop: int
    shift: int
    edits: list[tuple[int, int]]
    """Start and stop, in the new save, of what is not taken from the base; ascending, none of them empty."""


_Turn = tuple[int, int | None, "_Turn | None"]
"""From which byte on a way uses which shift (None: fresh bytes), and its turn before that."""

_Ways = dict[int | None, tuple[float, _Turn]]
"""For each shift in use, the cheapest way that has come here with it: its price and its last turn."""


def align(base: bytes, new: bytes, literal: Callable[[bytes], float] = len) -> list[Stretch]:
    """The stretches that make `new` of `base` for about the lowest price; at least one.

    `literal` is asked for the price, in bytes, of a block of fresh bytes; in ascending order, and not for all.
    The time taken is proportional to the sizes.
    """
    pair = _Pair(base, new)
    turns = _turns(pair, literal)
    cuts = [0]
    for (_, before), (at, after) in zip(turns, turns[1:], strict=False):
        cuts.append(pair.cut(max(cuts[-1], at - BLOCK), min(len(new), at + BLOCK), before, after))
    cuts.append(len(new))
    stretches = [Stretch(0, 0, 0, [])]
    for (_, shift), start, stop in zip(turns, cuts, cuts[1:], strict=False):
        last = stretches[-1]
        edits = list(pair.edits(start, stop, shift))
        if shift in (None, last.shift):
            stretches[-1] = Stretch(last.start, stop, last.shift, last.edits + edits)
        elif start < stop:
            stretches.append(Stretch(start, stop, shift, edits))
    return stretches


def _turns(pair: "_Pair", literal: Callable[[bytes], float]) -> list[tuple[int, int | None]]:
    """From where on the cheapest way uses which shift: to the block."""
    size = len(pair.new)
    ways: _Ways = {0: (0.0, (0, 0, None))}
    recent: list[int] = [len(pair.base) - size]
    at = 0
    while at < size:
        if len(ways) == 1:
            [shift] = ways
            if (agreed := pair.agreed(at, shift)):
                at += agreed
                continue
        stop = min(at + BLOCK, size)
        prices = {shift: pair.price(at, stop, shift) for shift in ways if shift is not None}
        if len(ways) == 1 and min(prices.values(), default=_BEARABLE + 1) <= _BEARABLE:
            at = stop
            continue
        if None in ways or min(prices.values()) > _BEARABLE:
            prices[None] = literal(pair.new[at:stop])
        if min(prices.values()) > _BEARABLE:
            for shift in (*recent, *pair.places(at)):
                if shift not in prices:
                    prices[shift] = pair.price(at, stop, shift)
        ways = _further(ways, at, prices)
        best = next(iter(ways))
        if best is not None and best != recent[-1]:
            recent = [*[s for s in recent if s != best], best][-_RECENT:]
        at = stop
    turns = []
    turn: _Turn | None = min(ways.values(), key=lambda v: v[0])[1]
    while turn:
        at, shift, turn = turn
        turns.append((at, shift))
    return turns[::-1]


def _further(ways: _Ways, at: int, prices: dict[int | None, float]) -> _Ways:
    """The ways one block further, the cheapest first; none that another one and a turn would undercut."""
    cheapest, last = min(ways.values(), key=lambda w: w[0])
    arrived = []
    for shift, price in prices.items():
        turned = cheapest + (_LEAVE if shift is None else _TURN)
        before, turn = ways.get(shift, (turned, None))
        if turn is None or before > turned:
            before, turn = turned, (at, shift, last)
        arrived.append((before + price, shift, turn))
    arrived.sort(key=lambda a: a[0])
    bound = arrived[0][0] + _LEAVE
    return {shift: (price, turn) for price, shift, turn in arrived[:_RIVALS] if price < bound}


class _Pair:
    """The two saves, and how they compare at a shift. (None as the shift: all bytes differ.)"""

    def __init__(self, base: bytes, new: bytes) -> None:
        self.base = base
        self.new = new

    @cached_property
    def _index(self) -> dict[bytes, int]:
        """Where the base first has a key, among every _STRIDE-th byte of it."""
        last = (len(self.base) - _KEY) // _STRIDE * _STRIDE
        return {self.base[at : at + _KEY]: at for at in range(last, -1, -_STRIDE)}

    def places(self, at: int) -> Iterator[int]:
        """Shifts at which the base has what the new save has near `at`."""
        for start in range(at, at + LOOK):
            place = self._index.get(self.new[start : start + _KEY])
            if place is not None:
                yield place - start

    def agreed(self, at: int, shift: int | None) -> int:
        if shift is None or at + shift < 0:
            return 0
        for size in (_LEAP, BLOCK):
            block = self.new[at : at + size]
            if block == self.base[at + shift : at + shift + size]:
                return len(block)
        return 0

    def _differs(self, start: int, stop: int, shift: int | None) -> bytes:
        """For each byte from `start` to `stop`: 1 if it is not that of the base, or has none opposite, else 0."""
        if shift is None:
            return b"\1" * (stop - start)
        first = min(max(start, -shift), stop)
        last = max(min(stop, len(self.base) - shift), first)
        ours = int.from_bytes(self.new[first:last])
        theirs = int.from_bytes(self.base[first + shift : last + shift])
        compared = (ours ^ theirs).to_bytes(last - first).translate(_DIFFERS)
        return b"\1" * (first - start) + compared + b"\1" * (stop - last)

    def price(self, start: int, stop: int, shift: int) -> float:
        return _price(self._differs(start, stop, shift))

    def cut(self, low, high, before, after) -> int:
        """The byte from `low` to `high` where to turn from one shift to the other."""
        ours = self._differs(low, high, before)
        theirs = self._differs(low, high, after)
        places = [at for at, _ in _runs(ours)]
        places.append(high - low)
        return low + min(places, key=lambda at: _price(ours[:at]) + _price(theirs[at:]))

    def edits(self, start: int, stop: int, shift: int | None) -> Iterator[tuple[int, int]]:
        """Start and stop of each run of bytes that differ."""
        if shift is None:
            if start < stop:
                yield start, stop
            return
        pending = start, start
        at = start
        while at < stop:
            if agreed := self.agreed(at, shift):
                at += agreed
                continue
            end = min(at + BLOCK, stop)
            for first, last in _runs(self._differs(at, end, shift)):
                if pending[1] == at + first:
                    pending = pending[0], at + last
                else:
                    if pending[0] < pending[1]:
                        yield pending
                    pending = at + first, at + last
            at = end
        if pending[0] < pending[1]:
            yield pending


def _price(differs: bytes) -> float:
    return differs.count(1) + _EDIT * (differs.count(b"\0\1") + differs.startswith(b"\1"))


def _runs(differs: bytes) -> Iterator[tuple[int, int]]:
    """Start and stop of each run of ones."""
    stop = 0
    while (start := differs.find(1, stop)) >= 0:
        stop = differs.find(0, start)
        if stop < 0:
            stop = len(differs)
        yield start, stop
