"""Chunks of one layout as chunks of another, or some of their ticks: every event stays as it is, byte for byte.

The text's layout has room for a snapshot apart from the ticks, the game's has not: `INLINE` marks chunks whose first
tick begins with one anyway, so that they can go back as they came.
"""

from collections.abc import Iterator
from typing import Final

from nhlog.errors import Damaged
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.state import Scene
from nhlog.formats.hollowcube.wire.chunks import MAX_EVENTS, Chunk, decode_chunk
from nhlog.formats.hollowcube.wire.events import ClearGhostBlocks, Event
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.index import SNAPSHOT, Entry
from nhlog.formats.hollowcube.writing.chunker import RawChunk
from nhlog.formats.hollowcube.writing.moves import ChunkBuilder, opening_of
from nhlog.formats.hollowcube.writing.run_events import Moments

__all__ = ["INLINE", "Recoder", "sound_chunks"]

INLINE: Final = 0x02  # bit of the index flags in the text's layout, ours: the first tick's events begin with a snapshot


class Recoder:
    """Makes chunks anew, in order; it follows the state, and notes the moments of runs with their new ticks.

    `first` is the tick that becomes tick 0, `last` the last one that is taken.
    """

    def __init__(self, source: Layout, target: Layout, first: int, last: int) -> None:
        self.moments = Moments()
        self._source, self._target = source, target
        self._first, self._last = first, last
        self._scene = Scene()

    def recode(self, entry: Entry, raw: bytes, chunk: Chunk) -> RawChunk | None:
        """The chunk anew; None where none of its ticks is taken."""
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
        opening, flags = self._opening(entry, chunk, begin, len(here))
        builder = ChunkBuilder(self._target, begin - self._first, opening)
        while tick is not None:
            if tick.number < end:
                builder.add(tick.number - self._first, len(tick.events), raw[tick.body : tick.end])
                self.moments.add(tick.number - self._first, tick.events)
            self._apply(tick.events)
            tick = next(ticks, None)
        return RawChunk(begin - self._first, end - begin, flags, builder.close(end - self._first), 0)

    def _apply(self, events: tuple[Event, ...]) -> None:
        for event in events:
            self._scene.apply(event)

    def _opening(self, entry: Entry, chunk: Chunk, begin: int, first: int) -> tuple[tuple[Event, ...] | None, int]:
        """What the chunk opens with, and its flags."""
        inline = entry.flags & INLINE if self._source is Layout.TEXT else entry.flags & SNAPSHOT
        if begin > entry.start or (begin == self._first and not entry.has_snapshot):
            opening = opening_of(self._scene, self._target, first) if begin else None
            return opening, 0 if opening is None else SNAPSHOT
        if not entry.has_snapshot:
            return None, 0
        if self._target is Layout.TEXT:
            opening = tuple(self._scene.snapshot()) if chunk.snapshot is None else chunk.snapshot
            return opening, SNAPSHOT | (INLINE if inline else 0)
        if inline or chunk.snapshot is None:
            return None, SNAPSHOT
        opening = (ClearGhostBlocks(), *chunk.snapshot)
        return (opening, SNAPSHOT) if len(opening) + first <= MAX_EVENTS else (None, 0)


def sound_chunks(reader: Reader) -> Iterator[tuple[Entry, bytes, Chunk]]:
    """Every chunk of a recording that is whole; raises :class:`Damaged` where it is not."""
    layout, tick = reader.preamble.header.layout, 0
    for number, (entry, _, offset) in enumerate(reader.parts):
        if entry.start != tick:
            raise Damaged("recover it first: ticks without a chunk", file=reader.source.path, expected=tick)
        tick = entry.end
        try:
            raw, fault = reader.raw(number)
        except Damaged as error:
            raise Damaged(f"recover it first: {error.what}", file=reader.source.path, offset=offset) from None
        chunk = decode_chunk(raw, layout, entry.start, entry.ticks, entry.has_snapshot)
        fault = fault or chunk.fault
        if fault is not None:
            raise Damaged(f"recover it first: {fault.what}", file=reader.source.path, offset=offset)
        yield entry, raw, chunk
