"""The lines of a NetHack 4 log: where each begins, what kind it is, and what the clock shows after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["BROKEN", "ENTER", "PLAIN", "SAVE", "TIME", "moments", "scan"]

BROKEN: Final = 0
PLAIN: Final = 1
TIME: Final = 2
SAVE: Final = 3
ENTER: Final = 4
_LARGEST: Final = 0x7FFFFFFFFFFFFFFF
_SMALLEST: Final = -0x8000000000000000


def scan(
    data: bytes,
    start: i64,
    until: i64,
    offset: i64,
    classes: bytes,
    enter: bytes,
    numbers: list[int],
    sizes: list[int],
) -> tuple[list[int], list[int], list[int], list[int], list[int]]:
    """The complete lines that begin in `data` from `start` on and before `until`, each with a newline behind it.

    `data` is at this `offset` of the log.  `classes` has what a line is by its kind, which is its first byte, 0 of an
    empty one: one of the above, `ENTER` where it may be the line `enter`.  Gives the offset of each line, and behind
    them where the last one ends; the kind of each; the numbers of the time lines, and what each adds to the clock, as a
    signed number of 64 bits; and the numbers of all other lines that are not plain.  Adds to `numbers` and `sizes` of
    lines by kind.
    """
    starts: list[int] = []
    kinds: list[int] = []
    timed: list[int] = []
    deltas: list[int] = []
    others: list[int] = []
    number: i64 = 0
    at: i64 = start
    while at < until:
        end: i64 = data.find(b"\n", at)
        if end < 0:
            break
        starts.append(offset + at)
        kind: i64 = 0
        if end > at:
            kind = data[at]
        kinds.append(kind)
        numbers[kind] += 1
        sizes[kind] += end + 1 - at
        what: i64 = classes[kind]
        if what == TIME:
            digits: i64 = end - at - 1
            sound = 0 < digits <= 16 and (digits == 1 or data[at + 1] != 48)
            delta: i64 = 0
            i: i64 = at + 1
            while sound and i < end:
                digit: i64 = data[i]
                if 48 <= digit <= 57:
                    digit -= 48
                elif 97 <= digit <= 102:
                    digit -= 87
                else:
                    sound = False
                if digits == 16 and i == at + 1 and digit >= 8:
                    digit -= 16
                delta = delta * 16 + digit
                i += 1
            if sound:
                timed.append(number)
                deltas.append(delta)
            else:
                others.append(number)
        elif what != PLAIN and (what != ENTER or data[at:end] == enter):
            others.append(number)
        number += 1
        at = end + 1
    starts.append(offset + at)
    return starts, kinds, timed, deltas, others


def moments(
    lines: i64, timed: list[int], deltas: list[int], zoned: list[int], zeros: list[int], clock: i64, latest: i64
) -> tuple[list[int], list[int]]:
    """The clock after each of so many lines, and the time that has elapsed then, which never falls; all are signed.

    `clock` and `latest` are these before the first line; `timed` and `deltas` are those of `scan`.  What has elapsed is
    the time since the clock showed one of `zeros`: the last one whose line in `zoned` is not behind it.
    """
    clocks: list[int] = []
    elapsed: list[int] = []
    tick: i64 = 0
    ticks: i64 = len(timed)
    zone: i64 = 0
    changes: i64 = len(zoned)
    line: i64 = 0
    zero: i64 = zeros[0]
    due: i64 = -1
    if ticks > 0:
        due = timed[0]
    while line < lines:
        if line == due:
            while zone + 1 < changes and zoned[zone + 1] <= line:
                zone += 1
                zero = zeros[zone]
            delta: i64 = deltas[tick]
            clock = _sum(clock, delta)
            passed: i64 = _difference(clock, zero)
            if passed > latest:
                latest = passed
            tick += 1
            due = -1
            if tick < ticks:
                due = timed[tick]
        clocks.append(clock)
        elapsed.append(latest)
        line += 1
    return clocks, elapsed


def _sum(one: i64, other: i64) -> i64:
    """Of 64 bits; what is beyond them is lost."""
    if other >= 0:
        if one > _LARGEST - other:
            return (one + _SMALLEST) + (other + _SMALLEST)
    elif one < _SMALLEST - other:
        return (one - _SMALLEST) + (other - _SMALLEST)
    return one + other


def _difference(one: i64, other: i64) -> i64:
    """Of 64 bits; what is beyond them is lost."""
    if other <= 0:
        if one > _LARGEST + other:
            return (one + _SMALLEST) - (other - _SMALLEST)
    elif one < _SMALLEST + other:
        return (one - _SMALLEST) - (other + _SMALLEST)
    return one - other
