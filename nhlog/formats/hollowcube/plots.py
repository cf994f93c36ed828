"""Plots of a Hollow Cube recording: where the player was, how high, and how fast."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from nhlog.formats.hollowcube.reading.states import StateReader
from nhlog.formats.hollowcube.wire.header import TICKS_PER_SECOND
from nhlog.formats.trajectory import Squares, Trajectory, around, speeds
from nhlog.plots import TIME, Curves, Heat, Kind, Mark, NothingToPlot, Plots, Scale, Series
from nhlog.timeline import Marker

__all__ = ["plots_of"]

_FASTEST: Final = 160.0  # blocks in a second: even rockets carry no one that far, so one was put there
_STILL: Final = 1.0  # seconds without a move after which one stood still
_MARGIN: Final = 4.0  # blocks that are shown around where somebody was
_PIECE: Final = 500  # ticks that are read at a time


def plots_of(states: StateReader, ticks: int, markers: Sequence[Marker]) -> Plots:
    """The plots of a recording of so many ticks."""
    path = Trajectory([], [], [])

    def survey() -> Iterator[int]:
        for first in range(0, ticks, _PIECE):
            last = min(first + _PIECE, ticks) - 1
            for tick, place in states.path(first, last):
                if not path.steps or tick > path.steps[-1]:
                    path.add(tick, tick / TICKS_PER_SECOND, place[:3])
            yield last

    def made(make: Callable[[], Curves | Heat]) -> Callable[[], Curves | Heat]:
        def plot() -> Curves | Heat:
            if not path.steps:
                raise NothingToPlot("the player never moves")
            return make()

        return plot

    marks = tuple(Mark(marker.step, marker.name, marker.step / TICKS_PER_SECOND) for marker in markers)
    kinds = {
        "places": Kind("where the player was, from above", made(lambda: _places(path, markers, ticks))),
        "speed": Kind("how fast the player was, over time", made(lambda: _speed(path, ticks, marks))),
        "height": Kind("how high the player was, over time", made(lambda: _height(path, marks))),
    }
    return Plots(kinds, survey())


def _places(path: Trajectory, markers: Sequence[Marker], ticks: int) -> Heat:
    seen = [(x, z) for x, _, z in path.places]
    squares = Squares(around(seen, _MARGIN))
    for (step, after), (x, z) in zip(pairwise([*path.steps, ticks]), seen, strict=True):
        squares.add(step, x, z, (after - step) / TICKS_PER_SECOND)
    reached = dict(zip(path.steps, seen, strict=True))
    marks = [Mark(marker.step, marker.name, *reached[marker.step]) for marker in markers if marker.step in reached]
    return squares.heat("where the player was, from above", Scale("x", "blocks"), Scale("z", "blocks"), marks)


def _speed(path: Trajectory, ticks: int, marks: tuple[Mark, ...]) -> Curves:
    series = speeds("speed", path, ticks / TICKS_PER_SECOND, _FASTEST, _STILL)
    return Curves("speed", TIME, Scale("speed", "blocks/s"), (series,), marks)


def _height(path: Trajectory, marks: tuple[Mark, ...]) -> Curves:
    series = Series("height", path.times, [y for _, y, _ in path.places], path.steps, held=True)
    return Curves("height", TIME, Scale("y", "blocks"), (series,), marks)
