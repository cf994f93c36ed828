"""Plots as pictures, by matplotlib: the same plot makes the same bytes, as no date and nothing by chance is in them."""

import importlib.util
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from nhlog.errors import Unsupported
from nhlog.plots import Curves, Heat, Plot, Scale
from nhlog.screen import clip
from terminal.plots.axes import Span, clusters, label, scale_words, spans
from terminal.text.words import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ENDINGS", "check", "picture"]

ENDINGS: Final = (".svg", ".png")
DOTS: Final = 100  # to an inch
SETTINGS: Final = {
    "svg.hashsalt": "nhlog",  # from which the ids in the file are made, else at random
    "svg.fonttype": "none",  # text stays text
    "text.parse_math": False,  # a name may have a $
    "axes.spines.top": False,
    "axes.spines.right": False,
    "font.size": 10,
}
WITHOUT_DATE: Final = {"svg": {"Date": None, "Creator": "nhlog"}, "png": {"Software": "nhlog"}}
COLORS: Final = ("#2f7ed8", "#e0791f", "#2f9e63", "#9c5fc4", "#c9a400", "#1fa3a3", "#d8507f", "#7a6ff0")
GREY: Final = "#9a9a9a"
APART: Final = 0.02  # of the width: marks that are nearer to one another have one name
LONGEST_NAME: Final = 40


def check() -> None:
    """Raise :class:`Unsupported` where there is no matplotlib."""
    if importlib.util.find_spec("matplotlib") is None:
        raise Unsupported("pictures need matplotlib", expected="pip install 'nhlog[plots]'")


def picture(plot: Plot, form: str, size: tuple[int, int], title: str) -> bytes:
    """The plot as a file of the form ``svg`` or ``png``, `size` in pixels."""
    check()
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(SETTINGS):
        figure = Figure(figsize=(size[0] / DOTS, size[1] / DOTS), dpi=DOTS, layout="constrained")
        axes = figure.subplots()
        axes.set_title(printable(f"{title}: {plot.title}"), loc="left")
        axes.set_xlabel(printable(scale_words(plot.x)))
        axes.set_ylabel(printable(scale_words(plot.y)))
        if isinstance(plot, Heat):
            _draw_heat(figure, axes, plot)
        else:
            _draw_curves(axes, plot)
        file = BytesIO()
        figure.savefig(file, format=form, metadata=WITHOUT_DATE[form])
    return file.getvalue()


def _draw_curves(axes: "Axes", plot: Curves) -> None:
    xs, ys = spans(plot)
    room = (ys.most - ys.least) / 20
    axes.set_xlim(*xs)
    axes.set_ylim(ys.least - room * bool(ys.least), ys.most + room)
    colors = iter(COLORS * (1 + len(plot.series) // len(COLORS)))
    for series in plot.series:
        x, y = [*series.xs], [*series.ys]
        if series.held and x:
            x, y = [*x, xs.most], [*y, y[-1]]
        axes.plot(
            x,
            y,
            color=GREY if series.beside else next(colors),
            linewidth=1.0 if series.beside else 1.6,
            linestyle=":" if series.beside else "-",
            drawstyle="steps-post" if series.held else "default",
            label=printable(series.name),
        )
    _draw_marks(axes, plot, xs)
    _number(axes.xaxis, plot.x)
    _number(axes.yaxis, plot.y)
    axes.grid(visible=True, color="#e8e8e8")
    axes.set_axisbelow(True)
    if len(plot.series) > 1:
        axes.legend(loc="upper left", frameon=False, fontsize="small")


def _draw_marks(axes: "Axes", plot: Curves, xs: Span) -> None:
    for mark in plot.marks:
        axes.axvline(mark.x, color="#b05030", linewidth=0.6, linestyle="--")
    for x, name in clusters(plot.marks, xs, APART):
        axes.annotate(
            clip(name, LONGEST_NAME),
            (x, 1),
            xycoords=("data", "axes fraction"),
            xytext=(-2, -4),
            textcoords="offset points",
            rotation=90,
            ha="right",
            va="top",
            fontsize="x-small",
            color="#b05030",
        )


def _number(axis: Any, scale: Scale) -> None:
    """Have times beside the plot written as on a clock."""
    if scale.clock:
        axis.set_major_formatter(lambda value, _: label(value, scale))


def _draw_heat(figure: Any, axes: "Axes", plot: Heat) -> None:
    from matplotlib.colors import ListedColormap, LogNorm

    left, top, right, bottom = plot.extent
    extent = (left, right, bottom, top)
    nothing = float("nan")
    if plot.walls is not None:
        solid = [1.0 if square else nothing for square in plot.walls.solid]
        axes.imshow(_rows(solid, plot.walls.columns), extent=extent, cmap=ListedColormap(["#c9ccd1"]), aspect="equal")
    seconds = [value if value > 0 else nothing for value in plot.seconds]
    least = min((value for value in plot.seconds if value > 0), default=1.0)
    norm = LogNorm(least, max(*plot.seconds, least * 2))
    shown = axes.imshow(_rows(seconds, plot.columns), extent=extent, cmap="plasma", norm=norm, aspect="equal")
    figure.colorbar(shown, ax=axes, label="seconds in a square", shrink=0.8, format=lambda value, _: f"{value:g}")
    if plot.marks:
        axes.scatter([mark.x for mark in plot.marks], [mark.y for mark in plot.marks], marker="x", c="#00c8ff", s=30)


def _rows(values: list[float], columns: int) -> list[list[float]]:
    return [values[first : first + columns] for first in range(0, len(values), columns)]
