"""Collects ticks into chunks; each chunk begins with a snapshot of the state, so that it can be read on its own.

A tick is added completely or not at all: an event that cannot be written changes nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from nhlog.errors import Usage
from nhlog.formats.hollowcube.state import NOTHING, FrozenScene, Scene
from nhlog.formats.hollowcube.wire.chunks import MAX_EVENTS, MAX_RAW, Chunk, ChunkBuilder
from nhlog.formats.hollowcube.wire.events import PLAYER, AbsoluteMove, ClearGhostBlocks, Event, write_event
from nhlog.formats.hollowcube.wire.header import CHUNK_TICKS, Layout
from nhlog.formats.hollowcube.wire.index import SNAPSHOT, Entry
from nhlog.formats.hollowcube.writing.moves import Move, as_read, rounded, settled
from nhlog.values import NamedTuple

__all__ = ["CHUNK_BYTES", "MOST_BYTES", "RECORDING_LEVEL", "Chunker", "RawChunk", "first_ticks", "snapshot_of"]

RECORDING_LEVEL: Final = 3  # of zstd, as the game has it (spec 6)
CHUNK_BYTES: Final = 1 << 20  # unpacked, as the game has it (spec 6)
MOST_BYTES: Final = MAX_RAW // 4  # of a chunk unpacked, but for its snapshot and its last tick: readers have a limit
_MAX_SNAPSHOT: Final = MAX_RAW // 2  # bytes
_MANY: Final = 10_000  # events of a snapshot whose length is worth a look


class RawChunk(NamedTuple):
    """A complete, uncompressed chunk; `flags` are those of the index, `busy` is its number of ticks with events."""

    start: int
    ticks: int
    flags: int
    raw: bytes
    busy: int


@dataclass(slots=True)
class _Open:
    """The chunk that is not complete yet."""

    builder: ChunkBuilder
    start: int
    flags: int
    busy: int = 0


class Chunker:
    """Makes chunks of at most `chunk_ticks` ticks, which end early when their events have `chunk_bytes` bytes.

    It begins at tick `ticks` with the state `scene`; the attribute `ticks` is the number of ticks so far.
    """

    def __init__(
        self,
        layout: Layout,
        ticks: int = 0,
        scene: FrozenScene = NOTHING,
        *,
        chunk_ticks: int = CHUNK_TICKS,
        chunk_bytes: int = CHUNK_BYTES,
    ) -> None:
        self.ticks = ticks
        self._layout = layout
        self._chunk_ticks, self._chunk_bytes = chunk_ticks, chunk_bytes
        self._scene = Scene(scene)
        self._open: _Open | None = None

    @property
    def begun(self) -> int:
        """The first tick that is in no complete chunk yet."""
        return self.ticks if self._open is None else self._open.start

    def tick(self, events: Sequence[Event | Move]) -> tuple[tuple[Event, ...], RawChunk | None]:
        """Add a tick; returns the events as they are written, and the chunk that the tick completed, or None.

        Raises :class:`~nhlog.errors.Usage` for events that cannot be written.
        """
        ready = [(event, *settled(AbsoluteMove(*event) if isinstance(event, Move) else event)) for event in events]
        if len(ready) > MAX_EVENTS or sum(len(body) for _, _, body in ready) > CHUNK_BYTES:
            raise Usage("too many events in a tick", expected=f"at most {MAX_EVENTS} events and {CHUNK_BYTES} bytes")
        chunk = self._opened(len(events))
        written, data = [], []
        for event, known, body in ready:
            if isinstance(event, Move):
                step = self._rounded(event)
                if step is None:
                    continue
                known, body = settled(step)
            self._scene.apply(known)
            written.append(known)
            data.append(body)
        chunk.builder.add(self.ticks, len(written), b"".join(data))
        chunk.busy += bool(written)
        self.ticks += 1
        return tuple(written), self._closed_if_full(chunk)

    def skip(self, count: int) -> Iterator[RawChunk]:
        """Add `count` ticks without events; yields the chunks that they complete."""
        while count > 0:
            chunk = self._opened(0)
            taken = min(count, chunk.start + self._chunk_ticks - self.ticks)
            self.ticks += taken
            count -= taken
            closed = self._closed_if_full(chunk)
            if closed is not None:
                yield closed

    def so_far(self) -> RawChunk | None:
        """The open chunk as it is now, each later one begins with the same bytes; None if none is open."""
        chunk = self._open
        if chunk is None:
            return None
        raw = chunk.builder.until(self.ticks, say_end=True)
        return RawChunk(chunk.start, self.ticks - chunk.start, chunk.flags, raw, chunk.busy)

    def close(self) -> RawChunk | None:
        """End the open chunk and return it; None if none is open."""
        chunk = self.so_far()
        self._open = None
        return chunk

    def _opened(self, first: int) -> _Open:
        """The open chunk; a new one begins with a snapshot, rounded as readers will decode it."""
        if self._open is None:
            snapshot = snapshot_of(self._scene, self._layout, first)
            if snapshot is not None:
                self._scene = Scene()
                for event in snapshot:
                    self._scene.apply(as_read(event))
            builder = ChunkBuilder(self._layout, self.ticks, snapshot)
            self._open = _Open(builder, self.ticks, 0 if snapshot is None else SNAPSHOT)
        return self._open

    def _closed_if_full(self, chunk: _Open) -> RawChunk | None:
        full = self.ticks - chunk.start >= self._chunk_ticks or chunk.builder.size >= self._chunk_bytes
        return self.close() if full else None

    def _rounded(self, move: Move) -> Event | None:
        entity = self._scene.entity(move.entity)
        if entity is None:
            return rounded(move, None, move.velocity)
        unplaced = move.entity == PLAYER and entity == NOTHING.entities[PLAYER]
        return rounded(move, None if unplaced else entity.position, entity.velocity)


def first_ticks(layout: Layout, entry: Entry, raw: bytes, chunk: Chunk, end: int) -> RawChunk:
    """The chunk up to tick `end`, which is not in it, as a chunk: the snapshot and the events are as they were."""
    builder = ChunkBuilder(layout, entry.start, chunk.snapshot)
    for tick in chunk.ticks:
        if tick.number < end:
            builder.add(tick.number, len(tick.events), raw[tick.body : tick.end])
    begins = chunk.snapshot is not None or layout is Layout.GAME
    flags = entry.flags if begins else entry.flags & ~SNAPSHOT
    return RawChunk(entry.start, end - entry.start, flags, builder.until(end, say_end=True), 0)


def snapshot_of(scene: Scene, layout: Layout, first: int) -> tuple[Event, ...] | None:
    """The snapshot with which a chunk can be read on its own; `first` is the number of events in its first tick.

    None if it is too large for a chunk or, in the game's layout, for the first tick.
    """
    if layout is Layout.TEXT:
        snapshot = tuple(scene.snapshot())
        large = len(snapshot) > _MANY and sum(len(write_event(event)) for event in snapshot) > _MAX_SNAPSHOT
        return None if large else snapshot
    snapshot = (ClearGhostBlocks(), *scene.snapshot())  # the game keeps what it had set when it jumps
    return snapshot if len(snapshot) + first <= MAX_EVENTS else None
