"""The recorder: writes a folder of segments, to which chunks are appended, and replaces the preamble.

Chunks are on the disk before the preamble lists them.  A tick is written soon, before its chunk is complete, so that a
viewer sees it (`reading.tail`) and a crash does not cost it.  The memory needed grows with the index only.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import astuple, replace
from typing import Self

from nhlog.compression import ZSTD, Compressor, OpenMember
from nhlog.errors import NhlogError, Usage
from nhlog.files import CannotWrite, atomic, create_file, naming, refusals
from nhlog.formats.hollowcube.reading.source import FINISHED, PREAMBLE, segment_name
from nhlog.formats.hollowcube.recording.resume import resumed
from nhlog.formats.hollowcube.wire.events import Event
from nhlog.formats.hollowcube.wire.extension import read_extension, with_extension
from nhlog.formats.hollowcube.wire.header import CHUNK_TICKS
from nhlog.formats.hollowcube.wire.index import Entry, segment_offset
from nhlog.formats.hollowcube.wire.preamble import build_preamble
from nhlog.formats.hollowcube.writing.chunker import CHUNK_BYTES, MOST_BYTES, RECORDING_LEVEL, Chunker, RawChunk
from nhlog.formats.hollowcube.writing.facts import Facts
from nhlog.formats.hollowcube.writing.lock import lock_folder
from nhlog.formats.hollowcube.writing.moves import Move
from nhlog.values import dataclass

__all__ = ["Recorder", "Triggers"]


@dataclass(frozen=True, slots=True)
class Triggers:
    """The limits at the first of which a chunk or a segment ends.

    A tick is written after `write_seconds`; synced to the disk, so that no crash costs it, where its segment ends.
    """

    chunk_ticks: int = CHUNK_TICKS
    chunk_bytes: int = CHUNK_BYTES
    segment_seconds: float = 60.0
    segment_bytes: int = 4 << 20
    segment_busy_ticks: int = 12_000  # ten minutes of them
    write_seconds: float = 0.5  # half of what a viewer may be behind, who looks four times a second

    def __post_init__(self) -> None:
        if min(astuple(self)) <= 0:
            raise Usage("a chunk and a segment cannot be empty")
        if self.chunk_bytes > MOST_BYTES:
            raise Usage("a chunk is too large", expected=f"at most {MOST_BYTES} bytes", found=self.chunk_bytes)


class _Segment:
    """A new segment file in `folder`; raises :class:`OSError`, as all of its methods do.

    `begun` is the time of its beginning, `size` the bytes of its complete chunks and `busy` their ticks with events,
    `entries` their entries in the index.
    """

    def __init__(self, folder: str, number: int, begun: float) -> None:
        self._path = os.path.join(folder, segment_name(number))
        with suppress(FileNotFoundError):  # what cannot be read or does not fit: the game writes over it, too (spec 7)
            os.unlink(self._path)
        self._fd = create_file(self._path, flags=os.O_WRONLY | os.O_APPEND)
        self._number, self.begun = number, begun
        self.size = self.busy = 0
        self.entries: list[Entry] = []
        self._frame: OpenMember | None = None
        self._length = self._packed = 0  # bytes of the open chunk in the file, and how many of its own are in them

    def write(self, chunk: RawChunk) -> None:
        """Append what is new in a chunk that is not complete."""
        if self._frame is None:
            self._frame = OpenMember(ZSTD, RECORDING_LEVEL)
        if len(chunk.raw) > self._packed:
            self._append(self._frame.add(chunk.raw[self._packed :]))
            self._packed = len(chunk.raw)

    def append(self, chunk: RawChunk, pack: Compressor) -> int:
        """Append a chunk, or what is missing of it, and return its packed size; `pack` packs one that is new."""
        self._append(pack(chunk.raw) if self._frame is None else self._frame.end(chunk.raw[self._packed :]))
        length, place = self._length, segment_offset(self._number, self.size)
        self.entries.append(Entry(chunk.start, chunk.ticks, chunk.flags, place, length, len(chunk.raw)))
        self.size += length
        self.busy += chunk.busy
        self._frame, self._length, self._packed = None, 0, 0
        return length

    def sync(self) -> None:
        """Make it durable."""
        with naming(self._path):
            os.fsync(self._fd)

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)

    def _append(self, data: bytes) -> None:
        self._length += len(data)
        rest = memoryview(data)
        with naming(self._path):
            while rest:
                rest = rest[os.write(self._fd, rest) :]


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
        self._written_at = clock()
        os.makedirs(folder, exist_ok=True)
        self._lock = lock_folder(folder)
        try:
            begin = resumed(folder, facts)
        except BaseException:
            os.close(self._lock)
            raise
        self._header, self._metadata, self._leaving = begin.header, begin.metadata, begin.leaving
        self._entries, self._next_segment = list(begin.entries), begin.next_segment
        self._run_events = begin.run_events
        self._chunker = Chunker(
            self._header.layout,
            begin.ticks,
            begin.scene,
            chunk_ticks=self._triggers.chunk_ticks,
            chunk_bytes=self._triggers.chunk_bytes,
        )
        self._pack = Compressor(ZSTD, RECORDING_LEVEL)
        self._written = sum(entry.length for entry in self._entries)
        if begin.adopted or begin.open is not None:
            self._take_in(begin.adopted, begin.open)

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
    def timestamp(self) -> int:
        """When the recording began, in milliseconds since 1970."""
        return self._header.timestamp

    @property
    def session(self) -> int:
        """The tick that was tick 0 of what the newest session recorded; it is kept in the metadata."""
        return read_extension(self._metadata).session

    @session.setter
    def session(self, tick: int) -> None:
        if tick != self.session:
            self._metadata = with_extension(self._metadata, replace(read_extension(self._metadata), session=tick))
            if self._entries:
                with self._writing():
                    self._write_preamble()

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
        self.poll()

    def skip(self, count: int) -> None:
        """Add `count` ticks without events."""
        if count > 0 and self._leaving:
            self.tick(())
            count -= 1
        self._go_on()
        for closed in self._chunker.skip(count):
            self._take(closed)
            self.poll()
        self.poll()

    def poll(self) -> None:
        """Write what is due, and end the segment if one of its limits is reached.

        Call it regularly while no ticks are added.
        """
        self._go_on()
        now, segment, triggers = self._clock(), self._segment, self._triggers
        if segment is not None and (
            segment.size >= triggers.segment_bytes
            or segment.busy >= triggers.segment_busy_ticks
            or now - segment.begun >= triggers.segment_seconds
        ):
            self.flush()
        elif now - self._written_at >= triggers.write_seconds:
            self._written_at = now
            self._write_open()

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
            self._segment.close()
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
            self._written += (self._segment or self._begin()).append(chunk, self._pack)

    def _write_open(self) -> None:
        """Append what is new in the open chunk."""
        chunk = self._chunker.so_far()
        if chunk is not None:
            with self._writing():
                (self._segment or self._begin()).write(chunk)

    def _take_in(self, names: Iterable[str], chunk: RawChunk | None) -> None:
        """List segments that the preamble does not list, and an open chunk, which gets a segment of its own."""
        try:
            with self._writing():
                for name in names:
                    atomic.sync_file(os.path.join(self._folder, name))
                if chunk is not None:
                    self._write_again(chunk)
                self._write_preamble()
        except NhlogError:
            self.close()
            raise

    def _write_again(self, chunk: RawChunk) -> None:
        """Write an open chunk as a whole segment, perhaps in the place of the one that it is alone in."""
        frame, place = self._pack(chunk.raw), segment_offset(self._next_segment, 0)
        atomic.replace(os.path.join(self._folder, segment_name(self._next_segment)), [frame])
        self._entries.append(Entry(chunk.start, chunk.ticks, chunk.flags, place, len(frame), len(chunk.raw)))
        self._written += len(frame)
        self._next_segment += 1

    def _begin(self) -> _Segment:
        if not self._next_segment:
            self._write_preamble()  # the header is there before the first chunk
        self._segment = _Segment(self._folder, self._next_segment, self._clock())
        self._next_segment += 1
        return self._segment

    def _commit(self, segment: _Segment) -> None:
        """Sync the segment to the disk, then list it in the preamble."""
        with self._writing():
            segment.sync()
            atomic.sync_folder(self._folder)
            self._entries += segment.entries
            self._segment = None
            segment.close()
            self._write_preamble()

    def _write_preamble(self) -> None:
        ticks = self._entries[-1].end if self._entries else 0
        metadata = with_extension(self._metadata, self._run_events.added_to(read_extension(self._metadata), ticks))
        atomic.replace(os.path.join(self._folder, PREAMBLE), [build_preamble(self._header, metadata, self._entries)])

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A context for writing, in which an error of the system becomes the recorder's final failure."""
        try:
            with refusals(self._folder):
                yield
        except CannotWrite as error:
            self._failure = error
            raise
