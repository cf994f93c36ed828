"""The cells of a delve map: the look of each square code, for squares in view and for remembered ones.

The tables are made once; drawing a row only looks them up.
"""

from typing import Final

from nhlog.engines.delve.perception import Figure, Sight
from nhlog.engines.delve.world.board import HEIGHT, SIZE, WIDTH
from nhlog.engines.delve.world.kinds import KINDS
from nhlog.engines.delve.world.state import KIND_MEMORY, TRAP_MEMORY
from nhlog.engines.delve.world.terrain import BROKEN, CLOSED, LOCKED, OPEN, TERRAINS, WALL
from nhlog.engines.delve.world.traps import TRAPS
from nhlog.screen import PLAIN, Cell, Style

__all__ = ["hero_cell", "map_rows"]

_SHAPES: Final = "■│─└││┌├─┘─┴┐┤┬┼"
"""A wall's glyph by its neighbours: 1 for one to the north, 2 east, 4 south, 8 west."""
_WALL: Final = WALL + 1  # what walls are remembered as
_WALLS: Final = bytes(code in {kind + 1 for kind in (WALL, BROKEN, OPEN, CLOSED, LOCKED)} for code in range(256))
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
    codes, view = sight.codes, sight.view
    cells = [_SEEN[code] if seen & 1 else _REMEMBERED[code] for code, seen in zip(codes, view, strict=True)]
    walls = codes.translate(_WALLS)
    at = codes.find(_WALL)
    while at >= 0:
        cells[at] = (_WALLS_SEEN if view[at] & 1 else _WALLS_REMEMBERED)[_shape(walls, at)]
        at = codes.find(_WALL, at + 1)
    for at, figure in sight.figures.items():
        cells[at] = _figure_cell(figure)
    cells[sight.hero] = hero_cell()
    return [cells[y * WIDTH : (y + 1) * WIDTH] for y in range(HEIGHT)]


def _shape(walls: bytes, at: int) -> int:
    """Which neighbours of a wall are walls, as an index of `_SHAPES`."""
    x = at % WIDTH
    return (
        (at >= WIDTH and walls[at - WIDTH])
        | (x < WIDTH - 1 and walls[at + 1]) << 1
        | (at < SIZE - WIDTH and walls[at + WIDTH]) << 2
        | (x > 0 and walls[at - 1]) << 3
    )
