"""Which bytes of an old save a new one keeps, and where: insertions, deletions and moves, found by their content.

Invariant: the stretches lie end to end and cover the new save, and outside of its edits a stretch equals the base
`shift` bytes further on. So however poor a find is, every byte is accounted for.

The new save is walked through in blocks. In each, the base may stand at any of a few shifts, or the bytes may be
fresh, of no base at all. What differs costs an edit, a change of shift costs a turn, and the cheapest way through
all blocks wins. Other shifts are looked for only where those at hand cost too much.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import pairwise
from operator import itemgetter
from typing import Final, NamedTuple

__all__ = ["Saves", "Stretch", "align"]

_BLOCK: Final = 32
"""Bytes that are judged together. (Fewer find shorter moves, in more time; most of these are not worth a seek.)"""

_LEAP: Final = 32 * _BLOCK
"""Bytes that are compared at once where the saves agree."""

_KEY: Final = 16
_STRIDE: Final = 8
"""Every `_STRIDE` bytes, `_KEY` bytes of the base are indexed: what the saves share is seen from 23 bytes on."""

_EDIT: Final = 1.5
"""The price of an edit in bytes, its data not included: mostly a command of one byte or two."""

_BEARABLE: Final = 4.0
"""What a block may cost before other shifts are looked for: less than two seeks, there and back."""

_IN_PLACE: Final = 48.0
"""What all edits may cost before other shifts are looked for: making the index would take longer than all the rest,
and gain nothing."""

_RIVALS: Final = 8
"""How many ways are followed at once, and how many new shifts are tried in a block."""

_RECENT: Final = 6
"""How many shifts that were good before are tried again."""

_DIFFERS: Final = b"\0" + b"\1" * 255
"""Translates the XOR of two bytes into whether they differ."""


class Stretch(NamedTuple):
    """Bytes `start` to `stop` of the new save: those of the base from `start + shift`, but for the edits."""

    start: int
    stop: int
    shift: int
    edits: list[tuple[int, int]]
    """Start and stop, in the new save, of what is not taken from the base; ascending, with other bytes between them."""


_Shift = int | None
"""How much further on the bytes are in the base; None: nowhere, they are fresh."""

_Turn = tuple[int, _Shift, "_Turn | None"]
"""From which byte on a way has which shift, and its turn before that."""

_Ways = dict[_Shift, tuple[float, _Turn]]
"""For each shift that is followed, the cheapest way that has come here with it: its price and its last turn."""


def align(saves: "Saves", turn: float, literal: Callable[[bytes], float] = len) -> list[Stretch]:
    """The stretches that make the new save of the base for about the lowest price.

    There is at least one, and an empty one only of an empty save. `turn` (above 0) is the price of a change of
    shift. `literal` is asked for the price of a block of fresh bytes: in ascending order, and not for all. Prices
    are in bytes of edited data. The time taken is bounded by the size of the saves, however they differ.
    """
    edits = _in_place(saves)
    if edits is not None:
        return [Stretch(0, len(saves.new), 0, edits)]
    return _stretches(saves, _turns(saves, turn, literal))


def _in_place(saves: "Saves") -> list[tuple[int, int]] | None:
    """All edits, if nothing has moved; None if it has, or if they cost so much that it may have."""
    size = len(saves.new)
    if len(saves.base) != size:
        return None
    edits = []
    price = 0.0
    for start, stop in saves.edits(0, size, 0):
        edits.append((start, stop))
        price += stop - start + _EDIT
        if price > _IN_PLACE:
            return None
    return edits


def _stretches(saves: "Saves", turns: list[tuple[int, _Shift]]) -> list[Stretch]:
    """What lies between the turns, each of them moved to the best byte near it."""
    size = len(saves.new)
    cuts = [0]
    for (_, before), (at, after) in pairwise(turns):
        cuts.append(saves.cut(max(cuts[-1], at - _BLOCK), min(size, at + _BLOCK), before, after))
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


def _turns(saves: "Saves", turn: float, literal: Callable[[bytes], float]) -> list[tuple[int, _Shift]]:
    """Where the cheapest way changes to which shift, to the block. The first turn is at 0, to shift 0."""
    size = len(saves.new)
    ways: _Ways = {0: (0.0, (0, 0, None))}
    recent: dict[int, None] = {len(saves.base) - size: None}
    at = 0
    while at < size:
        if len(ways) == 1 and (agreed := saves.agreed(at, next(iter(ways)))):
            at += agreed
            continue
        stop = min(at + _BLOCK, size)
        prices: dict[_Shift, float] = {shift: saves.price(at, stop, shift) for shift in ways if shift is not None}
        if not prices or min(prices.values()) > _BEARABLE:
            for shift in (*recent, *saves.places(at)):
                if shift not in prices:
                    prices[shift] = saves.price(at, stop, shift)
        if None in ways or min(prices.values()) > _BEARABLE:
            prices[None] = literal(saves.new[at:stop])
        ways = _further(ways, at, prices, turn)
        best = next(iter(ways))
        if best is not None:
            _remember(recent, best)
        at = stop
    _, last = min(ways.values(), key=itemgetter(0))
    return _traced(last)


def _remember(recent: dict[int, None], shift: int) -> None:
    """Makes a shift the latest of the recent ones, and drops the oldest one if they are too many."""
    recent.pop(shift, None)
    recent[shift] = None
    if len(recent) > _RECENT:
        del recent[next(iter(recent))]


def _traced(way: _Turn | None) -> list[tuple[int, _Shift]]:
    """All turns of a way, the first one first."""
    turns = []
    while way:
        at, shift, way = way
        turns.append((at, shift))
    return turns[::-1]


def _further(ways: _Ways, at: int, prices: dict[_Shift, float], turn: float) -> _Ways:
    """The ways one block further, the cheapest first; none that another way and a turn would undercut."""
    cheapest, last = min(ways.values(), key=itemgetter(0))
    arrived: list[tuple[float, _Shift, _Turn]] = []
    for shift, price in prices.items():
        before, way = ways.get(shift, (cheapest + turn, None))
        if way is None or before > cheapest + turn:
            before, way = cheapest + turn, (at, shift, last)
        arrived.append((before + price, shift, way))
    arrived.sort(key=itemgetter(0))
    bound = arrived[0][0] + turn
    return {shift: (price, way) for price, shift, way in arrived[:_RIVALS] if price < bound}


class Saves:
    """The two saves, and how they compare at a shift."""

    def __init__(self, base: bytes, new: bytes) -> None:
        self.base = base
        self.new = new

    def places(self, at: int) -> Iterable[int]:
        """Shifts at which the base has something that the new save has in the block from `at`."""
        shifts: dict[int, int] = {}
        for start in range(at, at + _BLOCK):
            place = self._index.get(self.new[start : start + _KEY])
            if place is not None:
                shifts.setdefault(place, place - start)  # if again, it is a pattern: at one shift as good as any
                if len(shifts) == _RIVALS:
                    break
        return shifts.values()

    @cached_property
    def _index(self) -> dict[bytes, int]:
        """Where each key is in the base first."""
        last = (len(self.base) - _KEY) // _STRIDE * _STRIDE
        return {self.base[at : at + _KEY]: at for at in range(last, -1, -_STRIDE)}

    def agreed(self, at: int, shift: _Shift) -> int:
        """How many bytes from `at` on are equal, as far as one look tells: a leap, a block or none."""
        if shift is None or at + shift < 0:
            return 0
        for size in (_LEAP, _BLOCK):
            block = self.new[at : at + size]
            if block == self.base[at + shift : at + shift + size]:
                return len(block)
        return 0

    def price(self, start: int, stop: int, shift: int) -> float:
        """What it costs to edit the bytes from `start` to `stop`."""
        return _price(self._differs(start, stop, shift))

    def cut(self, low: int, high: int, before: _Shift, after: _Shift) -> int:
        """From which byte, of `low` to `high`, it costs least to have the shift `after` and no longer `before`.

        The last of several, since what is edited before it may be the rest of an edit from before `low`.
        """
        ours = self._differs(low, high, before)
        theirs = self._differs(low, high, after)
        places = [0, *(start for start, _ in _runs(ours)), *(stop for _, stop in _runs(theirs)), high - low]
        return low + min(places, key=lambda place: (_price(ours[:place]) + _price(theirs[place:]), -place))

    def edits(self, start: int, stop: int, shift: _Shift) -> Iterator[tuple[int, int]]:
        """Start and stop of each run of bytes that differ."""
        first = last = at = start
        while at < stop:
            length = self.agreed(at, shift)
            if not length:
                length = min(_BLOCK, stop - at)
                for begin, end in _runs(self._differs(at, at + length, shift)):
                    if last < at + begin:
                        if first < last:
                            yield first, last
                        first = at + begin
                    last = at + end
            at += length
        if first < last:
            yield first, last

    def _differs(self, start: int, stop: int, shift: _Shift) -> bytes:
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
    """What it costs to edit what differs."""
    return differs.count(1) + _EDIT * (differs.count(b"\0\1") + differs.startswith(b"\1"))


def _runs(differs: bytes) -> Iterator[tuple[int, int]]:
    """Start and stop of each run of bytes that differ."""
    stop = 0
    while (start := differs.find(1, stop)) >= 0:
        stop = differs.find(0, start)
        if stop < 0:
            stop = len(differs)
        yield start, stop
