"""The save lines of a log: what each holds, and what the save begins with that it makes of the one before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from nhlog.kernels import mdiff_decode

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["DIFF", "LEAST", "Rules", "clock", "diffs", "follow", "next_head", "payload", "tells", "turn", "zone"]

DIFF: Final = 126
"""``~``, the first byte of the line of a diff."""
LINE: Final = b"\n~"
BACKUP: Final = 42
"""``*``, that of a whole save."""
BACKUP_LINE: Final = b"\n*"
STEP: Final = 1 << 10  # bytes in which the next save is likely to be
ZLIB: Final = 36  # $, before and behind the inflated length
LZ4: Final = 35  # #, likewise
DIGITS: Final = 8  # of the longest length
VERSION: Final = 0
TURN: Final = 12
CLOCK: Final = 16
ZONE: Final = 32
LEAST: Final = 36
"""Where these words of a save are, and the bytes that all of them are in."""


class Rules:
    """What is to be known of all saves.

    `decoded` is :func:`binascii.a2b_base64`; `inflated` gives the bytes of a zlib stream that has so many, or None;
    `checksum` is CRC-32.  Of a save that has one of the `versions` the first `size` bytes are its head.  A blob has at
    most `most` bytes, and a diff so many commands.
    """

    def __init__(
        self,
        decoded: Any,
        inflated: Any,
        checksum: Any,
        versions: list[int],
        size: i64,
        most: i64,
        most_commands: i64,
    ) -> None:
        self.decoded = decoded
        self.inflated = inflated
        self.checksum = checksum
        self.versions = versions
        self.size = size
        self.most = most
        self.most_commands = most_commands


def payload(data: bytes, start: i64, end: i64, rules: Rules) -> bytes | None:
    """The data of the blob between these places; None if it is damaged, or not of zlib.

    What to say of it then is left to who decodes blobs one by one.
    """
    most: i64 = rules.most
    if start >= end or data[start] == LZ4:
        return None
    try:
        if data[start] != ZLIB:
            if end - start > (most + 2) // 3 * 4:
                return None
            plain: bytes = rules.decoded(data[start:end], strict_mode=True)
            return plain
        length: i64 = 0
        at: i64 = start + 1
        while at < end and 48 <= data[at] <= 57:
            length = length * 10 + data[at] - 48
            at += 1
            if at - start - 1 > DIGITS:
                return None
        if at == start + 1 or at + 1 >= end or data[at] != ZLIB or length > most:
            return None
        found: bytes | None = rules.inflated(rules.decoded(data[at + 1 : end], strict_mode=True), length)
        return found
    except ValueError:
        return None


def diffs(data: bytes, passed: i64, count: i64, most: i64, rules: Rules) -> list[bytes]:
    """The diffs of some lines, `count` or all of those behind the first `passed` ones, until they have `most` bytes.

    They end before one that is damaged, or not of zlib.
    """
    found: list[bytes] = []
    size: i64 = len(data)
    at: i64 = 0
    while at < size and count > 0 and most > 0:
        if data[at] != DIFF:
            at = data.find(LINE, at) + 1
            if at == 0:
                break
        end: i64 = data.find(b"\n", at)
        if passed > 0:
            passed -= 1
        else:
            diff = payload(data, at + 1, end, rules)
            if not diff:
                break
            found.append(diff)
            count -= 1
            most -= len(diff)
        at = end + 1
    return found


def next_head(data: bytes, start: i64, end: i64, head: bytes, size: i64, rules: Rules) -> bytes | None:
    """The first `size` bytes of the save of the line between these places; the save before it begins with `head`.

    None for all but a sound diff whose save tells its turn: what to make of others is left to who reads line by line.
    """
    if len(head) < LEAST or data[start] != DIFF:
        return None
    diff = payload(data, start + 1, end, rules)
    if diff is None:
        return None
    made = mdiff_decode.head(diff, head, size, rules.most, rules.most_commands)
    return made if made is not None and tells(made, rules) else None


def follow(
    data: bytes, at: i64, head: bytes, size: i64, most: i64, watched: list[int], rules: Rules
) -> tuple[int, int, bytes]:
    """Pass over the saves of complete lines from the one at `at` on: `most` of them, or up to where something changes.

    The save before them begins with `head`.  Something changes where a save has other bytes than that in one of the
    ranges whose starts and ends are `watched`.  None is passed that :func:`next_head` leaves to others.

    Gives where the next one begins, or the end of `data`; how many were passed; and the first `size` bytes of the last.
    """
    end_of_all: i64 = len(data)
    ranges: i64 = len(watched) // 2
    known: list[bytes] = [head[watched[2 * nth] : watched[2 * nth + 1]] for nth in range(ranges)]
    passed: i64 = 0
    changed = False
    while True:
        at = next_save(data, at)
        if at == end_of_all or passed >= most or changed:
            break
        end: i64 = data.find(b"\n", at)
        made = next_head(data, at, end, head, size, rules)
        if made is None:
            break
        head = made
        passed += 1
        at = end + 1
        nth: i64 = 0
        while nth < ranges:
            if made[watched[2 * nth] : watched[2 * nth + 1]] != known[nth]:
                changed = True
                break
            nth += 1
    return at, passed, head


def next_save(data: bytes, at: i64) -> i64:
    """Where the first line of a save begins from the line at `at` on; the end of `data` if there is none.

    It goes in small steps: if it looked for a diff up to the end, each of many backups would cost all behind it.
    """
    end: i64 = len(data)
    if at < end and (data[at] == DIFF or data[at] == BACKUP):
        return at
    while at < end:
        reach: i64 = at + STEP
        diff: i64 = data.find(LINE, at, reach)
        backup: i64 = data.find(BACKUP_LINE, at, reach if diff < 0 else diff)
        if backup >= 0:
            return backup + 1
        if diff >= 0:
            return diff + 1
        at = reach - 1  # the newline may be the last of these bytes
    return end


def tells(head: bytes, rules: Rules) -> bool:
    """Whether a save that begins so tells its turn and its zone: it has a known version."""
    return len(head) >= LEAST and word(head, VERSION) in rules.versions


def turn(head: bytes) -> i64:
    """The turn of a save that begins so."""
    return word(head, TURN)


def clock(head: bytes) -> i64:
    """The clock of a save that begins so, as a signed number."""
    return signed(word(head, CLOCK + 4)) << 32 | word(head, CLOCK)


def zone(head: bytes) -> i64:
    """The zone of a save that begins so, in seconds."""
    return signed(word(head, ZONE))


def signed(number: i64) -> i64:
    """The number of 32 bits with a sign."""
    return number - ((number >> 31) << 32)


def word(save: bytes, at: i64) -> i64:
    """The number of 32 bits there."""
    high: i64 = save[at + 3]
    more: i64 = save[at + 2]
    less: i64 = save[at + 1]
    return high << 24 | more << 16 | less << 8 | save[at]
