"""What tees feel of a map: its physics layers, one byte a tile, all of the game layer's size (spec 5).

Positions are world units, 32 to a tile, x right and y down; outside the map the border goes on, as in the game.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

__all__ = ["CHECKPOINTS", "FINISH", "KINDS", "START", "TILE", "Grid", "Terrain", "merged", "over"]

TILE: Final = 32  # world units
KINDS: Final = ("game", "front", "tele", "speedup", "switch", "tune")  # in the order in which they are merged
START, FINISH = 33, 34  # indices of tiles
CHECKPOINTS: Final = range(35, 60)  # likewise: time checkpoints 1 to 25

_HOLES: Final = b"\xff" + bytes(255)
_LINES: Final = bytes(index if index in (START, FINISH) or index in CHECKPOINTS else 0 for index in range(256))
# A layer of its own numbers its types as the game layer does its indices, but for the switches.
_SWITCHES: Final = bytes.maketrans(bytes((22, 23)), bytes((24, 25)))


@dataclass(frozen=True, slots=True)
class Grid:
    """A tile layer: `tiles` has one byte a tile, row by row.

    `kind` is one of `KINDS`, "tiles" for what is only seen, or "all".  A tile is its index, in the tele, switch and
    tune layers its type, of which `numbers` then has the number; in the speedup layer it is 1 and the eighth of a turn
    it pushes in, clockwise from the right, and `numbers` has the force.
    """

    kind: str
    name: str
    width: int
    height: int
    tiles: bytes = field(repr=False)
    numbers: bytes = field(default=b"", repr=False)

    def at(self, x: int, y: int) -> int:
        """The tile at a position."""
        return self.tiles[self._index(x, y)]

    def number_at(self, x: int, y: int) -> int:
        """Its number, in a layer that has them."""
        return self.numbers[self._index(x, y)]

    def _index(self, x: int, y: int) -> int:
        column = min(max(x // TILE, 0), self.width - 1)
        row = min(max(y // TILE, 0), self.height - 1)
        return row * self.width + column


@dataclass(frozen=True, slots=True)
class Terrain:
    """The physics layers that a map has, by kind; `all` shows them in one, `lines` the race's lines alone.

    `lines` is `START`, `FINISH` or one of `CHECKPOINTS` where the game or the front layer has such a tile, else 0.
    `faults` says in words which layers could not be read.
    """

    width: int
    height: int
    grids: Mapping[str, Grid]
    all: Grid
    lines: Grid
    faults: tuple[str, ...] = ()

    @classmethod
    def of(cls, grids: Mapping[str, Grid], faults: tuple[str, ...] = ()) -> "Terrain":
        """The terrain of these layers, all of one size; there is a game layer among them."""
        game = grids["game"]
        width, height = game.width, game.height
        lines = game.tiles.translate(_LINES)
        if "front" in grids:
            lines = over(lines, grids["front"].tiles.translate(_LINES))
        return cls(
            width,
            height,
            grids,
            Grid("all", "all", width, height, merged(grids)),
            Grid("lines", "lines", width, height, lines),
            faults,
        )


def over(upper: bytes, lower: bytes) -> bytes:
    """`upper` where it is not 0, elsewhere `lower`, which is as long."""
    holes = int.from_bytes(upper.translate(_HOLES), "little")
    both = int.from_bytes(upper, "little") | int.from_bytes(lower, "little") & holes
    return both.to_bytes(len(upper), "little")


def merged(grids: Mapping[str, Grid]) -> bytes:
    """All layers in the game layer's indices: what is in an earlier one of `KINDS` hides what is in a later one."""
    tiles = bytes(len(grids["game"].tiles))
    for kind in KINDS:
        if kind in grids:
            tiles = over(tiles, grids[kind].tiles.translate(_AS_GAME.get(kind, _SAME)))
    return tiles


_SAME: Final = bytes(range(256))
_BOOST: Final = 28
_AS_GAME: Final = {"speedup": b"\0" + bytes((_BOOST,)) * 255, "switch": _SWITCHES}
