"""The recorder: a .butter file that grows frame by frame, and is sound at every moment.

The header stands in front of the chunks, and says who plays and how long each chunk is.  So that it need not be written
anew for every frame:

- While it is recorded nothing is compressed, and the table of chunks ends in room: zeros, which every reader skips.
- A frame is appended behind the last chunk, where readers ignore it, and then counted, by one write of four bytes: the
  size of that chunk.  A process that is killed leaves all frames but the one that it was at.
- A player who is not in the header yet, or a chunk for which there is no room, has the file written anew, and put in
  its place at once.  Both are rare; to do so for each frame or chunk would write every byte a hundred times.
- Finishing writes it anew, too: compressed, and without room.

A chunk is on the disk before the next one begins: a power failure costs the open one.  The lock is on the file itself,
and a new file is locked before it takes the place.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from struct import Struct
from typing import Final

from nhlog.errors import Damaged, LockNotObtained, NhlogError, Usage
from nhlog.files import CHUNK, atomic, lock, open_regular, read_at, refusals, stamp_at, stamp_of
from nhlog.formats.butter.reading.butterfile import ButterFile
from nhlog.formats.butter.wire.encode.frames import Encoder
from nhlog.formats.butter.wire.header import LEAST_ROOM, Header, Roster, format_header, storable, stored_header
from nhlog.formats.butter.wire.packing import pack
from nhlog.formats.butter.wire.values import Frame
from nhlog.formats.butter.writing.file import write_chunks
from nhlog.formats.butter.writing.recode import encoded, is_full

__all__ = ["Recorder"]

_ROOM: Final = 512  # chunks: at 30 frames a second and 300 in a chunk it lasts an hour and a half
_SIZE: Final = Struct("<I")
_LIVE: Final = "none"  # the compression while it is recorded
_MOST_LOOKS: Final = 100  # at a name whose file is replaced again and again


class Recorder:
    """Records into the file `path`: begins it, or continues one of the same session that is not finished.

    `header` describes the session; its compression is that of the finished file.  The frames that are added must have
    their players from `roster`.  `room` is for how many chunks there is room at first.

    An empty file is one in which nothing was recorded yet.

    Raises :class:`~nhlog.errors.LockNotObtained` if somebody else records there, :class:`~nhlog.errors.Usage` for a
    finished recording (unless `force` replaces it) or one of another session, :class:`~nhlog.errors.Damaged` for one
    that must be recovered first, :class:`~nhlog.errors.Unsupported` for a session that does not fit into the format.

    A failure to write is final: what is counted is kept, and every further call raises the failure again.
    """

    def __init__(self, path: str, header: Header, *, force: bool = False, room: int = _ROOM) -> None:
        self.path = path
        self._path = os.path.realpath(path)
        self._compression = header.compression
        header = replace(storable(header)[0], version=3, compression=_LIVE, people=(), sizes=(0,) * room)
        self._header = replace(stored_header(header), end=0)  # which is not written yet
        self._failure: NhlogError | None = None
        self._fd = -1
        self._sizes: list[int] = []
        self._count = self._players = 0  # frames of the open chunk, and players in them
        self.frames = self.duration = 0  # of all; µs
        self._start: int | None = None
        self._at = 0  # the end of the last chunk
        try:
            if os.path.lexists(self._path):
                self._fd = _open_locked(self._path)
                if not force and stamp_at(self._fd).size:
                    self._resume()
        except BaseException:
            self.close()
            raise
        self.roster = Roster(self._header.people)
        self._encoder = Encoder(self._header, self.roster)

    @property
    def size(self) -> int:
        """The size of the file in bytes, as far as it is counted."""
        return self._at

    def add(self, frame: Frame) -> None:
        """Add a frame; raises :class:`~nhlog.errors.Unsupported` for one that does not fit into a .butter file."""
        if self._failure is not None:
            raise self._failure
        players = self._players + len(frame.players)
        begins = not self._sizes or is_full(self._count, players, self._sizes[-1], self._header.interval)
        with self._writing():
            data = encoded(self._encoder, frame, key=begins)
            if begins:
                self._begin_chunk()
            self._sizes[-1] += len(data)
            full = len(self._header.sizes) - len(self._sizes) < LEAST_ROOM
            if full or not self._header.end or len(self.roster.people) > len(self._header.people):
                self._write_anew(data, room=len(self._sizes) if full else 0)
            else:
                self._append(data)
        self._count += 1
        self._players += len(frame.players)
        self.frames += 1
        self._start = frame.time if self._start is None else self._start
        self.duration = max(self.duration, 1000 * (frame.time - self._start))

    def finish(self) -> None:
        """Write the finished file, and close."""
        if self._failure is not None:
            raise self._failure
        header = replace(self._header, compression=self._compression)
        with self._writing():
            packed = (pack(chunk, self._compression) for chunk in self._chunks())
            self._at = write_chunks(
                self._path, packed, lambda sizes: format_header(replace(header, sizes=tuple(sizes))), force=True
            )
        self.close()

    def leave(self) -> None:
        """Close, with everything on the disk: the recording can be continued."""
        try:
            if self._failure is None and self._fd >= 0:
                with self._writing():
                    os.fsync(self._fd)
        finally:
            self.close()

    def close(self) -> None:
        """Let go of the file as it is."""
        self._failure = self._failure or NhlogError("the recorder is closed", file=self._path)
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _begin_chunk(self) -> None:
        if self._sizes:
            os.fsync(self._fd)
        self._sizes.append(0)
        self._count = self._players = 0

    def _append(self, data: bytes) -> None:
        """Write a frame, and then count it."""
        _write_at(self._fd, data, self._at)
        entry = self._header.end - 4 * (len(self._header.sizes) - len(self._sizes) + 1)
        _write_at(self._fd, _SIZE.pack(self._sizes[-1]), entry)
        self._at += len(data)

    def _write_anew(self, data: bytes, room: int) -> None:
        """Put a new file in the place of the old one: with all players, one more frame, and `room` for more chunks."""
        sizes = (*self._sizes, *(0,) * (len(self._header.sizes) - len(self._sizes) + room))
        header = stored_header(replace(self._header, people=tuple(self.roster.people), sizes=sizes))
        taken: list[int] = []

        def parts() -> Iterator[bytes]:
            yield format_header(header)
            for at in range(self._header.end, self._at, CHUNK):
                yield read_at(self._fd, min(CHUNK, self._at - at), at, self._path)
            yield data

        def take(draft: str) -> None:
            taken.append(open_regular(draft, os.O_RDWR))
            lock(taken[0], self._path)

        try:
            (atomic.create if self._fd < 0 else atomic.replace)(self._path, parts(), take)
        except BaseException as error:
            for fd in taken:
                os.close(fd)
            if isinstance(error, FileExistsError):
                raise LockNotObtained("another recorder is recording here", file=self._path) from None
            raise
        if self._fd >= 0:
            os.close(self._fd)
        self._fd, self._header = taken[0], header
        self._at = header.end + sum(self._sizes)

    def _chunks(self) -> Iterator[bytes]:
        at = self._header.end
        for size in self._sizes:
            yield read_at(self._fd, size, at, self._path)
            at += size

    def _resume(self) -> None:
        """Take over the recording that is there already."""
        with ButterFile(self._path) as reader:
            header, outline = reader.header, reader.outline()
            open_chunk = reader.chunk(reader.count - 1).frames if reader.count else ()
        if not header.room or header.compression != _LIVE or not outline.times:
            raise Usage("the recording is finished", file=self._path, expected="--force to replace it")
        for name in ("sessionid", "map_name", "private_match"):
            ours, theirs = getattr(self._header, name), getattr(header, name)
            if ours != theirs:
                raise Usage("the recording is of another session", file=self._path, expected=theirs, found=ours)
        for fault in outline.faults.values():
            raise Damaged(f"recover it before continuing it: {fault.what}", file=self._path)
        self._header = header
        self._sizes = [*header.sizes[: len(header.sizes) - header.room]]
        self._at = header.end + sum(self._sizes)
        os.ftruncate(self._fd, self._at)
        self._count, self._players = len(open_chunk), sum(len(frame.players) for frame in open_chunk)
        self.frames, self._start = len(outline.times), outline.times[0]
        self.duration = 1000 * (max(outline.times) - self._start)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A context for writing, in which any error becomes the recorder's final failure."""
        try:
            with refusals(self._path):
                yield
        except NhlogError as error:
            self._failure = error.within(self.path)
            raise


def _write_at(fd: int, data: bytes, at: int) -> None:
    rest = memoryview(data)
    while rest:
        done = os.pwrite(fd, rest, at)
        rest, at = rest[done:], at + done


def _open_locked(path: str) -> int:
    """A descriptor of the file that has this name, locked; the name may get another file meanwhile."""
    for _ in range(_MOST_LOOKS):
        fd = open_regular(path, os.O_RDWR)
        try:
            lock(fd, path)
            if stamp_at(fd).identity == getattr(stamp_of(path), "identity", None):
                return fd
        except BaseException:
            os.close(fd)
            raise
        os.close(fd)
    raise NhlogError("the file is replaced again and again", file=path)
