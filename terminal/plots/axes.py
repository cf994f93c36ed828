"""The numbers beside a plot: round ones, few enough to be read."""

from collections.abc import Iterable, Iterator, Sequence
from math import ceil, floor, isfinite, log10
from typing import Final

from nhlog.plots import Curves, Mark, Scale
from nhlog.values import NamedTuple
from terminal.text.words import clock

__all__ = ["Cluster", "Span", "clusters", "label", "scale_words", "spans", "ticks"]

_MICROSECONDS: Final = 1_000_000
_CLOCK_STEPS: Final = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400)
_ROUND: Final = (1, 2, 5, 10, 20, 50)
_CLOSE: Final = 0.5  # part of the greatest value below which the smallest one lies near enough to 0 to show that, too


class Cluster(NamedTuple):
    """Marks that are too near to one another to be named apart: where the first is, and what they are called."""

    x: float
    name: str


class Span(NamedTuple):
    """The values that one side of a plot shows, from the least to the most."""

    least: float
    most: float

    def part(self, value: float) -> float:
        """Where a value is: 0 at the least, 1 at the most."""
        return (value - self.least) / (self.most - self.least)


def spans(plot: Curves) -> tuple[Span, Span]:
    """What the sides of a plot of curves show: all points and marks."""
    xs = _finite([*(x for one in plot.series for x in (*one.xs[:1], *one.xs[-1:])), *(mark.x for mark in plot.marks)])
    ys = _finite(y for one in plot.series for y in one.ys)
    low = min(ys)
    return _span(min(xs), max(xs)), _span(0.0 if 0 < low < _CLOSE * max(ys) else low, max(ys))


def _finite(values: Iterable[float]) -> Sequence[float]:
    return [value for value in values if isfinite(value)] or [0.0]


def _span(least: float, most: float) -> Span:
    return Span(least, most if most > least else least + 1)


def clusters(marks: Iterable[Mark], span: Span, apart: float) -> list[Cluster]:
    """The marks from left to right; those that are nearer than such a part of the whole to the first are with it."""
    together: list[list[Mark]] = []
    for mark in sorted(marks, key=lambda mark: mark.x):
        if together and span.part(mark.x) - span.part(together[-1][0].x) < apart:
            together[-1].append(mark)
        else:
            together.append([mark])
    return [Cluster(near[0].x, _named([mark.name for mark in near])) for near in together]


def _named(names: list[str]) -> str:
    return ", ".join(names) if len(names) < 3 else f"{names[0]}, … {names[-1]}"


def ticks(span: Span, scale: Scale, most: int) -> list[float]:
    """Round values within the span at equal distances, at most so many."""
    for step in _steps((span.most - span.least) / max(most, 1), scale):
        first, last = ceil(span.least / step - 1e-9), floor(span.most / step + 1e-9)
        if last - first < max(most, 1):
            return [number * step for number in range(first, last + 1)]
    return []


def _steps(least: float, scale: Scale) -> Iterator[float]:
    """Round numbers that are not less, the smallest first."""
    if scale.clock and least > _CLOCK_STEPS[0] / 2:
        yield from (step for step in _CLOCK_STEPS if step >= least)
        least = max(least, _CLOCK_STEPS[-1])
    power = 10.0 ** floor(log10(least))
    yield from (power * factor for factor in _ROUND if power * factor >= least * (1 - 1e-9))


def label(value: float, scale: Scale) -> str:
    """A value as it stands beside a plot; without its unit, which stands at the scale's name, but for times."""
    if scale.clock:
        tenths = round(abs(value) * 10)
        part = f".{tenths % 10}" if tenths % 10 else ""
        return ("-" if value < 0 else "") + clock(tenths // 10 * _MICROSECONDS) + part
    return f"{round(value, 3) + 0.0:.10g}"


def scale_words(scale: Scale) -> str:
    """What a scale measures, and in which unit."""
    return f"{scale.name} ({scale.unit})" if scale.unit and not scale.clock else scale.name
