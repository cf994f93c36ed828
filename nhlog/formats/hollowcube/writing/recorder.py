"""The recorder: writes a folder of segments, to which chunks are appended, and replaces the preamble.

Chunks are on the disk before the preamble lists them.  A chunk is appended as soon as it is complete, so that after a
crash even a segment that the preamble does not list can be used (`reading.salvage`).  The memory needed grows with the
index only.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Self

from nhlog.compression import ZSTD, Compressor
from nhlog.errors import Damaged, NhlogError, Usage
from nhlog.files import CannotWrite, atomic, create_file, naming, open_regular, refusals
from nhlog.formats.hollowcube.reading.local import Folder
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.reading.salvage import survey
from nhlog.formats.hollowcube.reading.source import FINISHED, PREAMBLE, segment_name
from nhlog.formats.hollowcube.state import NOTHING, FrozenScene, Scene
from nhlog.formats.hollowcube.wire.events import PLAYER, DestroyEntity, Event
from nhlog.formats.hollowcube.wire.extension import RunEventTable, read_extension, with_extension
from nhlog.formats.hollowcube.wire.header import CHUNK_TICKS, Header
from nhlog.formats.hollowcube.wire.index import Entry, segment_offset
from nhlog.formats.hollowcube.wire.nbt import Tag
from nhlog.formats.hollowcube.wire.preamble import build_preamble
from nhlog.formats.hollowcube.writing.chunker import CHUNK_BYTES, MOST_BYTES, RECORDING_LEVEL, Chunker, RawChunk
from nhlog.formats.hollowcube.writing.facts import Facts
from nhlog.formats.hollowcube.writing.lock import lock_folder
from nhlog.formats.hollowcube.writing.moves import Move

__all__ = ["Recorder", "Triggers"]


@dataclass(frozen=True, slots=True)
class Triggers:
    """The limits at the first of which a chunk or a segment ends.

    A crash may lose ticks that are not in a finished segment.
    """

    chunk_ticks: int = CHUNK_TICKS
    chunk_bytes: int = CHUNK_BYTES
    segment_seconds: float = 60.0
    segment_bytes: int = 4 << 20
    segment_busy_ticks: int = 12_000  # ten minutes of them

    def __post_init__(self) -> None:
        limits = (self.chunk_ticks, self.chunk_bytes, self.segment_seconds, self.segment_bytes, self.segment_busy_ticks)
        if min(limits) <= 0:
            raise Usage("a chunk or a segment of nothing")
        if self.chunk_bytes > MOST_BYTES:
            raise Usage("a chunk is too large", expected=f"at most {MOST_BYTES} bytes", found=self.chunk_bytes)


@dataclass(slots=True)
class _Segment:
    """The segment that is not finished: its file descriptor, the time of its begin, and its chunks."""

    fd: int
    number: int
    begun: float
    size: int = 0
    busy: int = 0
    entries: list[Entry] = field(default_factory=list)


class Recorder:
    """Records into `folder`: starts a new recording, or continues an unfinished one.

    As a context manager it finishes the recording at the end of the block; after an exception it only flushes it, so
    that the recording can be continued.

    Raises :class:`~nhlog.errors.LockNotObtained` if another process records there, :class:`~nhlog.errors.Usage` for a
    finished recording or one of another world, and :class:`~nhlog.errors.Damaged` for one that must be recovered first.

    A failure to write is final: what the preamble lists is kept, and every further call raises the failure again.
    """

    def __init__(
        self,
        folder: str,
        facts: Facts | None = None,
        triggers: Triggers | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        facts = facts or Facts()
        self._folder, self._triggers, self._clock = folder, triggers or Triggers(), clock
        self._failure: NhlogError | None = None
        self._segment: _Segment | None = None
        os.makedirs(folder, exist_ok=True)
        self._lock = lock_folder(folder)
        try:
            begin = _resumed(folder, facts)
        except BaseException:
            os.close(self._lock)
            raise
        self._header, self._metadata, self._leaving = begin.header, begin.metadata, begin.leaving
        self._entries, self._next_segment = list(begin.entries), begin.next_segment
        ticks = begin.entries[-1].end if begin.entries else 0
        self._run_events = begin.run_events
        self._metadata = _with_data_version(self._metadata, self._header, facts.data_version, ticks)
        self._chunker = Chunker(
            self._header.layout,
            ticks,
            begin.scene,
            chunk_ticks=self._triggers.chunk_ticks,
            chunk_bytes=self._triggers.chunk_bytes,
        )
        self._pack = Compressor(ZSTD, RECORDING_LEVEL)
        self._written = sum(entry.length for entry in self._entries)
        if begin.adopted:
            self._take_in(begin.adopted)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._failure is not None:
            self.close()
        elif kind is None:
            self.finish()
        else:
            self.leave()

    @property
    def ticks(self) -> int:
        """The number of ticks so far, including the open chunk."""
        return self._chunker.ticks

    @property
    def kept(self) -> int:
        """The number of ticks in finished segments, which are safely on the disk."""
        return self._entries[-1].end if self._entries else 0

    @property
    def size(self) -> int:
        """The size in bytes of all chunks so far, except the open one."""
        return self._written

    def tick(self, events: Sequence[Event | Move]) -> None:
        """Add a tick; raises :class:`Usage`, without adding anything, for events that cannot be written."""
        self._go_on()
        written, closed = self._chunker.tick((*self._leaving, *events))
        self._leaving = ()
        self._run_events.add(self._chunker.ticks - 1, written)
        self._take(closed)

    def skip(self, count: int) -> None:
        """Add `count` ticks without events."""
        if count > 0 and self._leaving:
            self.tick(())
            count -= 1
        self._go_on()
        for closed in self._chunker.skip(count):
            self._take(closed)

    def poll(self) -> None:
        """End the segment if one of its limits is reached; to be called regularly while no ticks are added."""
        self._go_on()
        segment, triggers = self._segment, self._triggers
        if segment is not None and (
            segment.size >= triggers.segment_bytes
            or segment.busy >= triggers.segment_busy_ticks
            or self._clock() - segment.begun >= triggers.segment_seconds
        ):
            self._commit(segment)

    def flush(self) -> None:
        """End chunk and segment: afterwards all ticks are on the disk, and listed in the preamble."""
        self._go_on()
        self._take(self._chunker.close())
        if self._segment is not None:
            self._commit(self._segment)

    def finish(self) -> None:
        """Flush, and mark the recording as finished: nothing can be added any more."""
        self.flush()
        if not self._entries:
            self._write_preamble()
        with self._writing():
            atomic.replace(os.path.join(self._folder, FINISHED), [])
        self.close()

    def leave(self) -> None:
        """Flush, unless something failed before, and close."""
        try:
            if self._failure is None:
                self.flush()
        finally:
            self.close()

    def close(self) -> None:
        """Release the folder without flushing: the open chunk is lost."""
        self._failure = self._failure or NhlogError("the recorder is closed", file=self._folder)
        if self._segment is not None:
            os.close(self._segment.fd)
            self._segment = None
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _go_on(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _take(self, chunk: RawChunk | None) -> None:
        """Append a chunk to the segment."""
        if chunk is None:
            return
        with self._writing():
            segment = self._segment or self._begin()
            frame = self._pack(chunk.raw)
            with naming(self._path(segment.number)):
                _append(segment.fd, frame)
        place = segment_offset(segment.number, segment.size)
        segment.entries.append(Entry(chunk.start, chunk.ticks, chunk.flags, place, len(frame), len(chunk.raw)))
        segment.size += len(frame)
        self._written += len(frame)
        segment.busy += chunk.busy
        self.poll()

    def _take_in(self, names: Iterable[str]) -> None:
        """Add segments that the preamble does not list to it."""
        try:
            with self._writing():
                for name in names:
                    path = os.path.join(self._folder, name)
                    fd = open_regular(path)
                    try:
                        with naming(path):
                            os.fsync(fd)
                    finally:
                        os.close(fd)
                self._write_preamble()
        except NhlogError:
            self.close()
            raise

    def _begin(self) -> _Segment:
        if not self._next_segment:
            self._write_preamble()  # the header is there before the first chunk
        fd = create_file(self._path(self._next_segment), flags=os.O_WRONLY | os.O_APPEND)
        self._segment = _Segment(fd, self._next_segment, self._clock())
        self._next_segment += 1
        return self._segment

    def _commit(self, segment: _Segment) -> None:
        """Sync the segment to the disk, then list it in the preamble."""
        with self._writing():
            with naming(self._path(segment.number)):
                os.fsync(segment.fd)
            atomic.sync_folder(self._folder)
            self._entries += segment.entries
            self._segment = None
            os.close(segment.fd)
            self._write_preamble()

    def _write_preamble(self) -> None:
        ticks = self._entries[-1].end if self._entries else 0
        metadata = with_extension(self._metadata, self._run_events.added_to(read_extension(self._metadata), ticks))
        atomic.replace(os.path.join(self._folder, PREAMBLE), [build_preamble(self._header, metadata, self._entries)])

    def _path(self, number: int) -> str:
        return os.path.join(self._folder, segment_name(number))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A context for writing, in which an error of the system becomes the recorder's final failure."""
        try:
            with refusals(self._folder):
                yield
        except CannotWrite as error:
            self._failure = error
            raise


def _append(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


@dataclass(frozen=True, slots=True)
class _Beginning:
    """The start of a recorder; `leaving` are its first events, `adopted` the segments missing in the preamble."""

    header: Header
    metadata: Tag
    run_events: RunEventTable
    entries: tuple[Entry, ...] = ()
    next_segment: int = 0
    scene: FrozenScene = NOTHING
    leaving: tuple[Event, ...] = ()
    adopted: tuple[str, ...] = ()


def _resumed(folder: str, facts: Facts) -> _Beginning:
    """The beginning of a new recording, or the end of an existing one, with segments that a crash left unlisted."""
    names = os.listdir(folder)
    for name in names:
        if name.startswith(atomic.DRAFT):  # of a recorder that died
            os.unlink(os.path.join(folder, name))
    if FINISHED in names:
        raise Usage("the recording is finished", file=folder)
    if not any(name == PREAMBLE or name.startswith("segment-") for name in names):
        return _Beginning(*facts.beginning(), RunEventTable())
    source = Folder(folder, folder)
    found = survey(source)
    if found.losses:
        raise Damaged(f"not to be continued before it is recovered: {found.losses[0].what}", file=folder)
    header = found.preamble.header
    _require_compatible(folder, facts, header)
    reader = Reader(source, (found.preamble, found.parts))
    scene = _last_state(reader)
    # a session numbers its entities anew, and those of the last one would stay for ever (spec 5)
    leaving = tuple(DestroyEntity(number) for number in scene.entities if number != PLAYER)
    listed = set(found.preamble.entries)
    adopted = tuple({part.name: None for part in found.parts if part.entry not in listed})
    entries = tuple(part.entry for part in found.parts)
    metadata, run_events = found.preamble.metadata, _run_events(reader)
    return _Beginning(header, metadata, run_events, entries, found.next_segment, scene, leaving, adopted)


def _run_events(reader: Reader) -> RunEventTable:
    """The recording's table, completed from the chunks that it does not cover; unknown if there is no table."""
    extension = reader.preamble.extension
    if extension.covered_ticks is None:
        return RunEventTable(None if reader.parts else ())
    run_events = RunEventTable(extension.run_events)
    for number, part in enumerate(reader.parts):
        if part.entry.end > extension.covered_ticks:
            chunk, _ = reader.fresh_chunk(number)
            run_events.add_all(tick for tick in chunk.ticks if tick.number >= extension.covered_ticks)
    return run_events


def _require_compatible(folder: str, facts: Facts, header: Header) -> None:
    """Raise :class:`Usage` if the recording is of another world, version of the world or layout (spec 2)."""
    wanted, _ = facts.beginning()
    for what, ours, theirs in (
        ("world", wanted.world_id, header.world_id),
        ("world version", wanted.world_version, header.world_version),
        ("layout", int(wanted.layout), int(header.layout)),
    ):
        if ours != theirs:
            raise Usage(f"the recording is of another {what}", file=folder, expected=theirs, found=ours)


def _last_state(reader: Reader) -> FrozenScene:
    """The state at the recording's end, computed from the last chunk with a snapshot on."""
    numbers = range(len(reader.parts))
    first = next((number for number in reversed(numbers) if reader.parts[number].entry.has_snapshot), 0)
    scene = Scene()
    for number in numbers[first:]:
        chunk, _ = reader.fresh_chunk(number)
        if chunk.fault is not None:
            raise Damaged(f"its end cannot be read: {chunk.fault.what}", file=reader.source.path)
        for events in (chunk.snapshot or (), *(tick.events for tick in chunk.ticks)):
            for event in events:
                scene.apply(event)
    return scene.freeze()


def _with_data_version(metadata: Tag, header: Header, version: int | None, tick: int) -> Tag:
    """The metadata with the game's data version from `tick` on, if it differs from the one before."""
    extension = read_extension(metadata)
    known = extension.data_versions[-1][1] if extension.data_versions else header.data_version
    if version is None or version == known:
        return metadata
    before: tuple[tuple[int, int], ...] = extension.data_versions
    if not before and tick and header.data_version is not None:
        before = ((0, header.data_version),)
    return with_extension(metadata, replace(extension, data_versions=(*before, (tick, version))))
