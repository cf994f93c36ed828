"""A save in pages, changed by diffs: only the pages that a diff changes are made anew.

A save has tens of kilobytes to one megabyte; most diffs change some dozens of its bytes, at ten places or so.  To copy
all of it for each takes longer than all else.  In one buffer that is changed in place each piece that is written, and
each byte that is read, is a call of the interpreter's: all of `verify` took 2.5 times as long (146 and 58 ms for a real
game of 588 kB).  Runs of pages, each joined from a list of its pieces, took a sixth more than single ones.

A page is made anew where a diff writes something, and where bytes come to another place than they had.  The checksum of
the save follows from the one before and from the bytes that differ; only of a save that has another size than the one
before are all bytes looked at.  Nothing is changed before the checksum of what the diff makes was compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nhlog.kernels import log_saves
from nhlog.kernels.checksum import UNKNOWN, differing, passing
from nhlog.kernels.mdiff_decode import (
    COORD,
    COPY,
    EOF,
    EOF_CRC32,
    ERASE,
    INCREMENT,
    NOTHING,
    ORDER,
    RLE,
    SEEK,
    UNIT,
    begun,
    step,
    written,
    written_size,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["applied", "paged"]

BITS: Final = 8
PAGE: Final = 256  # 1 << BITS: bytes that are copied in the time that the object for the copy takes


class Making:
    """The save that a diff makes of one in pages, as far as the diff was read.

    `length` are its bytes so far.  While a page is made anew (`open`), it is that of this `number`, `page` has the
    bytes so far, and those from `first` to `last` may be others than before.  The same of all that were made is in
    `numbers`, `made`, `firsts` and `lasts`.
    """

    def __init__(self, pages: list[bytes]) -> None:
        self.pages = pages
        self.old: i64 = PAGE * (len(pages) - 1) + len(pages[len(pages) - 1])
        self.length: i64 = 0
        self.open = False
        self.number: i64 = 0
        self.page = b""
        self.first: i64 = 0
        self.last: i64 = 0
        self.made: list[bytes] = []
        self.numbers: list[int] = []
        self.firsts: list[int] = []
        self.lasts: list[int] = []

    def around(self, position: i64) -> bytes:
        """The page of the save before that this place is in, and one byte more; none outside of the save."""
        if position < 0 or position >= self.old:
            return b""
        number: i64 = position >> BITS
        page = self.pages[number]
        if position & PAGE - 1 == PAGE - 1 and number + 1 < len(self.pages):
            page = page + self.pages[number + 1][:1]
        return page

    def copy(self, position: i64, count: i64) -> None:
        """Take so many bytes of the save before; all are in it."""
        if position != self.length:
            self.move(position, count)
            return
        if self.open:
            within: i64 = position & PAGE - 1
            page = self.pages[position >> BITS]
            if count < PAGE - within:
                self.page = self.page + page[within : within + count]
            else:
                self.page = self.page + page[within:]
                self.close()
        self.length += count

    def move(self, position: i64, count: i64) -> None:
        """Take bytes of the save before that come to another place."""
        end: i64 = position + count
        while position < end:
            within: i64 = position & PAGE - 1
            some: i64 = PAGE - within
            if some > end - position:
                some = end - position
            self.write(self.pages[position >> BITS][within : within + some])
            position += some

    def write(self, data: bytes) -> None:
        """Take these bytes."""
        size: i64 = len(data)
        at: i64 = 0
        while at < size:
            self.begin()
            within: i64 = self.length & PAGE - 1
            some: i64 = PAGE - within
            if some > size - at:
                some = size - at
            self.page = self.page + (data if some == size else data[at : at + some])
            at += some
            self.length += some
            self.last = within + some
            if self.last == PAGE:
                self.close()

    def begin(self) -> None:
        """Make the page anew, if it is not: up to here it is as it was."""
        if not self.open:
            self.open = True
            self.number = self.length >> BITS
            self.first = self.last = self.length & PAGE - 1
            self.page = self.pages[self.number][: self.first] if self.first else b""

    def close(self) -> None:
        """Take the page as it is."""
        self.open = False
        self.numbers.append(self.number)
        self.made.append(self.page)
        self.firsts.append(self.first)
        self.lasts.append(self.last)

    def end(self) -> None:
        """Let the save end."""
        if self.length < self.old and (self.length & PAGE - 1 or not self.length):
            self.begin()
        if self.open:
            self.close()

    def crc(self, before: i64) -> i64:
        """The checksum of the save, from that of the save before, which has as many bytes."""
        changed: i64 = 0
        at: i64 = 0
        for nth, made in enumerate(self.made):
            number: i64 = self.numbers[nth]
            first: i64 = self.firsts[nth]
            last: i64 = self.lasts[nth]
            place: i64 = number << BITS
            if changed:
                changed = passing(changed, place + first - at)
            changed = differing(changed, self.pages[number], made, first, last)
            at = place + last
        return before ^ passing(changed, self.length - at)

    def put(self, pages: list[bytes]) -> None:
        """Put the pages that were made among those of the save before."""
        for nth, made in enumerate(self.made):
            number: i64 = self.numbers[nth]
            if number < len(pages):
                pages[number] = made
            else:
                pages.append(made)
        after: i64 = (self.length - 1 >> BITS) + 1 if self.length else 1
        if after < len(pages):
            del pages[after:]


def paged(save: bytes) -> list[bytes]:
    """The pages of a save; there is at least one."""
    pages: list[bytes] = [save[:PAGE]]
    at: i64 = PAGE
    while at < len(save):
        pages.append(save[at : at + PAGE])
        at += PAGE
    return pages


def applied(pages: list[bytes], crc: i64, diff: bytes, rules: log_saves.Rules) -> i64:
    """Change the save in these pages, which has this `crc`, to the one that the diff makes of it; its checksum, or -1.

    Then the diff is damaged, or has no checksum or not that of what it makes, and the save stays as it was.  What to
    say of it is left to who reads it word by word.
    """
    making = Making(pages)
    wanted: i64 = read(diff, making, rules.most, rules.most_commands)
    if wanted < 0:
        return UNKNOWN
    making.end()
    if making.length == making.old:
        if making.crc(crc) != wanted:
            return UNKNOWN
    else:
        whole = pages[:]
        making.put(whole)
        if rules.checksum(b"".join(whole)) != wanted:
            return UNKNOWN
    making.put(pages)
    return wanted


def read(diff: bytes, making: Making, most: i64, most_commands: i64) -> i64:
    """Have a diff make its save; its checksum, or `UNKNOWN` where it has none or is not sound.

    See :func:`~nhlog.kernels.mdiff_decode.splices`.
    """
    size: i64 = len(diff)
    old: i64 = making.old
    order: i64 = ORDER
    beta3, beta2, at = begun(diff)
    position: i64 = 0
    anchor: i64 = 0
    count: i64 = 0
    while count < most_commands:
        count += 1
        command, copy, added, arg2, at, order = step(diff, at, order, beta3, beta2)
        if command == NOTHING:
            return UNKNOWN
        if command == SEEK:
            position -= copy
            if position < 0 and not beta3 and not beta2:
                return UNKNOWN
            continue
        if command == COPY:
            anchor = making.length + copy
        elif command == COORD:
            copy = copy * UNIT + (anchor - making.length) % UNIT
        if making.length + copy > most or (copy and (position < 0 or position + copy > old)):
            return UNKNOWN
        if copy:
            making.copy(position, copy)
            position += copy
        if added:
            at += added
            if at > size:
                return UNKNOWN
            making.write(diff[at - added : at])
        elif command in (COORD, ERASE, INCREMENT):
            data = written(command, arg2, making.around(position), position & PAGE - 1)
            added = written_size(command, arg2)
            if len(data) < added:
                return UNKNOWN
            making.write(data)
        elif command == EOF_CRC32:
            return arg2 & 0xFFFFFFFF
        elif command in (EOF, RLE):
            return UNKNOWN
        position += added
        if making.length > most:
            return UNKNOWN
    return UNKNOWN
