"""Which bytes of an old save a new one keeps, and where: insertions, deletions and moves, found by their content.

Invariant: the stretches lie end to end and cover the new save, and outside of its edits a stretch equals the base
`shift` bytes further on. So however poor a find is, every byte is accounted for.

The new save is walked through in blocks. In each, the base may stand at any of a few shifts, or the bytes may be
fresh, of no base at all. What differs costs an edit, a change of shift costs a turn, and the cheapest way through
all blocks wins. Other shifts are looked for only where those at hand cost too much.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from operator import itemgetter
from typing import Final, NamedTuple

__all__ = ["Saves", "Stretch", "align"]

_BLOCK: Final = 32
"""Bytes that are judged together. (Fewer find shorter moves, most of which are not worth their seek, in more time.)"""

_LEAP: Final = 32 * _BLOCK
"""Bytes that are compared at once where nothing differs."""

_KEY: Final = 16
_STRIDE: Final = 8
"""Every `_STRIDE` bytes, `_KEY` bytes of the base are indexed: what both saves have is found if it is longer than
the two together."""

_EDIT: Final = 1.5
"""The price of an edit in bytes, its data not included: one byte or two, if its copy is not very long."""

_BEARABLE: Final = 4.0
"""What a block may cost before other shifts are looked for: hardly a seek there and back."""

_IN_PLACE: Final = 48.0
"""What all edits of a save may cost before anything is looked for: an index takes longer than all the rest."""

CAP=8
_RIVALS: Final = 8
_RECENT: Final = 6
"""How many ways are followed at once; how many shifts are tried again without being found again."""

_DIFFERS: Final = b"\0" + b"\1" * 255
"""Translates the XOR of two bytes into whether they differ."""


class Stretch(NamedTuple):
    """Bytes `start` to `stop` of the new save: those of the base from `start + shift`, but for the edits."""

    start: int
    stop: int
    shift: int
    edits: list[tuple[int, int]]
    """Start and stop, in the new save, of what is not taken from the base; ascending, none of them empty."""


_Shift = int | None
"""How much further on in the base the bytes are; None for fresh bytes."""

_Turn = tuple[int, _Shift, "_Turn | None"]
"""From which byte on a way has which shift, and its turn before that."""

_Ways = dict[_Shift, tuple[float, _Turn]]
"""For each shift that is followed, the cheapest way that has come here with it: its price and its last turn."""


def align(saves: "Saves", turn: float, literal: Callable[[bytes], float] = len) -> list[Stretch]:
    """The stretches that make the new save of the base for about the lowest price; at least one.

    `turn` is the price of a change of shift. `literal` is asked for the price of a block of fresh bytes: in
    ascending order, and not for all. Prices are in bytes of edited data. The time grows with the size of the saves,
    not with what differs in them.
    """
    size = len(saves.new)
    if len(saves.base) == size:
        edits = []
        price = 0.0
        for edit in saves.edits(0, size, 0):
            edits.append(edit)
            price += edit[1] - edit[0] + _EDIT
            if price > _IN_PLACE:
                break
        else:
            return [Stretch(0, size, 0, edits)]
    return _stretches(saves, _turns(saves, turn, literal))


def _stretches(saves: "Saves", turns: list[tuple[int, _Shift]]) -> list[Stretch]:
    """What lies between the turns, after each is moved to the best byte."""
    size = len(saves.new)
    cuts = [0]
    for (_, before), (at, after) in zip(turns, turns[1:], strict=False):
        cuts.append(saves.cut(max(cuts[-1], at - _BLOCK), min(size, at + _BLOCK), before, after))
    stretches = [Stretch(0, 0, 0, [])]
    for (_, shift), start, stop in zip(turns, cuts, [*cuts[1:], size], strict=True):
        last = stretches[-1]
        if shift is None or shift == last.shift:
            stretches[-1] = last._replace(stop=stop)
        else:
            stretches.append(Stretch(start, stop, shift, []))
        stretches[-1].edits.extend(saves.edits(start, stop, shift))
    return stretches


def _turns(saves: "Saves", turn: float, literal: Callable[[bytes], float]) -> list[tuple[int, _Shift]]:
    """Where the cheapest way takes which shift, to the block; from 0 on it is shift 0."""
    size = len(saves.new)
    ways: _Ways = {0: (0.0, (0, 0, None))}
    recent = {len(saves.base) - size: None}
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
            recent.pop(best, None)
            recent[best] = None
            if len(recent) > _RECENT:
                del recent[next(iter(recent))]
        at = stop
    turns = []
    _, last = min(ways.values(), key=itemgetter(0))
    way: _Turn | None = last
    while way:
        at, shift, way = way
        turns.append((at, shift))
    return turns[::-1]


def _further(ways: _Ways, at: int, prices: dict[_Shift, float], turn: float) -> _Ways:
    """The ways one block further, the cheapest first; none that another one and a turn would undercut."""
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
    """The two saves and how they compare at a shift."""

    def __init__(self, base: bytes, new: bytes) -> None:
        self.base = base
        self.new = new

    def places(self, at: int) -> Iterable[int]:
        """Shifts at which the base has some of what the new save has in the block from `at`."""
        shifts: dict[int, int] = {}
        for start in range(at, at + _BLOCK):
            place = self._index.get(self.new[start : start + _KEY])
            if place is not None:
                shifts.setdefault(place, place - start)
                if len(shifts) == CAP: break
        return shifts.values()

    @cached_property
    def _index(self) -> dict[bytes, int]:
        """Where the base has a key first."""
        last = (len(self.base) - _KEY) // _STRIDE * _STRIDE
        return {self.base[at : at + _KEY]: at for at in range(last, -1, -_STRIDE)}

    def agreed(self, at: int, shift: _Shift) -> int:
        """How many bytes from `at` on are equal, as far as one look tells."""
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
        """From which byte from `low` to `high` it is best to have the one shift no longer, but the other."""
        ours = self._differs(low, high, before)
        theirs = self._differs(low, high, after)
        places = [0, *(start for start, _ in _runs(ours)), *(stop for _, stop in _runs(theirs)), high - low]
        return low + min(places, key=lambda place: _price(ours[:place]) + _price(theirs[place:]))

    def edits(self, start: int, stop: int, shift: _Shift) -> Iterator[tuple[int, int]]:
        """Start and stop of each run of bytes that differ."""
        first = last = at = start
        while at < stop:
            agreed = self.agreed(at, shift)
            if not agreed:
                agreed = min(_BLOCK, stop - at)
                for begin, end in _runs(self._differs(at, at + agreed, shift)):
                    if last < at + begin:
                        if first < last:
                            yield first, last
                        first = at + begin
                    last = at + end
            at += agreed
        if first < last:
            yield first, last

    def _differs(self, start: int, stop: int, shift: _Shift) -> bytes:
        """For each byte from `start` to `stop`: 0 if it is the one opposite in the base, else 1."""
        if shift is None:
            return b"\1" * (stop - start)
        opposite = self.base[max(start + shift, 0) : max(stop + shift, 0)]
        if len(opposite) < stop - start:
            before = min(max(-start - shift, 0), stop - start)
            after = stop - start - before - len(opposite)
            return b"\1" * before + _differ(self.new[start + before : stop - after], opposite) + b"\1" * after
        return _differ(self.new[start:stop], opposite)


def _differ(ours: bytes, theirs: bytes) -> bytes:
    """For each byte 0 if it is the same in both, else 1; both are of one length."""
    difference = int.from_bytes(ours) ^ int.from_bytes(theirs)
    return difference.to_bytes(len(ours)).translate(_DIFFERS)


def _price(differs: bytes) -> float:
    """What it costs to edit the bytes that differ."""
    return differs.count(1) + _EDIT * (differs.count(b"\0\1") + differs.startswith(b"\1"))


def _runs(differs: bytes) -> Iterator[tuple[int, int]]:
    """Start and stop of each run of bytes that differ."""
    stop = 0
    while (start := differs.find(1, stop)) >= 0:
        stop = differs.find(0, start)
        if stop < 0:
            stop = len(differs)
        yield start, stop
