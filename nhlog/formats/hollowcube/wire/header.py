"""Parsing and building of a recording's header, its first 256 bytes, in both layouts (spec 2); byte 4 is the layout.

Parsing a built header gives the same value.  Unknown flags and padding are accepted.
"""

from enum import IntEnum
from struct import Struct
from typing import Final
from uuid import UUID

from nhlog.errors import Damaged, Unsupported, Usage
from nhlog.formats.hollowcube.wire.primitives import Incomplete
from nhlog.values import dataclass

__all__ = [
    "CHUNK_TICKS",
    "HEADER_SIZE",
    "MAGIC",
    "TICK",
    "TICKS_PER_SECOND",
    "TICK_MS",
    "WORLD_VERSION",
    "Header",
    "Layout",
    "build_header",
    "parse_header",
]

MAGIC: Final = b"HCRP"
TICKS_PER_SECOND: Final = 20  # always
TICK: Final = 50_000  # microseconds of a tick
TICK_MS: Final = 50  # milliseconds
CHUNK_TICKS: Final = 100  # of a chunk: 5 seconds, as the game has it (spec 6)
HEADER_SIZE: Final = 256


class Layout(IntEnum):
    """The two layouts of the format, by the version in the header."""

    TEXT = 1  # the design text's: relative ticks, empty ones left out, a snapshot block, a world version of 16 bytes
    GAME = 4  # the shipped game's: every tick, absolute; a snapshot is the first tick's first events


@dataclass(frozen=True, slots=True)
class Header:
    """The header's fields.

    `timestamp` is milliseconds since 1970; `world_version` is opaque, 16 bytes in the text's layout and at most 32 in
    the game's.  `data_version` is the game's data version, None in the text's layout.  Lengths are in bytes.
    """

    layout: Layout
    world_id: UUID
    world_version: bytes
    timestamp: int
    tick_count: int
    chunk_count: int
    metadata_length: int
    index_length: int
    data_version: int | None = None
    dictionary: int = 0
    flags: int = 0

    @property
    def preamble_length(self) -> int:
        """The size of header, metadata and index together in bytes, according to the header."""
        return HEADER_SIZE + self.metadata_length + self.index_length


_GAME: Final = Struct(">4shH16sB")  # magic, version, flags, world ID, length of the world version
_GAME_REST: Final = Struct(">qHiiiii")  # ... timestamp, dictionary, lengths, counts, data version
_TEXT: Final = Struct(">4sBH16s16sqHiiii")
_MAX_WORLD_VERSION: Final = 32
WORLD_VERSION: Final = 16  # bytes, in the text's layout
assert (_GAME.size, _GAME_REST.size, _TEXT.size) == (25, 30, 65)


def parse_header(data: bytes) -> Header:
    """Parse the header at the start of `data`.

    Raises :class:`Incomplete` for less than 256 bytes of a header, :class:`Unsupported` for another version, and
    :class:`Damaged` for anything that is no header.
    """
    if not MAGIC.startswith(data[: len(MAGIC)]):
        raise Damaged("not a Hollow Cube recording", offset=0, expected=MAGIC, found=bytes(data[: len(MAGIC)]))
    if len(data) < HEADER_SIZE:
        raise Incomplete("the data ends in the header", offset=0, expected=HEADER_SIZE, found=len(data))
    return _parse_text(data) if data[4] == Layout.TEXT else _parse_game(data)


def _parse_text(data: bytes) -> Header:
    _, _, flags, world, version, timestamp, dictionary, metadata, index, ticks, chunks = _TEXT.unpack_from(data)
    return Header(
        layout=Layout.TEXT,
        world_id=UUID(bytes=world),
        world_version=version,
        timestamp=timestamp,
        tick_count=ticks,
        chunk_count=chunks,
        metadata_length=metadata,
        index_length=index,
        dictionary=dictionary,
        flags=flags,
    )


def _parse_game(data: bytes) -> Header:
    _, version, flags, world, length = _GAME.unpack_from(data)
    if version != Layout.GAME:
        raise Unsupported("another version of the format", offset=4, expected="4, or 1 in one byte", found=version)
    if length > _MAX_WORLD_VERSION:
        raise Damaged("the world version is too long", offset=24, expected=_MAX_WORLD_VERSION, found=length)
    start = _GAME.size + length
    timestamp, dictionary, metadata, index, ticks, chunks, data_version = _GAME_REST.unpack_from(data, start)
    return Header(
        layout=Layout.GAME,
        world_id=UUID(bytes=world),
        world_version=bytes(data[_GAME.size : start]),
        timestamp=timestamp,
        tick_count=ticks,
        chunk_count=chunks,
        metadata_length=metadata,
        index_length=index,
        data_version=data_version,
        dictionary=dictionary,
        flags=flags,
    )


def build_header(header: Header) -> bytes:
    """The 256 bytes of a header; raises :class:`Usage` for a world version of a length that the layout cannot store."""
    version = header.world_version
    rest = (header.timestamp, header.dictionary, header.metadata_length, header.index_length)
    counts = (header.tick_count, header.chunk_count)
    if header.layout is Layout.TEXT:
        if len(version) != WORLD_VERSION:
            raise Usage("the world version does not fit", expected=WORLD_VERSION, found=len(version))
        data = _TEXT.pack(MAGIC, Layout.TEXT, header.flags, header.world_id.bytes, version, *rest, *counts)
    else:
        if len(version) > _MAX_WORLD_VERSION:
            raise Usage("the world version is too long", expected=_MAX_WORLD_VERSION, found=len(version))
        data = _GAME.pack(MAGIC, Layout.GAME, header.flags, header.world_id.bytes, len(version)) + version
        data += _GAME_REST.pack(*rest, *counts, header.data_version or 0)
    return data.ljust(HEADER_SIZE, b"\0")
