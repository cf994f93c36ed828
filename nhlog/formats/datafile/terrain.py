"""The physics layers of a map, which act on tees: one byte per tile, all of the game layer's size (spec 5)."""

from collections.abc import Mapping
from typing import Final

from nhlog.formats.datafile.wire.tiles import Grid
from nhlog.values import dataclass

__all__ = ["CHECKPOINTS", "FINISH", "KINDS", "START", "Terrain", "merge_layers", "overlay"]

KINDS: Final = ("game", "front", "tele", "speedup", "switch", "tune")  # in the order in which they are merged
START, FINISH = 33, 34  # indices of tiles
CHECKPOINTS: Final = range(35, 60)  # likewise: time checkpoints 1 to 25

_HOLES: Final = b"\xff" + bytes(255)
_LINES: Final = bytes(index if index in (START, FINISH) or index in CHECKPOINTS else 0 for index in range(256))
# A layer of its own numbers its types as the game layer does its indices, but for the switches.
_SWITCHES: Final = bytes.maketrans(bytes((22, 23)), bytes((24, 25)))


@dataclass(frozen=True, slots=True)
class Terrain:
    """The physics layers of a map, by kind; `all` merges them into one, `lines` has only the race's lines.

    `lines` is `START`, `FINISH` or one of `CHECKPOINTS` where the game or the front layer has such a tile, else 0.
    `faults` describes the layers that could not be read.
    """

    width: int
    height: int
    grids: Mapping[str, Grid]
    all: Grid
    lines: Grid
    faults: tuple[str, ...] = ()

    @classmethod
    def of(cls, grids: Mapping[str, Grid], faults: tuple[str, ...] = ()) -> "Terrain":
        """The terrain of these layers, which must include a game layer and have the same size."""
        game = grids["game"]
        width, height = game.width, game.height
        lines = game.tiles.translate(_LINES)
        if "front" in grids:
            lines = overlay(lines, grids["front"].tiles.translate(_LINES))
        return cls(
            width,
            height,
            grids,
            Grid("all", "all", width, height, merge_layers(grids)),
            Grid("lines", "lines", width, height, lines),
            faults,
        )


def overlay(upper: bytes, lower: bytes) -> bytes:
    """The bytes of `upper` that are not 0, elsewhere those of `lower`, which has the same length."""
    holes = int.from_bytes(upper.translate(_HOLES), "little")
    both = int.from_bytes(upper, "little") | int.from_bytes(lower, "little") & holes
    return both.to_bytes(len(upper), "little")


def merge_layers(grids: Mapping[str, Grid]) -> bytes:
    """All layers merged, as indices of the game layer: layers earlier in `KINDS` hide later ones."""
    tiles = bytes(len(grids["game"].tiles))
    for kind in KINDS:
        if kind in grids:
            tiles = overlay(tiles, grids[kind].tiles.translate(_AS_GAME.get(kind, _SAME)))
    return tiles


_SAME: Final = bytes(range(256))
_BOOST: Final = 28
_AS_GAME: Final = {"speedup": b"\0" + bytes((_BOOST,)) * 255, "switch": _SWITCHES}
