"""Finds the chunks of a damaged recording: by the index where that is right, else by their content.

A chunk is a complete zstd frame; the last one of a folder may be open.  One that is where the index says keeps its
entry; any other is *loose*, and gets its ticks from its content (the game's layout), from an unused entry of the index
that fits it, or from the end of the chunk before it.  Chunks that would overlap others are left out.
"""

from bisect import bisect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final
from uuid import UUID

from nhlog.errors import Damaged, NhlogError
from nhlog.formats.hollowcube.reading.source import FINISHED, PREAMBLE, Missing, Source, segment_name, segment_number
from nhlog.formats.hollowcube.reading.tail import MAX_FRAME, Part, Tail
from nhlog.formats.hollowcube.wire.chunks import MAX_RAW, decode_chunk
from nhlog.formats.hollowcube.wire.extension import Extension
from nhlog.formats.hollowcube.wire.frames import content_size, frames, unpack
from nhlog.formats.hollowcube.wire.header import HEADER_SIZE, Header, Layout, build_header
from nhlog.formats.hollowcube.wire.index import SNAPSHOT, Entry, segment_offset
from nhlog.formats.hollowcube.wire.loose import entry_of
from nhlog.formats.hollowcube.wire.nbt import Kind, Tag
from nhlog.formats.hollowcube.wire.preamble import (
    FIRST_READ,
    MAX_PREAMBLE,
    Preamble,
    length_of_preamble,
    parse_preamble,
)

__all__ = ["Loss", "Survey", "survey"]

_WINDOW: Final = 32 << 20  # bytes of a file that are looked through at once: a segment has some 4 MiB
_MAX_COUNT: Final = 0x7FFFFFFF
_SAMPLE: Final = 8  # chunks that are enough to distinguish the layouts


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that is lost: `ticks` ticks from `first` on, both None if that is not known."""

    what: str
    first: int | None = None
    ticks: int | None = None


@dataclass(frozen=True, slots=True)
class Survey:
    """The chunks that a search of a recording found.

    `parts` are its chunks, in order and without overlaps.  `adopted` is the number of those that the index does not
    list, and `losses` is what is missing, ticks first.  `next_segment` is the number of the first missing segment.
    """

    preamble: Preamble
    parts: tuple[Part, ...]
    adopted: int
    losses: tuple[Loss, ...]
    next_segment: int = 0

    @property
    def ticks(self) -> int:
        """The number of ticks that the recording has, or had before it was damaged."""
        return max(self.preamble.ticks, self.parts[-1].entry.end if self.parts else 0)


def survey(source: Source) -> Survey:
    """Search a recording for its chunks.

    Raises :class:`~nhlog.errors.NhlogError` only if it finds nothing of a recording.
    """
    data, losses = _head(source)
    try:
        preamble = parse_preamble(data, source.folder)
    except Damaged as error:
        losses = losses or [Loss(f"what it says of itself: {error.what}")]
        preamble = _guess(data, source.folder)
    files = [_File(name, number) for name, number in _files(source)]
    _place_by_index(source, files, preamble)
    if losses and not any(file.frames for file in files):
        raise Damaged("no chunks", file=source.path)
    if losses:
        preamble = replace(preamble, header=_with_layout(source, preamble.header, files))
    _place_loose(source, files, preamble)
    listed = set(preamble.entries)
    parts = _in_order(files, listed)
    parts += _open_chunk(source, preamble, parts)
    adopted = sum(part.entry not in listed for part in parts)
    following = max((file.number for file in files), default=-1) + 1
    return Survey(preamble, parts, adopted, (*_holes(parts, preamble, source.folder), *losses), following)


@dataclass(slots=True)
class _Frame:
    """A zstd frame in a file, and the index entry that is made for it."""

    name: str
    offset: int
    length: int
    entry: Entry | None = None


@dataclass(slots=True)
class _File:
    """A file with chunks; a single file has number 0."""

    name: str
    number: int
    frames: list[_Frame] = field(default_factory=list)


def _head(source: Source) -> tuple[bytes, list[Loss]]:
    """The bytes of the preamble, as far as they exist, and what is lost."""
    name = PREAMBLE if source.folder else ""
    try:
        data = source.read(name, 0, FIRST_READ)
    except Missing:
        return b"", [Loss("what it says of itself: there is no preamble")]
    try:
        length = length_of_preamble(data)
    except Damaged:
        length = MAX_PREAMBLE
    if FIRST_READ <= len(data) < length:
        data += source.read(name, len(data), length - len(data))
    return data, []


def _files(source: Source) -> Iterator[tuple[str, int]]:
    """The files that may have chunks, with their numbers."""
    if not source.folder:
        yield "", 0
    for name in source.names():
        number = segment_number(name)
        if number is not None and source.folder:
            yield name, number


def _guess(data: bytes, folder: bool) -> Preamble:
    """The readable part of the preamble behind an invalid header: the index ends where the first chunk begins."""
    unknown = Header(
        layout=Layout.GAME,
        world_id=UUID(int=0),
        world_version=b"",
        timestamp=0,
        tick_count=0,
        chunk_count=_MAX_COUNT,
        metadata_length=0,
        index_length=0,
    )
    nothing = Preamble(unknown, Tag(Kind.COMPOUND, {}), (), HEADER_SIZE, Extension())
    if len(data) <= HEADER_SIZE:
        return nothing
    try:
        return parse_preamble(build_header(unknown) + data[HEADER_SIZE:], folder)
    except NhlogError:
        return nothing


def _place_by_index(source: Source, files: list[_File], preamble: Preamble) -> None:
    """Find the frames, and give an entry to those with the place and length of one in the index."""
    listed = {_place(entry, source.folder): entry for entry in preamble.entries}
    begin = 0 if source.folder else min((entry.offset for entry in preamble.entries), default=HEADER_SIZE)
    for file in files:
        for offset, length, size in _frames(source, file.name, begin):
            entry = listed.get((file.number, offset))
            if entry is not None:  # of the unpacked length, the frame itself is the better witness
                fitting = entry if size is None else entry._replace(raw_length=size)
                entry = fitting if entry.length == length else None
            file.frames.append(_Frame(file.name, offset, length, entry))


def _frames(source: Source, name: str, begin: int) -> Iterator[tuple[int, int, int | None]]:
    """Offset, length and content size of every frame in a file, from `begin` on."""
    base = begin
    while data := source.read(name, base, _WINDOW):
        limit = (
            len(data) - MAX_FRAME if len(data) == _WINDOW else len(data)
        )  # behind it, a frame may not end in the window
        at = 0
        for start, end in frames(data):
            if start >= limit:
                break
            yield base + start, end - start, content_size(data, start)
            at = end
        base += max(at, limit)


def _place(entry: Entry, folder: bool) -> tuple[int, int]:
    return entry.segment if folder else (0, entry.offset)


def _with_layout(source: Source, header: Header, files: list[_File]) -> Header:
    """The header with the layout of its chunks: only in the game's do the stored ticks rise from chunk to chunk."""
    some = [frame for file in files for frame in file.frames][:_SAMPLE]
    read = [_as_game(raw) for frame in some for raw in _unpacked(source, frame, b"")]
    starts = [entry.start for entry in read if entry is not None]
    if starts and all(before < after for before, after in pairwise(starts)):
        return header
    return replace(header, layout=Layout.TEXT, world_version=bytes(16))


def _unpacked(source: Source, frame: _Frame, dictionary: bytes) -> Iterator[bytes]:
    """The decompressed content of a frame; nothing if it cannot be decompressed."""
    try:
        raw, _ = unpack(source.read(frame.name, frame.offset, frame.length), MAX_RAW, dictionary)
    except Damaged:
        return
    if len(raw) < MAX_RAW:  # of one that is larger there may be more
        yield raw


def _place_loose(source: Source, files: list[_File], preamble: Preamble) -> None:
    """Give entries to the frames that the index does not list.

    If the index is invalid, the ticks that chunks of the game's layout contain are used instead of its entries.
    """
    if preamble.faults and preamble.header.layout is Layout.GAME:
        for file in files:
            for frame in file.frames:
                for raw in _unpacked(source, frame, b""):
                    own = _as_game(raw)
                    frame.entry = frame.entry if own is None else _placed(own, frame, file.number, frame.entry)
    used = {frame.entry for file in files for frame in file.frames}
    vacant = [entry for entry in preamble.entries if entry not in used]
    layout, end = preamble.header.layout, 0
    for file in files:
        for frame in file.frames:
            if frame.entry is None:
                for raw in _unpacked(source, frame, preamble.extension.dictionary):
                    frame.entry = _identify(raw, frame, file.number, layout, vacant, end)
            if frame.entry is not None:
                end = frame.entry.end


def _identify(raw: bytes, frame: _Frame, number: int, layout: Layout, vacant: list[Entry], end: int) -> Entry | None:
    """The entry of a loose frame: from its own ticks, from an unused entry that fits it, else from tick `end` on."""
    offset = segment_offset(number, frame.offset)
    if layout is Layout.GAME:
        own = _as_game(raw)
        return None if own is None else _placed(own, frame, number, None)
    waiting = [entry for entry in vacant if entry.raw_length == len(raw)]
    exact = [entry for entry in waiting if entry.length == frame.length] or waiting
    if exact:
        vacant.remove(exact[0])
        return exact[0]._replace(offset=offset, length=frame.length)
    own = entry_of(raw, layout, end)
    if own is None and raw and decode_chunk(raw, layout, end, 1, True).fault is None:
        own = Entry(end, 1, SNAPSHOT, 0, 0, len(raw))  # a snapshot alone: nothing says how many ticks follow it
    if own is None or own.raw_length != len(raw):
        return None
    return own._replace(offset=offset, length=frame.length)


def _placed(own: Entry, frame: _Frame, number: int, listed: Entry | None) -> Entry:
    """The entry from a chunk's content, with its place in the file and the flags of the index."""
    flags = own.flags if listed is None else listed.flags
    return own._replace(offset=segment_offset(number, frame.offset), length=frame.length, flags=flags)


def _as_game(raw: bytes) -> Entry | None:
    """The entry of a chunk in the game's layout, by the ticks in its content; None if it is no such chunk."""
    entry = entry_of(raw, Layout.GAME, 0)
    return entry if entry is not None and entry.raw_length == len(raw) else None


def _in_order(files: Iterable[_File], listed: set[Entry]) -> tuple[Part, ...]:
    """The chunks by their ticks; of those that overlap, one that the index lists, else the first."""
    parts = [Part(frame.entry, file.name, frame.offset) for file in files for frame in file.frames if frame.entry]
    chosen: list[Part] = []
    for part in sorted(parts, key=lambda part: (part.entry not in listed, part.entry.start)):
        at = bisect(chosen, part.entry.start, key=_start)
        free = not at or chosen[at - 1].entry.end <= part.entry.start
        if free and (at == len(chosen) or part.entry.end <= chosen[at].entry.start):
            chosen.insert(at, part)
    return tuple(chosen)


def _open_chunk(source: Source, preamble: Preamble, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The chunk behind these that a recorder has not ended, if there is one."""
    if not source.folder or source.size(FINISHED) is not None:
        return ()
    tail = Tail(source, preamble)
    tail.extend()
    end = parts[-1].entry.end if parts else 0
    return (tail.open,) if tail.open is not None and tail.open.entry.start == end else ()


def _start(part: Part) -> int:
    return part.entry.start


def _holes(parts: tuple[Part, ...], preamble: Preamble, folder: bool) -> Iterator[Loss]:
    """The ticks that are in no chunk, and the reason if the index shows it."""
    tick = 0
    ends = [(part.entry.start, part.entry.end) for part in parts]
    for start, end in [*ends, (max(preamble.ticks, tick), 0)]:
        if start > tick:
            yield Loss(_why(tick, preamble, folder), tick, start - tick)
        tick = max(end, tick)


def _why(tick: int, preamble: Preamble, folder: bool) -> str:
    for entry in preamble.entries:
        if entry.start <= tick < entry.end:
            where = f" in {segment_name(entry.segment[0])}" if folder else ""
            return f"a chunk is not there, or not whole{where}"
    return "no chunk has these ticks"
