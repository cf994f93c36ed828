"""The values of which a plot consists: scales, series of points, marks, and maps.

Every point, mark and square tells the step of the recording that it is of, so that one can go there.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from nhlog.values import dataclass

__all__ = ["TIME", "Curves", "Heat", "Mark", "Plot", "Scale", "Series", "Walls"]


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
