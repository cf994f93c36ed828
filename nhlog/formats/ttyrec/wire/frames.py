"""Frames: a time, a size, and so many bytes that a program wrote; there is nothing else in a file.

The head of a frame is three numbers of 32 bits, little-endian: seconds since 1970, microseconds, size.  In ttyrec2 and
ttyrec3 a byte follows, the channel.  Nothing in the file says which: only one of the two leads from frame to frame.
"""

import re
from collections.abc import Callable
from struct import Struct
from typing import Final

from nhlog.errors import Damaged
from nhlog.screencast import INPUT, OUTPUT, SCORE
from nhlog.values import NamedTuple

__all__ = [
    "CODES",
    "DAY",
    "HEADS",
    "LAST",
    "MAX_FRAME",
    "Head",
    "chains",
    "format_frame",
    "parse_head",
    "resumes",
]

CODES: Final = (OUTPUT, INPUT, SCORE)
"""What the channels are."""

_NUMBERS: Final = Struct("<3I")
HEADS: Final = (_NUMBERS.size, _NUMBERS.size + 1)
"""The sizes of heads, without and with a channel."""

MAX_FRAME: Final = 1 << 20  # bytes; recorders read some thousands at a time
DAY: Final = 86_400_000_000  # microseconds; two frames that are farther apart are of different sessions, or damaged
_SECOND: Final = 1_000_000
_MICROSECONDS: Final = (1 << 20) - 1  # what is above counts seconds, too, in ovh-ttyrec: bits 32 and up
_LOW: Final = (1 << 32) - 1
LAST: Final = (1 << 44) * _SECOND - 1  # the last time that a frame can have
_CHAIN: Final = 4  # frames in a row that prove each other
_FIRST_LOOK: Final = 1 << 12  # bytes that are searched for frames after damage, and then more at a time
_MOST_PROVED: Final = 1 << 16  # bytes of each of them

Read = Callable[[int, int], bytes]
"""Up to so many bytes, at an offset."""


class Head(NamedTuple):
    """`time` is microseconds since 1970, `size` that of what follows."""

    time: int
    size: int
    channel: int


def parse_head(data: bytes, at: int, head: int) -> Head | None:
    """The head at an offset, `head` bytes long; None if it is not whole.  Raises :class:`Damaged`."""
    if at + head > len(data):
        return None
    seconds, rest, size = _NUMBERS.unpack_from(data, at)
    channel = data[at + head - 1] if head > _NUMBERS.size else 0
    microseconds = rest & _MICROSECONDS
    if microseconds >= _SECOND:
        raise Damaged("not a frame", offset=at, expected="less than 1000000 microseconds", found=microseconds)
    if size > MAX_FRAME:
        raise Damaged("not a frame", offset=at, expected=f"at most {MAX_FRAME} bytes", found=size)
    if channel >= len(CODES):
        raise Damaged("not a frame", offset=at, expected="channel 0, 1 or 2", found=channel)
    return Head((seconds | (rest & ~_MICROSECONDS) << 12) * _SECOND + microseconds, size, channel)


def format_frame(time: int, data: bytes, channel: int | None = None) -> bytes:
    """A frame; with a channel if there is one."""
    seconds, microseconds = divmod(time, _SECOND)
    numbers = _NUMBERS.pack(seconds & _LOW, microseconds | seconds >> 32 << 20, len(data))
    return numbers + (b"" if channel is None else bytes((channel,))) + data


def chains(read: Read, at: int, head: int, end: int) -> int:
    """How many frames from an offset on prove each other, at most four; those are enough.

    They are not a day apart, and have no more than 64 KiB.  As many as needed, where the last one ends with the file.
    """
    time = 0
    for count in range(_CHAIN):
        if at == end and count:
            return _CHAIN
        try:
            found = parse_head(read(head, at), 0, head)
        except Damaged:
            return count
        if found is None or found.size > _MOST_PROVED:
            return count
        if not (_close(found.time, time) if count else found.time):
            return count
        at, time = at + head + found.size, found.time
    return _CHAIN


def _close(time: int, other: int) -> bool:
    return abs(time - other) <= DAY


def resumes(read: Read, at: int, head: int, end: int, time: int) -> int | None:
    """The first offset from `at` on where frames prove each other, not a day from `time`; None if there is none."""
    seconds = time // _SECOND
    tops = {(seconds + days * 86_400 >> 16 & 0xFFFF).to_bytes(2, "little") for days in (-1, 0, 1)}
    pattern = b"(?=..(?:%s)..[\0-\x0f]\0..[\0\1]\0)" % b"|".join(map(re.escape, tops))
    candidates = re.compile(pattern, re.DOTALL)
    room = _FIRST_LOOK
    while at + head <= end:
        data = read(room, at)
        room = min(4 * room, MAX_FRAME)
        for candidate in candidates.finditer(data):
            start = at + candidate.start()
            try:
                first = parse_head(data, candidate.start(), head)
            except Damaged:
                continue
            if first and first.size and _close(first.time, time) and chains(read, start, head, end) == _CHAIN:
                return start
        at += max(len(data) - head, 1)
    return None
