"""The columns of the events of a recorded terminal, as they lie in memory: whether what they say can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nhlog.kernels import log_saves

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["in_order"]


def in_order(times: bytes, offsets: bytes, sizes: bytes) -> bool:
    """Whether the times, 64 bits each, never fall, and each event lies behind the one before it.

    Its place has 64 bits, its size 32; there are as many of each.
    """
    time: i64 = 0
    place: i64 = 0
    size: i64 = 0
    count: i64 = len(sizes) // 4
    at: i64 = 0
    while at < count:
        following: i64 = number(times, 8 * at)
        behind: i64 = number(offsets, 8 * at)
        if following < time or behind < 0 or behind - place < size:
            return False
        time = following
        place = behind
        size = log_saves.word(sizes, 4 * at)
        at += 1
    return True


def number(column: bytes, at: i64) -> i64:
    """The number of 64 bits there."""
    return log_saves.signed(log_saves.word(column, at + 4)) << 32 | log_saves.word(column, at)
