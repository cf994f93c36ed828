"""Tile layers of a Teeworlds map as text, and where a position of its world is on the screen.

Drawing costs as much as there are cells on the screen, not as the map has tiles; what a far look needs of the whole
layer is worked out once.  Must not import other views but the glyphs.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from nhlog.formats.datafile.terrain import TILE, Grid, Terrain
from nhlog.screen import PLAIN, Cell, Screen, Style
from terminal.views import theme
from terminal.views.glyphs import AIR, GLYPHS, HOOKABLE, LETTER, UNHOOKABLE, Glyph

__all__ = ["FARTHEST", "NEAREST", "Window", "draw_blank", "draw_tiles", "fitting", "legend", "whole"]

NEAREST: Final = 3  # zoom: 0 is one tile a cell, 1 two columns a tile, from 2 on each step doubles it
FARTHEST: Final = -8  # -1 is half blocks, -2 Braille dots, and from there each step halves it


class Window(NamedTuple):
    """The part of the world that `width` by `height` cells show; `left` and `top` are world units, `zoom` is as above.

    It begins with a whole tile and a whole cell, so that what it shows keeps its looks while it moves.
    """

    width: int
    height: int
    left: int
    top: int
    zoom: int

    @classmethod
    def around(cls, centre: tuple[int, int], width: int, height: int, zoom: int) -> "Window":
        """The window with the world position `centre` in its middle."""
        zoom = min(max(zoom, FARTHEST), NEAREST)
        across, down = _cell_size(zoom)
        x, y = centre
        left = _floor(x - width * across // 2, max(across, TILE))
        top = _floor(y - height * down // 2, max(down, TILE))
        return cls(width, height, left, top, zoom)

    def cell(self, x: int, y: int) -> tuple[int, int]:
        """Column and row of a world position; outside the window if they are less than 0 or too large."""
        across, down = _cell_size(self.zoom)
        return (x - self.left) // across, (y - self.top) // down

    def world(self, column: int, row: int) -> tuple[int, int]:
        """The world position in the middle of a cell."""
        across, down = _cell_size(self.zoom)
        return self.left + column * across + across // 2, self.top + row * down + down // 2

    def moved(self, columns: int, rows: int) -> "Window":
        """The window so many cells further right and down."""
        across, down = _cell_size(self.zoom)
        left = _floor(self.left + columns * across, max(across, TILE))
        top = _floor(self.top + rows * down, max(down, TILE))
        return self._replace(left=left, top=top)


def _cell_size(zoom: int) -> tuple[int, int]:
    """World units that a cell spans across and down."""
    if zoom > 0:
        return TILE >> zoom, TILE * 2 >> zoom
    return (TILE << -zoom - 1, TILE * 2 << -zoom - 1) if zoom else (TILE, TILE)


def _floor(value: int, step: int) -> int:
    return value - value % step


def fitting(terrain: Terrain | Grid, width: int, height: int) -> int:
    """The nearest zoom, at most one tile a cell, that shows all of it in so many cells."""
    for zoom in range(0, FARTHEST, -1):
        across, down = _cell_size(zoom)
        if terrain.width * TILE <= width * across and terrain.height * TILE <= height * down:
            return zoom
    return FARTHEST


def whole(terrain: Terrain | Grid) -> tuple[int, int]:
    """The middle of the map, for `Window.around`."""
    return terrain.width * TILE // 2, terrain.height * TILE // 2


def draw_blank(window: Window) -> Screen:
    """What stands for a map that is not at hand: a grid of points that moves with the world."""
    screen = Screen(window.width, window.height)
    across, down = _cell_size(window.zoom)
    column = -(window.left // across) % GRID[0]
    row = -(window.top // down) % GRID[1]
    line = "".join("·" if x % GRID[0] == column else " " for x in range(window.width))
    for y in range(row, window.height, GRID[1]):
        screen.put(0, y, line, theme.BAR)
    return screen


GRID: Final = (8, 4)  # cells from one point to the next


def draw_tiles(grid: Grid | None, window: Window) -> Screen:
    """The part of the layer that the window shows; outside the map nothing is drawn."""
    if grid is None:
        return draw_blank(window)
    if window.zoom >= 0:
        return _draw_near(grid, window)
    return _draw_half(grid, window) if window.zoom == -1 else _draw_dots(grid, window)


@cache
def _cells_of(kind: str) -> tuple[Cell, ...]:
    """What is drawn for each tile of a layer."""
    return tuple((glyph.char, glyph.style) for glyph in GLYPHS[kind])


def _draw_near(grid: Grid, window: Window) -> Screen:
    """A cell or more for each tile."""
    screen = Screen(window.width, window.height)
    across, down = _cell_size(window.zoom)
    wide, high = TILE // across, TILE // down
    cells = _cells_of(grid.kind)
    first, x, count = _span(window.left // TILE, -(-window.width // wide), grid.width)
    for y in range(window.height):
        row = window.top // TILE + y // high
        if not (0 <= row < grid.height and count > 0):
            continue
        start = row * grid.width + first
        drawn: list[Cell] = list(map(cells.__getitem__, grid.tiles[start : start + count]))
        if wide > 1:
            drawn = [cell for cell in drawn for _ in range(wide)]
        screen.place(x * wide, y, drawn)
    return screen


def _span(start: int, count: int, size: int) -> tuple[int, int, int]:
    """Of `count` tiles or cells from `start` on: the first that the layer has, where it stands, how many there are."""
    first = max(start, 0)
    return first, first - start, min(start + count, size) - first


def _draw_half(grid: Grid, window: Window) -> Screen:
    """Two tiles a cell, one above the other."""
    screen = Screen(window.width, window.height)
    pair = _pairs(grid.kind)
    first, x, count = _span(window.left // TILE, window.width, grid.width)
    for y in range(window.height):
        row = window.top // TILE + 2 * y
        if count > 0 and -1 <= row < grid.height:
            upper, lower = (_row(grid, at, first, count) for at in (row, row + 1))
            screen.place(x, y, list(map(pair, upper, lower)))
    return screen


def _row(grid: Grid, row: int, first: int, count: int) -> bytes:
    """A part of a row; air where there is none."""
    start = row * grid.width + first
    return grid.tiles[start : start + count] if 0 <= row < grid.height else bytes(count)


@cache
def _pairs(kind: str):  # type: ignore[no-untyped-def]
    """What shows two tiles of that kind, one above the other."""
    glyphs = GLYPHS[kind]

    @lru_cache(maxsize=1 << 16)
    def pair(upper: int, lower: int) -> Cell:
        return _pair(glyphs[upper], glyphs[lower])

    return pair
