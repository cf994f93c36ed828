"""The plots of a game: how the hero is, over turns; `course` looks for that in its saves.

Must not import the replay.
"""

from array import array
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from nhlog.formats.nhgame.highlights import Highlights
from nhlog.formats.nhgame.plots.course import Course
from nhlog.log.log import Log
from nhlog.plots import Curves, Kind, Mark, NothingToPlot, Plots, Scale, Series

__all__ = ["plots_of"]

_TURN: Final = Scale("turn")
_NAMES: Final = {"hp": "hit points", "hp_max": "the most", "level": "level", "depth": "depth", "score": "score"}


def plots_of(log: Log) -> Plots:
    """The plots of a game, of whatever engine tells how its hero is."""
    course = Course(log)
    kinds = {
        "hp": Kind("hit points over turns", lambda: _curves(log, course, "hp", "hp_max")),
        "level": Kind("the hero's level over turns", lambda: _curves(log, course, "level")),
        "depth": Kind("how deep the hero is over turns", lambda: _curves(log, course, "depth")),
        "score": Kind("the score over turns, as if the hero died there", lambda: _curves(log, course, "score")),
    }
    return Plots(kinds, course.survey())


def _curves(log: Log, course: Course, *names: str) -> Curves:
    """The series of these numbers, the first of them the one that is told of."""
    what = _NAMES[names[0]]
    if not any(course.numbers[names[0]].values):
        raise NothingToPlot(f"this game does not show the {what}")
    lines = log.columns.save_lines
    turns = array("Q", accumulate(log.columns.save_turns, max))  # a damaged turn counter can fall

    def series(name: str) -> Series:
        saves, values = course.numbers[name]
        steps = [lines[save] for save in saves]
        return Series(_NAMES[name], [turns[save] for save in saves], values, steps, held=True, beside=name != names[0])

    return Curves(what, _TURN, Scale(what), tuple(map(series, names)), tuple(_marks(log, course)))


def _marks(log: Log, course: Course) -> Iterator[Mark]:
    """The highlights, and the end of the game."""
    columns = log.columns
    lines = [columns.save_lines[save] for save in course.looked]
    for found in Highlights(lines, course.heroes.__getitem__).upto(len(course.heroes)):
        yield Mark(found.step, found.name, columns.turn(found.step))
    if columns.kinds[-1:] == b"Q":
        yield Mark(len(columns.kinds) - 1, log.header.state or "game over", columns.last_turn)
