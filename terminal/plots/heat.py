"""Maps in the cells of a screen: where nobody was, the walls as dots, and over them how long somebody was where.

A cell is twice as high as it is wide, so that a square of the map takes two columns or half a row.
"""

from bisect import bisect_right
from math import ceil
from typing import Final

from nhlog.plots import Heat, Walls
from nhlog.screen import Glyph, Screen, Style, clip, width_of
from nhlog.values import NamedTuple
from terminal.screen import theme
from terminal.screen.dots import ACROSS, Dots
from terminal.screen.page import too_small

__all__ = ["LEAST", "Place", "draw_heat", "longest", "place_of"]

LEAST: Final = (24, 7)  # columns and rows below which nothing useful can be shown
LEVELS: Final = (  # from the shortest stay on: a sign, which is no wall's in ASCII, and a colour
    (Glyph("░", "1"), Style(fg=25)),
    (Glyph("▒", "2"), Style(fg=37)),
    (Glyph("▓", "3"), Style(fg=178)),
    (Glyph("█", "4"), Style(fg=203)),
)
PARTS: Final = (0.5, 0.8, 0.95)  # of all cells in which somebody was: those that stay below the next level
MARK: Final = "×"
ABOVE: Final = 1  # the legend


class Place(NamedTuple):
    """Where a map is on a screen: its first column and row, how many there are, and what a column spans."""

    left: int
    top: int
    width: int
    height: int
    scale: float

    def cell(self, plot: Heat, x: float, y: float) -> tuple[int, int]:
        """The screen's column and row of a place on the map."""
        across, down = (x - plot.extent[0]) / self.scale, (y - plot.extent[1]) / self.scale / 2
        return self.left + min(int(across), self.width - 1), self.top + min(int(down), self.height - 1)


def place_of(plot: Heat, width: int, height: int) -> Place:
    """Where the map is drawn on a screen of this size."""
    left, top, right, bottom = plot.extent
    rows = max(height - ABOVE, 1)
    scale = max((right - left) / width, (bottom - top) / (2 * rows))
    columns, down = max(ceil((right - left) / scale - 1e-9), 1), max(ceil((bottom - top) / scale / 2 - 1e-9), 1)
    return Place((width - min(columns, width)) // 2, ABOVE, min(columns, width), min(down, rows), scale)


def draw_heat(plot: Heat, width: int, height: int) -> Screen:
    """The map."""
    if width < LEAST[0] or height < LEAST[1]:
        return too_small(width, height)
    screen = Screen(width, height)
    place = place_of(plot, width, height)
    if plot.walls is not None:
        _draw_walls(screen, place, plot, plot.walls)
    cells = _summed(plot, place)
    bounds = _bounds(sorted(cells.values()))
    for (x, y), seconds in cells.items():
        screen.place(x, y, [LEVELS[bisect_right(bounds, seconds)]])
    for mark in plot.marks:
        screen.put(*place.cell(plot, mark.x, mark.y), MARK, theme.ALARM)
    _draw_legend(screen, plot)
    return screen


def _summed(plot: Heat, place: Place) -> dict[tuple[int, int], float]:
    """For each cell in which somebody was: for how long."""
    left, top, right, bottom = plot.extent
    wide, high = (right - left) / plot.columns / place.scale, (bottom - top) / plot.rows / place.scale / 2
    columns = [_squares(x, wide, plot.columns) for x in range(place.width)]
    cells: dict[tuple[int, int], float] = {}
    for y in range(place.height):
        rows = _squares(y, high, plot.rows)
        for x, across in enumerate(columns):
            seconds = sum(sum(plot.seconds[row * plot.columns + column] for column in across) for row in rows)
            if seconds > 0:
                cells[place.left + x, place.top + y] = seconds
    return cells


def _squares(cell: int, size: float, count: int) -> range:
    """The squares whose middle is in a cell, where each is so many cells large; at least the one that the cell is in.

    One that is larger than a cell is in several.
    """
    first, after = ceil(cell / size - 0.5), ceil((cell + 1) / size - 0.5)
    if first >= after:
        first = min(int((cell + 0.5) / size), count - 1)
        after = first + 1
    return range(min(max(first, 0), count - 1), min(max(after, 1), count))


def _bounds(ordered: list[float]) -> list[float]:
    """From which times on a cell has the next level."""
    return [ordered[min(int(part * len(ordered)), len(ordered) - 1)] for part in PARTS] if ordered else []


def _draw_walls(screen: Screen, place: Place, plot: Heat, walls: Walls) -> None:
    """Draw a dot where the square of the walls in its middle is solid."""
    left, top, right, bottom = plot.extent
    columns, rows, solid = walls
    size = place.scale / ACROSS
    wide, high = round((right - left) / size), round((bottom - top) / size)
    xs = [min(int((x + 0.5) * columns / wide), columns - 1) for x in range(wide)]
    dots = Dots()
    for y in range(high):
        row = min(int((y + 0.5) * rows / high), rows - 1) * columns
        for x, column in enumerate(xs):
            if solid[row + column]:
                dots.put(x, y, theme.BAR)
    dots.draw(screen, place.left, place.top)


def _draw_legend(screen: Screen, plot: Heat) -> None:
    """Draw the title and, as far as there is room, what the signs mean."""
    x = screen.put(0, 0, clip(plot.title, screen.width), theme.HEAD) + 2
    most = f" up to {longest(plot):.4g} s"
    if x + len(LEVELS) + width_of(most) <= screen.width:
        screen.place(x, 0, LEVELS)
        x = screen.put(x + len(LEVELS), 0, most, theme.NOTE) + 2
    marked = f"{MARK} {len(plot.marks)} marked"
    if plot.marks and x + width_of(marked) <= screen.width:
        screen.put(x, 0, marked, theme.ALARM)


def longest(plot: Heat) -> float:
    """The longest that somebody was in a square."""
    return max(plot.seconds, default=0.0)
