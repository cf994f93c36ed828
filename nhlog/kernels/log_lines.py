"""The lines of a NetHack 4 log: one walk over all of them; and where each begins, and its moment, where that is asked.

The walk is the first reading of a log.  It keeps no number for each line: a list of them, as Python has it, costs five
times as much as to find the line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from nhlog.kernels import log_saves

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["BROKEN", "ENTER", "PLAIN", "PLUS", "SAVE", "TIME", "delta_of", "moments", "sum_of", "walk"]

BROKEN: Final = 0
PLAIN: Final = 1
TIME: Final = 2
SAVE: Final = 3
ENTER: Final = 4
PLUS: Final = 43
"""The first byte of a time line."""
_SECOND: Final = 1_000_000
_LARGEST: Final = 0x7FFFFFFFFFFFFFFF
_SMALLEST: Final = -0x8000000000000000


def walk(
    data: bytes,
    start: i64,
    until: i64,
    classes: bytes,
    enter: bytes,
    near: i64,
    rules: log_saves.Rules,
    numbers: list[int],
    sizes: list[int],
    first: i64,
    begun: i64,
    zone: i64,
    clock: i64,
    latest: i64,
    turn: i64,
    head: bytes,
    other: Any,
) -> tuple[int, list[int], int, int, int, bytes, list[int], list[int], list[int], list[int]]:
    """Pass over the complete lines that begin in `data` from `start` on and before `until`, each with its newline.

    `classes` has what a line is by its kind, which is its first byte, 0 of an empty one: one of the above, `ENTER`
    where it may be the line `enter`.  The first `near` bytes of a line are searched one by one for its end.

    `first` is the number of the first of them; `clock` and `latest` are the clock and the time that has elapsed before
    it, `zone` is the zone that counts there, for a log whose clock began at `begun`; `turn` is that of the save before,
    which begins with `head`.

    Gives where the last line ends, the kind of each, the number of the first time line (-1 for none), and clock,
    elapsed time and head after the last one; the lines of saves, and the turn of each: of one that tells none, that
    before it; and the lines from which on another zone counts, and these zones.  Adds to `numbers` and `sizes` of lines
    by kind.

    What is no sound diff, and no plain line or time, is given to `other`: its number, how many of the saves came before
    it, the line, and the head.  It returns the next head.
    """
    kinds: list[int] = []
    saves: list[int] = []
    turns: list[int] = []
    zoned: list[int] = []
    zones: list[int] = []
    zero: i64 = sum_of(begun, zone * _SECOND)
    timed: i64 = -1
    pluses: i64 = 0
    plus_bytes: i64 = 0
    diffs: i64 = 0
    diff_bytes: i64 = 0
    number: i64 = first
    size: i64 = len(data)
    at: i64 = start
    while at < until:
        end: i64 = at
        close: i64 = at + near if at + near < size else size
        while end < close and data[end] != 10:
            end += 1
        if end == close:
            end = data.find(b"\n", end)
            if end < 0:
                break
        kind: i64 = 0
        if end > at:
            kind = data[at]
        kinds.append(kind)
        if kind == PLUS:  # most lines are of these two kinds: an item of a list takes as long as all of a short line
            pluses += 1
            plus_bytes += end + 1 - at
        elif kind == log_saves.DIFF:
            diffs += 1
            diff_bytes += end + 1 - at
        else:
            numbers[kind] += 1
            sizes[kind] += end + 1 - at
        what: i64 = classes[kind]
        if what == TIME:
            sound, delta = delta_of(data, at + 1, end)
            if sound:
                if timed < 0:
                    timed = number
                clock = sum_of(clock, delta)
                passed: i64 = _difference(clock, zero)
                if passed > latest:
                    latest = passed
            else:
                head = other(number, 0, data[at:end], head)
        elif what == SAVE:
            known = log_saves.next_head(data, at, end, head, rules.size, rules)
            head = other(number, len(saves), data[at:end], head) if known is None else known
            saves.append(number)
            if log_saves.tells(head, rules):
                turn = log_saves.turn(head)
                told: i64 = log_saves.zone(head)
                if told != zone:
                    zone = told
                    zero = sum_of(begun, zone * _SECOND)
                    zoned.append(number)
                    zones.append(zone)
            turns.append(turn)
        elif what != PLAIN and (what != ENTER or data[at:end] == enter):
            head = other(number, 0, data[at:end], head)
        number += 1
        at = end + 1
    numbers[PLUS] += pluses
    sizes[PLUS] += plus_bytes
    numbers[log_saves.DIFF] += diffs
    sizes[log_saves.DIFF] += diff_bytes
    return at, kinds, timed, clock, latest, head, saves, turns, zoned, zones


def moments(
    data: bytes, offset: i64, zoned: list[int], zeros: list[int], clock: i64, latest: i64
) -> tuple[list[int], list[int], list[int]]:
    """Where each line of `data` begins, the clock after it, and the time that has elapsed then, which never falls.

    `data` is at this `offset` of the log; all are complete lines, and behind the last one stands where it ends.  Clocks
    and times are signed; `clock` and `latest` are these before the first line.  What has elapsed is the time since the
    clock showed one of `zeros`: the last one whose line in `zoned` is not behind it.
    """
    starts: list[int] = []
    clocks: list[int] = []
    elapsed: list[int] = []
    zone: i64 = 0
    changes: i64 = len(zoned)
    zero: i64 = zeros[0]
    line: i64 = 0
    at: i64 = 0
    while True:
        starts.append(offset + at)
        end: i64 = data.find(b"\n", at)
        if end < 0:
            break
        if data[at] == PLUS:
            sound, delta = delta_of(data, at + 1, end)
            if sound:
                while zone + 1 < changes and zoned[zone + 1] <= line:
                    zone += 1
                    zero = zeros[zone]
                clock = sum_of(clock, delta)
                passed: i64 = _difference(clock, zero)
                if passed > latest:
                    latest = passed
        clocks.append(clock)
        elapsed.append(latest)
        line += 1
        at = end + 1
    return starts, clocks, elapsed


def delta_of(data: bytes, at: i64, end: i64) -> tuple[bool, i64]:
    """Whether a time line whose digits are there is one, and what it adds to the clock, as a signed number."""
    digits: i64 = end - at
    delta: i64 = 0
    if not 0 < digits <= 16 or (digits > 1 and data[at] == 48):
        return False, delta
    i: i64 = at
    while i < end:
        digit: i64 = data[i]
        if 48 <= digit <= 57:
            digit -= 48
        elif 97 <= digit <= 102:
            digit -= 87
        else:
            return False, delta
        if digits == 16 and i == at and digit >= 8:
            digit -= 16
        delta = delta * 16 + digit
        i += 1
    return True, delta


def sum_of(one: i64, other: i64) -> i64:
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
