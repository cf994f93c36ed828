"""Beta3 diffs written: the bytes of commands, and which of them the reference encoder takes.

`places` is the order of the commands as a number: five bits for the place of each command, the lowest ones for the
first.  The last two never move and are left out: eof_crc32 comes once, at the end, and rle never.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nhlog.kernels.mdiff_decode import (
    ARG2,
    BITS,
    CODES,
    COORD,
    COPY,
    COPYEDIT,
    COPYEDIT1,
    EDIT,
    EOF_CRC32,
    ERASE,
    INCREMENT,
    LEAST,
    SEEK,
    UNIT,
    WIDER,
    WIDTHS,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

PLACES: Final = 0x128398A418820
"""The order at the start of a diff: each command at the place of its number."""
ONES: Final = 0x210842108421
GUARDS: Final = 0x2108421084210

HINT_BONUS: Final = 2  # bytes by which a coord may be longer where a coordinate was hinted
STEPS: Final = bytes((1, 0, 7, 2, 8, 6, 3, 4, 5))
NO_STEP: Final = 8
"""The direction of a step, by 3 * (dx + 1) + dy + 1."""


def first(places: i64, command: i64) -> i64:
    """The places after the command was moved to the front, past those before it."""
    place: i64 = places >> 5 * command & 31
    after: i64 = (places | GUARDS) - place * ONES & GUARDS
    return places + ((after ^ GUARDS) >> 4) - (place << 5 * command)


def form(places: i64, command: i64, arg1: i64) -> tuple[i64, i64, i64, i64]:
    """The shortest form that holds arg1: the number of prefixes, all codes, their bits, and the bits of arg1."""
    place: i64 = command if command >= EOF_CRC32 else places >> 5 * command & 31
    needed: i64 = arg1
    if command == SEEK:  # has a sign bit; like C, it does not use the most negative number of a width
        needed = -2 * arg1 if arg1 < 0 else 2 * arg1
    code: i64 = CODES[place]
    bits: i64 = BITS[place]
    width: i64 = WIDTHS[8 * command + bits]
    if needed >> width == 0:
        return 0, code, bits, width
    before: i64 = places >> 5 * WIDER & 31
    if place < before:
        place += 1
    wider: i64 = 0
    prefix: i64 = CODES[before]
    bits = BITS[place]
    code = CODES[place]
    shift: i64 = bits
    bits += BITS[before]
    while True:
        wider += 1
        width = 8 * wider + LEAST[command]
        width += -(bits + ARG2[command] + width) & 7
        if needed >> width == 0:
            return wider, prefix << shift | code, bits, width
        bits += 2  # the prefix is in front now: its code is 00
        shift += 2


def size(places: i64, command: i64, arg1: i64) -> i64:
    """The bytes of a command, its prefixes included, its data not."""
    _, _, bits, width = form(places, command, arg1)
    return bits + ARG2[command] + width >> 3


def write(out: bytearray, places: i64, command: i64, arg1: i64, arg2: i64) -> i64:
    """Appends the bytes of a command, without data; returns the places after it."""
    wider, code, bits, width = form(places, command, arg1)
    code = code << ARG2[command] | arg2
    shift: i64 = bits + ARG2[command] + width
    while shift > 0:
        shift -= 8
        out.append(octet(code, arg1, width, shift))
    if wider:
        places = first(places, WIDER)
    return places if command >= EOF_CRC32 else first(places, command)


def octet(code: i64, arg1: i64, width: i64, shift: i64) -> i64:
    """A command's byte before the last `shift` bits: of codes and arg2, of the `width` bits of arg1, or of both."""
    if shift >= width:
        return code >> (shift - width) & 255
    if shift + 8 <= width:
        return arg1 >> shift & 255
    return (code << (width - shift) | (arg1 - (arg1 >> width << width)) >> shift) & 255


def step(dx: i64, dy: i64) -> i64:
    """The direction in which coord adds this to x and y, both mod 256; NO_STEP if there is none."""
    dx = dx + 1 & 255
    dy = dy + 1 & 255
    return STEPS[3 * dx + dy] if dx < 3 and dy < 3 else NO_STEP


def scan(
    out: bytearray,
    new: bytes,
    base: bytes,
    lengths: list[int],
    pending: tuple[i64, i64],
    position: i64,
    opposite: i64,
    hinted: i64,
    moved: tuple[i64, i64],
) -> tuple[i64, i64, i64, i64]:
    """Writes the commands of the reference encoder for the runs of bytes in `new`, but for the last one.

    `pending` has the numbers of copies and edits that are not written yet; the edits are the first bytes of `new`, and
    the runs are those behind them, of which the first is at `position` in the save, opposite to `opposite` in the base.
    `moved` has the places of the commands and the anchor.  Returns both pairs as they are at the end.
    """
    copies, edits = pending
    places, anchor = moved
    at: i64 = edits
    equal = True
    for length in lengths:
        count: i64 = length
        if not equal:
            edits += count
        elif count:
            if edits:
                places, anchor = flush(out, new, at, base, opposite, copies, edits, position, hinted, places, anchor)
                copies = edits = 0
            copies += count
        at += count
        position += count
        opposite += count
        equal = not equal
    return copies, edits, places, anchor


def flush(
    out: bytearray,
    new: bytes,
    at: i64,
    base: bytes,
    opposite: i64,
    copies: i64,
    edits: i64,
    position: i64,
    hinted: i64,
    places: i64,
    anchor: i64,
) -> tuple[i64, i64]:
    """Writes copies and the edits after them, which end at `at` in `new`; returns the new places and anchor.

    Of the candidates it takes the first of the cheapest (spec 5.4).  That copyedit1 is not charged for its data byte is
    a mistake of the C code that its output depends on.  What C charges every run but erase at the end of a diff (E7) is
    omitted: erase is always cheaper than the others, and copies alone always belong to eof_crc32.
    """
    start: i64 = position - edits - copies
    command: i64 = EDIT
    number: i64 = edits - 1
    arg2: i64 = 0
    copied: i64 = copies  # by a copy before the command; 0 for none
    best: i64 = edits
    if copies:
        best += size(places, COPY, copies)
    if edits:
        best += size(places, EDIT, edits - 1)
    if 1 <= edits <= 4:
        cost: i64 = edits + size(places, COPYEDIT, copies)
        if cost <= best:  # which C tries before
            best, command, number, arg2, copied = cost, COPYEDIT, copies, edits - 1, 0
    if 3 <= edits <= 10:
        nth: i64 = at - edits
        while nth < at and new[nth] == 0:
            nth += 1
        if nth == at:
            cost = size(places, ERASE, copies)
            if cost < best:
                best, command, number, arg2, copied = cost, ERASE, copies, edits - 3, 0
    if 1 <= edits <= 2 and opposite <= len(base):
        before: i64 = copies
        target: i64 = position - edits
        dx: i64 = new[at - edits] - base[opposite - edits] & 255
        dy: i64 = 0
        increased = edits == 1 and dx == 1
        if edits == 2:
            dy = new[at - 1] - base[opposite - 1] & 255
        elif copies and hinted != target and (target - anchor) % UNIT != 0:
            before -= 1
            target -= 1
            dy = dx
            dx = 0
        direction: i64 = step(dx, dy)
        if direction != NO_STEP:
            extra: i64 = -HINT_BONUS if hinted == target else 0
            units: i64 = before // UNIT
            rest: i64 = before % UNIT
            coord: i64 = extra + size(places, COORD, units)
            if (target - anchor) % UNIT == 0 and coord < best:
                best, command, number, arg2, copied = coord, COORD, units, direction, 0
            if rest:
                cost = coord + size(places, COPY, rest)
                if cost < best:
                    best, command, number, arg2, copied = cost, COORD, units, direction, rest
            if units:
                cost = extra + size(places, COPY, UNIT + rest) + size(places, COORD, units - 1)
                if cost < best:
                    best, command, number, arg2, copied = cost, COORD, units - 1, direction, UNIT + rest
        if increased:
            cost = size(places, INCREMENT, copies)
            if cost < best:
                best, command, number, arg2, copied = cost, INCREMENT, copies, 0, 0
    if edits == 1:
        cost = size(places, COPYEDIT1, copies)
        if cost < best:
            command, number, arg2, copied = COPYEDIT1, copies, 0, 0
    if copied:
        places = write(out, places, COPY, copied, 0)
        anchor = start + copied
    if edits or command != EDIT:
        places = write(out, places, command, number, arg2)
    if command in (COPYEDIT, EDIT, COPYEDIT1):
        out += new[at - edits : at]
    return places, anchor
