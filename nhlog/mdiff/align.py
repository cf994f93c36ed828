"""Align a new save with an old one: which bytes are kept, and where, despite insertions, deletions and moves.

The problem: a save is some 50 kB without a structure that we may rely on, as every engine has its own.  A monster
that comes or goes moves all that is behind it by some bytes, and a level that is left moves as a whole.  The general
answer, a longest common subsequence, takes time and memory with the product of the sizes.

The new save is processed in blocks.  For each block there are a few candidate shifts (offsets into the base), and the
candidate that its bytes are not in the base at all.  A difference costs an edit, a change of shift costs a turn, and
the cheapest path through all blocks is chosen.  Other shifts are searched only where the present ones cost too much;
where next to nothing differs in place, as after most commands, none are searched at all.

Invariant: the stretches are contiguous and cover the new save, and outside of its edits a stretch equals the base
`shift` bytes further on.  So even a poor alignment gives a correct diff: what is chosen here is only how long it is.
The time is bounded by the sizes, whatever is in the saves; who changes this keeps both.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from operator import itemgetter
from typing import Final

from nhlog.kernels.mdiff_align import BEARABLE, BLOCK, EDIT, KEY, LEAP, RECENT, RIVALS, STRIDE
from nhlog.values import NamedTuple

__all__ = ["Saves", "Shift", "Stretch", "align"]

_IN_PLACE: Final = 48.0
"""The total cost of edits without any shift up to which no shifts are searched: building the index would take longer
than everything else, and gain nothing."""

_DIFFERS: Final = b"\0" + b"\1" * 255
"""Translates the XOR of two bytes into whether they differ."""


class Stretch(NamedTuple):
    """Bytes `start` to `stop` of the new save: equal to the base from `start + shift`, except in the edits."""

    start: int
    stop: int
    shift: int
    edits: list[tuple[int, int]]
    """Start and stop, in the new save, of each run that is not taken from the base; ascending and not adjacent."""


Shift = int | None
"""Offset of the bytes in the base minus that in the new save; None if they are not in the base."""

_Turn = tuple[int, Shift, "_Turn | None"]
"""A turn of a path: the byte from which it has a shift, that shift, and the turn before."""

_Ways = dict[Shift, tuple[float, _Turn]]
"""For each shift that is followed, the cheapest path that ends in it: its price and its last turn."""


def align(saves: "Saves", turn: float, literal: Callable[[bytes], float] = len) -> list[Stretch]:
    """Align the new save with the base for about the lowest price.

    Returns at least one stretch; it is empty only if the save is. `turn` (above 0) is the price of a change of shift.
    `literal` is called for the price of a block of fresh bytes: in ascending order, and not for every block. Prices are
    in bytes of edited data. The running time is bounded by the sizes of the saves.
    """
    edits = _in_place(saves)
    if edits is not None:
        return [Stretch(0, len(saves.new), 0, edits)]
    return _stretches(saves, saves.turns(turn, literal))


def _in_place(saves: "Saves") -> list[tuple[int, int]] | None:
    """All edits, if nothing has moved; None if something has, or if they cost enough that it may have."""
    size = len(saves.new)
    if len(saves.base) != size:
        return None
    edits = []
    price = 0.0
    for start, stop in saves.edits(0, size, 0):
        edits.append((start, stop))
        price += stop - start + EDIT
        if price > _IN_PLACE:
            return None
    return edits


def _stretches(saves: "Saves", turns: list[tuple[int, Shift]]) -> list[Stretch]:
    """The stretches between the turns, after each turn was moved to the best byte near it."""
    size = len(saves.new)
    cuts = [0]
    for (_, before), (at, after) in pairwise(turns):
        cuts.append(saves.cut(max(cuts[-1], at - BLOCK), min(size, at + BLOCK), before, after))
    stretches = [Stretch(0, 0, 0, [])]
    for (_, shift), start, stop in zip(turns, cuts, [*cuts[1:], size], strict=True):
        last = stretches[-1]
        if shift is None or shift == last.shift:
            stretches[-1] = last._replace(stop=stop)
        else:
            stretches.append(Stretch(start, stop, shift, []))
        edits = stretches[-1].edits
        for edit in saves.edits(start, stop, shift):
            begin, _ = edits.pop() if edits and edits[-1][1] == edit[0] else edit
            edits.append((begin, edit[1]))
    return [stretch for stretch in stretches if stretch.start < stretch.stop] or stretches


def _remember(recent: dict[int, None], shift: int) -> None:
    """Make `shift` the latest of the recent ones, and drop the oldest if there are too many."""
    recent.pop(shift, None)
    recent[shift] = None
    if len(recent) > RECENT:
        del recent[next(iter(recent))]


def _traced(way: _Turn | None) -> list[tuple[int, Shift]]:
    """All turns of a path, the first one first."""
    turns = []
    while way:
        at, shift, way = way
        turns.append((at, shift))
    return turns[::-1]


def _further(ways: _Ways, at: int, prices: dict[Shift, float], turn: float) -> _Ways:
    """The paths extended by one block, cheapest first, without those that another path and a turn would undercut."""
    cheapest, last = min(ways.values(), key=itemgetter(0))
    arrived: list[tuple[float, Shift, _Turn]] = []
    for shift, price in prices.items():
        before, way = ways.get(shift, (cheapest + turn, None))
        if way is None or before > cheapest + turn:
            before, way = cheapest + turn, (at, shift, last)
        arrived.append((before + price, shift, way))
    arrived.sort(key=itemgetter(0))
    bound = arrived[0][0] + turn
    return {shift: (price, way) for price, shift, way in arrived[:RIVALS] if price < bound}


class Saves:
    """The old and the new save, and their comparison at a shift."""

    def __init__(self, base: bytes, new: bytes) -> None:
        self.base = base
        self.new = new

    def turns(self, turn: float, literal: Callable[[bytes], float]) -> list[tuple[int, Shift]]:
        """The turns of the cheapest path, accurate to a block. The first turn is at 0, to shift 0."""
        size = len(self.new)
        ways: _Ways = {0: (0.0, (0, 0, None))}
        recent: dict[int, None] = {len(self.base) - size: None}
        at = 0
        while at < size:
            if len(ways) == 1 and (agreed := self.agreed(at, next(iter(ways)))):
                at += agreed
                continue
            stop = min(at + BLOCK, size)
            prices: dict[Shift, float] = {shift: self.price(at, stop, shift) for shift in ways if shift is not None}
            if not prices or min(prices.values()) > BEARABLE:
                for shift in (*recent, *self.places(at)):
                    if shift not in prices:
                        prices[shift] = self.price(at, stop, shift)
            if None in ways or min(prices.values()) > BEARABLE:
                prices[None] = literal(self.new[at:stop])
            ways = _further(ways, at, prices, turn)
            best = next(iter(ways))
            if best is not None:
                _remember(recent, best)
            at = stop
        _, last = min(ways.values(), key=itemgetter(0))
        return _traced(last)

    def places(self, at: int) -> Iterable[int]:
        """Shifts at which the base has a key that the new save has in the block from `at`."""
        shifts: dict[int, int] = {}
        for start in range(at, at + BLOCK):
            place = self._index.get(self.new[start : start + KEY])
            if place is not None:
                shifts.setdefault(place, place - start)  # if again, it is a pattern: at one shift as good as any
                if len(shifts) == RIVALS:
                    break
        return shifts.values()

    @cached_property
    def _index(self) -> dict[bytes, int]:
        """For each key, its first offset in the base."""
        last = (len(self.base) - KEY) // STRIDE * STRIDE
        return {self.base[at : at + KEY]: at for at in range(last, -1, -STRIDE)}

    def agreed(self, at: int, shift: Shift) -> int:
        """The number of bytes from `at` on that were found to be equal: a leap, a block or none."""
        if shift is None or at + shift < 0:
            return 0
        for size in (LEAP, BLOCK):
            block = self.new[at : at + size]
            if block == self.base[at + shift : at + shift + size]:
                return len(block)
        return 0

    def price(self, start: int, stop: int, shift: int) -> float:
        """The price of editing the bytes from `start` to `stop`."""
        return _price(self._differs(start, stop, shift))

    def cut(self, low: int, high: int, before: Shift, after: Shift) -> int:
        """The cheapest byte, from `low` to `high`, at which to change from the shift `before` to `after`.

        The last of several, since an edit before it may be the rest of one from before `low`.
        """
        ours = self._differs(low, high, before)
        theirs = self._differs(low, high, after)
        places = [0, *(start for start, _ in _runs(ours)), *(stop for _, stop in _runs(theirs)), high - low]
        return low + min(places, key=lambda place: (_price(ours[:place]) + _price(theirs[place:]), -place))

    def edits(self, start: int, stop: int, shift: Shift) -> Iterable[tuple[int, int]]:
        """Start and stop of each run of bytes that differ."""
        first = last = at = start
        while at < stop:
            length = self.agreed(at, shift)
            if not length:
                length = min(BLOCK, stop - at)
                for begin, end in _runs(self._differs(at, at + length, shift)):
                    if last < at + begin:
                        if first < last:
                            yield first, last
                        first = at + begin
                    last = at + end
            at += length
        if first < last:
            yield first, last

    def _differs(self, start: int, stop: int, shift: Shift) -> bytes:
        """For each byte from `start` to `stop`: 0 if the base has it at this shift, else 1."""
        length = stop - start
        if shift is None:
            return b"\1" * length
        opposite = self.base[max(start + shift, 0) : max(stop + shift, 0)]
        before = min(max(-start - shift, 0), length)
        after = length - before - len(opposite)
        difference = int.from_bytes(self.new[start + before : stop - after]) ^ int.from_bytes(opposite)
        flags = difference.to_bytes(len(opposite)).translate(_DIFFERS)
        return b"\1" * before + flags + b"\1" * after


def _price(differs: bytes) -> float:
    """The price of editing what differs."""
    return differs.count(1) + EDIT * (differs.count(b"\0\1") + differs.startswith(b"\1"))


def _runs(differs: bytes) -> Iterator[tuple[int, int]]:
    """Start and stop of each run of bytes that differ."""
    stop = 0
    while (start := differs.find(1, stop)) >= 0:
        stop = differs.find(0, start)
        if stop < 0:
            stop = len(differs)
        yield start, stop
