"""The frames of a ttyrec that follow each other as they do in nearly all of a file; what is odd is left to its reader.

A reader in Python looks at 100 MB a second, most of which is the making of objects for each frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nhlog.kernels import log_saves

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["LATEST", "walk"]

LATEST: Final = 1 << 62
"""Microseconds since 1970: no time that is given may be later."""
_SECOND: Final = 1_000_000
_NUMBERS: Final = 12  # bytes of seconds, microseconds and size
_FIRST: Final = 27  # byte of what tells a size,
_LAST: Final = 116  # and the last one


def walk(
    data: bytes,
    at: i64,
    head: i64,
    place: i64,
    time: i64,
    elapsed: i64,
    apart: i64,
    channels: i64,
    largest: i64,
    told: i64,
) -> tuple[int, int, int, list[int], list[int], list[int], list[int]]:
    """Pass over whole frames with heads of `head` bytes, from one on that stands in `data` at `at`, in the file at
    `place`; the one before it came at `time`, `elapsed` since the start.

    Each has one of so many `channels`, at most `largest` bytes, and a time not further `apart` from that of the frame
    before; up to `told` bytes are nothing that may tell a size.  Another one is not passed over.

    Gives where the last one ends, its time, and how many of them are before that of the one before; of each, what has
    elapsed, which does not fall, where its bytes are in the file, how many they are, and its channel.
    """
    times: list[int] = []
    places: list[int] = []
    sizes: list[int] = []
    kinds: list[int] = []
    backwards: i64 = 0
    end: i64 = len(data)
    base: i64 = place - at
    while at + head <= end:
        part: i64 = log_saves.word(data, at + 4)
        size: i64 = log_saves.word(data, at + 8)
        kind: i64 = 0
        if head > _NUMBERS:
            kind = data[at + _NUMBERS]
        start: i64 = at + head
        if part >= _SECOND or size > largest or kind >= channels or start + size > end:
            break
        if size > 0 and size <= told and data[start] == _FIRST and data[start + size - 1] == _LAST:
            break
        moment: i64 = log_saves.word(data, at) * _SECOND + part
        step: i64 = moment - time
        if step > apart or step < -apart:
            break
        if step < 0:
            backwards += 1
        else:
            elapsed += step
        times.append(elapsed)
        places.append(base + start)
        sizes.append(size)
        kinds.append(kind)
        time = moment
        at = start + size
    return at, time, backwards, times, places, sizes, kinds
