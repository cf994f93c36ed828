"""Plots of a recorded terminal: what the status lines of its games told.

They are over turns where there are turns and one game, else over time.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from nhlog.plots import TIME, Curves, Kind, Mark, NothingToPlot, Plots, Scale, Series
from nhlog.screencast.survey import Survey
from nhlog.screencast.survey.journal import Values
from nhlog.timeline import MICROSECONDS

__all__ = ["plots_of"]

_NAMES: Final = {"hp": "hit points", "level": "level", "depth": "depth", "score": "score", "gold": "gold"}


def plots_of(survey: Survey, times: Sequence[int]) -> Plots:
    """The plots of the games in a recording, with the times of its events in microseconds."""

    def explored() -> Iterator[int]:
        while survey.explore():
            yield survey.explored

    def kind(name: str, what: str) -> Kind:
        return Kind(f"the {what} in a game's status lines", lambda: _curves(survey, times, name))

    return Plots({name: kind(name, what) for name, what in _NAMES.items()}, explored())


def _curves(survey: Survey, times: Sequence[int], name: str) -> Curves:
    journal, what = survey.journal, _NAMES[name]
    course = journal.course.values
    if not course[name].steps:
        raise NothingToPlot(f"no status line of a game shows the {what}")
    by_turns = len(journal.games) == 1 and journal.turn > 0

    def x(step: int) -> float:
        return journal.turn_at(step) if by_turns else times[step] / MICROSECONDS

    def series(what: str, found: Values, *, beside: bool = False) -> Series:
        return Series(what, [x(step) for step in found.steps], found.values, found.steps, held=True, beside=beside)

    shown = [series(what, course[name])]
    if name == "hp" and course["hp_max"].steps:
        shown.append(series("the most", course["hp_max"], beside=True))
    marks = [Mark(marker.step, marker.name, x(marker.step)) for marker in journal.markers]
    return Curves(what, Scale("turn") if by_turns else TIME, Scale(what), tuple(shown), tuple(marks))
