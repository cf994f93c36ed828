"""Ticks to chunks and chunks to preambles, in both layouts (spec 2 to 5): what is built reads back as the same ticks.

Positions are rounded against what a reader makes of the ones before, so that rounding never adds up.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from zlib import crc32

from nhlog.errors import Usage
from nhlog.formats.hollowcube.state import Scene
from nhlog.formats.hollowcube.wire.chunks import MAX_EVENTS, MAX_RAW, frame_tick, write_snapshot
from nhlog.formats.hollowcube.wire.events import (
    AbsoluteMove,
    ClearGhostBlocks,
    DeltaMove,
    Event,
    SpawnEntity,
    read_event,
    write_event,
)
from nhlog.formats.hollowcube.wire.header import Header, Layout, build_header
from nhlog.formats.hollowcube.wire.index import Entry, write_entry
from nhlog.formats.hollowcube.wire.nbt import Tag, write_nbt
from nhlog.formats.hollowcube.wire.primitives import Pos, Vector, write_lp_pos, write_lp_vector
from nhlog.formats.hollowcube.writing.event_records import Move

__all__ = [
    "RECORDING_LEVEL",
    "ChunkBuilder",
    "Packer",
    "as_read",
    "build_preamble",
    "opening_of",
    "rounded",
    "settled",
    "train",
]

RECORDING_LEVEL: Final = 3  # of zstd while recording (spec 6)
_MAX_TICKS: Final = (1 << 31) - 1  # the counts of header and index are signed ints
_FURTHEST: Final = 2.0**40  # blocks: beyond, steps of 1/4096 do not fit a double's 53 bits
_ROUNDED: Final = (DeltaMove, AbsoluteMove, SpawnEntity)  # whose fields hold less than what they are made of
_MAX_OPENING: Final = MAX_RAW // 2
_MANY: Final = 10_000  # events of a snapshot whose length is worth a look
_DICTIONARY_IDS: Final = 0x8000  # zstd keeps those below for a registrar; the header has 16 bits


class ChunkBuilder:
    """The raw bytes of a chunk while its ticks come.

    `opening` are the events of a snapshot, None for a chunk without.  In the game's layout they become the first ones
    of the first tick.  `size` is in bytes, those of the events that were added.
    """

    def __init__(self, layout: Layout, start: int, opening: Sequence[Event] | None = None) -> None:
        self._layout, self._start, self._next = layout, start, start
        self._raw = bytearray()
        self.size = 0
        self._waiting: tuple[Event, ...] = ()
        if opening is not None and layout is Layout.TEXT:
            self._raw += write_snapshot(opening)
        elif opening is not None:
            self._waiting = tuple(opening)

    def add(self, number: int, count: int, body: bytes) -> None:
        """The events of tick `number`, later than all before: how many, and their bytes.

        Raises :class:`Usage` for more than a tick can have.
        """
        self.size += len(body)
        if self._layout is Layout.TEXT:
            if count:
                self._append(frame_tick(number - self._start, count, body))
                self._next = number + 1
        else:
            self._fill(number)
            self._append(frame_tick(number, len(self._waiting) + count, self._first() + body))
            self._next = number + 1

    def close(self, end: int, *, say_end: bool = False) -> bytes:
        """The chunk, `end` being the tick behind its last.

        With `say_end` a last tick without events has a record, too: where the chunk ends is known without an index.
        """
        if self._layout is Layout.GAME:
            self._fill(end)
        elif say_end and self._next < end:
            self._append(frame_tick(end - 1 - self._start, 0, b""))
        return bytes(self._raw)

    def _fill(self, end: int) -> None:
        """Records of the ticks without events."""
        for number in range(self._next, end):
            self._append(frame_tick(number, len(self._waiting), self._first()))
        self._next = max(self._next, end)

    def _first(self) -> bytes:
        """The snapshot that the first tick begins with, once."""
        events, self._waiting = self._waiting, ()
        return b"".join(map(write_event, events))

    def _append(self, record: bytes) -> None:
        if len(self._raw) + len(record) > MAX_RAW:
            raise Usage("a chunk is too large", expected=f"at most {MAX_RAW} bytes")
        self._raw += record


def opening_of(scene: Scene, layout: Layout, first: int) -> tuple[Event, ...] | None:
    """The events that a chunk opens with so that it can be read on its own; `first` is how many its first tick has.

    None where there are more than a chunk has room for beside its ticks; in the game's layout, a tick.
    """
    if layout is Layout.TEXT:
        opening = tuple(scene.snapshot())
        large = len(opening) > _MANY and sum(len(write_event(event)) for event in opening) > _MAX_OPENING
        return None if large else opening
    opening = (ClearGhostBlocks(), *scene.snapshot())  # the game keeps what it had set when it jumps
    return opening if len(opening) + first <= MAX_EVENTS else None


class Packer:
    """Makes zstd frames: with a checksum, so that a flipped bit is noticed, and with the size of what is in them."""

    def __init__(self, level: int = RECORDING_LEVEL, dictionary: bytes = b"") -> None:
        import zstandard  # costs more than all that can be told without it

        knowing = zstandard.ZstdCompressionDict(dictionary) if dictionary else None
        if knowing is not None:
            knowing.precompute_compress(level)
        self._press = zstandard.ZstdCompressor(level=level, dict_data=knowing, write_checksum=True)

    def __call__(self, raw: bytes) -> bytes:
        """The frame of a chunk."""
        return self._press.compress(raw)


def train(samples: Sequence[bytes], size: int) -> tuple[int, bytes]:
    """A dictionary for chunks like these, and its ID; 0 and no bytes where they are too few to learn from."""
    import zstandard

    try:
        trained = zstandard.train_dictionary(
            size, list(samples), dict_id=_DICTIONARY_IDS | crc32(b"".join(samples)) & 0x7FFF
        )
    except zstandard.ZstdError:
        return 0, b""
    return trained.dict_id(), trained.as_bytes()


def build_preamble(header: Header, metadata: Tag, entries: Sequence[Entry]) -> bytes:
    """Header, metadata and index of these chunks; lengths and counts in the header are set by them.

    Raises :class:`Usage` for what is longer than the header can say.
    """
    body, index = write_nbt(metadata), b"".join(map(write_entry, entries))
    ticks = entries[-1].end if entries else 0
    if max(len(body), len(index), ticks) > _MAX_TICKS:
        raise Usage("the recording is too long", expected=f"at most {_MAX_TICKS} ticks and bytes")
    counted = replace(
        header, metadata_length=len(body), index_length=len(index), tick_count=ticks, chunk_count=len(entries)
    )
    return build_header(counted) + body + index


def settled(event: Event) -> tuple[Event, bytes]:
    """The event as its bytes will be read, and these: fields that hold less than a float are rounded."""
    data = write_event(event)
    return (read_event(data, 0)[0] if type(event) in _ROUNDED else event), data


def as_read(event: Event) -> Event:
    """The event as a reader will have it."""
    return settled(event)[0] if type(event) in _ROUNDED else event


def rounded(move: Move, here: Pos | None, velocity: Vector) -> DeltaMove | AbsoluteMove | None:
    """The smallest event that brings an entity to where it is, none where a reader would see no difference.

    `here` and `velocity` are what a reader believes so far; None for an entity that no event has placed, which then
    gets an absolute move, as does one that jumps further than a difference can hold.
    """
    if here is None:
        return AbsoluteMove(*move)
    x, y, z, yaw, pitch = move.position
    delta = Pos(x - here.x, y - here.y, z - here.z, yaw, pitch)
    if max(map(abs, delta[:3])) > _FURTHEST:
        return AbsoluteMove(*move)
    known = (write_lp_pos(Pos(0.0, 0.0, 0.0, here.yaw, here.pitch)), write_lp_vector(velocity))
    if (write_lp_pos(delta), write_lp_vector(move.velocity)) == known:
        return None
    return DeltaMove(move.entity, delta, move.velocity)
