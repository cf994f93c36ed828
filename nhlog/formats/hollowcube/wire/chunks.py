"""A chunk's bytes to its ticks and back, in both layouts (spec 5): what was decoded before a fault is kept.

A chunk is one zstd frame.  In it are tick records: a var int, an unsigned 16-bit count, and so many events.

- The text's layout (1): ticks count from the chunk's start, and those without events are left out.  Where the index
  says so, a *snapshot block* comes first.  The text leaves its form open; ours is a var int, the length in bytes
  of what follows of it, and then events that build the whole state, as it was before the chunk's first tick, from
  nothing (`nhlog.formats.hollowcube.state.Scene.snapshot` makes them).  It has the held slot, too.
- The game's layout (4): ticks count from the recording's start, and every one has a record; readers count records and
  pass over the number.  A snapshot is some events at the beginning of the first tick, not told from others.
"""

import struct
from collections.abc import Iterable, Sequence
from struct import Struct
from typing import Final, NamedTuple

from nhlog.errors import Damaged, Usage
from nhlog.formats.hollowcube.wire.events import Event, read_event, write_event
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.primitives import Cut, read_var_int, write_var_int

__all__ = [
    "MAX_EVENTS",
    "MAX_RAW",
    "MAX_WINDOW",
    "Chunk",
    "Tick",
    "decode_chunk",
    "decode_ticks",
    "frame_tick",
    "read_snapshot",
    "unpack",
    "write_snapshot",
    "write_tick",
]

MAX_RAW: Final = (
    8 << 20
)  # bytes of a chunk, unpacked: the game closes one at 1 MiB; decoded it may take fifty times that
MAX_WINDOW: Final = 128 << 20  # bytes that zstd looks back at most: its own limit
MAX_EVENTS: Final = 0x7FFF  # of one tick: the game reads the count as signed
_COUNT: Final = Struct(">H")


class Tick(NamedTuple):
    """A tick record.

    `number` counts from the recording's start, `field` is the number as it is stored.  `offset`, `body` and `end` are
    bytes in the unpacked chunk: of the record, of its first event, and behind its last.
    """

    number: int
    field: int
    offset: int
    body: int
    end: int
    events: tuple[Event, ...]


class Chunk(NamedTuple):
    """What is in a chunk.

    `snapshot` are the events of its snapshot block, None without one.  Ticks below `known` are as they were recorded
    (one that is not in `ticks` had no events); of later ones nothing is known, and `fault` says why.
    """

    snapshot: tuple[Event, ...] | None
    ticks: tuple[Tick, ...]
    known: int
    fault: Damaged | None


def unpack(frame: bytes, raw_length: int, dictionary: bytes = b"") -> tuple[bytes, Damaged | None]:
    """What is in a zstd frame, no more than `raw_length` bytes, and what is wrong with its length, if something is.

    Raises :class:`Damaged` for a frame that cannot be unpacked, or says that its checksum does not fit.
    """
    import zstandard  # costs more than all that can be told without it

    if raw_length > MAX_RAW:
        raise Damaged("a chunk is too large", expected=f"at most {MAX_RAW} bytes", found=raw_length)
    knowing = zstandard.ZstdCompressionDict(dictionary) if dictionary else None
    opener = zstandard.ZstdDecompressor(dict_data=knowing, max_window_size=MAX_WINDOW)
    try:
        with opener.stream_reader(frame) as stream:
            raw = stream.read(raw_length + 1)
    except zstandard.ZstdError as error:
        raise Damaged(f"a chunk cannot be unpacked: {error}") from None
    if len(raw) == raw_length:
        return raw, None
    found = "more" if len(raw) > raw_length else len(raw)
    return raw[:raw_length], Damaged("a chunk is not as long as the index says", expected=raw_length, found=found)


def decode_chunk(raw: bytes, layout: Layout, start: int, ticks: int, snapshot: bool) -> Chunk:
    """The chunk of `ticks` ticks from tick `start` on; `snapshot` is whether the index says that it begins with one.

    Never raises: a chunk that breaks its rules has a fault.
    """
    if layout is Layout.GAME:
        return _decode_game(raw, start, ticks)
    opening, offset = None, 0
    try:
        if snapshot:
            opening, offset = read_snapshot(raw)
        return _decode_text(raw, offset, start, ticks, opening)
    except Damaged as fault:
        return Chunk(opening, (), start, fault)


def _decode_game(raw: bytes, start: int, count: int) -> Chunk:
    found: list[Tick] = []
    offset, fault = 0, None
    try:
        for number in range(start, start + count):
            field, events, body, end = _read_record(raw, offset)
            if len(events) > MAX_EVENTS:
                raise Damaged("too many events in a tick", offset=body, expected=MAX_EVENTS, found=len(events))
            found.append(Tick(number, field, offset, body, end, events))
            offset = end
        if offset != len(raw):
            fault = Damaged("data behind the chunk's last tick", offset=offset, found=f"{len(raw) - offset} bytes")
    except Damaged as error:
        fault = error
    return Chunk(None, tuple(found), start + len(found), fault)


def _decode_text(raw: bytes, offset: int, start: int, count: int, opening: tuple[Event, ...] | None) -> Chunk:
    found: list[Tick] = []
    known = start
    try:
        while offset < len(raw):
            field, events, body, end = _read_record(raw, offset)
            if not known <= start + field < start + count:
                expected = f"{known - start} to {count - 1}"
                raise Damaged("a tick out of its place", offset=offset, expected=expected, found=field)
            found.append(Tick(start + field, field, offset, body, end, events))
            known, offset = start + field + 1, end
    except Damaged as fault:
        return Chunk(opening, tuple(found), known, fault)
    return Chunk(opening, tuple(found), start + count, None)


def decode_ticks(raw: bytes) -> Iterable[Tick]:
    """Tick records with absolute numbers, some left out; raises :class:`Damaged` where they break their rules."""
    offset, least = 0, 0
    while offset < len(raw):
        field, events, body, end = _read_record(raw, offset)
        if field < least:
            raise Damaged("a tick out of its place", offset=offset, expected=f"{least} or later", found=field)
        yield Tick(field, field, offset, body, end, events)
        least, offset = field + 1, end


def _read_record(raw: bytes, offset: int) -> tuple[int, tuple[Event, ...], int, int]:
    """A record's number as stored, its events, and the offsets of the first of them and behind the last."""
    field, at = read_var_int(raw, offset)
    try:
        count = _COUNT.unpack_from(raw, at)[0]
    except struct.error:
        raise Cut("the chunk ends in a tick", offset=offset) from None
    body = at = at + _COUNT.size
    if count > len(raw) - at:  # each takes a byte at least
        raise Cut("the chunk ends in a tick", offset=offset, expected=f"{count} events")
    events = []
    for _ in range(count):
        event, at = read_event(raw, at)
        events.append(event)
    return field, tuple(events), body, at


def write_tick(field: int, events: Sequence[Event]) -> bytes:
    """The tick record of these events."""
    return frame_tick(field, len(events), b"".join(map(write_event, events)))


def frame_tick(field: int, count: int, body: bytes) -> bytes:
    """The tick record of `count` events whose bytes are `body`."""
    if count > MAX_EVENTS:
        raise Usage("too many events in a tick", expected=f"at most {MAX_EVENTS}", found=count)
    return write_var_int(field) + _COUNT.pack(count) + body


def read_snapshot(raw: bytes) -> tuple[tuple[Event, ...], int]:
    """The events of the snapshot block that a chunk of the text's layout begins with, and where it ends."""
    length, offset = read_var_int(raw, 0)
    end = offset + length
    if not offset <= end <= len(raw):
        raise Damaged("the snapshot does not fit its chunk", offset=0, expected=f"{length} bytes", found=len(raw))
    events = []
    while offset < end:
        event, offset = read_event(raw, offset)
        events.append(event)
    if offset != end:
        raise Damaged("the snapshot's last event is longer than it", offset=end, found=offset)
    return tuple(events), end


def write_snapshot(events: Iterable[Event]) -> bytes:
    """The snapshot block of these events."""
    data = b"".join(map(write_event, events))
    return write_var_int(len(data)) + data
