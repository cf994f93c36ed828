"""The plot of a run against another one, which formats with ghosts have: how far it is ahead, over its time."""

from collections.abc import Callable, Iterator
from typing import Final

from nhlog.plots import TIME, Curves, Kind, Mark, NothingToPlot, Plots, Scale, Series, evenly
from nhlog.values import NamedTuple

__all__ = ["Racing", "with_race"]

_MOST: Final = 400  # moments at which the two are compared


class Racing(NamedTuple):
    """A run that is compared with a ghost: the ticks from its start to its end, and the names of what it reached.

    `ahead` gives the seconds by which it is ahead of the ghost at a tick; None where that cannot be said.
    """

    first: int
    last: int
    splits: tuple[tuple[str, int], ...]
    ahead: Callable[[int], float | None]


def with_race(plots: Plots, racing: Callable[[], Racing | None], per_second: int) -> Plots:
    """The plots and, in the same pass, that of the run which `racing` finds; there are so many ticks in a second."""
    run: list[Racing] = []
    gaps: list[tuple[int, float]] = []

    def survey() -> Iterator[int]:
        last = 0
        for last in plots.survey():
            yield last
        if (found := racing()) is None:
            return
        run.append(found)
        for number in evenly(found.last - found.first + 1, _MOST):
            tick = found.first + number
            if (ahead := found.ahead(tick)) is not None:
                gaps.append((tick, ahead))
            yield max(last, tick)

    def plot() -> Curves:
        if not gaps:
            raise NothingToPlot("the recordings have no runs that can be compared")
        first = run[0].first

        def mark(name: str, tick: int) -> Mark:
            return Mark(tick, name, (tick - first) / per_second)

        ticks = [tick for tick, _ in gaps]
        series = Series("ahead", [(tick - first) / per_second for tick in ticks], [gap for _, gap in gaps], ticks)
        scales = TIME, Scale("ahead", "s")
        marks = tuple(mark(name, tick) for name, tick in run[0].splits)
        return Curves("seconds ahead of the other run", *scales, (series,), marks)

    return Plots({**plots.kinds, "race": Kind("how far a run is ahead of the other one", plot)}, survey())
