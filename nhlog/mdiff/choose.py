"""Choose the commands of a diff: of all ways to write it, about the cheapest.

The problem: the format remembers.  A command is one byte if it was used lately and more if not, so that the price of
each depends on the order of all before it; and an edit can be written in several ways, which lead to different orders.
The cheapest way to write one edit is therefore not a part of the cheapest diff, and to try all ways takes longer than
anybody waits: there are some for each edit, and their number multiplies.

All ways give the same save.  They start together and meet after each edit; a state is one way up to some byte, and of
the states at one byte only the cheapest few are continued.  That is all one has to keep: the price of what follows
depends on the order and the anchor at a byte, and on nothing else before it (see `prices`), so that of two states with
the same of both one is never needed.

Figures (14 pairs of saves of 47 kB, in plain Python): always the cheapest next step, which is one state, 1,358 bytes;
eight states, as here, 1,295 bytes in twice the time; 64 states, 1,291 bytes in seven times the time of eight.  NetHack
4 itself, without the hints of a game that knows what it changed, writes 36,247 bytes.
"""

import re
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Final
from zlib import crc32

from nhlog.kernels.mdiff_choose import GAP, LAG, LONG
from nhlog.mdiff.align import Stretch
from nhlog.mdiff.prices import Tariff
from nhlog.mdiff.table import (
    BETA3,
    COORD,
    COORD_UNIT,
    COPY,
    COPYEDIT,
    COPYEDIT1,
    COPYEDIT_SIZES,
    DIRECTIONS,
    EDIT,
    EOF_CRC32,
    ERASE,
    ERASE_SIZES,
    INCREMENT,
    ORDER,
    SEEK,
    encode,
)

__all__ = ["bounded", "choose", "most_states", "zeros_apart"]

_Command = tuple[int, int, int, bytes]
"""A command's number, arg1, arg2 and data bytes."""

_State = tuple[float, bytes, int, "_State | None", tuple[_Command, ...]]
"""The price so far, the order of the commands, and the anchor of coord modulo its unit; then the previous state, and
the commands that lead from it to this one."""

_States = dict[tuple[bytes, int], _State]
"""The cheapest states at one byte, by what the rest of the way depends on: order and anchor."""

_Way = tuple[int, tuple[_Command, ...], float, int | None, int | None]
"""The byte that commands lead to, the commands, and the price of their data; then the anchor that they need, and the
one that they set (None: any, and unchanged)."""

_MOST_STATES: Final = 8
_EFFORT: Final = 1200
"""States to continue from in the whole diff, divided evenly among its edits; at each byte at least 1 and at most
`_MOST_STATES`. (With 64, diffs get 0.3 % smaller.)"""

_MOST_EDITS: Final = 1 << 15
"""The most edits of a diff, and the most stretches: even if each edit takes four commands and each stretch two, a
decoder accepts them all (MAX_COMMANDS)."""

_ZEROS: Final = re.compile(rb"\0{5,%d}" % ERASE_SIZES[-1])
"""A run of zeros that is cheaper to erase, with an edit before and after, than to write."""

_DIRECTIONS: Final = {deltas: arg2 for arg2, deltas in enumerate(DIRECTIONS)}

_STEPS: Final = (b"\1", b"\xff")
"""The differences of one byte that coord and increment can add."""


def zeros_apart(new: bytes, stretches: Iterable[Stretch]) -> list[Stretch]:
    """The same stretches, with zeros in long edits made edits of their own, none longer than erase can write."""
    return [stretch._replace(edits=list(_zeros_apart(new, stretch.edits))) for stretch in stretches]


def _zeros_apart(new: bytes, edits: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for start, stop in edits:
        rest = start
        for zeros in _ZEROS.finditer(new, start, stop):
            if rest < zeros.start():
                yield rest, zeros.start()
            yield zeros.span()
            rest = zeros.end()
        if rest < stop:
            yield rest, stop


def choose(base: bytes, new: bytes, stretches: list[Stretch], tariff: Tariff) -> bytes:
    """The diff that turns `base` into `new` for about the lowest price; its last command is eof_crc32."""
    stretches = bounded(stretches, len(new))
    chooser = _Chooser(base, new, tariff, most_states(stretches))
    states: _States = {(ORDER, 0): (0.0, ORDER, 0, None, ())}
    position = 0
    for stretch in stretches:
        states = chooser.seek(states, stretch, position)
        states = chooser.cross(states, stretch)
        position = stretch.stop + stretch.shift
    way = []
    state: _State | None = min(states.values(), key=itemgetter(0))
    while state:
        _, _, _, state, commands = state
        way.append(commands)
    diff = bytearray(BETA3)
    order = ORDER
    for commands in reversed(way):
        for number, arg1, arg2, data in commands:
            code, order = encode(order, number, arg1, arg2)
            diff += code + data
    return bytes(diff)


def most_states(stretches: Iterable[Stretch]) -> int:
    """How many states are continued at each byte: the fewer, the more edits there are."""
    return max(1, min(_MOST_STATES, _EFFORT // (_count(stretches) + 1)))


def _count(stretches: Iterable[Stretch]) -> int:
    return sum(len(stretch.edits) for stretch in stretches)


def bounded(stretches: list[Stretch], size: int) -> list[Stretch]:
    """The same stretches, with edits close to each other joined if there are too many."""
    if len(stretches) > _MOST_EDITS:
        return [Stretch(0, size, 0, [(0, size)])]
    gap = 0
    while _count(stretches) > _MOST_EDITS and gap < size:
        stretches = [stretch._replace(edits=_joined(stretch.edits, gap)) for stretch in stretches]
        gap = 2 * gap + 1
    return stretches


def _joined(edits: Iterable[tuple[int, int]], gap: int) -> list[tuple[int, int]]:
    """The edits, joined where at most `gap` bytes are between them."""
    joined: list[tuple[int, int]] = []
    for start, stop in edits:
        if joined and start <= joined[-1][1] + gap:
            joined[-1] = joined[-1][0], stop
        else:
            joined.append((start, stop))
    return joined


class _Chooser:
    """The constants of one search for the cheapest way."""

    def __init__(self, base: bytes, new: bytes, tariff: Tariff, most_states: int) -> None:
        self._base = base
        self._new = new
        self._tariff = tariff
        self._most_states = most_states

    def seek(self, states: _States, stretch: Stretch, position: int) -> _States:
        """The states at the start of a stretch, after a seek from `position` in the base if one is needed."""
        distance = position - stretch.start - stretch.shift
        if not distance:
            return states
        arrived: dict[int, _States] = {}
        self._advance(states, [(stretch.start, ((SEEK, distance, 0, b""),), 0.0, None, None)], arrived)
        return arrived[stretch.start]

    def cross(self, states: _States, stretch: Stretch) -> _States:
        """The states at the end of a stretch."""
        pending = {stretch.start: states}
        for nth, (_, stop) in enumerate(stretch.edits):
            while (at := min(pending)) < stop:
                self._advance(pending.pop(at), self._ways(stretch, nth, at), pending)
        arrived: dict[int, _States] = {}
        for at, states in pending.items():
            self._advance(states, [self._rest(stretch, at)], arrived)
        return arrived[stretch.stop]

    def _advance(self, states: _States, ways: Iterable[_Way], pending: dict[int, _States]) -> None:
        """Add the states that the ways lead to from the cheapest of `states` to `pending`."""
        cheapest = sorted(states.values(), key=itemgetter(0))[: self._most_states]
        bound = cheapest[0][0] + LAG
        price_of = self._tariff.command
        leads = [(pending.setdefault(way[0], {}), way) for way in ways]
        for state in cheapest:
            before, order_before, anchor, _, _ = state
            if before > bound:
                break
            for arrived, (_, commands, price, needed, left) in leads:
                if needed is not None and needed != anchor:
                    continue
                price += before
                order = order_before
                for number, arg1, arg2, _ in commands:
                    command_price, order = price_of(order, number, arg1, arg2)
                    price += command_price
                key = order, anchor if left is None else left
                rival = arrived.get(key)
                if rival is None or rival[0] > price:
                    arrived[key] = price, *key, state, commands

    def _rest(self, stretch: Stretch, at: int) -> _Way:
        """How to write the equal bytes behind the last edit of a stretch."""
        rest = stretch.stop - at
        if stretch.stop == len(self._new):
            return stretch.stop, ((EOF_CRC32, rest, crc32(self._new), b""),), 0.0, None, None
        if rest:
            return stretch.stop, ((COPY, rest, 0, b""),), 0.0, None, stretch.stop % COORD_UNIT
        return stretch.stop, (), 0.0, None, None

    def _ways(self, stretch: Stretch, nth: int, at: int) -> list[_Way]:
        """The ways that start at `at`, which is before an edit or inside it."""
        start, stop = stretch.edits[nth]
        start = max(start, at)
        size = stop - start
        ways = list(self._edits(at, start, self._stops(stretch, nth)))
        if size <= LONG:
            ways += self._erasures(stretch, nth, at, start)
        if size in COPYEDIT_SIZES:
            ways += self._adjustments(stretch, at, start)
        if size <= LONG and self._most_states > 1:  # a part alone is never cheaper than the whole
            ways += self._edits(at, start, range(start + 1, min(stop, start + COPYEDIT_SIZES[-1] + 1)))
        return ways

    def _stops(self, stretch: Stretch, nth: int) -> Iterator[int]:
        """Where an edit may end, including places where the bytes that follow are written with it."""
        stop = stretch.edits[nth][1]
        yield stop
        if nth + 1 < len(stretch.edits):
            start, following = stretch.edits[nth + 1]
            if start - stop <= GAP:
                yield following
        elif stop < stretch.stop <= stop + GAP and stretch.stop < len(self._new):
            yield stretch.stop

    def _edits(self, at: int, start: int, stops: Iterable[int]) -> Iterator[_Way]:
        """The new bytes from `start` to any of `stops`, as data."""
        copy = start - at
        copies: tuple[_Command, ...] = ((COPY, copy, 0, b""),) if copy else ()
        anchor = start % COORD_UNIT if copy else None
        for stop in stops:
            size = stop - start
            data = self._new[start:stop]
            price = self._tariff.data(data)
            if size in COPYEDIT_SIZES:
                yield stop, ((COPYEDIT, copy, COPYEDIT_SIZES.index(size), data),), price, None, None
            if size == 1:
                yield stop, ((COPYEDIT1, copy, 0, data),), price, None, None
            yield stop, (*copies, (EDIT, size - 1, 0, data)), price, None, anchor

    def _erasures(self, stretch: Stretch, nth: int, at: int, start: int) -> Iterator[_Way]:
        """Ways that erase: at most as many zeros as erase can write, and none after the last one that is new."""
        end = min(start + ERASE_SIZES[-1], stretch.stop)
        end -= len(self._new[start:end].lstrip(b"\0"))
        if end - start not in ERASE_SIZES:
            return
        stop = start + ERASE_SIZES[0]
        for first, last in stretch.edits[nth : nth + ERASE_SIZES[-1]]:
            if first < end:
                stop = max(stop, min(last, end))
        yield stop, ((ERASE, start - at, ERASE_SIZES.index(stop - start), b""),), 0.0, None, None

    def _adjustments(self, stretch: Stretch, at: int, start: int) -> Iterator[_Way]:
        """Ways for a byte that is one more or less than in the base: alone, or as one of the two of a coordinate."""
        delta = self._delta(stretch, start)
        if delta not in _STEPS:
            return
        if delta == b"\1":
            yield start + 1, ((INCREMENT, start - at, 0, b""),), 0.0, None, None
        yield from _coords(at, start, delta)
        yield from _coords(at, start, delta + self._delta(stretch, start + 1))
        if at < start:
            yield from _coords(at, start - 1, b"\0" + delta)

    def _delta(self, stretch: Stretch, at: int) -> bytes:
        """By how much (mod 256) this byte is more than in the base; empty if it is not in the stretch or the base."""
        opposite = at + stretch.shift
        if at < stretch.stop and 0 <= opposite < len(self._base):
            return bytes([(self._new[at] - self._base[opposite]) & 0xFF])
        return b""


def _coords(at: int, target: int, deltas: bytes) -> Iterator[_Way]:
    """Coord, if it can add these deltas: from the anchor that it needs, or after a copy that sets one."""
    direction = _DIRECTIONS.get(deltas)
    if direction is None:
        return
    stop = target + len(deltas)
    anchor = target % COORD_UNIT
    units, rest = divmod(target - at, COORD_UNIT)
    coord = COORD, units, direction, b""
    yield stop, (coord,), 0.0, anchor, None
    yield stop, ((COPY, rest, 0, b""), coord), 0.0, None, anchor
    if units:
        yield stop, ((COPY, target - at, 0, b""), (COORD, 0, direction, b"")), 0.0, None, anchor
