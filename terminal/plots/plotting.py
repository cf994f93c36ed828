"""The plots of an open recording as somebody looks at them: which one, and at which moment or place of it.

One stands at a point of a curve, at a square of a map, or at a mark; each is of a step, to which one can go.
"""

from bisect import bisect_left
from collections.abc import Iterator
from math import dist
from typing import ClassVar, Final

from nhlog.errors import NhlogError
from nhlog.plots import Curves, Heat, Mark, Plot, Plots
from terminal.plots.axes import spans
from terminal.plots.curves import MOST
from terminal.screen.keys import Bound, Key, KeyTable, about, as_they_are

__all__ = ["PLOT_KEYS", "Plotting"]

STEPS: Final = 120  # moves from one end of a plot to the other
ROWS: Final = 30  # likewise from the top of a map to its bottom
LEAP: Final = 10  # moves at once


class Plotting:
    """Somebody who looks at the plots of a recording, beginning at its step `step` of `last`.

    `names` are the kinds of plots and `number` that of the one shown; `plot` is that, None as long as the recording is
    gone through, of which `passed` steps are done, or where `trouble` says why there is none.  `chosen` is the number
    of the series that one follows, `point` one's place on it, `at` one's place on a map, `mark` the mark at which one
    stands.  `helped` is whether the keys are shown.  `goes_to` is the step to which one wants to go, `done` whether
    one wants to leave.
    """

    mode: ClassVar[str] = "plots"

    def __init__(self, plots: Plots, step: int, last: int, bound: Bound = as_they_are) -> None:
        self.keys = bound(PLOT_KEYS)
        self._plots = plots
        self._survey: Iterator[int] | None = plots.survey()
        self._step = step
        self.last = last
        self.names = tuple(plots.kinds)
        self.number = 0
        self.plot: Plot | None = None
        self.passed = 0
        self.trouble = ""
        self.chosen = self.point = 0
        self.at = (0.0, 0.0)
        self.mark: Mark | None = None
        self.helped = False
        self.goes_to: int | None = None
        self.done = False

    @property
    def shows(self) -> str:
        """What the plot shows, in words."""
        return self._plots.kinds[self.names[self.number]].shows

    @property
    def step(self) -> int | None:
        """The step of the moment or place where one stands; None where nobody ever was."""
        if self.mark is not None:
            return self.mark.step
        if isinstance(self.plot, Curves):
            return self.plot.series[self.chosen].steps[self.point]
        if isinstance(self.plot, Heat):
            first = self.plot.firsts[self.plot.square_at(*self.at)]
            return None if first < 0 else first
        return None

    def work(self) -> bool:
        """Go through a piece of the recording; returns False where nothing is left to be done."""
        if self._survey is None:
            return False
        try:
            self.passed = next(self._survey)
        except StopIteration:
            self._survey = None
            self._show(0)
        except NhlogError as error:
            self._survey, self.trouble = None, error.message
        return True

    def press(self, key: str) -> None:
        """Handle the key with this name."""
        if self.helped:
            self.helped = False
            key = about(key, "press")  # on a row of the keys
        if number := about(key, "plot"):
            self.turn(int(number) - self.number)
        elif number := about(key, "point"):
            self._click(int(number))
        elif square := about(key, "square"):
            self._click_square(int(square))
        elif step := about(key, "go"):  # a mark
            self.goes_to = int(step)
        elif row := self.keys.of(key):
            row.act(self)

    def _click(self, number: int) -> None:
        """Stand at a point of the curve that is followed, or go there where one stands already."""
        if isinstance(self.plot, Curves) and number < len(self.plot.series[self.chosen].steps):
            if self.mark is None and self.point == number:
                self.go()
            self.mark, self.point = None, number

    def _click_square(self, square: int) -> None:
        """Stand at a square of the map, or go there where one stands already."""
        if isinstance(self.plot, Heat) and square < len(self.plot.firsts):
            if self.mark is None and self.plot.square_at(*self.at) == square:
                self.go()
            self.mark, self.at = None, self.plot.middle_of(square)
            self._arrive()

    # Which plot

    def turn(self, count: int) -> None:
        """Show the plot that is so many further in the list."""
        if self._survey is None:
            self._show((self.number + count) % len(self.names))

    def _show(self, number: int) -> None:
        self.number, self.plot, self.mark, self.chosen, self.trouble = number, None, None, 0, ""
        try:
            self.plot = self._plots.plot(self.names[number])
        except NhlogError as error:
            self.trouble = error.what
            return
        if isinstance(self.plot, Curves):
            self.chosen = next((at for at, one in enumerate(self.plot.series[:MOST]) if one.steps), 0)
            self.point = _point_of(self.plot, self.chosen, self._step)
        else:
            self.at = self.plot.middle_of(_entered_last(self.plot, self._step))

    def choose(self, count: int) -> None:
        """Follow the series that is so many further; on a map, go down by so many rows."""
        if isinstance(self.plot, Heat):
            self._walk(0, count)
        elif isinstance(self.plot, Curves):
            shown = [number for number, one in enumerate(self.plot.series[:MOST]) if one.steps]
            self.chosen = shown[(shown.index(self.chosen) + count) % len(shown)]
            self.point, self.mark = _point_of(self.plot, self.chosen, self._step), None

    # Where on it

    def move(self, count: int) -> None:
        """Move on by so many columns, back if negative."""
        if isinstance(self.plot, Heat):
            self._walk(count, 0)
        elif isinstance(self.plot, Curves):
            series, span = self.plot.series[self.chosen], spans(self.plot)[0]
            here = self.mark.x if self.mark else series.xs[self.point]
            there = here + count * (span.most - span.least) / STEPS
            if count > 0:
                point = max(bisect_left(series.xs, there), self.point + 1)
            else:
                point = min(bisect_left(series.xs, there), self.point - 1)
            self.point, self.mark = min(max(point, 0), len(series.xs) - 1), None
            self._arrive()

    def _walk(self, across: int, down: int) -> None:
        """Move over a map."""
        if isinstance(self.plot, Heat):
            left, top, right, bottom = self.plot.extent
            wide = max((right - left) / STEPS, (right - left) / self.plot.columns)
            high = max((bottom - top) / ROWS, (bottom - top) / self.plot.rows)
            x, y = self.at[0] + across * wide, self.at[1] + down * high
            self.at, self.mark = (min(max(x, left), right), min(max(y, top), bottom)), None
            self._arrive()

    def _arrive(self) -> None:
        """Have the other plots shown at the moment at which one stands now."""
        here = self.step
        self._step = self._step if here is None else here

    def to_edge(self, direction: int) -> None:
        """Go to the end, or to the start (-1); on a map to its right or its left."""
        self.move(direction * STEPS * 2)

    def to_mark(self, direction: int) -> None:
        """Go to the next mark, or to the one before (-1)."""
        if self.plot is None:
            return
        here = self._step
        marks = sorted(self.plot.marks, key=lambda mark: mark.step)
        ahead = [mark for mark in marks if (mark.step - here) * direction > 0]
        if ahead:
            self._stand_at(ahead[0 if direction > 0 else -1])

    def _stand_at(self, mark: Mark) -> None:
        self.mark, self.at, self._step = mark, (mark.x, mark.y), mark.step
        if isinstance(self.plot, Curves):
            self.point = _point_of(self.plot, self.chosen, mark.step)

    def go(self) -> None:
        """Have the player go to the moment; on a map where nobody was, to that of the nearest place."""
        if isinstance(self.plot, Heat) and self.step is None:
            found = _nearest(self.plot, self.at)
            self.at = self.at if found is None else self.plot.middle_of(found)
        self.goes_to = self.step

    def help(self) -> None:
        """Show the keys."""
        self.helped = True

    def leave(self) -> None:
        """Leave the plots."""
        self.done = True


def _entered_last(plot: Heat, step: int) -> int:
    """The square that was entered last by a step."""
    return max(range(len(plot.firsts)), key=lambda square: plot.firsts[square] if plot.firsts[square] <= step else -1)


def _nearest(plot: Heat, at: tuple[float, float]) -> int | None:
    """The nearest square where somebody was."""
    been = [square for square, first in enumerate(plot.firsts) if first >= 0]
    return min(been, key=lambda square: dist(plot.middle_of(square), at), default=None)


def _point_of(plot: Curves, chosen: int, step: int) -> int:
    """The last point of a series by a step."""
    steps = plot.series[chosen].steps
    return max(bisect_left(steps, step + 1) - 1, 0)


PLOT_KEYS: Final[KeyTable[Plotting]] = KeyTable(
    "plots",
    (
        Key("Plots", ("tab", "v"), "next-plot", "the next plot", lambda plots: plots.turn(1)),
        Key("Plots", ("shift-tab",), "previous-plot", "previous plot", lambda plots: plots.turn(-1)),
        Key("Plots", ("right",), "on", "forward", lambda plots: plots.move(1)),
        Key("Plots", ("left",), "back", "back", lambda plots: plots.move(-1)),
        Key("Plots", ("shift-right", "page-down"), "leap-on", "far forward", lambda plots: plots.move(LEAP)),
        Key("Plots", ("shift-left", "page-up"), "leap-back", "far back", lambda plots: plots.move(-LEAP)),
        Key("Plots", ("down",), "down", "the next curve; down on a map", lambda plots: plots.choose(1)),
        Key("Plots", ("up",), "up", "the one before; up on a map", lambda plots: plots.choose(-1)),
        Key("Plots", ("g", "home"), "start", "start", lambda plots: plots.to_edge(-1)),
        Key("Plots", ("G", "end"), "end", "end", lambda plots: plots.to_edge(1)),
        Key("Plots", ("]",), "next-mark", "next mark", lambda plots: plots.to_mark(1)),
        Key("Plots", ("[",), "previous-mark", "previous mark", lambda plots: plots.to_mark(-1)),
        Key("Plots", ("enter", " "), "go", "replay from there", Plotting.go),
        Key("Plots", ("?", "h"), "help", "list the keys", Plotting.help),
        Key("Plots", ("q", "escape", "P"), "quit", "back to the player", Plotting.leave),
    ),
)
