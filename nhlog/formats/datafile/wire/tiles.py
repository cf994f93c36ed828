"""The bytes of tile layers, as grids of one byte a tile (spec 5).

A grid is never larger than its layer says; where bytes are missing there is air.
"""

import re
from struct import Struct
from typing import Final

from nhlog.errors import Damaged
from nhlog.formats.datafile.terrain import Grid
from nhlog.formats.datafile.wire import MAX_DATA
from nhlog.formats.datafile.wire.map_items import TileLayer

__all__ = ["MAX_TILES", "SIZES", "expand", "grid_of"]

SIZES: Final = {"tiles": 4, "game": 4, "front": 4, "tele": 2, "speedup": 6, "switch": 4, "tune": 2}
"""Bytes of a tile by the kind of its layer."""

MAX_TILES: Final = MAX_DATA // 4
SKIPPING: Final = 4  # version of tile layers from which on runs of equal tiles are stored once
_RUN: Final = Struct("2sBx")
_PUSHED: Final = re.compile(rb"[^\0]")


def grid_of(layer: TileLayer, data: bytes) -> Grid:
    """The tiles of a layer made of `data`; raises :class:`Damaged` for too little of it."""
    kind, count = layer.kind, layer.width * layer.height
    size = SIZES[kind]
    if layer.version >= SKIPPING and kind in ("tiles", "game"):
        data = expand(data, count)
    if len(data) < count * size:
        raise Damaged(f"too few tiles in a {kind} layer", expected=count, found=len(data) // size)
    data = data[: count * size]
    if kind == "speedup":
        tiles, numbers = _pushes(data), data[0::size]
    elif kind in ("tele", "switch", "tune"):
        tiles, numbers = data[1::size], data[0::size]
    else:
        tiles, numbers = data[0::size], b""
    return Grid(kind, layer.name, layer.width, layer.height, tiles, numbers)


def expand(data: bytes, count: int) -> bytes:
    """At most `count` tiles of four bytes: each that is stored, and as many more as its third byte says."""
    runs = []
    for tile, skip in _RUN.iter_unpack(data[: len(data) // 4 * 4]):
        runs.append((tile + b"\0\0") * min(skip + 1, count))
        count -= skip + 1
        if count <= 0:
            break
    return b"".join(runs)


def _pushes(data: bytes) -> bytes:
    """For each speed-up that has a force, 1 and the eighth of a turn next to its angle in degrees."""
    tiles = bytearray(len(data) // 6)
    for found in _PUSHED.finditer(data[0::6]):
        index = found.start()
        angle = int.from_bytes(data[6 * index + 4 : 6 * index + 6], "little", signed=True)
        tiles[index] = 1 + round(angle / 45) % 8
    return bytes(tiles)
