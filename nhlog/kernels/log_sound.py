"""The lines of a log that are as they have to be: whoever checks a log looks at the others one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nhlog.kernels import log_lines, log_saves, mdiff_decode
from nhlog.kernels.checksum import UNKNOWN, replaced

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["passed"]

LETTERS: Final = 16  # of an ordinary command's name
DIGITS: Final = 16  # of a time
DIRECTION: Final = 68  # D, which an answer begins with, and one of a command's arguments
LIMIT: Final = 76  # L, which another begins with


def passed(
    data: bytes,
    at: i64,
    save: bytearray,
    crc: i64,
    clock: i64,
    turn: i64,
    rules: log_saves.Rules,
    splice: i64,
    byte: i64,
) -> tuple[int, int, int, int, int, int, bool]:
    """Pass over lines of which nothing is to be said: ordinary inputs, each with its time; times; and sound diffs.

    The diffs are applied to `save`, which has this `crc` (-1 if none is known: then no diff is passed).  Each has the
    checksum of what it makes; where it replaces a few bytes that is found from the one of the save before, if that is
    quicker than a look at all bytes: a splice and a replaced byte cost as much as so many bytes of it.

    Gives where the next line begins, the numbers of lines and saves that were passed, and the checksum of the save,
    clock there and the turn of the last save.  And whether that is odd, though it is sound: then it has another clock
    than the log, or one that is negative, or an earlier turn than the one before it, whose turn is given instead.
    """
    lines: i64 = 0
    saves: i64 = 0
    odd = False
    size: i64 = len(data)
    while at < size and not odd:
        kind: i64 = data[at]
        if kind == log_saves.DIFF:
            if crc < 0:
                break
            end: i64 = data.find(b"\n", at)
            diff = log_saves.payload(data, at + 1, end, rules)
            if not diff:
                break
            after: i64 = applied(save, crc, diff, rules, splice, byte)
            if after < 0:
                break
            crc = after
            head = bytes(save[: log_saves.LEAST])
            if log_saves.tells(head, rules):
                odd = clock < 0 or log_saves.clock(head) != clock or log_saves.turn(head) < turn
                if not odd:
                    turn = log_saves.turn(head)
            saves += 1
            lines += 1
            at = end + 1
            continue
        time: i64 = at if kind == log_lines.PLUS else after_input(data, at, size)
        if time < 0 or time >= size or data[time] != log_lines.PLUS:
            break
        close: i64 = time + 1
        while close < size and data[close] != 10 and close - time <= DIGITS:
            close += 1
        if close >= size or data[close] != 10:
            break
        sound, delta = log_lines.delta_of(data, time + 1, close)
        if not sound:
            break
        clock = log_lines.sum_of(clock, delta)
        lines += 1 if time == at else 2
        at = close + 1
    return at, lines, saves, crc, clock, turn, odd


def after_input(data: bytes, at: i64, size: i64) -> i64:
    """Where the line after an ordinary input begins, or -1.

    An ordinary input is a name, which a direction or a limit may follow, or a direction.
    """
    end: i64 = at
    while end < size and (97 <= data[end] <= 122 or (end > at and 48 <= data[end] <= 57)):
        end += 1
    if end == at:
        if data[at] != DIRECTION or not digit(data, at + 1, size):
            return -1
        end = at + 2
    elif end - at > LETTERS:
        return -1
    elif end + 2 < size and data[end] == 32 and (data[end + 1] == DIRECTION or data[end + 1] == LIMIT):
        if not digit(data, end + 2, size):
            return -1
        end += 3
    return end + 1 if end < size and data[end] == 10 else -1


def digit(data: bytes, at: i64, size: i64) -> bool:
    """Whether one is there."""
    return at < size and 48 <= data[at] <= 57


def applied(save: bytearray, crc: i64, diff: bytes, rules: log_saves.Rules, splice: i64, byte: i64) -> i64:
    """Change the save, which has this `crc`, to the one that the diff makes of it; its checksum, or -1.

    Then the diff is damaged, or has no checksum or not that of what it makes, and the save stays as it was.
    """
    found = mdiff_decode.splices(diff, save, rules.most + 1, rules.most, rules.most_commands)
    if found is None or found[3] < 0:
        return UNKNOWN
    starts, ends, pieces, wanted = found
    mdiff_decode.join_moved(save, starts, ends, pieces)
    cost: i64 = splice * len(pieces)
    for piece in pieces:
        cost += byte * len(piece)
    after: i64 = replaced(crc, save, starts, ends, pieces) if cost <= len(save) else UNKNOWN
    if after == UNKNOWN:
        made = mdiff_decode.spliced(bytes(save), starts, ends, pieces)
        after = rules.checksum(made)
        if after != wanted:
            return UNKNOWN
        save[:] = made
        return after
    if after != wanted:
        return UNKNOWN
    for nth, piece in enumerate(pieces):
        save[starts[nth] : ends[nth]] = piece
    return after
