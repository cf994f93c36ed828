"""The segment that a recorder writes: chunks are appended to it, the last of them bit by bit.

Whatever is in the file belongs to a chunk that can be read from its first byte on.
"""

import os

from nhlog.compression import Compressor, OpenFrame
from nhlog.files import create_file, naming
from nhlog.formats.hollowcube.reading.source import segment_name
from nhlog.formats.hollowcube.wire.index import Entry, segment_offset
from nhlog.formats.hollowcube.writing.chunker import RECORDING_LEVEL, RawChunk

__all__ = ["Segment"]


class Segment:
    """A new segment file in `folder`; raises :class:`OSError`, as all of its methods do.

    `begun` is the time of its beginning, `size` the bytes of its complete chunks and `busy` their ticks with events,
    `entries` their entries in the index.
    """

    def __init__(self, folder: str, number: int, begun: float) -> None:
        self._path = os.path.join(folder, segment_name(number))
        self._fd = create_file(self._path, flags=os.O_WRONLY | os.O_APPEND)
        self._number, self.begun = number, begun
        self.size = self.busy = 0
        self.entries: list[Entry] = []
        self._frame: OpenFrame | None = None
        self._length = self._packed = 0  # bytes of the open chunk in the file, and how many of its own are in them

    def write(self, chunk: RawChunk) -> None:
        """Append what is new in a chunk that is not complete."""
        if self._frame is None:
            self._frame = OpenFrame(RECORDING_LEVEL)
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
