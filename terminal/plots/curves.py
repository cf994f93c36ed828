"""Curves in the cells of a screen: below them their marks and the numbers of the one scale, to the left the other's.

A series is told from the others by its colour and by its letter, which stands on it in several places.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import isfinite
from typing import Final

from nhlog.plots import Curves, Series
from nhlog.screen import Screen, Style, clip, width_of
from nhlog.values import NamedTuple
from terminal.plots.axes import Span, label, scale_words, spans, ticks
from terminal.screen import theme
from terminal.screen.dots import ACROSS, DOWN, Dots
from terminal.screen.page import too_small

__all__ = ["LEAST", "Field", "draw_curves", "field_of", "style_of"]

LEAST: Final = (24, 7)  # columns and rows below which nothing useful can be shown
STYLES: Final = tuple(Style(fg=color, bold=True) for color in (75, 215, 114, 177, 221, 80, 211, 147))
BESIDE: Final = Style(fg=245)
LETTERS: Final = "abcdefgh"
MOST: Final = len(LETTERS)  # series that are drawn
BELOW: Final = 3  # rows below the curves: the scale's line with the marks, its numbers, its name
ABOVE: Final = 1  # the legend
TICK: Final = 12  # columns for each number below
TICK_ROWS: Final = 3  # rows for each at the side
LETTERED: Final = 24  # columns from one letter on a curve to the next
MARK: Final = "◆"


class Field(NamedTuple):
    """Where curves are on a screen: their first column and row, and how many there are, and what they span."""

    left: int
    top: int
    width: int
    height: int
    xs: Span
    ys: Span

    def dot(self, x: float, y: float) -> tuple[int, int]:
        """Column and row of a point in dots, from the field's top left one; at the edge if it is beyond."""
        across, down = self.width * ACROSS - 1, self.height * DOWN - 1
        return round(min(max(self.xs.part(x), 0), 1) * across), round((1 - min(max(self.ys.part(y), 0), 1)) * down)

    def column(self, x: float) -> int:
        """The screen's column of a value."""
        return self.left + self.dot(x, self.ys.least)[0] // ACROSS


def field_of(plot: Curves, width: int, height: int) -> Field:
    """Where the curves are drawn on a screen of this size."""
    xs, ys = spans(plot)
    rows = max(height - BELOW - ABOVE, 1)
    left = 1 + max(width_of(label(tick, plot.y)) for tick in (*ticks(ys, plot.y, _at_side(rows)), 0.0))
    return Field(left + 1, ABOVE, max(width - left - 2, 1), rows, xs, ys)


def draw_curves(plot: Curves, width: int, height: int, chosen: int = 0) -> Screen:
    """The curves; the series with the number `chosen` is drawn over the others."""
    if width < LEAST[0] or height < LEAST[1]:
        return too_small(width, height)
    screen = Screen(width, height)
    field = field_of(plot, width, height)
    _draw_sides(screen, field, plot)
    dots = Dots()
    shown = list(enumerate(plot.series[:MOST]))
    shown.sort(key=lambda one: (not one[1].beside, one[0] == chosen))
    for number, series in shown:
        style = style_of(plot, number)
        for x, y in _path(field, series):
            if not (series.beside and x % 2):  # thinner
                dots.put(x, y, style)
    dots.draw(screen, field.left, field.top)
    if _are_lettered(plot):
        for number, series in shown:
            _draw_letters(screen, field, series, LETTERS[number], style_of(plot, number))
    _draw_legend(screen, plot, chosen)
    return screen


def style_of(plot: Curves, number: int) -> Style:
    """The style of a series."""
    return BESIDE if plot.series[number].beside else STYLES[number % len(STYLES)]


def _are_lettered(plot: Curves) -> bool:
    """Whether there are series that could be taken for one another."""
    return sum(not series.beside for series in plot.series) > 1


def _at_side(rows: int) -> int:
    return max(rows // TICK_ROWS, 2)


def _draw_sides(screen: Screen, field: Field, plot: Curves) -> None:
    bottom = field.top + field.height
    for y in range(field.top, bottom):
        screen.put(field.left - 1, y, "│", theme.BAR)
    screen.put(field.left - 1, bottom, "└" + "─" * field.width, theme.BAR)
    for tick in ticks(field.ys, plot.y, _at_side(field.height)):
        y = field.top + field.dot(field.xs.least, tick)[1] // DOWN
        text = label(tick, plot.y)
        screen.put(field.left - 1 - width_of(text), y, text, theme.NOTE)
        screen.put(field.left - 1, y, "┤", theme.BAR)
    after = 0
    for tick in ticks(field.xs, plot.x, max(field.width // TICK, 1)):
        x, text = field.column(tick), label(tick, plot.x)
        screen.put(x, bottom, "┬", theme.BAR)
        at = min(max(x - width_of(text) // 2, after), screen.width - width_of(text))
        after = screen.put(at, bottom + 1, text, theme.NOTE) + 1
    for mark in plot.marks:
        screen.put(field.column(mark.x), bottom, MARK, theme.RARE)
    name = scale_words(plot.x)
    screen.put(max(screen.width - width_of(name) - 1, 0), bottom + 2, name, theme.NOTE)


def _draw_legend(screen: Screen, plot: Curves, chosen: int) -> None:
    x = screen.put(0, 0, clip(scale_words(plot.y), screen.width), theme.HEAD) + 2
    many = _are_lettered(plot)
    for number, series in enumerate(plot.series[:MOST] if len(plot.series) > 1 else ()):
        style = style_of(plot, number)
        sign = "·" if series.beside else LETTERS[number] if many else "━"
        name = f"{sign} {series.name}"
        if x + width_of(name) > screen.width:
            break
        x = screen.put(x, 0, name, theme.HERE if many and number == chosen else style) + 2


def _path(field: Field, series: Series) -> Iterator[tuple[int, int]]:
    """The dots of a series, from its first point to its last; one that is held goes on to the end."""
    corners = list(_corners(field, series))
    yield from corners[:1]
    for begin, end in pairwise(corners):
        yield from _line(begin, end)


def _corners(field: Field, series: Series) -> Iterator[tuple[int, int]]:
    last: tuple[int, int] | None = None
    for x, y in zip(series.xs, series.ys, strict=True):
        if not (isfinite(x) and isfinite(y)):
            continue
        here = field.dot(x, y)
        if here == last:
            continue
        if series.held and last is not None:
            yield here[0], last[1]
        yield here
        last = here
    if series.held and last is not None:
        yield field.width * ACROSS - 1, last[1]


def _line(begin: tuple[int, int], end: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The dots after `begin` up to `end`."""
    across, down = end[0] - begin[0], end[1] - begin[1]
    count = max(abs(across), abs(down))
    for number in range(1, count + 1):
        yield begin[0] + round(across * number / count), begin[1] + round(down * number / count)


def _draw_letters(screen: Screen, field: Field, series: Series, letter: str, style: Style) -> None:
    """Draw the letter where the series begins, where it ends, and now and then between."""
    places = [(x // ACROSS, y // DOWN) for x, y in _path(field, series)]
    for x, y in _apart(places):
        screen.put(field.left + x, field.top + y, letter, style)


def _apart(places: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    last = -LETTERED
    for place in places:
        if place[0] - last >= LETTERED:
            last = place[0]
            yield place
    yield from places[-1:]
