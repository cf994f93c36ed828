"""The cheapest commands of a beta3 diff, searched: of all ways to write it, about the cheapest.

`places` is the order of the commands as a number, as in `mdiff_encode`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from nhlog.kernels.mdiff_decode import (
    ARG2,
    COORD,
    COPY,
    COPYEDIT,
    COPYEDIT1,
    EDIT,
    EOF_CRC32,
    ERASE,
    INCREMENT,
    NOTHING,
    SEEK,
    UNIT,
    WIDER,
)
from nhlog.kernels.mdiff_encode import PLACES, first, form, octet, step

if TYPE_CHECKING:
    from mypy_extensions import i64

LAG: Final = 2.0
"""How much more than the cheapest a state may cost to be continued, in bytes: what another order can save later."""
GAP: Final = 3
"""How many equal bytes may be written as data in order to continue the same command."""
LONG: Final = 10
"""Bytes in the longest edit that may be split into several commands; for longer ones, only the data matters."""


def priced(places: i64, command: i64, arg1: i64, arg2: i64, prices: list[float]) -> tuple[float, i64]:
    """The price of a command without data, by those of its bytes or, without prices, one for each; the places after."""
    wider, code, bits, width = form(places, command, arg1)
    shift: i64 = bits + ARG2[command] + width
    price: float = 0.0
    if prices:
        code = code << ARG2[command] | arg2
        while shift > 0:
            shift -= 8
            price += prices[octet(code, arg1, width, shift)]
    else:
        price = float(shift >> 3)
    if wider:
        places = first(places, WIDER)
    return price, places if command >= EOF_CRC32 else first(places, command)


Stretch = tuple[int, int, int, list[tuple[int, int]]]
"""Start and stop in the save, what is added to them for the base, and the starts and stops of its edits."""


class State:
    """The cheapest way to one byte, by all that the rest depends on.

    That is its key: the order of the commands, and the anchor of coord modulo its unit.
    """

    def __init__(
        self, key: i64, cost: float, before: State | None, stop: i64, copy: i64, command: i64, arg1: i64, arg2: i64
    ) -> None:
        self.key: i64 = key
        self.cost: float = cost
        self.before = before  # and from there a copy, or NOTHING, and a command, or NOTHING, to the byte `stop`
        self.stop: i64 = stop
        self.copy: i64 = copy
        self.command: i64 = command
        self.arg1: i64 = arg1
        self.arg2: i64 = arg2


def choose(
    base: bytes, new: bytes, stretches: list[Stretch], most: i64, prices: list[float], crc: i64
) -> list[tuple[int, int, int, int, int]]:
    """The ways of about the cheapest diff: where each leads to, a copy or NOTHING, then command, arg1 and arg2.

    `most` states are continued at one byte; `prices` are those of bytes or, if it is empty, one for each.
    """
    start_state = State(PLACES << 7, 0.0, None, 0, NOTHING, NOTHING, 0, 0)
    search = Search(base, new, most, prices, start_state)
    states: dict[int, State] = {PLACES << 7: start_state}
    position: i64 = 0
    for start, stop, shift, edits in stretches:
        search.cross(states, start, stop, shift, edits, position)
        states = search.rest(stop, crc)
        position = stop + shift
    found: list[tuple[int, int, int, int, int]] = []
    state: State | None = search.cheapest(states)[0]
    while state is not None and state.before is not None:
        found.append((state.stop, state.copy, state.command, state.arg1, state.arg2))
        state = state.before
    found.reverse()
    return found


class Search:
    """The search for the cheapest way to write a diff, from state to state."""

    def __init__(self, base: bytes, new: bytes, most: i64, prices: list[float], state: State) -> None:
        self.base = base
        self.new = new
        self.most: i64 = most
        self.prices = prices
        self.state = state  # the one that ways are added for
        self.pending: dict[int, dict[int, State]] = {}  # by byte and key
        self.latest: dict[int, State] = {}  # those at the byte of the latest way
        self.latest_stop: i64 = NOTHING

    def clear(self) -> None:
        """Forgets the pending states."""
        self.pending = {}
        self.latest_stop = NOTHING

    def cross(
        self, states: dict[int, State], start: i64, stop: i64, shift: i64, edits: list[tuple[int, int]], position: i64
    ) -> None:
        """Leads the states over the edits of a stretch, after a seek from `position` if one is needed."""
        self.clear()
        if position == start + shift:
            self.pending[start] = states
        else:
            for state in self.cheapest(states):
                self.state = state
                self.way(start, 0.0, NOTHING, SEEK, position - start - shift, 0, NOTHING, NOTHING)
        for nth, (_, end) in enumerate(edits):
            while True:
                at: i64 = min(self.pending)
                if at >= end:
                    break
                for state in self.cheapest(self.pending.pop(at)):
                    self.state = state
                    self.lead(stop, shift, edits, nth, at)

    def rest(self, stop: i64, crc: i64) -> dict[int, State]:
        """The states at the end of a stretch, after the equal bytes behind its edits; the last one ends the diff."""
        pending = self.pending
        self.clear()
        for at, states in pending.items():
            for state in self.cheapest(states):
                self.state = state
                if stop == len(self.new):
                    self.way(stop, 0.0, NOTHING, EOF_CRC32, stop - at, crc, NOTHING, NOTHING)
                elif at < stop:
                    self.way(stop, 0.0, NOTHING, COPY, stop - at, 0, NOTHING, stop % UNIT)
                else:
                    self.way(stop, 0.0, NOTHING, NOTHING, 0, 0, NOTHING, NOTHING)
        return self.pending[stop]

    def cheapest(self, states: dict[int, State]) -> list[State]:
        """The few states that are continued, cheapest first."""
        found: list[State] = []
        least: float = 1e300
        for state in states.values():
            cost: float = state.cost
            least = min(least, cost)
            place: i64 = len(found)
            while place > 0 and found[place - 1].cost > cost:
                place -= 1
            if place < self.most:
                found.insert(place, state)
                if len(found) > self.most:
                    found.pop()
        while found[len(found) - 1].cost > least + LAG:
            found.pop()
        return found

    def way(
        self, stop: i64, price: float, copy: i64, command: i64, arg1: i64, arg2: i64, needed: i64, left: i64
    ) -> None:
        """Leads the state on to `stop`: by a copy, a command, and data of this price, from one anchor to another.

        What is not there, does not matter or does not change is NOTHING.
        """
        state = self.state
        key: i64 = state.key
        if needed != NOTHING and needed != key & 127:
            return
        cost: float = price + state.cost
        places: i64 = key >> 7
        if copy != NOTHING:
            added, places = priced(places, COPY, copy, 0, self.prices)
            cost += added
        if command != NOTHING:
            added, places = priced(places, command, arg1, arg2, self.prices)
            cost += added
        if stop != self.latest_stop:
            self.latest_stop = stop
            self.latest = self.pending.setdefault(stop, {})
        key = places << 7 | (key & 127 if left == NOTHING else left)
        boxed: Any = key
        rival = self.latest.get(boxed)
        if rival is None:
            self.latest[boxed] = State(key, cost, state, stop, copy, command, arg1, arg2)
        elif rival.cost > cost:
            rival.cost = cost
            rival.before = state
            rival.copy = copy
            rival.command = command
            rival.arg1 = arg1
            rival.arg2 = arg2

    def lead(self, stop: i64, shift: i64, edits: list[tuple[int, int]], nth: i64, at: i64) -> None:
        """Adds the ways that start at `at`, which is before an edit or inside it, in a stretch up to `stop`."""
        start: i64
        end: i64
        start, end = edits[nth]
        if start < at:
            start = at
        size: i64 = end - start
        self.edit(at, start, end)
        if nth + 1 < len(edits):
            following, behind = edits[nth + 1]
            if following - end <= GAP:
                self.edit(at, start, behind)
        elif end < stop <= end + GAP and stop < len(self.new):
            self.edit(at, start, stop)
        if size > LONG:
            return
        self.erase(stop, edits, nth, at, start)
        if size <= 4:
            self.adjust(stop, shift, at, start)
        if self.most > 1:  # a part alone is never cheaper than the whole
            part: i64 = start + 1
            while part < end and part <= start + 4:
                self.edit(at, start, part)
                part += 1

    def edit(self, at: i64, start: i64, stop: i64) -> None:
        """The new bytes from `start` to `stop`, as data."""
        copy: i64 = start - at
        size: i64 = stop - start
        price: float = 0.0
        if self.prices:
            for byte in self.new[start:stop]:
                price += self.prices[byte]
        else:
            price = float(size)
        if size <= 4:
            self.way(stop, price, NOTHING, COPYEDIT, copy, size - 1, NOTHING, NOTHING)
        if size == 1:
            self.way(stop, price, NOTHING, COPYEDIT1, copy, 0, NOTHING, NOTHING)
        if copy:
            self.way(stop, price, copy, EDIT, size - 1, 0, NOTHING, start % UNIT)
        else:
            self.way(stop, price, NOTHING, EDIT, size - 1, 0, NOTHING, NOTHING)

    def erase(self, stop: i64, edits: list[tuple[int, int]], nth: i64, at: i64, start: i64) -> None:
        """At most as many zeros as erase can write, and none after the last one that is new."""
        end: i64 = start
        while end < stop and end < start + LONG and self.new[end] == 0:
            end += 1
        if end < start + 3:
            return
        last: i64 = start + 3
        for first_byte, behind in edits[nth : nth + LONG]:
            if first_byte < end:
                last = max(last, min(behind, end))
        self.way(last, 0.0, NOTHING, ERASE, start - at, last - start - 3, NOTHING, NOTHING)

    def adjust(self, stop: i64, shift: i64, at: i64, start: i64) -> None:
        """A byte that is one more or less than in the base: alone, or as one of the two of a coordinate."""
        delta: i64 = self.delta(stop, shift, start)
        if delta != 1 and delta != 255:
            return
        if delta == 1:
            self.way(start + 1, 0.0, NOTHING, INCREMENT, start - at, 0, NOTHING, NOTHING)
        self.coord(at, start, delta, 0)
        other: i64 = self.delta(stop, shift, start + 1)
        if other == 1 or other == 255:
            self.coord(at, start, delta, other)
        if at < start:
            self.coord(at, start - 1, 0, delta)

    def delta(self, stop: i64, shift: i64, at: i64) -> i64:
        """By how much (mod 256) this byte is more than in the base; NOTHING if it is not in the stretch or the base."""
        if at >= stop or at + shift < 0 or at + shift >= len(self.base):
            return NOTHING
        return self.new[at] - self.base[at + shift] & 255

    def coord(self, at: i64, target: i64, dx: i64, dy: i64) -> None:
        """Coord: from the anchor that it needs, or after a copy that sets one."""
        direction: i64 = step(dx, dy)
        stop: i64 = target + 2 if dy else target + 1
        anchor: i64 = target % UNIT
        units: i64 = (target - at) // UNIT
        self.way(stop, 0.0, NOTHING, COORD, units, direction, anchor, NOTHING)
        self.way(stop, 0.0, (target - at) % UNIT, COORD, units, direction, NOTHING, anchor)
        if units:
            self.way(stop, 0.0, target - at, COORD, 0, direction, NOTHING, anchor)
