"""Pictures of a whole recording, as values: curves over its course, and maps of where somebody or something was.

A plot consists of scales, series of points, marks, and maps; every point, mark and square tells the step of the
recording that it is of, so that one can go there.  A replay offers its plots as :class:`nhlog.replay.Plottable`: which
there are, and the one pass over it that all of them are made from.  What draws them knows no format.  Must not import a
format.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from nhlog.errors import NhlogError, Usage
from nhlog.values import NamedTuple, dataclass

__all__ = [
    "TIME",
    "Curves",
    "Heat",
    "Kind",
    "Mark",
    "NothingToPlot",
    "Plot",
    "Plots",
    "Scale",
    "Series",
    "Walls",
    "evenly",
    "records_of",
]


class Scale(NamedTuple):
    """What is measured along one side of a plot, and in which unit; with `clock`, seconds are written as on a clock."""

    name: str
    unit: str = ""
    clock: bool = False


TIME: Final = Scale("time", "s", clock=True)


@dataclass(frozen=True, slots=True)
class Series:
    """Values in the order of the recording: points at `xs`, which never fall, and `ys`, each of a step.

    A value that is `held` counts until the next one; else a line leads there.  `beside` is a series by which the others
    are measured, such as the most hit points.
    """

    name: str
    xs: Sequence[float]
    ys: Sequence[float]
    steps: Sequence[int]
    held: bool = False
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened at a step: on curves at `x`, on a map at `x` and `y`."""

    step: int
    name: str
    x: float
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class Curves:
    """One or more series over the same scales."""

    title: str
    x: Scale
    y: Scale
    series: tuple[Series, ...]
    marks: tuple[Mark, ...] = ()


class Walls(NamedTuple):
    """What a map has where nobody can be: a byte for each of its own squares, row by row, 0 where there is nothing."""

    columns: int
    rows: int
    solid: bytes


@dataclass(frozen=True, slots=True)
class Heat:
    """How long, in seconds, somebody or something was in each square of a map, row by row from the top left one.

    `extent` is where the map begins and ends: left, top, right, bottom, in units of the scales.  `firsts` are the steps
    at which a square was entered first, -1 for those that never were.  `walls` cover the same extent.
    """

    title: str
    x: Scale
    y: Scale
    extent: tuple[float, float, float, float]
    columns: int
    rows: int
    seconds: Sequence[float]
    firsts: Sequence[int]
    marks: tuple[Mark, ...] = ()
    walls: Walls | None = None

    def square_at(self, x: float, y: float) -> int:
        """The number of the square at a place of the map, or of the nearest one."""
        left, top, right, bottom = self.extent
        column = int((x - left) / (right - left) * self.columns)
        row = int((y - top) / (bottom - top) * self.rows)
        return min(max(row, 0), self.rows - 1) * self.columns + min(max(column, 0), self.columns - 1)

    def middle_of(self, square: int) -> tuple[float, float]:
        """The place in the middle of a square."""
        left, top, right, bottom = self.extent
        row, column = divmod(square, self.columns)
        return left + (column + 0.5) * (right - left) / self.columns, top + (row + 0.5) * (bottom - top) / self.rows


Plot = Curves | Heat


class NothingToPlot(NhlogError):
    """A recording has nothing of what is to be plotted."""


class Kind(NamedTuple):
    """A plot that can be made: what it shows, and how to make it once the recording was gone through.

    `make` raises :class:`NothingToPlot` where the recording has none of it.
    """

    shows: str
    make: Callable[[], Plot]


class Plots:
    """The plots of an open replay, by the names of their `kinds`: all of them are made from one pass over it."""

    def __init__(self, kinds: Mapping[str, Kind], survey: Iterator[int]) -> None:
        self.kinds = kinds
        self._survey = survey

    def survey(self) -> Iterator[int]:
        """Go through the recording, as far as that was not done; yields the steps up to which it was."""
        yield from self._survey

    def check(self, kind: str) -> None:
        """Raise :class:`Usage` for a kind that there is not."""
        if kind not in self.kinds:
            raise Usage(f"no plot {kind!r} of this recording", expected=", ".join(self.kinds) or "none")

    def plot(self, kind: str) -> Plot:
        """A plot, after the survey; raises :class:`Usage` for an unknown kind, and :class:`NothingToPlot`."""
        self.check(kind)
        return self.kinds[kind].make()


def evenly(count: int, most: int) -> Sequence[int]:
    """The numbers below `count`, or at most so many of them at equal distances, the first and the last among them."""
    if count <= most:
        return range(count)
    return [number * (count - 1) // (most - 1) for number in range(most)]


def records_of(kind: str, plot: Plot) -> Iterator[dict[str, Any]]:
    """A plot as records of plain values: of the whole, of each series or the map, of each mark."""
    x, y = plot.x, plot.y
    scales = {"x": x.name, "x_unit": x.unit, "y": y.name, "y_unit": y.unit}
    yield {"kind": "plot", "plot": kind, "title": plot.title, **scales}
    if isinstance(plot, Curves):
        for one in plot.series:
            yield {"kind": "series", "name": one.name, "x": [*one.xs], "y": [*one.ys], "steps": [*one.steps]}
        for mark in plot.marks:
            yield {"kind": "mark", "name": mark.name, "step": mark.step, "x": float(mark.x)}
        return
    yield {
        "kind": "map",
        "extent": [*plot.extent],
        "columns": plot.columns,
        "rows": plot.rows,
        "seconds": [*plot.seconds],
        "firsts": [*plot.firsts],
    }
    for mark in plot.marks:
        yield {"kind": "mark", "name": mark.name, "step": mark.step, "x": float(mark.x), "y": float(mark.y)}
