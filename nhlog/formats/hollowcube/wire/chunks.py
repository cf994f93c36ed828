"""Decoding and encoding of a chunk's decompressed bytes, in both layouts (spec 5); ticks before a fault are kept.

A chunk is one zstd frame.  It contains tick records: a tick as a var int, an unsigned 16-bit count, and so many events.

- The text's layout (1): ticks count from the chunk's start, and those without events are left out.  If the index says
  so, a *snapshot block* comes first.  The text leaves its form open; ours is a var int, the length of the rest of the
  block in bytes, then the events that build the state before the chunk's first tick from nothing
  (`state.Scene.snapshot` makes them), the held slot among them.
- The game's layout (4): ticks count from the recording's start, and every one has a record; readers count records and
  ignore the number.  A snapshot is a number of events at the beginning of the first tick, not marked as such.
"""

import struct
from collections.abc import Iterable, Sequence
from struct import Struct
from typing import Final

from nhlog.errors import Damaged, Unsupported, Usage
from nhlog.formats.hollowcube.wire.events import Event, read_event, write_event
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.primitives import Incomplete, read_var_int, write_var_int
from nhlog.values import NamedTuple

__all__ = [
    "MAX_EVENTS",
    "MAX_RAW",
    "Chunk",
    "ChunkBuilder",
    "Tick",
    "decode_chunk",
    "decode_ticks",
    "frame_tick",
    "read_head",
    "read_snapshot",
    "snapshot_span",
    "write_snapshot",
    "write_tick",
]

MAX_RAW: Final = 8 << 20  # bytes of an unpacked chunk: the game's have 1 MiB; decoded it takes up to 50 times that
MAX_EVENTS: Final = 0x7FFF  # of one tick: the game reads the count as signed
_COUNT: Final = Struct(">H")
_NO_EVENTS: Final = _COUNT.pack(0)
_FILLED: Final = 4096  # records of ticks without events that are made at once


class Tick(NamedTuple):
    """A tick record.

    `number` counts from the recording's start, `field` is the number as stored.  `offset`, `body` and `end` are offsets
    in the decompressed chunk: of the record, of its first event, and behind its last.
    """

    number: int
    field: int
    offset: int
    body: int
    end: int
    events: tuple[Event, ...]


class Chunk(NamedTuple):
    """A decoded chunk.

    `snapshot` has the events of its snapshot block, None without one.  All ticks below `known` are decoded (one that is
    not in `ticks` had no events); later ones are not, and `fault` says why.
    """

    snapshot: tuple[Event, ...] | None
    ticks: tuple[Tick, ...]
    known: int
    fault: Damaged | None


def decode_chunk(raw: bytes, layout: Layout, start: int, ticks: int, snapshot: bool) -> Chunk:
    """Decode a chunk of `ticks` ticks from tick `start` on; `snapshot` is whether the index says that it has one.

    Never raises: an invalid chunk has a `fault`.
    """
    if layout is Layout.GAME:
        return _decode_game(raw, start, ticks)
    block, offset = None, 0
    try:
        if snapshot:
            block, offset = read_snapshot(raw)
        return _decode_text(raw, offset, start, ticks, block)
    except Damaged as fault:
        return Chunk(block, (), start, fault)


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


def _decode_text(raw: bytes, offset: int, start: int, count: int, snapshot: tuple[Event, ...] | None) -> Chunk:
    found: list[Tick] = []
    known = start
    try:
        while offset < len(raw):
            field, events, body, end = _read_record(raw, offset)
            if not known <= start + field < start + count:
                expected = f"{known - start} to {count - 1}"
                raise Damaged("a tick out of order", offset=offset, expected=expected, found=field)
            found.append(Tick(start + field, field, offset, body, end, events))
            known, offset = start + field + 1, end
    except Damaged as fault:
        return Chunk(snapshot, tuple(found), known, fault)
    return Chunk(snapshot, tuple(found), start + count, None)


def decode_ticks(raw: bytes) -> Iterable[Tick]:
    """Decode tick records with absolute, ascending numbers; raises :class:`Damaged` for invalid ones."""
    offset, least = 0, 0
    while offset < len(raw):
        field, events, body, end = _read_record(raw, offset)
        if field < least:
            raise Damaged("a tick out of order", offset=offset, expected=f"{least} or later", found=field)
        yield Tick(field, field, offset, body, end, events)
        least, offset = field + 1, end


def read_head(raw: bytes, offset: int) -> tuple[int, int, int]:
    """The number as stored of the record at `offset`, how many events it has, and the offset of the first.

    Raises :class:`Damaged` for a record that cannot be.
    """
    field, at = read_var_int(raw, offset)
    try:
        count: int = _COUNT.unpack_from(raw, at)[0]
    except struct.error:
        raise Incomplete("the chunk ends inside a tick", offset=offset) from None
    at += _COUNT.size
    if count > len(raw) - at:  # each takes a byte at least
        raise Incomplete("the chunk ends inside a tick", offset=offset, expected=f"{count} events")
    return field, count, at


def _read_record(raw: bytes, offset: int) -> tuple[int, tuple[Event, ...], int, int]:
    """A record's number as stored, its events, and the offsets of the first event and behind the last."""
    field, count, body = read_head(raw, offset)
    at = body
    events = []
    for _ in range(count):
        event, at = read_event(raw, at)
        events.append(event)
    return field, tuple(events), body, at


def write_tick(field: int, events: Sequence[Event]) -> bytes:
    """Encode a tick record; raises :class:`~nhlog.errors.Usage` for more than `MAX_EVENTS` events."""
    return frame_tick(field, len(events), b"".join(map(write_event, events)))


def frame_tick(field: int, count: int, body: bytes) -> bytes:
    """Encode a tick record of `count` events with the bytes `body`; raises as :func:`write_tick`."""
    if count > MAX_EVENTS:
        raise Usage("too many events in a tick", expected=f"at most {MAX_EVENTS}", found=count)
    return write_var_int(field) + _COUNT.pack(count) + body


def read_snapshot(raw: bytes) -> tuple[tuple[Event, ...], int]:
    """The events of the snapshot block at the start of a chunk in the text's layout, and the offset behind it.

    Raises :class:`Damaged` for an invalid block.
    """
    offset, end = snapshot_span(raw)
    events = []
    while offset < end:
        event, offset = read_event(raw, offset)
        events.append(event)
    if offset != end:
        raise Damaged("the snapshot's last event goes beyond its end", offset=end, found=offset)
    return tuple(events), end


def snapshot_span(raw: bytes) -> tuple[int, int]:
    """The offsets of the first event of such a block, and behind its last; raises :class:`Damaged`."""
    length, begin = read_var_int(raw, 0)
    if not 0 <= length <= len(raw) - begin:
        raise Damaged("the snapshot does not fit its chunk", offset=0, expected=f"{length} bytes", found=len(raw))
    return begin, begin + length


def write_snapshot(events: Iterable[Event]) -> bytes:
    """The snapshot block of these events."""
    data = b"".join(map(write_event, events))
    return write_var_int(len(data)) + data


class ChunkBuilder:
    """Builds the uncompressed bytes of a chunk, tick by tick.

    `snapshot` has the events of its snapshot, None for a chunk without; in the game's layout they become the first ones
    of the first tick.  `size` is the size of the added events in bytes.
    """

    def __init__(self, layout: Layout, start: int, snapshot: Sequence[Event] | None = None) -> None:
        self._layout, self._start, self._next = layout, start, start
        self._raw = bytearray()
        self.size = 0
        self._waiting: tuple[Event, ...] = ()
        if snapshot is not None and layout is Layout.TEXT:
            self._raw += write_snapshot(snapshot)
        elif snapshot is not None:
            self._waiting = tuple(snapshot)

    def add(self, number: int, count: int, body: bytes) -> None:
        """Add tick `number`, later than all before, with `count` events that have the bytes `body`.

        Raises :class:`Usage` for more events than a tick can have, :class:`Unsupported` for more than a chunk can.
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

    def until(self, end: int, *, say_end: bool = False) -> bytes:
        """The bytes of the chunk up to tick `end`, which is not in it; later ticks may still be added.

        With `say_end` a last tick without events gets a record, too, so that the end is known without the index.
        """
        if self._layout is Layout.GAME:
            self._fill(end)
        elif say_end and self._next < end:
            self._append(frame_tick(end - 1 - self._start, 0, b""))
            self._next = end
        return bytes(self._raw)

    def _fill(self, end: int) -> None:
        """Append records for the ticks without events before `end`."""
        if self._waiting and self._next < end:
            self._append(frame_tick(self._next, len(self._waiting), self._first()))
            self._next += 1
        for start in range(self._next, end, _FILLED):
            numbers = range(start, min(start + _FILLED, end))
            self._append(b"".join([write_var_int(number) + _NO_EVENTS for number in numbers]))
        self._next = max(self._next, end)

    def _first(self) -> bytes:
        """The bytes of the snapshot at the first call, then nothing."""
        events, self._waiting = self._waiting, ()
        return b"".join(map(write_event, events))

    def _append(self, record: bytes) -> None:
        if len(self._raw) + len(record) > MAX_RAW:
            raise Unsupported("a chunk is too large", expected=f"at most {MAX_RAW} bytes")
        self._raw += record
