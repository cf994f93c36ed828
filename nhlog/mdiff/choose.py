"""Which commands write a diff: of all the ways to say what changed, about the cheapest.

Invariant: every way makes the same save. It leads from the start of the new save to its end, from one edit to the
next; a state is a point on it, and of the states at one byte only the cheapest few are followed further.
"""

import re
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Final
from zlib import crc32

from nhlog.mdiff.align import Stretch
from nhlog.mdiff.commands import (
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
)
from nhlog.mdiff.prices import Tariff

__all__ = ["Command", "choose", "zeros_apart"]

Command = tuple[int, int, int, bytes]
"""A command's number, arg1, arg2 and data bytes."""

_State = tuple[float, bytes, int, "_State | None", tuple[Command, ...]]
"""The price up to here, the order of the commands, the anchor of coord modulo its unit; the state before this one
and the commands that lead from there."""

_States = dict[tuple[bytes, int], _State]
"""States at the same byte, by what tells them apart for all that follows: order and anchor."""

_Way = tuple[int, tuple[Command, ...], float, int | None, int | None]
"""Where some commands lead, they themselves, the price of their data; the anchor that they need, if any, and the
one that they leave, if they change it."""

_MOST_STATES: Final = 8
_EFFORT: Final = 1600
"""How many states are followed from a byte: so few that at most about `_EFFORT` are in all, and no more than
`_MOST_STATES`. (With 64 of them, diffs are 0.4 % smaller.)"""

_LAG: Final = 2.0
"""How many bytes a state may cost more than the cheapest: no order of the commands makes up for more."""

ADJ=4
_GAP: Final = 3
"""Up to how many equal bytes may be written as data so as to save a command."""

_SHORT: Final = ERASE_SIZES[-1]
"""Bytes in the longest edit that is tried in parts; in a longer one, nothing but its data matters."""

_ZEROS: Final = re.compile(rb"\0{5,%d}" % ERASE_SIZES[-1])
"""Zeros that are cheaper to erase than to write, even between other data."""

_DIRECTIONS: Final = {deltas: arg2 for arg2, deltas in enumerate(DIRECTIONS)}
_STEPS: Final = (b"\xff", b"\1")
"""What coord may add to a byte that changes."""


def zeros_apart(new: bytes, stretches: Iterable[Stretch]) -> list[Stretch]:
    """The same stretches, with zeros in long edits as edits of their own, of the sizes that erase can write."""
    return [stretch._replace(edits=[*_zeros_apart(new, stretch.edits)]) for stretch in stretches]


def _zeros_apart(new: bytes, edits: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for start, stop in edits:
        for zeros in _ZEROS.finditer(new, start, stop):
            if start < zeros.start():
                yield start, zeros.start()
            yield zeros.span()
            start = zeros.end()
        if start < stop:
            yield start, stop


def choose(base: bytes, new: bytes, stretches: list[Stretch], tariff: Tariff, effort: int = 1600) -> list[Command]:
    """The commands that make `new` of `base`, the last one eof_crc32, for about the lowest price."""
    edits = sum(len(stretch.edits) for stretch in stretches)
    chooser = _Chooser(base, new, tariff, max(1, min(_MOST_STATES, effort // (edits + 1))))
    start = 0.0, ORDER, 0, None, ()
    states: _States = {(ORDER, 0): start}
    position = 0
    for stretch in stretches:
        states = chooser.seek(states, stretch, position - stretch.start - stretch.shift)
        states = chooser.cross(states, stretch)
        position = stretch.stop + stretch.shift
    way = []
    state: _State | None = min(states.values(), key=itemgetter(0))
    while state:
        _, _, _, state, commands = state
        way.append(commands)
    return [command for commands in reversed(way) for command in commands]


class _Chooser:
    def __init__(self, base: bytes, new: bytes, tariff: Tariff, most_states: int) -> None:
        self._base = base
        self._new = new
        self._tariff = tariff
        self._most_states = most_states

    def seek(self, states: _States, stretch: Stretch, distance: int) -> _States:
        """The states after a seek to the base of a stretch."""
        if not distance:
            return states
        pending: dict[int, _States] = {}
        self._advance(states, [(stretch.start, ((SEEK, distance, 0, b""),), 0.0, None, None)], pending)
        return pending[stretch.start]

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

    def _advance(self, states: _States, ways: list[_Way], pending: dict[int, _States]) -> None:
        """Adds the states to which the ways lead from the best of these states."""
        best = sorted(states.values(), key=itemgetter(0))[: self._most_states]
        bound = best[0][0] + _LAG
        best = [state for state in best if state[0] <= bound]
        price_of = self._tariff.command
        theres = [(pending.setdefault(w[0], {}), *w[1:]) for w in ways]
        for state in best:
            before, order_before, anchor, _, _ = state
            for there, commands, price, needed, left in theres:
                if needed is not None and needed != anchor:
                    continue
                price += before
                order = order_before
                for number, arg1, arg2, _ in commands:
                    command_price, order = price_of(order, number, arg1, arg2)
                    price += command_price
                key = order, anchor if left is None else left
                known = there.get(key)
                if known is None or known[0] > price:
                    there[key] = price, *key, state, commands

    def _rest(self, stretch: Stretch, at: int) -> _Way:
        """How the equal bytes after the last edit of a stretch are written."""
        rest = stretch.stop - at
        if stretch.stop == len(self._new):
            return stretch.stop, ((EOF_CRC32, rest, crc32(self._new), b""),), 0.0, None, None
        if rest:
            return stretch.stop, ((COPY, rest, 0, b""),), 0.0, None, stretch.stop % COORD_UNIT
        return stretch.stop, (), 0.0, None, None

    def _ways(self, stretch: Stretch, nth: int, at: int) -> list[_Way]:
        """The ways from `at`, which is in an edit or before it."""
        start, stop = stretch.edits[nth]
        start = max(start, at)
        ways = [*self._edits(at, start, self._stops(stretch, nth))]
        if stop - start <= _SHORT:
            if self._most_states > 1: ways += self._edits(at, start, range(start + 1, min(stop, start + 5)))
            ways += self._erasures(stretch, nth, at, start)
            if stop-start<=ADJ: ways += self._adjustments(stretch, at, start)
        return ways

    def _stops(self, stretch: Stretch, nth: int) -> Iterator[int]:
        """Up to where it makes sense to write data in one piece."""
        stop = stretch.edits[nth][1]
        yield stop
        if nth + 1 < len(stretch.edits):
            start, following = stretch.edits[nth + 1]
            if start - stop <= _GAP:
                yield following
        elif stop < stretch.stop <= stop + _GAP and stretch.stop < len(self._new):
            yield stretch.stop

    def _edits(self, at: int, start: int, stops: Iterable[int]) -> Iterator[_Way]:
        """Data up to one of `stops`."""
        copy = start - at
        copies: tuple[Command, ...] = ((COPY, copy, 0, b""),) if copy else ()
        anchor = start % COORD_UNIT if copy else None
        for stop in stops:
            data = self._new[start:stop]
            price = self._tariff.data(data)
            size = stop - start
            if size in COPYEDIT_SIZES:
                yield stop, ((COPYEDIT, copy, COPYEDIT_SIZES.index(size), data),), price, None, None
            if size == 1:
                yield stop, ((COPYEDIT1, copy, 0, data),), price, None, None
            yield stop, (*copies, (EDIT, size - 1, 0, data)), price, None, anchor

    def _erasures(self, stretch: Stretch, nth: int, at: int, start: int) -> Iterator[_Way]:
        """Zeros: as many as erase can write, but none after the last that is new."""
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
        """A byte that is one more or less than in the base: by itself, or with its neighbour as a step of a monster."""
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
        """How much more (mod 256) this byte is than in the base; empty if it is not of this stretch or the base."""
        opposite = at + stretch.shift
        if at < stretch.stop and 0 <= opposite < len(self._base):
            return bytes([(self._new[at] - self._base[opposite]) & 0xFF])
        return b""


def _coords(at: int, target: int, deltas: bytes) -> Iterator[_Way]:
    """A coord for these deltas: from the anchor that there is, or from one set by a copy of some or all units."""
    direction = _DIRECTIONS.get(deltas)
    if direction is None:
        return
    units, rest = divmod(target - at, COORD_UNIT)
    stop = target + len(deltas)
    anchor = target % COORD_UNIT
    yield stop, ((COORD, units, direction, b""),), 0.0, anchor, None
    yield stop, ((COPY, rest, 0, b""), (COORD, units, direction, b"")), 0.0, None, anchor
    if units:
        yield stop, ((COPY, target - at, 0, b""), (COORD, 0, direction, b"")), 0.0, None, anchor
