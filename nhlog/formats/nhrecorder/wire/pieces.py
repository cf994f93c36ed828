"""Output, and a NUL and a number of 32 bits, little-endian, before each piece: hundredths of a second since the start.

The first piece may come without, at 0.  There is nothing else: no size, no date, no NUL that a program wrote.
"""

from collections.abc import Iterator
from typing import Final

from nhlog.values import NamedTuple

__all__ = ["MOST_PIECE", "Piece", "split"]

MOST_PIECE: Final = 1 << 20  # bytes; recorders read some thousands at a time
_TICK: Final = 10_000  # microseconds
_STAMP: Final = 5  # bytes: a NUL and the number
_NUL: Final = b"\0"


class Piece(NamedTuple):
    """What was written at a `time` in microseconds, None if none stands before it: from `start` to `end` of the data.

    It begins at `offset`, with its time.
    """

    time: int | None
    offset: int
    start: int
    end: int


def split(data: bytes) -> Iterator[Piece]:
    """The pieces of data; a time that is cut short is none."""
    offset = 0
    while offset < len(data):
        time, start = None, offset
        if data.startswith(_NUL, offset):
            start = offset + _STAMP
            if start > len(data):
                return
            time = int.from_bytes(data[offset + 1 : start], "little") * _TICK
        end = data.find(_NUL, start)
        end = len(data) if end < 0 else end
        yield Piece(time, offset, start, end)
        offset = end
