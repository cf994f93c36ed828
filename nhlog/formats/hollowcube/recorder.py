"""A recording while it is made: a folder of segments, each appended to chunk by chunk, and a preamble that is replaced.

What the preamble tells of is on the disk before it is told; a chunk is appended as soon as it is complete, so that
after a crash even the segment that no preamble tells of can be adopted (`nhlog.formats.hollowcube.salvage`).  Memory
does not grow with the recording but for the index.
"""

import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from nhlog import atomic
from nhlog.errors import Damaged, NhlogError, Usage
from nhlog.formats.hollowcube.annex import read_annex, with_annex
from nhlog.formats.hollowcube.cutter import CHUNK_BYTES, CHUNK_TICKS, MOST_BYTES, Cutter, RawChunk
from nhlog.formats.hollowcube.events import PLAYER, DestroyEntity, Event
from nhlog.formats.hollowcube.facts import Facts
from nhlog.formats.hollowcube.header import Header
from nhlog.formats.hollowcube.index import Entry, segment_offset
from nhlog.formats.hollowcube.lock import hold
from nhlog.formats.hollowcube.moments import Moments
from nhlog.formats.hollowcube.nbt import Tag
from nhlog.formats.hollowcube.reader import Reader
from nhlog.formats.hollowcube.salvage import survey
from nhlog.formats.hollowcube.source import FINISHED, PREAMBLE, Folder, segment_name
from nhlog.formats.hollowcube.state import NOTHING, Scene, Still
from nhlog.formats.hollowcube.told import Move
from nhlog.formats.hollowcube.write import Packer, build_preamble

__all__ = ["Recorder", "Triggers"]


@dataclass(frozen=True, slots=True)
class Triggers:
    """What ends a chunk and what ends a segment, whichever comes first.

    A segment ends after so many seconds, bytes, or ticks with events: what is not in a finished segment may be lost.
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
    """The segment that grows: its descriptor, when it began, and the chunks that it has."""

    fd: int
    number: int
    begun: float
    size: int = 0
    busy: int = 0
    entries: list[Entry] = field(default_factory=list)


class Recorder:
    """Records into `folder`, a new recording or one that is not finished.

    As a context manager it finishes the recording at the end of the block; after an exception it keeps what came, so
    that the recording can be continued.  A failure to write is final: what was told of before is kept, and every
    further call raises it again.
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
        self._lock = hold(folder)
        try:
            begin = _resumed(folder, facts)
        except BaseException:
            os.close(self._lock)
            raise
        self._header, self._metadata, self._leaving = begin.header, begin.metadata, begin.leaving
        self._entries, self._next_segment = list(begin.entries), begin.next_segment
        ticks = begin.entries[-1].end if begin.entries else 0
        self._moments = begin.moments
        self._metadata = _with_data_version(self._metadata, self._header, facts.data_version, ticks)
        self._cutter = Cutter(
            self._header.layout,
            ticks,
            begin.still,
            chunk_ticks=self._triggers.chunk_ticks,
            chunk_bytes=self._triggers.chunk_bytes,
        )
        self._pack = Packer()
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
        """How many ticks there are, the open chunk's too."""
        return self._cutter.ticks

    @property
    def kept(self) -> int:
        """How many of them are in finished segments, and stay whatever happens."""
        return self._entries[-1].end if self._entries else 0

    @property
    def size(self) -> int:
        """Bytes of all chunks so far, but for the open one."""
        return self._written

    def tick(self, events: Sequence[Event | Move]) -> None:
        """One tick; raises :class:`Usage` for events that cannot be written, and then nothing has happened."""
        self._go_on()
        written, closed = self._cutter.tick((*self._leaving, *events))
        self._leaving = ()
        self._moments.add(self._cutter.ticks - 1, written)
        self._take(closed)

    def skip(self, count: int) -> None:
        """So many ticks in which nothing happened."""
        if count > 0 and self._leaving:
            self.tick(())
            count -= 1
        self._go_on()
        for closed in self._cutter.skip(count):
            self._take(closed)

    def poll(self) -> None:
        """End the segment if its time is up, for when no ticks come."""
        self._go_on()
        segment, triggers = self._segment, self._triggers
        if segment is not None and (
            segment.size >= triggers.segment_bytes
            or segment.busy >= triggers.segment_busy_ticks
            or self._clock() - segment.begun >= triggers.segment_seconds
        ):
            self._commit(segment)

    def flush(self) -> None:
        """End chunk and segment here: all ticks are on the disk, and told of."""
        self._go_on()
        self._take(self._cutter.cut())
        if self._segment is not None:
            self._commit(self._segment)

    def finish(self) -> None:
        """The same, and nothing can be added any more."""
        self.flush()
        if not self._entries:
            self._write_preamble()
        atomic.replace(os.path.join(self._folder, FINISHED), [])
        self.close()

    def leave(self) -> None:
        """Let go of the folder; what came is kept, if nothing failed before."""
        try:
            if self._failure is None:
                self.flush()
        finally:
            self.close()

    def close(self) -> None:
        """Let go of the folder as it is: what is in the open chunk is lost."""
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
        try:
            segment = self._segment or self._begin()
            frame = self._pack(chunk.raw)
            _append(segment.fd, frame)
        except OSError as error:
            raise self._fail(error) from None
        place = segment_offset(segment.number, segment.size)
        segment.entries.append(Entry(chunk.start, chunk.ticks, chunk.flags, place, len(frame), len(chunk.raw)))
        segment.size += len(frame)
        self._written += len(frame)
        segment.busy += chunk.busy
        self.poll()

    def _take_in(self, names: Iterable[str]) -> None:
        """Tell of segments that no preamble told of."""
        try:
            for name in names:
                fd = os.open(os.path.join(self._folder, name), os.O_RDONLY | os.O_CLOEXEC)
                try:
                    os.fsync(fd)
                finally:
                    os.close(fd)
            self._write_preamble()
        except OSError as error:
            self.close()
            raise self._fail(error) from None

    def _begin(self) -> _Segment:
        if not self._next_segment:
            self._write_preamble()  # what it is is told before there is anything of it
        path = os.path.join(self._folder, segment_name(self._next_segment))
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o666)
        self._segment = _Segment(fd, self._next_segment, self._clock())
        self._next_segment += 1
        return self._segment

    def _commit(self, segment: _Segment) -> None:
        """The segment is made durable, then told of."""
        try:
            os.fsync(segment.fd)
            atomic.sync_folder(self._folder)
            self._entries += segment.entries
            self._segment = None
            os.close(segment.fd)
            self._write_preamble()
        except OSError as error:
            raise self._fail(error) from None

    def _write_preamble(self) -> None:
        ticks = self._entries[-1].end if self._entries else 0
        metadata = with_annex(self._metadata, self._moments.annex(read_annex(self._metadata), ticks))
        atomic.replace(os.path.join(self._folder, PREAMBLE), [build_preamble(self._header, metadata, self._entries)])

    def _fail(self, error: OSError) -> NhlogError:
        self._failure = NhlogError(f"cannot record on: {error.strerror or error}", file=self._folder)
        return self._failure


def _append(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


@dataclass(frozen=True, slots=True)
class _Beginning:
    """Where a session begins; `leaving` is what happens first, `adopted` are segments that no preamble tells of."""

    header: Header
    metadata: Tag
    moments: Moments
    entries: tuple[Entry, ...] = ()
    next_segment: int = 0
    still: Still = NOTHING
    leaving: tuple[Event, ...] = ()
    adopted: tuple[str, ...] = ()


def _resumed(folder: str, facts: Facts) -> _Beginning:
    """A new recording, or the end of what is there; segments that a crash left without a preamble are taken in."""
    names = os.listdir(folder)
    for name in names:
        if name.startswith(atomic.DRAFT):  # of a recorder that died
            os.unlink(os.path.join(folder, name))
    if FINISHED in names:
        raise Usage("the recording is finished", file=folder)
    if not any(name == PREAMBLE or name.startswith("segment-") for name in names):
        return _Beginning(*facts.beginning(), Moments())
    source = Folder(folder, folder)
    found = survey(source)
    if found.losses:
        raise Damaged(f"not to be continued before it is recovered: {found.losses[0].what}", file=folder)
    header = found.preamble.header
    _require_compatible(folder, facts, header)
    reader = Reader(source, (found.preamble, found.parts))
    still = _last_state(reader)
    # a session numbers its entities anew, and those of the last one would stay for ever (spec 5)
    leaving = tuple(DestroyEntity(number) for number in still.entities if number != PLAYER)
    said = set(found.preamble.entries)
    adopted = tuple({part.name: None for part in found.parts if part.entry not in said})
    entries = tuple(part.entry for part in found.parts)
    metadata, moments = found.preamble.metadata, _moments(reader)
    return _Beginning(header, metadata, moments, entries, found.next_segment, still, leaving, adopted)


def _moments(reader: Reader) -> Moments:
    """Those of the table, and of the chunks behind what it is about; without a table there are none to be had."""
    annex = reader.preamble.annex
    if annex.ticks is None:
        return Moments(None if reader.parts else ())
    moments = Moments(annex.moments)
    for number, part in enumerate(reader.parts):
        if part.entry.end > annex.ticks:
            chunk, _ = reader.fresh_chunk(number)
            moments.add_all(tick for tick in chunk.ticks if tick.number >= annex.ticks)
    return moments


def _require_compatible(folder: str, facts: Facts, header: Header) -> None:
    """A recording is continued in the same world, in the same version of it (spec 2)."""
    wanted, _ = facts.beginning()
    for what, ours, theirs in (
        ("world", wanted.world_id, header.world_id),
        ("world version", wanted.world_version, header.world_version),
        ("layout", int(wanted.layout), int(header.layout)),
    ):
        if ours != theirs:
            raise Usage(f"the recording is of another {what}", file=folder, expected=theirs, found=ours)


def _last_state(reader: Reader) -> Still:
    """The state at the recording's end, from the last chunk that has a snapshot."""
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
    return scene.still()


def _with_data_version(metadata: Tag, header: Header, version: int | None, tick: int) -> Tag:
    """The metadata with the game's data version from `tick` on, where it is another one than before."""
    annex = read_annex(metadata)
    known = annex.data_versions[-1][1] if annex.data_versions else header.data_version
    if version is None or version == known:
        return metadata
    before: tuple[tuple[int, int], ...] = annex.data_versions
    if not before and tick and header.data_version is not None:
        before = ((0, header.data_version),)
    return with_annex(metadata, replace(annex, data_versions=(*before, (tick, version))))
