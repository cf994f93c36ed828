"""Two saves compared: runs of bytes that are equal or not, and the cheapest turns from one alignment to another.

A shift is the offset of bytes in the base minus that in the new save; FRESH stands for bytes that are not in the base.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

FRESH: Final = 1 << 60

BLOCK: Final = 32
"""Bytes compared as a unit. (Smaller blocks find shorter moves, few of them worth a seek, but take longer.)"""
LEAP: Final = 1024
"""Bytes that are compared at once where the saves are equal."""

KEY: Final = 16
STRIDE: Final = 8
"""`KEY` bytes of the base are indexed at every `STRIDE`th byte, so any common run of 23 bytes is found."""

EDIT: Final = 1.5
"""The price of an edit in bytes, its data not included: mostly a command of one byte or two."""
BEARABLE: Final = 4.0
"""The cost of a block above which other shifts are searched: less than two seeks, there and back."""

RIVALS: Final = 8
"""How many paths are followed at once, and how many new shifts are tried in a block."""
RECENT: Final = 6
"""How many recently used shifts are tried again."""


def runs(new: bytes, old: bytes) -> list[int]:
    """The lengths of the runs of bytes that `new` has in common with `old`, and not, alternating; the first may be 0.

    `old` is as long as `new`, or shorter: the bytes behind it are not in common.
    """
    lengths: list[int] = []
    size: i64 = len(new)
    both: i64 = min(len(old), size)
    at: i64 = 0
    start: i64 = 0
    while at < both:
        while at + 512 <= both and new[at : at + 512] == old[at : at + 512]:
            at += 512
        while at < both and new[at] == old[at]:
            at += 1
        lengths.append(at - start)
        start = at
        while at < both and new[at] != old[at]:
            at += 1
        if at < both:
            lengths.append(at - start)
            start = at
    if not len(lengths) & 1:
        if start == size:
            return lengths
        lengths.append(0)
    if start < size:
        lengths.append(size - start)
    return lengths


def edits(base: bytes, new: bytes, start: i64, stop: i64, shift: i64) -> list[tuple[int, int]]:
    """Start and stop of each run of bytes of `new`, between `start` and `stop`, that `base` has not at this shift."""
    if shift == FRESH:
        return [(start, stop)] if start < stop else []
    low: i64 = min(max(start, -shift), stop)  # between them, the base has a byte for each
    high: i64 = max(min(stop, len(base) - shift), low)
    found: list[tuple[int, int]] = []
    first: i64 = start
    at: i64 = low
    while True:
        while at < high and new[at] != base[at + shift]:
            at += 1
        if at == high:
            break
        if first < at:
            found.append((first, at))
        while at + LEAP <= high and new[at : at + LEAP] == base[at + shift : at + shift + LEAP]:
            at += LEAP
        while at < high and new[at] == base[at + shift]:
            at += 1
        first = at
    if first < stop:
        found.append((first, stop))
    return found


def price(base: bytes, new: bytes, start: i64, stop: i64, shift: i64) -> float:
    """The price of editing the bytes from `start` to `stop`."""
    old: i64 = len(base)
    differ: i64 = 0
    runs: i64 = 0
    equal = True
    opposite: i64 = start + shift
    while start < stop:
        if shift != FRESH and 0 <= opposite < old and new[start] == base[opposite]:
            equal = True
        else:
            differ += 1
            if equal:
                runs += 1
            equal = False
        start += 1
        opposite += 1
    return float(differ) + EDIT * float(runs)


def differs(base: bytes, new: bytes, at: i64, shift: i64) -> bool:
    """Whether the base has not this byte at this shift."""
    return shift == FRESH or at + shift < 0 or at + shift >= len(base) or new[at] != base[at + shift]


def cut(base: bytes, new: bytes, low: i64, high: i64, before: i64, after: i64) -> i64:
    """The cheapest byte, from `low` to `high`, at which to change from the shift `before` to `after`.

    The last of several, since an edit before it may be the rest of one from before `low`.
    """
    best: i64 = high
    least: float = price(base, new, low, high, before)
    at: i64 = high - 1
    while at >= low:
        if (
            at == low
            or (differs(base, new, at, before) and not differs(base, new, at - 1, before))
            or (differs(base, new, at - 1, after) and not differs(base, new, at, after))
        ):
            cost = price(base, new, low, at, before) + price(base, new, at, high, after)
            if cost < least:
                least = cost
                best = at
        at -= 1
    return best


def agreed(base: bytes, new: bytes, at: i64, shift: i64) -> i64:
    """How many bytes from `at` on are known to be equal: a leap, a block or none."""
    if shift == FRESH or at + shift < 0:
        return 0
    length: i64 = LEAP
    while length >= BLOCK:
        block = new[at : at + length]
        if block == base[at + shift : at + shift + length]:
            return len(block)
        length = length // (LEAP // BLOCK)
    return 0


def places(base: bytes, new: bytes, at: i64, index: dict[bytes, int]) -> list[int]:
    """Shifts at which the base has a key that the new save has in the block from `at`; fills the index if empty."""
    if not index:
        key: i64 = (len(base) - KEY) // STRIDE * STRIDE
        while key >= 0:
            index[base[key : key + KEY]] = key  # in the end, its first offset
            key -= STRIDE
    found: list[int] = []
    shifts: list[int] = []
    end: i64 = at + BLOCK
    while at < end and len(found) < RIVALS:
        place = index.get(new[at : at + KEY])
        if place is not None and place not in found:  # if again, it is a pattern: at one shift as good as any
            found.append(place)
            shifts.append(place - at)
        at += 1
    return shifts


def turns(base: bytes, new: bytes, turn: float, literal: Any, index: dict[bytes, int]) -> list[tuple[int, int]]:
    """The byte and the shift of each turn of the cheapest path, accurate to a block.

    The first turn is at 0, to shift 0.  `turn` is the price of each; `literal` is a function that tells that of a block
    of fresh bytes.
    """
    size: i64 = len(new)
    shifts: list[int] = [0]  # of the paths that are followed, cheapest first: where they are, what they cost so far,
    costs: list[float] = [0.0]
    latest: list[int] = [0]  # and their last turn
    at_turn: list[int] = [0]  # of each turn: where, to which shift, and after which
    to_turn: list[int] = [0]
    before_turn: list[int] = [-1]
    recent: list[int] = [len(base) - size]
    at: i64 = 0
    while at < size:
        if len(shifts) == 1:
            equal: i64 = agreed(base, new, at, shifts[0])
            if equal:
                at += equal
                continue
        stop: i64 = min(at + BLOCK, size)
        tried: list[int] = []
        prices: list[float] = []
        least: float = 1e300
        for shift in shifts:
            if shift != FRESH:
                cost: float = price(base, new, at, stop, shift)
                tried.append(shift)
                prices.append(cost)
                least = min(least, cost)
        if least > BEARABLE:
            for shift in recent + places(base, new, at, index):
                if shift not in tried:
                    cost = price(base, new, at, stop, shift)
                    tried.append(shift)
                    prices.append(cost)
                    least = min(least, cost)
        if least > BEARABLE or FRESH in shifts:
            tried.append(FRESH)
            prices.append(literal(new[at:stop]))
        dearest: float = costs[0] + turn
        after: list[int] = []
        totals: list[float] = []
        lasts: list[int] = []
        for nth, shift in enumerate(tried):
            known: i64 = FRESH
            for place, followed in enumerate(shifts):
                if followed == shift:
                    known = place
            if known == FRESH or costs[known] > dearest:
                cost = dearest + prices[nth]
                last: i64 = -1
            else:
                cost = costs[known] + prices[nth]
                last = latest[known]
            rank: i64 = len(after)
            while rank > 0 and totals[rank - 1] > cost:
                rank -= 1
            if rank < RIVALS:
                after.insert(rank, shift)
                totals.insert(rank, cost)
                lasts.insert(rank, last)
        rank = 0
        while rank < len(after) and rank < RIVALS and totals[rank] < totals[0] + turn:
            if lasts[rank] < 0:
                lasts[rank] = len(at_turn)
                at_turn.append(at)
                to_turn.append(after[rank])
                before_turn.append(latest[0])
            rank += 1
        shifts = after[:rank]
        costs = totals[:rank]
        latest = lasts[:rank]
        if shifts[0] != FRESH:
            if shifts[0] in recent:
                recent.remove(shifts[0])
            recent.append(shifts[0])
            if len(recent) > RECENT:
                recent.pop(0)
        at = stop
    found: list[tuple[int, int]] = []
    step: i64 = latest[0]
    while step >= 0:
        found.append((at_turn[step], to_turn[step]))
        step = before_turn[step]
    found.reverse()
    return found
