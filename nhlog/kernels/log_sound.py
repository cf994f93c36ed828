"""The lines of a log that are as they have to be: whoever checks a log looks at the others one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nhlog.kernels import log_lines, log_saves, mdiff_pages

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["passed"]

LETTERS: Final = 16  # of an ordinary command's name
DIGITS: Final = 16  # of a time
DECIMALS: Final = 10  # of a number
WORD: Final = 8  # hexadecimal digits of what is chosen in a menu

NEWLINE: Final = 10
SPACE: Final = 32
COMMA: Final = 44
MINUS: Final = 45
ZERO: Final = 48
COLON: Final = 58
SMALL_A: Final = 97
SMALL_Z: Final = 122
CANCELLED: Final = 33
"""``!``, instead of what is chosen."""
PICKED: Final = b".,:;"
"""How a place is chosen: the last byte of the answer."""
FAR: Final = (b"10", b"-1")
"""The directions that have two characters."""

DIRECTION: Final = 68
KEY: Final = 75
LETTER: Final = 89
MENU: Final = 77
OBJECTS: Final = 79
PLACE: Final = 80
TEXT: Final = 76
"""The first bytes of answers: ``D``, ``K``, ``Y``, ``M``, ``O``, ``P`` and ``L``."""
NUMBER: Final = 76
ITEM: Final = 73
SPELL: Final = 83
TEXT_ARGUMENT: Final = 84
"""The first bytes of a command's arguments: ``L``, ``I``, ``S`` and ``T``; the others are as in answers."""


def passed(
    data: bytes,
    at: i64,
    pages: list[bytes],
    crc: i64,
    clock: i64,
    turn: i64,
    rules: log_saves.Rules,
) -> tuple[int, int, int, int, int, int, bool]:
    """Pass over lines of which nothing is to be said: ordinary inputs, each with its time; times; and sound diffs.

    The diffs are applied to the save in these pages, which has this `crc` (-1 if none is known: then no diff is
    passed).  Each has the checksum of what it makes.

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
            after: i64 = mdiff_pages.applied(pages, crc, diff, rules)
            if after < 0:
                break
            crc = after
            head = pages[0]
            if log_saves.tells(head, rules):
                odd = clock < 0 or log_saves.clock(head) != clock or log_saves.turn(head) < turn
                if not odd:
                    turn = log_saves.turn(head)
            saves += 1
            lines += 1
            at = end + 1
            continue
        time: i64 = at if kind == log_lines.PLUS else after_input(data, at, size, rules)
        if time < 0 or time >= size or data[time] != log_lines.PLUS:
            break
        close: i64 = time + 1
        while close < size and data[close] != NEWLINE and close - time <= DIGITS:
            close += 1
        if close >= size or data[close] != NEWLINE:
            break
        sound, delta = log_lines.delta_of(data, time + 1, close)
        if not sound:
            break
        clock = log_lines.sum_of(clock, delta)
        lines += 1 if time == at else 2
        at = close + 1
    return at, lines, saves, crc, clock, turn, odd


def after_input(data: bytes, at: i64, size: i64, rules: log_saves.Rules) -> i64:
    """Where the line after an input begins of which nothing is to be said, or -1: most commands, and most answers."""
    kind: i64 = data[at]
    if SMALL_A <= kind <= SMALL_Z:
        end = after_command(data, at, size, rules)
    elif kind == TEXT:
        end = after_text(data, at + 1, size, rules)
    elif kind == LETTER:
        end = at + 2 if at + 1 < size and data[at + 1] != NEWLINE else -1
    elif kind in (MENU, OBJECTS):
        end = after_menu(data, at + 1, size, kind == OBJECTS)
    elif kind == KEY:
        end = after_number(data, at + 1, size)
        if 0 <= end < size and data[end] == COMMA:
            end = after_number(data, end + 1, size)
    elif kind == PLACE:
        end = after_place(data, at + 1, size)
        if end < 0:
            end = at + 2 if at + 1 < size and data[at + 1] == CANCELLED else -1
        else:
            end = end + 1 if end < size and data[end] in PICKED else -1
    elif kind == DIRECTION:
        end = after_number(data, at + 1, size)
        if end > at + 2 and data[at + 1 : end] not in FAR:
            return -1
    else:
        return -1
    return end + 1 if 0 <= end < size and data[end] == NEWLINE else -1


def after_command(data: bytes, at: i64, size: i64, rules: log_saves.Rules) -> i64:
    """Where a command ends, a name and its arguments, or -1."""
    end: i64 = at
    while end < size and (SMALL_A <= data[end] <= SMALL_Z or digit(data, end, size)):
        end += 1
    if end - at > LETTERS:
        return -1
    while end >= 0 and end + 1 < size and data[end] == SPACE:
        kind: i64 = data[end + 1]
        if kind in (DIRECTION, NUMBER, KEY):
            end = after_number(data, end + 2, size)
        elif kind == PLACE:
            end = after_place(data, end + 2, size)
        elif kind in (ITEM, SPELL):
            end = end + 3 if end + 2 < size and data[end + 2] != NEWLINE else -1
        elif kind == TEXT_ARGUMENT:
            end = after_text(data, end + 2, size, rules)
        else:
            return -1
    return end


def after_number(data: bytes, at: i64, size: i64) -> i64:
    """Where a decimal number of up to ten digits ends, which may be negative, or -1."""
    if at + 1 < size and data[at] == MINUS and data[at + 1] != ZERO:
        at += 1
    if not digit(data, at, size):
        return -1
    if data[at] == ZERO:
        return at + 1
    end: i64 = at + 1
    while digit(data, end, size):
        end += 1
    return end if end - at <= DECIMALS else -1


def after_place(data: bytes, at: i64, size: i64) -> i64:
    """Where two numbers end with a comma between them, or -1."""
    at = after_number(data, at, size)
    return after_number(data, at + 1, size) if 0 <= at < size and data[at] == COMMA else -1


def after_menu(data: bytes, at: i64, size: i64, counted: bool) -> i64:
    """Where the ids that were chosen of a menu end, each with a count if it is one of objects, or -1."""
    if at < size and (data[at] == NEWLINE or data[at] == CANCELLED):
        return at if data[at] == NEWLINE else at + 1
    while True:
        end: i64 = at
        while end < size and (digit(data, end, size) or 97 <= data[end] <= 102):
            end += 1
        if end == at or end - at > WORD or (data[at] == ZERO and end > at + 1):
            return -1
        if counted and end < size and data[end] == COMMA:
            if end + 1 < size and data[end + 1] == MINUS:
                return -1
            end = after_number(data, end + 1, size)
        if end < 0 or end >= size or data[end] != COLON:
            return end
        at = end + 1


def after_text(data: bytes, at: i64, size: i64, rules: log_saves.Rules) -> i64:
    """Where a text ends that can be decoded, or -1."""
    end: i64 = at
    while end < size and data[end] != SPACE and data[end] != NEWLINE:
        end += 1
    return -1 if log_saves.payload(data, at, end, rules) is None else end


def digit(data: bytes, at: i64, size: i64) -> bool:
    """Whether one is there."""
    return at < size and ZERO <= data[at] <= 57
