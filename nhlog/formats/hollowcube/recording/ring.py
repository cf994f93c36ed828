"""A ring buffer: keeps the last minutes of a recording in memory, to be saved on request.

Every chunk begins with a snapshot, so that old ones can be dropped; its ticks count from its own start, so that a saved
recording begins at tick 0 without any change to the chunks.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace

from nhlog.compression import ZSTD, Compressor
from nhlog.errors import Usage
from nhlog.formats.hollowcube.recording.recorder import Triggers
from nhlog.formats.hollowcube.wire.chunks import decode_chunk
from nhlog.formats.hollowcube.wire.events import Event
from nhlog.formats.hollowcube.wire.extension import RunEventTable, read_extension, with_extension
from nhlog.formats.hollowcube.wire.frames import unpack
from nhlog.formats.hollowcube.wire.header import TICK_MS, Layout
from nhlog.formats.hollowcube.wire.index import SNAPSHOT
from nhlog.formats.hollowcube.writing.assemble import assemble, check_target, packed
from nhlog.formats.hollowcube.writing.chunker import RECORDING_LEVEL, Chunker, RawChunk
from nhlog.formats.hollowcube.writing.facts import Facts
from nhlog.formats.hollowcube.writing.moves import Move
from nhlog.operations import Record
from nhlog.values import NamedTuple

__all__ = ["Ring"]


class _Kept(NamedTuple):
    """A compressed chunk in memory."""

    start: int
    ticks: int
    flags: int
    raw_length: int
    frame: bytes


class Ring:
    """Keeps the last `span` ticks, and up to a chunk more; `session` is the tick that is tick 0 of the input.

    Raises :class:`Usage` for facts in the game's layout, whose ticks count from the recording's start.
    """

    def __init__(self, span: int, facts: Facts | None = None, triggers: Triggers | None = None) -> None:
        if span < 1:
            raise Usage("a ring must keep at least one tick", found=span)
        facts, triggers = facts or Facts(), triggers or Triggers()
        if facts.layout is not Layout.TEXT:
            raise Usage("a ring records in layout 1; convert the saved file afterwards")
        self._header, self._metadata = facts.beginning()
        self._span, self.session = span, 0
        self._kept: deque[_Kept] = deque()
        self._pack = Compressor(ZSTD, RECORDING_LEVEL)
        self._chunker = Chunker(Layout.TEXT, chunk_ticks=triggers.chunk_ticks, chunk_bytes=triggers.chunk_bytes)

    @property
    def ticks(self) -> int:
        """The number of ticks so far, including those that were dropped."""
        return self._chunker.ticks

    @property
    def timestamp(self) -> int:
        """When it was begun, in milliseconds since 1970."""
        return self._header.timestamp

    @property
    def first(self) -> int:
        """The first tick that is still in memory."""
        return self._kept[0].start if self._kept else self._chunker.begun

    @property
    def size(self) -> int:
        """The size of the compressed chunks in bytes."""
        return sum(len(kept.frame) for kept in self._kept)

    def tick(self, events: Sequence[Event | Move]) -> None:
        """Add a tick; raises :class:`Usage`, without adding anything, for events that cannot be written."""
        _, closed = self._chunker.tick(events)
        self._keep(closed)

    def skip(self, count: int) -> None:
        """Add `count` ticks without events."""
        for closed in self._chunker.skip(count):
            self._keep(closed)

    def poll(self) -> None:
        """Do nothing, as nothing waits to be written."""

    def save(self, target: str, *, force: bool = False) -> Record:
        """Write what is kept to the file `target`, its first tick as tick 0; recording goes on.

        Returns file, first tick, numbers of ticks and chunks, and size.  Raises :class:`~nhlog.errors.NhlogError` if
        the file exists and `force` is not set, :class:`Usage` if there is nothing to save.
        """
        check_target(target, force)
        self._keep(self._chunker.close())
        if not self._kept:
            raise Usage("nothing to save yet", file=target)
        first, run_events = self.first, RunEventTable()
        header = replace(self._header, timestamp=self._header.timestamp + first * TICK_MS)
        entries = assemble(
            target,
            header,
            lambda ticks: with_extension(self._metadata, run_events.added_to(read_extension(self._metadata), ticks)),
            packed(self._chunks(first, run_events), self._pack),
            force=force,
        )
        size = entries[-1].offset + entries[-1].length
        return {"file": target, "first": first, "ticks": entries[-1].end, "chunks": len(entries), "size": size}

    def _chunks(self, first: int, run_events: RunEventTable) -> Iterator[RawChunk]:
        for kept in self._kept:
            raw, _ = unpack(kept.frame, kept.raw_length)
            start = kept.start - first
            run_events.add_all(decode_chunk(raw, Layout.TEXT, start, kept.ticks, bool(kept.flags & SNAPSHOT)).ticks)
            yield RawChunk(start, kept.ticks, kept.flags, raw, 0)

    def _keep(self, chunk: RawChunk | None) -> None:
        """Add a chunk, and drop those that are older than the span."""
        if chunk is None:
            return
        self._kept.append(_Kept(chunk.start, chunk.ticks, chunk.flags, len(chunk.raw), self._pack(chunk.raw)))
        while self.ticks - (self._kept[0].start + self._kept[0].ticks) >= self._span:
            self._kept.popleft()
