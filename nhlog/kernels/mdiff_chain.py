"""A chain of diffs as one: the last of its saves, and none of those between.

It is read from its last diff back.  Of what an earlier diff writes only that counts which the later ones keep, and most
is written again and again: the turn, the clock, where the hero stands.  So nothing is copied but what is in the last
save.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nhlog.kernels.mdiff_decode import (
    COORD,
    COPY,
    DX,
    DY,
    EOF_CRC32,
    ERASE,
    INCREMENT,
    NOTHING,
    ORDER,
    SEEK,
    UNIT,
    ZEROS,
    step,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["composed"]

BEGIN: Final = 2  # bytes of a diff before its first command
NO_CRC: Final = -1
LAST: Final = 1 << 62  # behind all places
MOST: Final = 1 << 13  # ranges that are ever made: they stand in a list, into the middle of which others are put


class Wanted:
    """Bytes that the last save has at `to`: those of an earlier save at `at`, each with `plus` added.

    `other` are the same bytes once more, for another place of the last save.
    """

    def __init__(self, at: i64, size: i64, to: i64, plus: i64) -> None:
        self.at: i64 = at
        self.size: i64 = size
        self.to: i64 = to
        self.plus: i64 = plus
        self.other: Wanted | None = None


class Wants:
    """What is wanted of a save: `ranges`, in their order, of which no two overlap; what was `found`, by its place.

    `made` is how many there ever were.
    """

    def __init__(self, size: i64) -> None:
        self.ranges: list[Wanted] = []
        self.found: dict[int, bytes] = {}
        self.made: i64 = 0
        if size:
            self.ranges.append(Wanted(0, size, 0, 0))


def composed(diffs: list[bytes], base: bytes, most: i64, most_commands: i64) -> tuple[int, bytes, int]:
    """How many diffs are read as one, from the first on; the save that they make of `base`; the CRC of the last one.

    All together have at most `most_commands` commands, and none makes more than `most` bytes.  The first that is left
    is for who reads one at a time: it is damaged, or rare, as one without a CRC.  None are read where their saves are
    made of too many ranges: of fewer of them they may be fewer.
    """
    size: i64 = len(base)
    crc: i64 = NO_CRC
    number: i64 = 0
    commands: i64 = most_commands
    for diff in diffs:
        made, sum_made, commands = measured(diff, size, most, commands)
        if made == NOTHING:
            break
        size = made
        crc = sum_made
        number += 1
    wants = Wants(size)
    nth: i64 = number
    while nth > 0:
        nth -= 1
        look_before(diffs[nth], wants)
        if wants.made > MOST:
            return 0, base, NO_CRC
    for one in wants.ranges:
        take(base, one.at, one, one.size, wants.found)
    return number, b"".join([wants.found[place] for place in sorted(wants.found)]), crc


def measured(diff: bytes, old: i64, most: i64, commands: i64) -> tuple[i64, i64, i64]:
    """The bytes of the save that a diff makes of one of `old` bytes, its CRC, and how many `commands` are left then.

    `NOTHING` for a diff that is left to others.
    """
    size: i64 = len(diff)
    if size < BEGIN or diff[0] != 1 or diff[1] != 0x43:
        return NOTHING, NO_CRC, 0
    at: i64 = BEGIN
    order: i64 = ORDER
    position: i64 = 0  # in the base
    length: i64 = 0  # of the save
    anchor: i64 = 0
    while commands > 0:
        commands -= 1
        command, copy, added, arg2, at, order = step(diff, at, order, True, False)
        if command == SEEK:
            position -= copy
            continue
        at += added
        if command == NOTHING or command > EOF_CRC32 or at > size:
            break
        read: i64 = 0  # bytes behind the copy
        if command == COPY:
            anchor = length + copy
        elif command == COORD:
            copy = copy * UNIT + (anchor - length) % UNIT
            added = read = 2 if DY[arg2 & 7] else 1
        elif command == ERASE:
            added = (arg2 & 7) + 3
        elif command == INCREMENT:
            added = read = 1
        if copy + read and (position < 0 or position + copy + read > old):
            break
        position += copy + added
        length += copy + added
        if length > most:
            break
        if command == EOF_CRC32:
            return length, arg2 & 0xFFFFFFFF, commands
    return NOTHING, NO_CRC, 0


def look_before(diff: bytes, wants: Wants) -> None:
    """Want of the save before a diff, which was measured, what is wanted of the one that it makes, and find the rest.

    Copies in the order of the base only shift what is wanted.  What others copy is taken aside until the end.
    """
    at: i64 = BEGIN
    order: i64 = ORDER
    position: i64 = 0  # in the save before
    length: i64 = 0  # of the one that is made
    anchor: i64 = 0
    kept: i64 = 0  # the end of the last copy in order
    nth: i64 = 0  # the ranges before it are at their places in the save before
    shift: i64 = 0  # of those from there on
    ahead: i64 = start(wants, nth)  # before it nothing more is wanted: most of what is written is not
    aside: list[Wanted] = []
    while True:
        command, copy, added, arg2, at, order = step(diff, at, order, True, False)
        if command == SEEK:
            position -= copy
            continue
        first: i64 = 0  # what is added to the byte behind the copy
        second: i64 = 0  # and to the next one
        read: i64 = 0
        if command == COPY:
            anchor = length + copy
        elif command == COORD:
            copy = copy * UNIT + (anchor - length) % UNIT
            first = DX[arg2 & 7]
            second = DY[arg2 & 7]
            read = 2 if second else 1
        elif command == INCREMENT:
            first = 1
            read = 1
        reach: i64 = copy + read
        if reach:
            if position < kept:
                if ahead < length + reach:
                    nth = passed(wants, nth, length, shift)
                    take_aside(wants, nth, length, reach, position, aside, first, second)
                    ahead = start(wants, nth)
            else:
                if position - length != shift:
                    if ahead < length:
                        nth = passed(wants, nth, length, shift)
                        ahead = start(wants, nth)
                    shift = position - length
                kept = position + reach
                if read and ahead < length + reach:
                    nth = passed(wants, nth, length + copy, shift)
                    add_to(wants, nth, length + copy, first)
                    if second:
                        nth = passed(wants, nth, length + copy + 1, shift)
                        add_to(wants, nth, length + copy + 1, second)
                    ahead = start(wants, nth)
            position += reach
            length += reach
        if command == EOF_CRC32:
            break
        if command == ERASE:
            added = (arg2 & 7) + 3
        if added:
            if ahead < length + added:
                nth = passed(wants, nth, length, shift)
                if command == ERASE:
                    find(wants, nth, length, ZEROS[added], 0, added)
                else:
                    find(wants, nth, length, diff, at, added)
                ahead = start(wants, nth)
            position += added
            length += added
            if command != ERASE:
                at += added
    passed(wants, nth, length, shift)
    for one in aside:
        want(wants, one)


def start(wants: Wants, nth: i64) -> i64:
    """Where the `nth` range begins; behind all places if there is none."""
    return wants.ranges[nth].at if nth < len(wants.ranges) else LAST


def passed(wants: Wants, nth: i64, place: i64, shift: i64) -> i64:
    """Move the ranges before a place, from the `nth` on, and return the first behind it; one at both is parted."""
    ranges = wants.ranges
    low: i64 = nth
    if shift:
        last: i64 = len(ranges)
        while low < last and ranges[low].at < place:
            low += 1
    else:
        low = behind(ranges, nth, place)
    if low > nth:
        part(wants, low - 1, place)
    if shift:
        while nth < low:
            ranges[nth].at += shift
            nth += 1
    return low


def behind(ranges: list[Wanted], low: i64, place: i64) -> i64:
    """Which is the first from `low` on that begins at a place or behind it; it is likely to be near."""
    last: i64 = len(ranges)
    stride: i64 = 1
    while low + stride <= last and ranges[low + stride - 1].at < place:
        low += stride
        stride += stride
    high: i64 = low + stride - 1
    if high > last:
        high = last
    while low < high:
        middle: i64 = low + high >> 1
        if ranges[middle].at < place:
            low = middle + 1
        else:
            high = middle
    return low


def part(wants: Wants, nth: i64, place: i64) -> None:
    """Make two of a range that begins before a place and ends behind it."""
    one = wants.ranges[nth]
    if one.at + one.size > place:
        wants.ranges.insert(nth + 1, cut(wants, one, place - one.at))


def cut(wants: Wants, one: Wanted, size: i64) -> Wanted:
    """Shorten a range to so many bytes, and return the rest."""
    at: i64 = one.at + size
    rest = Wanted(at, one.size - size, one.to + size, one.plus)
    one.size = size
    wants.made += 1
    last = rest
    other = one.other
    while other is not None:
        last.other = Wanted(at, other.size - size, other.to + size, other.plus)
        last = last.other
        other.size = size
        wants.made += 1
        other = other.other
    return rest


def add_to(wants: Wants, nth: i64, place: i64, plus: i64) -> None:
    """Add to one byte, if it is wanted: then it is the first of the `nth`."""
    if nth < len(wants.ranges) and wants.ranges[nth].at == place:
        part(wants, nth, place + 1)
        raise_by(wants.ranges[nth], plus)


def raise_by(one: Wanted, plus: i64) -> None:
    """Have that added to the bytes, for all of their places."""
    more: Wanted | None = one
    while more is not None:
        more.plus += plus
        more = more.other


def find(wants: Wants, nth: i64, place: i64, data: bytes, start: i64, size: i64) -> None:
    """Take what is wanted of some bytes from a place on from data; the `nth` range is the first that may be there."""
    ranges = wants.ranges
    last: i64 = nth
    end: i64 = place + size
    while last < len(ranges) and ranges[last].at < end:
        part(wants, last, end)
        one = ranges[last]
        take(data, start + one.at - place, one, one.size, wants.found)
        last += 1
    if last > nth:
        del ranges[nth:last]


def take(data: bytes, start: i64, one: Wanted, size: i64, found: dict[int, bytes]) -> None:
    """Take the bytes of a range from data, for all of their places."""
    piece = data[start : start + size]
    other: Wanted | None = one
    while other is not None:
        found[other.to] = raised(piece, other.plus) if other.plus & 255 else piece
        other = other.other


def raised(data: bytes, plus: i64) -> bytes:
    """Each byte with that added."""
    return bytes([byte + plus & 255 for byte in data])


def take_aside(
    wants: Wants, nth: i64, place: i64, size: i64, position: i64, aside: list[Wanted], first: i64, second: i64
) -> None:
    """Take out what is wanted of some bytes from a place on: they are those from a position on of the save before.

    To the last one `second` is added, and `first` to the one before; without `second`, `first` to the last.
    """
    ranges = wants.ranges
    last: i64 = nth
    end: i64 = place + size
    raised_at: i64 = end - (2 if second else 1) if first or second else end
    while last < len(ranges) and ranges[last].at < end:
        one = ranges[last]
        part(wants, last, raised_at if one.at < raised_at else one.at + 1)
        if one.at == raised_at:
            raise_by(one, first)
        elif one.at > raised_at:
            raise_by(one, second)
        one.at += position - place
        aside.append(one)
        last += 1
    if last > nth:
        del ranges[nth:last]


def want(wants: Wants, one: Wanted) -> None:
    """Want one more range, of which parts may be wanted already."""
    ranges = wants.ranges
    nth: i64 = behind(ranges, 0, one.at)
    if nth > 0 and ranges[nth - 1].at + ranges[nth - 1].size > one.at:
        part(wants, nth - 1, one.at)
    while nth < len(ranges) and ranges[nth].at < one.at + one.size:
        there = ranges[nth]
        if one.at < there.at:
            rest = cut(wants, one, there.at - one.at)
            ranges.insert(nth, one)
            one = rest
        elif one.size > there.size:
            rest = cut(wants, one, there.size)
            join(there, one)
            one = rest
        else:
            part(wants, nth, one.at + one.size)
            join(there, one)
            return
        nth += 1
    ranges.insert(nth, one)


def join(there: Wanted, one: Wanted) -> None:
    """Have the same bytes for the places of both."""
    last = one
    while last.other is not None:
        last = last.other
    last.other = there.other
    there.other = one
