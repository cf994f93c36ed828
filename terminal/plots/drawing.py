"""The screen of a recording's plots: which there are, the one that is shown, where one stands on it, and the keys."""

from collections.abc import Callable
from math import floor
from typing import Final

from nhlog.plots import Curves, Heat, Series
from nhlog.screen import Screen, clip, width_of
from terminal.plots.axes import label, scale_words
from terminal.plots.curves import Field, field_of
from terminal.plots.heat import place_of
from terminal.plots.plotting import Plotting
from terminal.plots.screen import draw_plot
from terminal.screen import theme
from terminal.screen.hints import draw_hints, draw_keys
from terminal.screen.page import draw_page, too_small

__all__ = ["CHROME", "draw_plotting"]

LEAST: Final = (30, 10)  # columns and rows below which nothing useful can be shown
ABOVE: Final = 1  # row: the kinds
CHROME: Final = ABOVE + 2  # and below the plot: where one stands, the keys
HINTS: Final = (("go", "go there"), ("next-plot", "next plot"), ("help", "keys"), ("quit", "back"))


def draw_plotting(plotting: Plotting, moment: Callable[[int], str], width: int, height: int) -> Screen:
    """The plots, in so many columns and rows; `moment` says of a step when that is."""
    if width < LEAST[0] or height < LEAST[1]:
        return too_small(width, height)
    screen = Screen(width, height)
    _draw_kinds(screen, plotting)
    if plotting.plot is None:
        done = plotting.passed * 100 // max(plotting.last, 1)
        told = plotting.trouble or f"looking through the recording: {done}%"
        screen.put(2, height // 2, clip(told, width - 4), theme.ALARM if plotting.trouble else theme.NOTE)
    else:
        drawn = draw_plot(plotting.plot, width, height - CHROME, plotting.chosen)
        _draw_cursor(drawn, plotting)
        screen.paste(0, ABOVE, drawn)
        screen.put(1, height - 2, clip(_told(plotting, moment), width - 2))
    draw_hints(screen, height - 1, plotting.keys, HINTS)
    if plotting.helped:
        draw_page(screen, draw_keys(plotting.keys), 0)
    return screen


def _draw_kinds(screen: Screen, plotting: Plotting) -> None:
    """Draw the names of the kinds, the one that is shown set off, and what it shows where there is room."""
    screen.put(0, 0, " " * screen.width, theme.TITLE)
    x = 1
    for number, name in enumerate(plotting.names):
        here = number == plotting.number
        begin, x = x, screen.put(x, 0, f"[{name}]" if here else f" {name} ", theme.CURSOR if here else theme.TITLE)
        screen.aim(begin, 0, x - begin, f"plot {number}")
    room = screen.width - x - 3
    if room >= width_of(plotting.shows):
        screen.put(screen.width - width_of(plotting.shows) - 1, 0, plotting.shows, theme.TITLE)


def _draw_cursor(drawn: Screen, plotting: Plotting) -> None:
    """Set off the column of the moment, or the cell of the place, where one stands."""
    plot = plotting.plot
    if isinstance(plot, Curves):
        field = field_of(plot, drawn.width, drawn.height)
        series = plot.series[plotting.chosen]
        x = field.column(plotting.mark.x if plotting.mark else series.xs[plotting.point])
        cells = [(x, y) for y in range(field.top, field.top + field.height + 1)]
    elif isinstance(plot, Heat):
        cells = [place_of(plot, drawn.width, drawn.height).cell(plot, *plotting.at)]
    else:
        return
    for x, y in cells:
        drawn.put(x, y, drawn.crop(x, y, 1, 1).text()[0] or " ", theme.CURSOR)
    if isinstance(plot, Curves):
        _aim(drawn, field, series)
        for mark in plot.marks:
            drawn.aim(field.column(mark.x), field.top + field.height, 1, f"go {mark.step}")
    else:
        _aim_map(drawn, plot)


def _aim_map(drawn: Screen, plot: Heat) -> None:
    """Let a click on a place where somebody was mean its square."""
    place, (left, top, _, _) = place_of(plot, drawn.width, drawn.height), plot.extent
    for y in range(place.height):
        for x in range(place.width):
            square = plot.square_at(left + (x + 0.5) * place.scale, top + (2 * y + 1) * place.scale)
            if plot.firsts[square] >= 0:
                drawn.aim(place.left + x, place.top + y, 1, f"square {square}")


def _aim(drawn: Screen, field: Field, series: Series) -> None:
    """Let a click on a column of the curve mean its last point up to there."""
    points = {field.column(x): number for number, x in enumerate(series.xs)}
    number = 0
    for column in range(field.left, field.left + field.width):
        number = points.get(column, number)
        for y in range(field.top, field.top + field.height):
            drawn.aim(column, y, 1, f"point {number}")


def _told(plotting: Plotting, moment: Callable[[int], str]) -> str:
    """Where one stands, in words."""
    plot, step = plotting.plot, plotting.step
    told = [moment(step)] if step is not None else []
    if isinstance(plot, Curves):
        for series in plot.series[plotting.chosen :][:1]:
            value = f"{series.name} {label(series.ys[plotting.point], plot.y)}"
            told.append(f"{value} {plot.y.unit}" if plot.y.unit else value)
    elif isinstance(plot, Heat):
        seconds = plot.seconds[plot.square_at(*plotting.at)]
        where = f"{scale_words(plot.x)} {floor(plotting.at[0])}, {plot.y.name} {floor(plotting.at[1])}"
        told.append(f"{where}: {seconds:.4g} s" if seconds else f"{where}: nobody")
    if plotting.mark is not None:
        told.append(plotting.mark.name)
    return "   ".join(told)
