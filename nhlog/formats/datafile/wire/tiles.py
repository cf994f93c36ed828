"""Decoding of tile layers to grids of one byte per tile (spec 5).

Positions are in world units, 32 to a tile, x right and y down; outside the map its border tiles continue, as in the
game.
"""

import re
from dataclasses import field
from struct import Struct
from typing import Final

from nhlog.errors import Damaged
from nhlog.formats.datafile.wire import MAX_DATA
from nhlog.formats.datafile.wire.map_items import TileLayer
from nhlog.values import dataclass

__all__ = ["MAX_TILES", "SIZES", "TILE", "Grid", "decode_grid", "expand"]

TILE: Final = 32  # world units
SIZES: Final = {"tiles": 4, "game": 4, "front": 4, "tele": 2, "speedup": 6, "switch": 4, "tune": 2}
"""The size of a tile in bytes, by the kind of its layer."""

MAX_TILES: Final = MAX_DATA // 4
SKIPPING: Final = 4  # version of tile layers from which on runs of equal tiles are stored once
_RUN: Final = Struct("2sBx")
_PUSHED: Final = re.compile(rb"[^\0]")


@dataclass(frozen=True, slots=True)
class Grid:
    """A tile layer: `tiles` has one byte per tile, row by row.

    `kind` is that of its layer, "tiles" for decoration, or "all".  A tile is its index; in the tele, switch and tune
    layers it is its type, and `numbers` has its number; in the speedup layer it is 1 plus its direction in eighths of a
    turn, clockwise from the right, and `numbers` has the force.
    """

    kind: str
    name: str
    width: int
    height: int
    tiles: bytes = field(repr=False)
    numbers: bytes = field(default=b"", repr=False)

    def at(self, x: int, y: int) -> int:
        """The tile at a position in world units."""
        return self.tiles[self._index(x, y)]

    def number_at(self, x: int, y: int) -> int:
        """The number of the tile at a position, in a layer with numbers."""
        return self.numbers[self._index(x, y)]

    def _index(self, x: int, y: int) -> int:
        column = min(max(x // TILE, 0), self.width - 1)
        row = min(max(y // TILE, 0), self.height - 1)
        return row * self.width + column


def decode_grid(layer: TileLayer, data: bytes) -> Grid:
    """Decode the tiles of a layer from `data`; raises :class:`Damaged` if it is too short."""
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
    """Expand run-length encoded tiles of four bytes to at most `count`; the third byte is the number of repetitions."""
    runs = []
    for tile, skip in _RUN.iter_unpack(data[: len(data) // 4 * 4]):
        runs.append((tile + b"\0\0") * min(skip + 1, count))
        count -= skip + 1
        if count <= 0:
            break
    return b"".join(runs)


def _pushes(data: bytes) -> bytes:
    """For each speed-up with a force, 1 plus the eighth of a turn nearest to its angle in degrees; else 0."""
    tiles = bytearray(len(data) // 6)
    for found in _PUSHED.finditer(data[0::6]):
        index = found.start()
        angle = int.from_bytes(data[6 * index + 4 : 6 * index + 6], "little", signed=True)
        tiles[index] = 1 + round(angle / 45) % 8
    return bytes(tiles)
