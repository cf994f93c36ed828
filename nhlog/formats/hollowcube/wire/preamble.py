"""Parsing and building of the preamble: header, metadata and index, which is everything before the chunks.

Only an invalid header raises an error; other violations are collected as faults, beside what could be read.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from nhlog.errors import Damaged, NhlogError, Usage
from nhlog.formats.hollowcube.wire.extension import Extension, read_extension
from nhlog.formats.hollowcube.wire.header import HEADER_SIZE, Header, build_header, parse_header
from nhlog.formats.hollowcube.wire.index import Entry, read_entry, write_entry
from nhlog.formats.hollowcube.wire.nbt import Kind, Tag, read_nbt, write_nbt
from nhlog.values import dataclass

__all__ = ["FIRST_READ", "MAX_PREAMBLE", "Preamble", "build_preamble", "length_of_preamble", "parse_preamble"]

FIRST_READ: Final = 256 << 10  # the design text's: header, metadata and index of most recordings
MAX_PREAMBLE: Final = 16 << 20  # some million chunks
MAX_TICKS: Final = 0x7FFFFFFF  # the header counts them in a signed int


@dataclass(frozen=True, slots=True)
class Preamble:
    """The preamble of a recording.

    `entries` are in ascending order; a tick in two of them belongs to the later one.  `length` is the offset of the end
    of the index.  `faults` are in the order of the file.
    """

    header: Header
    metadata: Tag
    entries: tuple[Entry, ...]
    length: int
    extension: Extension
    faults: tuple[Damaged, ...] = ()

    @property
    def ticks(self) -> int:
        """The number of ticks according to the index, including those missing between chunks."""
        return self.entries[-1].end if self.entries else 0


def length_of_preamble(data: bytes) -> int:
    """The size in bytes of the preamble that begins with this header, at most `MAX_PREAMBLE`."""
    header = parse_header(data)
    lengths = max(header.metadata_length, 0) + max(header.index_length, 0)
    return min(HEADER_SIZE + lengths, MAX_PREAMBLE)


def parse_preamble(data: bytes, segments: bool) -> Preamble:
    """Parse the preamble at the start of `data`; `segments` is whether the chunks are in segments instead of behind it.

    Raises :class:`~nhlog.errors.NhlogError` as :func:`~nhlog.formats.hollowcube.wire.header.parse_header` does.
    """
    header = parse_header(data)
    faults: list[Damaged] = []
    metadata, at = _read_metadata(data, header, faults)
    entries, end = _read_index(data, at, header, segments, faults)
    if segments and end != len(data):
        faults.append(Damaged("data behind the index", offset=end, found=f"{len(data) - end} bytes"))
    preamble = Preamble(header, metadata, entries, end, read_extension(metadata), tuple(faults))
    return replace(preamble, faults=(*faults, *_check_counts(preamble)))


def _read_metadata(data: bytes, header: Header, faults: list[Damaged]) -> tuple[Tag, int]:
    """The metadata, and the offset of the index."""
    stated = HEADER_SIZE + max(header.metadata_length, 0)
    try:
        metadata, end = read_nbt(data, HEADER_SIZE)
    except NhlogError as error:
        faults.append(Damaged(f"metadata: {error.what}", offset=error.offset, expected=error.expected))
        return Tag(Kind.COMPOUND, {}), stated
    if end != stated:
        expected, found = header.metadata_length, end - HEADER_SIZE
        faults.append(Damaged("the metadata's length", offset=HEADER_SIZE, expected=expected, found=found))
    return metadata, end


def _read_index(
    data: bytes, at: int, header: Header, segments: bool, faults: list[Damaged]
) -> tuple[tuple[Entry, ...], int]:
    """The entries, and the offset of their end.

    Reads on until both the index's length and the number of chunks are reached; in a single file, the first chunk ends
    the index.
    """
    stated = HEADER_SIZE + header.metadata_length + header.index_length
    limit, tick = len(data), 0
    entries: list[Entry] = []
    count = 0
    while at < limit and (at < stated or count < header.chunk_count):
        try:
            entry, end = read_entry(data, at)
        except Damaged as error:
            faults.append(error)
            break
        if not segments and (end > entry.offset or end > limit):
            faults.append(Damaged("an index entry inside the chunks", offset=at))
            break
        if (entries and (entry.start <= entries[-1].start or entry.end < tick)) or entry.end > MAX_TICKS:
            faults.append(Damaged("a chunk out of its place", offset=at, expected=f"tick {tick}", found=entry.start))
        else:
            if entry.start != tick:
                what = "ticks without a chunk" if entry.start > tick else "ticks in two chunks"
                faults.append(Damaged(what, offset=at, expected=f"tick {tick}", found=entry.start))
            entries.append(entry)
            tick = entry.end
            limit = limit if segments else min(limit, entry.offset)
        at, count = end, count + 1
    return tuple(entries), at


def _check_counts(preamble: Preamble) -> list[Damaged]:
    """The faults of a header that contradicts the index."""
    header = preamble.header
    claims = (
        ("the index's length", header.index_length, preamble.length - HEADER_SIZE - header.metadata_length),
        ("the number of chunks", header.chunk_count, len(preamble.entries)),
        ("the number of ticks", header.tick_count, preamble.ticks),
    )
    return [Damaged(what, offset=0, expected=stated, found=found) for what, stated, found in claims if stated != found]


def build_preamble(header: Header, metadata: Tag, entries: Sequence[Entry]) -> bytes:
    """The bytes of header, metadata and index; lengths and counts in the header are set from the other two.

    Raises :class:`Usage` if one of them is too long for the header's fields.
    """
    body, index = write_nbt(metadata), b"".join(map(write_entry, entries))
    ticks = entries[-1].end if entries else 0
    if max(len(body), len(index), ticks) > MAX_TICKS:
        raise Usage("the recording is too long", expected=f"at most {MAX_TICKS} ticks and bytes")
    counted = replace(
        header, metadata_length=len(body), index_length=len(index), tick_count=ticks, chunk_count=len(entries)
    )
    return build_header(counted) + body + index
