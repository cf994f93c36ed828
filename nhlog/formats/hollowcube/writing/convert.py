"""Writes a recording, or an excerpt of it, in either layout; the bytes of events do not change.

The target is verified before it is moved to its place.  The text's layout has snapshots separate from the ticks, the
game's has not: `INLINE` marks chunks whose first tick begins with one as well, so that they can be converted back.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from nhlog.compression import ZSTD, Compressor, has_checksum
from nhlog.errors import NhlogError, Usage
from nhlog.formats.hollowcube.reading.history import History
from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.reading.summary import timeline_of
from nhlog.formats.hollowcube.state import Scene
from nhlog.formats.hollowcube.wire.chunks import MAX_EVENTS, Chunk, ChunkBuilder
from nhlog.formats.hollowcube.wire.events import ClearGhostBlocks, Event
from nhlog.formats.hollowcube.wire.extension import Extension, RunEventTable, with_extension
from nhlog.formats.hollowcube.wire.header import TICK_MS, Layout
from nhlog.formats.hollowcube.wire.index import SNAPSHOT, Entry
from nhlog.formats.hollowcube.wire.nbt import Tag
from nhlog.formats.hollowcube.writing.assemble import PackedChunk, assemble, check_target
from nhlog.formats.hollowcube.writing.chunker import RawChunk, snapshot_of
from nhlog.formats.hollowcube.writing.facts import in_layout
from nhlog.operations import Record
from nhlog.timeline import parse_position

__all__ = ["INLINE", "convert"]

LEVEL: Final = 9  # of zstd: what is converted is kept, and not as often as what is compacted
SAME: Final = 19  # where only checksums are added: as compacting, so that it does not grow by them
INLINE: Final = 0x02  # bit of the index flags in the text's layout, ours: the first tick's events begin with a snapshot


def convert(
    source: str,
    target: str,
    layout: int,
    first: int | str | None,
    last: int | str | None,
    force: bool,
) -> Record:
    """See :func:`nhlog.formats.hollowcube.operations.convert`; returns what `nhlog convert --json` prints."""
    if layout not in tuple(Layout):
        raise Usage("no such layout", expected="1 or 4", found=layout)
    check_target(target, force)
    reader = open_reader(source)
    try:
        ticks = reader.ticks
        if not ticks:
            raise NhlogError("the recording is still empty", file=source, expected="a tick")
        begin, end = _tick(reader, first, 0), min(_tick(reader, last, ticks - 1), ticks - 1)
        if not 0 <= begin <= end:
            raise Usage("ticks out of range", expected=f"0 to {ticks - 1}", found=f"{begin} to {end}")
        entries = _convert(reader, target, Layout(layout), begin, end, force)
    finally:
        reader.close()
    return {
        "file": target,
        "source": source,
        "layout": int(layout),
        "ticks": entries[-1].end,
        "chunks": len(entries),
        "size": entries[-1].offset + entries[-1].length,
    }


def _tick(reader: Reader, position: int | str | None, default: int) -> int:
    """The tick of a position; `default` for None."""
    if position is None:
        return default
    if isinstance(position, int):
        return position
    history = History(reader)
    history.extend()
    timeline = timeline_of(reader, history)
    return timeline.at("tick", timeline.resolve(parse_position(position)))


class _Recoder:
    """Rewrites chunks in order; it tracks the state, and collects the events of runs with their new ticks.

    `first` is the tick that becomes tick 0, `last` the last one that is included.
    """

    def __init__(self, source: Layout, target: Layout, first: int, last: int) -> None:
        self.run_events = RunEventTable()
        self._source, self._target = source, target
        self._first, self._last = first, last
        self._scene = Scene()

    def recode(self, entry: Entry, raw: bytes, chunk: Chunk) -> RawChunk | None:
        """The chunk in the target's layout; None if none of its ticks is included."""
        begin, end = max(entry.start, self._first), min(entry.end, self._last + 1)
        if chunk.snapshot is not None:
            self._scene = Scene()
            self._apply(chunk.snapshot)
        ticks = iter(chunk.ticks)
        tick = next(ticks, None)
        while tick is not None and tick.number < begin:
            self._apply(tick.events)
            tick = next(ticks, None)
        if begin >= end:
            return None
        here = tick.events if tick is not None and tick.number == begin else ()
        snapshot, flags = self._snapshot(entry, chunk, begin, len(here))
        builder = ChunkBuilder(self._target, begin - self._first, snapshot)
        while tick is not None:
            if tick.number < end:
                builder.add(tick.number - self._first, len(tick.events), raw[tick.body : tick.end])
                self.run_events.add(tick.number - self._first, tick.events)
            self._apply(tick.events)
            tick = next(ticks, None)
        return RawChunk(begin - self._first, end - begin, flags, builder.until(end - self._first), 0)

    def _apply(self, events: tuple[Event, ...]) -> None:
        for event in events:
            self._scene.apply(event)

    def _snapshot(self, entry: Entry, chunk: Chunk, begin: int, first: int) -> tuple[tuple[Event, ...] | None, int]:
        """The snapshot with which the new chunk begins, and its flags."""
        inline = entry.flags & INLINE if self._source is Layout.TEXT else entry.flags & SNAPSHOT
        if begin > entry.start or (begin == self._first and not entry.has_snapshot):
            snapshot = snapshot_of(self._scene, self._target, first) if begin else None
            return snapshot, 0 if snapshot is None else SNAPSHOT
        if not entry.has_snapshot:
            return None, 0
        if self._target is Layout.TEXT:
            snapshot = tuple(self._scene.snapshot()) if chunk.snapshot is None else chunk.snapshot
            return snapshot, SNAPSHOT | (INLINE if inline else 0)
        if inline or chunk.snapshot is None:
            return None, SNAPSHOT
        snapshot = (ClearGhostBlocks(), *chunk.snapshot)
        return (snapshot, SNAPSHOT) if len(snapshot) + first <= MAX_EVENTS else (None, 0)


def _convert(reader: Reader, target: str, layout: Layout, first: int, last: int, force: bool) -> list[Entry]:
    preamble = reader.preamble
    recoder = _Recoder(preamble.header.layout, layout, first, last)
    whole = (first, last) == (0, reader.ticks - 1)
    as_it_is = whole and layout is preamble.header.layout
    pack = Compressor(ZSTD, SAME if as_it_is else LEVEL)
    copied = reader.settled if as_it_is and not preamble.extension.dictionary else 0  # a dictionary is ours alone

    def chunks() -> Iterator[PackedChunk]:
        for number, (entry, raw, chunk) in enumerate(reader.sound_chunks()):
            if as_it_is:
                frame = reader.frame(number) if number < copied else b""
                frame = frame if has_checksum(frame) else pack(raw)
                yield PackedChunk(RawChunk(entry.start, entry.ticks, entry.flags, raw, 0), frame)
            elif (made := recoder.recode(entry, raw, chunk)) is not None:
                yield PackedChunk(made, pack(made.raw))

    def metadata(ticks: int) -> Tag:
        if as_it_is:
            return with_extension(preamble.metadata, replace(preamble.extension, dictionary=b""))
        extension = in_layout(preamble.header, preamble.extension, layout)[1]
        return with_extension(preamble.metadata, _excerpt(recoder, extension, layout, first, ticks))

    header, _ = in_layout(preamble.header, preamble.extension, layout)
    header = replace(header, timestamp=header.timestamp + first * TICK_MS)
    return assemble(target, header, metadata, chunks(), force=force)


def _excerpt(recoder: _Recoder, extension: Extension, layout: Layout, first: int, ticks: int) -> Extension:
    """The extension for an excerpt that begins with tick `first`.

    In the game's layout there is no table of run events: its own recordings have none.
    """
    before = [pair for pair in extension.data_versions if pair[0] <= first]
    later = [(tick - first, version) for tick, version in extension.data_versions if first < tick < first + ticks]
    extension = replace(
        extension, data_versions=(*((0, version) for _, version in before[-1:]), *later), dictionary=b""
    )
    return extension if layout is Layout.GAME else recoder.run_events.added_to(extension, ticks)
