"""Encoding of frames into chunks; each frame is decoded again at once to measure what the conversion loses."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from struct import error

from nhlog.compression import MAX_CHUNK
from nhlog.errors import Unsupported
from nhlog.formats.butter.wire import bones
from nhlog.formats.butter.wire.correct import CorrectedDecoder
from nhlog.formats.butter.wire.decode import ReferenceDecoder
from nhlog.formats.butter.wire.encode.frames import Encoder
from nhlog.formats.butter.wire.frames import MOST_FRAME, MOST_PLAYERS, read_frames
from nhlog.formats.butter.wire.header import Header, Roster, stored_person
from nhlog.formats.butter.wire.packing import pack
from nhlog.formats.butter.wire.stored import StoredFrame, layouts
from nhlog.formats.butter.wire.values import Frame
from nhlog.formats.butter.writing.compare import Differences

__all__ = ["Recoder", "encoded", "is_full"]


class Recoder:
    """Writes chunks of one session; `loss` has the differences between written and recorded frames."""

    def __init__(self, header: Header, roster: Roster, compression: str) -> None:
        self._header = replace(header, version=3, people=())
        self._roster = roster
        self._compression = compression
        self.loss = Differences()

    def chunks(self, frames: Iterable[Frame], interval: int) -> Iterator[bytes]:
        """The compressed chunks of `frames`, with `interval` frames in each."""
        encoder, reading = Encoder(self._header, self._roster), _Reading(self._header, self._roster)
        parts: list[bytes] = []
        players = size = 0
        for frame in frames:
            if is_full(len(parts), players + len(frame.players), size, interval):
                yield pack(b"".join(parts), self._compression)
                parts.clear()
                players = size = 0
            part = encoded(encoder, frame, key=not parts)
            parts.append(part)
            players += len(frame.players)
            size += len(part)
            self.loss.add(frame, reading.frame(part))
        if parts:
            yield pack(b"".join(parts), self._compression)


def is_full(frames: int, players: int, size: int, interval: int) -> bool:
    """Whether a chunk of so many frames and `size` bytes ends, as one frame more would bring it to `players` in all.

    It should have `interval` frames, and has fewer if readers would refuse so many.
    """
    return frames >= interval or players > MOST_PLAYERS or size > MAX_CHUNK - MOST_FRAME


def encoded(encoder: Encoder, frame: Frame, *, key: bool) -> bytes:
    """The frame's bytes; raises :class:`Unsupported` for a value that its field cannot store."""
    try:
        return encoder.frame(frame, key=key)
    except (error, ValueError, OverflowError) as cause:
        raise Unsupported(f"the frame of {frame.time} ms does not fit into a .butter file: {cause}") from cause


class _Reading:
    """Decodes each frame right after it was written, as the corrected decoder does."""

    def __init__(self, header: Header, roster: Roster) -> None:
        self._header, self._roster = header, roster
        self._decoder = CorrectedDecoder(header)
        self._written: bytes = b""
        self._pairs: list[tuple[bool, Frame]] = []
        # CorrectedDecoder.frames lifts timers that count from nothing, and ours do not: so frame by frame
        self._frames = ReferenceDecoder.frames(self._decoder, self._stored())
        self._bones = bones.corrected_bones(self._read())
        self._people = -1

    def _stored(self) -> Iterator[StoredFrame]:
        while True:
            yield next(read_frames([self._written], self._layout))

    def _read(self) -> Iterator[tuple[bool, Frame]]:
        while True:
            yield self._pairs[0]

    def frame(self, written: bytes) -> Frame:
        """Decode the bytes of the next frame."""
        if len(self._roster.people) != self._people:
            self._people = len(self._roster.people)
            header = replace(self._header, people=tuple(map(stored_person, self._roster.people)))
            self._decoder.header, self._layout = header, layouts(header)[0]
        self._written = written
        self._pairs = [next(self._frames)]
        frame = self._pairs[0][1]
        limbs = next(self._bones)
        return frame if frame.bones is None else frame._replace(bones=limbs)
