"""Parsing and building of the index, which has one entry per chunk, in order of time (spec 4).

Only the values of an entry are checked here; its chunk is checked when it is read.
"""

from typing import Final

from nhlog.errors import Damaged
from nhlog.formats.hollowcube.wire.primitives import (
    Incomplete,
    read_var_int,
    write_long,
    write_var_int,
)
from nhlog.values import NamedTuple

__all__ = ["SNAPSHOT", "Entry", "read_entry", "segment_offset", "write_entry"]

_PLACE: Final = 8  # bytes of the offset
SNAPSHOT: Final = 0x01  # bit of the flags: the chunk begins with a snapshot


class Entry(NamedTuple):
    """The entry of a chunk: `start` is its first tick, `ticks` its number of ticks.

    `offset` counts from the file's start; in a recording of segments it is ``segment << 32 | offset in the segment``.
    `length` is the size of the zstd frame, `raw_length` that of its content, in bytes.
    """

    start: int
    ticks: int
    flags: int
    offset: int
    length: int
    raw_length: int

    @property
    def end(self) -> int:
        """The tick after its last one."""
        return self.start + self.ticks

    @property
    def has_snapshot(self) -> bool:
        """Whether the index says that the chunk begins with a snapshot."""
        return bool(self.flags & SNAPSHOT)

    @property
    def segment(self) -> tuple[int, int]:
        """The segment's number and the offset inside it, for a recording of segments."""
        return self.offset >> 32, self.offset & 0xFFFFFFFF


def segment_offset(segment: int, offset: int) -> int:
    """The :attr:`Entry.offset` of a chunk at `offset` in a segment."""
    return segment << 32 | offset


def read_entry(data: bytes, offset: int) -> tuple[Entry, int]:
    """Read the entry at `offset`; returns it and the offset behind it.

    Raises :class:`Incomplete` if the data ends inside it, :class:`~nhlog.errors.Damaged` for invalid values.
    """
    start, at = read_var_int(data, offset)
    ticks, at = read_var_int(data, at)
    place_end = at + 1 + _PLACE
    if place_end > len(data):
        raise Incomplete("the data ends in an index entry", offset=offset)
    flags, place = data[at], int.from_bytes(data[at + 1 : place_end], "big", signed=True)
    length, at = read_var_int(data, place_end)
    raw_length, end = read_var_int(data, at)
    if start < 0 or ticks <= 0 or place < 0 or length <= 0 or raw_length < 0:
        found = (start, ticks, flags, place, length, raw_length)
        raise Damaged("an impossible index entry", offset=offset, found=found)
    return Entry(start, ticks, flags, place, length, raw_length), end


def write_entry(entry: Entry) -> bytes:
    """The bytes of an entry, the inverse of :func:`read_entry`."""
    return b"".join(
        (
            write_var_int(entry.start),
            write_var_int(entry.ticks),
            entry.flags.to_bytes(1, "big"),
            write_long(entry.offset),
            write_var_int(entry.length),
            write_var_int(entry.raw_length),
        )
    )
