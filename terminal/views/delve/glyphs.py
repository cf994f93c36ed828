"""The cells of a delve map: the look of each square code, for squares in view and for remembered ones.

The tables are made once; drawing a row only looks them up.
"""

from functools import lru_cache
from typing import Final

from nhlog.engines.delve.perception import Figure, Sight
from nhlog.engines.delve.world.board import HEIGHT, SIZE, WIDTH
from nhlog.engines.delve.world.kinds import KINDS
from nhlog.engines.delve.world.sight import SEEN
from nhlog.engines.delve.world.state import KIND_MEMORY, TRAP_MEMORY
from nhlog.engines.delve.world.terrain import BROKEN, CLOSED, LOCKED, OPEN, TERRAINS, WALL
from nhlog.engines.delve.world.traps import TRAPS
from nhlog.screen import PLAIN, Cell, Style

__all__ = ["hero_cell", "map_rows"]

_SHAPES: Final = "■│─└││┌├─┘─┴┐┤┬┼"
"""A wall's glyph by its neighbours: 1 for one to the north, 2 east, 4 south, 8 west."""
_WALL: Final = WALL + 1  # what walls are remembered as
_WALLS: Final = bytes(code in {kind + 1 for kind in (WALL, BROKEN, OPEN, CLOSED, LOCKED)} for code in range(256))
_IN_SIGHT: Final = bytes(flags & SEEN for flags in range(256))
_GREY: Final = 7


def _shown(code: int) -> tuple[str, int]:
    """The symbol and the colour for a code."""
    if 0 < code <= len(TERRAINS):
        return TERRAINS[code - 1].symbol, TERRAINS[code - 1].color
    if TRAP_MEMORY < code < TRAP_MEMORY + len(TRAPS):
        return "^", TRAPS[code - TRAP_MEMORY].color
    if KIND_MEMORY < code < KIND_MEMORY + len(KINDS):
        return KINDS[code - KIND_MEMORY].symbol, KINDS[code - KIND_MEMORY].color
    return " ", _GREY


def _style(color: int, *, seen: bool) -> Style:
    return Style(fg=None if color == _GREY else color, dim=not seen)


def _cells(*, seen: bool) -> tuple[Cell, ...]:
    cells = []
    for code in range(256):
        symbol, color = _shown(code)
        cells.append((symbol, PLAIN if symbol == " " else _style(color, seen=seen)))
    return tuple(cells)


_REMEMBERED: Final = _cells(seen=False)
_SEEN: Final = _cells(seen=True)
_WALLS_REMEMBERED: Final = tuple((shape, _style(_GREY, seen=False)) for shape in _SHAPES)
_WALLS_SEEN: Final = tuple((shape, _style(_GREY, seen=True)) for shape in _SHAPES)


def hero_cell() -> Cell:
    """The cell of the hero."""
    return "@", Style(fg=15, bold=True)


def _figure_cell(figure: Figure) -> Cell:
    return figure.symbol, Style(fg=figure.color, bold=figure.seen, underline=not figure.seen)


def map_rows(sight: Sight) -> list[list[Cell]]:
    """The cells of the whole map, row by row."""
    view, walls, nothing = sight.view.translate(_IN_SIGHT), sight.codes.translate(_WALLS), bytes(WIDTH)
    around = [nothing, *(walls[at : at + WIDTH] for at in range(0, SIZE, WIDTH)), nothing]
    rows = [
        [*_row(sight.codes[at : at + WIDTH], view[at : at + WIDTH], *around[at // WIDTH : at // WIDTH + 3])]
        for at in range(0, SIZE, WIDTH)
    ]
    for at, figure in sight.figures.items():
        rows[at // WIDTH][at % WIDTH] = _figure_cell(figure)
    rows[sight.hero // WIDTH][sight.hero % WIDTH] = hero_cell()
    return rows


@lru_cache(maxsize=32 * HEIGHT)
def _row(codes: bytes, view: bytes, above: bytes, walls: bytes, below: bytes) -> tuple[Cell, ...]:
    """The cells of a row, from its codes and the walls in it, above and below; from turn to turn few change."""
    cells = [_SEEN[code] if seen else _REMEMBERED[code] for code, seen in zip(codes, view, strict=True)]
    x = codes.find(_WALL)
    while x >= 0:
        shape = above[x] | walls[x + 1 : x + 2].count(1) << 1 | below[x] << 2 | (x > 0 and walls[x - 1]) << 3
        cells[x] = (_WALLS_SEEN if view[x] else _WALLS_REMEMBERED)[shape]
        x = codes.find(_WALL, x + 1)
    return tuple(cells)
