"""Which plots a recording has, and the one pass over it that all of them are made from."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from nhlog.errors import NhlogError, Usage
from nhlog.plots.values import Plot

__all__ = ["Kind", "NothingToPlot", "Plots", "evenly"]


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
