"""Draw tile layers of a Teeworlds map, and convert positions of its world to cells of the screen.

The cost of drawing depends on the number of cells on the screen, not on the size of the map; what a zoomed-out picture
needs of the whole layer is computed once.  Must not import other views but the glyphs.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import Final

from nhlog.formats.datafile.terrain import Terrain
from nhlog.formats.datafile.wire.tiles import TILE, Grid
from nhlog.screen import PLAIN, Cell, Screen
from nhlog.values import NamedTuple
from terminal.screen import theme
from terminal.screen.dots import BITS, braille
from terminal.views.teeworlds.glyphs import (
    AIR,
    GLYPHS,
    HOOK,
    HOOKABLE,
    ICE,
    KILL,
    LETTER,
    LETTERS,
    OTHER,
    RACE,
    STEEL,
    UNHOOKABLE,
    WATER,
    Glyph,
)

__all__ = ["FARTHEST", "NEAREST", "Window", "draw_blank", "draw_tiles", "fitting", "legend", "whole"]

NEAREST: Final = 3  # zoom: 0 is one tile a cell, 1 two columns a tile, from 2 on each step doubles it
FARTHEST: Final = -8  # -1 is half blocks, -2 Braille dots, and from there each step halves it


class Window(NamedTuple):
    """The part of the world that `width` by `height` cells show; `left` and `top` are world units, `zoom` is as above.

    It begins at a whole tile and a whole cell, so that the picture does not flicker while it moves.
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
        """Column and row of a world position; outside the window if they are negative or too large."""
        across, down = _cell_size(self.zoom)
        return (x - self.left) // across, (y - self.top) // down

    def world(self, column: int, row: int) -> tuple[int, int]:
        """The world position at the middle of a cell."""
        across, down = _cell_size(self.zoom)
        return self.left + column * across + across // 2, self.top + row * down + down // 2

    def inside(self, grid: Terrain | Grid) -> "Window":
        """The window moved so that it shows only the map if the map is larger, else the whole map."""
        across, down = _cell_size(self.zoom)
        left = _kept(self.left, self.width * across, grid.width * TILE, max(across, TILE))
        top = _kept(self.top, self.height * down, grid.height * TILE, max(down, TILE))
        return self._replace(left=left, top=top)

    def moved(self, columns: int, rows: int) -> "Window":
        """The window moved right and down by this many cells."""
        across, down = _cell_size(self.zoom)
        left = _floor(self.left + columns * across, max(across, TILE))
        top = _floor(self.top + rows * down, max(down, TILE))
        return self._replace(left=left, top=top)


def _cell_size(zoom: int) -> tuple[int, int]:
    """The world units that a cell spans across and down."""
    if zoom > 0:
        return TILE >> zoom, TILE * 2 >> zoom
    return (TILE << -zoom - 1, TILE * 2 << -zoom - 1) if zoom else (TILE, TILE)


def _kept(start: int, room: int, size: int, step: int) -> int:
    """The start, in whole steps, at which as much of `size` as possible is visible."""
    least, most = sorted((0, size - room))
    return min(max(start, least + -least % step), most + -most % step)


def _floor(value: int, step: int) -> int:
    return value - value % step


def fitting(terrain: Terrain | Grid, width: int, height: int) -> int:
    """The largest zoom, at most one tile per cell, at which everything fits into this many cells."""
    for zoom in range(0, FARTHEST, -1):
        across, down = _cell_size(zoom)
        if terrain.width * TILE <= width * across and terrain.height * TILE <= height * down:
            return zoom
    return FARTHEST


def whole(terrain: Terrain | Grid) -> tuple[int, int]:
    """The middle of the map in world units, for `Window.around`."""
    return terrain.width * TILE // 2, terrain.height * TILE // 2


def draw_blank(window: Window) -> Screen:
    """A placeholder for a map that is not available: a grid of points that moves with the world."""
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
    """The part of the layer that the window shows; outside the map the cells are blank."""
    if grid is None:
        return draw_blank(window)
    if window.zoom >= 0:
        return _draw_near(grid, window)
    return _draw_half(grid, window) if window.zoom == -1 else _draw_dots(grid, window)


@cache
def _cells_of(kind: str) -> tuple[Cell, ...]:
    """The cell for each tile of a layer."""
    return tuple((glyph.char, glyph.style) for glyph in GLYPHS[kind])


def _draw_near(grid: Grid, window: Window) -> Screen:
    """Draw one or more cells per tile."""
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
    """Of `count` tiles or cells from `start` on: the first that the layer has, its place, and how many there are."""
    first = max(start, 0)
    return first, first - start, min(start + count, size) - first


def _draw_half(grid: Grid, window: Window) -> Screen:
    """Draw two tiles per cell, one above the other."""
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
    """A part of a row; air if there is none."""
    start = row * grid.width + first
    return grid.tiles[start : start + count] if 0 <= row < grid.height else bytes(count)


@cache
def _pairs(kind: str) -> Callable[[int, int], Cell]:
    """A function to the cell for two tiles of that kind, one above the other."""
    glyphs = GLYPHS[kind]

    @lru_cache(maxsize=1 << 16)
    def pair(upper: int, lower: int) -> Cell:
        return _pair(glyphs[upper], glyphs[lower])

    return pair


def _pair(upper: Glyph, lower: Glyph) -> Cell:
    """The cell for the glyph of higher priority; for two walls, or a wall and air, it is a half block."""
    more, less = (upper, lower) if upper.rank >= lower.rank else (lower, upper)
    if more.rank in (HOOKABLE, UNHOOKABLE) and less.rank < UNHOOKABLE:
        return "▀" if more is upper else "▄", more.style
    return more.char, more.style


def _draw_dots(grid: Grid, window: Window) -> Screen:
    """Draw eight dots per cell, each for a tile or a square of tiles."""
    screen = Screen(window.width, window.height)
    across, down = _cell_size(window.zoom)
    rows = _marks(grid, -2 - window.zoom)
    width = len(rows[0]) // 2 if rows else 0
    first, x, count = _span(window.left // across, window.width, width)
    for y in range(window.height if count > 0 else 0):
        row = 4 * (window.top // down + y)
        if -4 < row < len(rows):
            screen.place(x, y, _dotted([_dots(rows, row + number, first, count) for number in range(4)], count))
    for column, row, cell in _race(grid):
        screen.place(*window.cell(column * TILE, row * TILE), [cell])
    return screen


def _dots(rows: Sequence[bytes], row: int, first: int, count: int) -> bytes:
    return rows[row][2 * first : 2 * (first + count)] if 0 <= row < len(rows) else bytes(2 * count)


def _dotted(rows: list[bytes], count: int) -> list[Cell]:
    """The cells of four rows of marks, all `2 * count` long."""
    dots = marks = 0
    for row, (left, right) in zip(rows, _LIT, strict=True):
        for half, lit in ((row[0::2], left), (row[1::2], right)):
            marks |= int.from_bytes(half, "little")
            dots |= int.from_bytes(half.translate(lit), "little")
    return list(map(_dot_cell, dots.to_bytes(count, "little"), marks.to_bytes(count, "little")))


@lru_cache(maxsize=1 << 16)
def _dot_cell(dots: int, marks: int) -> Cell:
    return (braille(dots), _MARKED[marks.bit_length() - 1]) if dots else (" ", PLAIN)


# What is in a square of tiles: a bit for each of these, the later ones more telling.
_MARKED: Final = (OTHER, HOOK, STEEL, WATER, ICE, LETTERS, KILL, RACE)
_WALLS: Final = 0b110  # HOOK and STEEL: of these a square has a mark if half of it is such
_THIN: Final = 0b11001  # OTHER, WATER and ICE: drawn with every second dot


def _lit(bit: int, thin: int) -> bytes:
    """For each mark, the dot if it is drawn."""
    return bytes(bit if marks & ~thin else 0 for marks in range(256))


_LIT: Final = [(_lit(left, 0), _lit(right, _THIN)) for left, right in BITS]


@cache
def _marks_of(kind: str) -> bytes:
    """The mark of each tile of a layer."""
    return bytes(_mark(glyph) for glyph in GLYPHS[kind])


def _mark(glyph: Glyph) -> int:
    if glyph.rank == AIR:
        return 0
    other = LETTERS if glyph.rank == LETTER else OTHER
    return 1 << _MARKED.index(glyph.style if glyph.style in _MARKED else other)


@lru_cache(maxsize=32)
def _marks(grid: Grid, halvings: int) -> list[bytes]:
    """The layer's marks, row by row, each for a square of `1 << halvings` tiles; rows are of even length."""
    if not halvings:
        marks = grid.tiles.translate(_marks_of(grid.kind))
        odd = b"\0" * (grid.width % 2)
        return [marks[start : start + grid.width] + odd for start in range(0, len(marks), grid.width)]
    rows = _marks(grid, halvings - 1)
    rows = rows + [bytes(len(rows[0]))] * (len(rows) % 2)
    return [_halved(upper, lower) for upper, lower in zip(rows[0::2], rows[1::2], strict=True)]


def _halved(upper: bytes, lower: bytes) -> bytes:
    """The marks of two by two squares: a rare one if there is any, else the more frequent of walls and air."""
    size = len(upper) // 2
    a, b, c, d = (int.from_bytes(part, "little") for row in (upper, lower) for part in (row[0::2], row[1::2]))
    walls = int.from_bytes(bytes((_WALLS,)) * size, "little")
    rare = (a | b | c | d) & ~walls
    most = (a & b | c & d | (a | b) & (c | d)) & walls
    return (rare | most).to_bytes(size, "little") + b"\0" * (size % 2)


@lru_cache(maxsize=32)
def _race(grid: Grid) -> list[tuple[int, int, Cell]]:
    """Column, row and cell of the tiles that are visible at every zoom: lines, checkpoints and spawns."""
    glyphs = GLYPHS[grid.kind]
    wanted = bytes(index for index, glyph in enumerate(glyphs) if glyph.style == RACE)
    found = re.finditer(b"[" + re.escape(wanted) + b"]", grid.tiles) if wanted else iter(())
    places = [(*divmod(place.start(), grid.width), place[0][0]) for place in islice(found, MOST_SEEN)]
    return [(column, row, (glyphs[index].char, glyphs[index].style)) for row, column, index in places]


MOST_SEEN: Final = 10_000  # tiles; more lines than that are no race


@lru_cache(maxsize=32)
def legend(grid: Grid) -> Sequence[Glyph]:
    """The glyphs that occur in the layer, one per meaning: those of the race first, then by frequency."""
    alike, air = _meanings(grid.kind)
    glyphs = GLYPHS[grid.kind]
    counts: list[tuple[bool, int, int]] = []
    rest = grid.tiles.translate(alike, air)
    while rest:
        index = rest[0]
        less = rest.translate(None, rest[:1])
        counts.append((glyphs[index].style != RACE, len(less) - len(rest), index))
        rest = less
    return [glyphs[index] for _, _, index in sorted(counts)]


@cache
def _meanings(kind: str) -> tuple[bytes, bytes]:
    """For each tile of a layer the first one with the same meaning, and the tiles without meaning."""
    glyphs = GLYPHS[kind]
    words = [glyph.words for glyph in glyphs]
    return bytes(map(words.index, words)), bytes(index for index in range(256) if glyphs[index].rank == AIR)
