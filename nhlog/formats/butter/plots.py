"""Plots of an Echo VR session: where disc and players were, who had the disc, how fast it was, and the score.

They are over the time of the game's clock where that only runs down, else over recorded time.
"""

from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from math import hypot
from typing import Final

from nhlog.formats.butter.reading.events import SessionEvent
from nhlog.formats.butter.reading.outline import Outline
from nhlog.formats.butter.reading.source import FrameSource
from nhlog.formats.butter.wire.values import Frame
from nhlog.formats.trajectory import Squares, Trajectory, around
from nhlog.plots import TIME, Curves, Heat, Kind, Mark, NothingToPlot, Plots, Scale, Series, evenly
from nhlog.timeline import MICROSECONDS

__all__ = ["plots_of"]

_TEAMS: Final = ("blue", "orange")
_MOST_FRAMES: Final = 40_000  # that are looked at: of more, so many at equal distances
_MARGIN: Final = 2.0  # metres that are shown around where somebody was
_LONGEST: Final = 1.0  # seconds for which a frame counts at most: then nothing was recorded
_MOST_POINTS: Final = 300
_ALONG: Final = Scale("along the arena", "m")
_ACROSS: Final = Scale("across", "m")


def plots_of(source: FrameSource, outline: Outline, times: Sequence[int]) -> Plots:
    """The plots of a session, with the times of its frames in microseconds."""
    course = _Course(source, outline, times)
    kinds = {
        "disc": Kind("where the disc was, from above", lambda: course.map("where the disc was", course.disc)),
        "players": Kind("where the players were, from above", lambda: course.map("where players were", course.players)),
        "possession": Kind("for how long each team had the disc", course.possession),
        "goals": Kind("the points of both teams, and the goals", course.goals),
        "speed": Kind("how fast the disc was", course.speed),
    }
    return Plots(kinds, course.survey())


class _Course:
    """What is found in the frames: places along and across the arena, points, speeds, and who had the disc."""

    def __init__(self, source: FrameSource, outline: Outline, times: Sequence[int]) -> None:
        self._source, self._outline, self._times = source, outline, times
        self._clock = _elapsed(outline.clocks)
        self.disc, self.players = Trajectory([], [], []), Trajectory([], [], [])
        self._looked: list[int] = []
        self._had: list[tuple[float, float]] = []  # by the teams, until then
        self._points: list[tuple[float, float]] = []
        self._speeds: list[float] = []

    def survey(self) -> Iterator[int]:
        """Look at the frames; yields the numbers up to which that was done."""
        wanted = evenly(len(self._times), _MOST_FRAMES)
        chosen = dict(zip(wanted, [*wanted[1:], wanted[-1]], strict=True))  # and the one looked at next
        step = 0
        for number in range(self._outline.chunks):
            for step, frame in enumerate(self._source.chunk(number).frames, self._outline.firsts[number]):
                if step in chosen:
                    self._look(step, frame, chosen[step])
            yield step

    def _look(self, step: int, frame: Frame, following: int) -> None:
        span = min((self._times[following] - self._times[step]) / MICROSECONDS, _LONGEST)
        played = min(self._x(following) - self._x(step), _LONGEST)
        self._looked.append(step)
        blue, orange = self._had[-1] if self._had else (0.0, 0.0)
        has = [any(player.possession for player in team.players) for team in frame.teams[:2]]
        self._had.append((blue + played * has[0], orange + played * has[1]))
        self._points.append(frame.points)
        self._speeds.append(hypot(*frame.disc.velocity) if frame.disc else 0.0)
        if frame.disc is not None:
            self.disc.add(step, span, (frame.disc.position[2], -frame.disc.position[0]))
        for team in frame.teams[:2]:
            for player in team.players:
                self.players.add(step, span, (player.places[2], -player.places[0]))

    def map(self, title: str, path: Trajectory) -> Heat:
        """The arena from above; goals are marked where the disc was before."""
        if not path.places:
            raise NothingToPlot("its position is not in the recording")
        squares = Squares(around(path.places, _MARGIN))
        for step, span, (x, y) in zip(*path, strict=True):
            squares.add(step, x, y, span)
        disc = dict(zip(self.disc.steps, self.disc.places, strict=True))
        marks = [Mark(goal.step, goal.text, *disc[goal.step - 1]) for goal in self._goals() if goal.step - 1 in disc]
        return squares.heat(f"{title}, from above", _ALONG, _ACROSS, marks)

    def possession(self) -> Curves:
        """The seconds for which each team had the disc so far."""
        if not self._had or not any(self._had[-1]):
            raise NothingToPlot("nobody has the disc in this recording")
        return self._curves("possession so far", Scale("possession", "s"), _TEAMS, self._had)

    def goals(self) -> Curves:
        """The points of both teams."""
        return self._curves("points", Scale("points"), _TEAMS, self._points, held=True)

    def speed(self) -> Curves:
        """The speed of the disc: of the frames between two points the mean."""
        if not any(self._speeds):
            raise NothingToPlot("the disc is not in the recording")
        piece = max(len(self._looked) // _MOST_POINTS, 1)
        firsts = range(0, len(self._looked), piece)
        means = [sum(part) / len(part) for first in firsts if (part := self._speeds[first : first + piece])]
        xs = [self._x(self._looked[first]) for first in firsts]
        series = Series("disc", xs, [round(mean, 3) for mean in means], [self._looked[first] for first in firsts])
        return Curves("speed of the disc", self._scale, Scale("speed", "m/s"), (series,), self._marks())

    def _curves(
        self, title: str, y: Scale, names: Sequence[str], values: list[tuple[float, float]], *, held: bool = False
    ) -> Curves:
        xs = [self._x(step) for step in self._looked]
        series = [
            Series(name, xs, [value[team] for value in values], self._looked, held=held)
            for team, name in enumerate(names)
        ]
        return Curves(title, self._scale, y, tuple(series), self._marks())

    @property
    def _scale(self) -> Scale:
        return TIME if self._clock is None else TIME._replace(name="time of the game")

    def _x(self, step: int) -> float:
        return self._times[step] / MICROSECONDS if self._clock is None else self._clock[step] / MICROSECONDS

    def _marks(self) -> tuple[Mark, ...]:
        return tuple(Mark(goal.step, goal.text, self._x(goal.step)) for goal in self._goals())

    def _goals(self) -> Iterator[SessionEvent]:
        return (event for event in self._outline.events if event.kind == "goal")


def _elapsed(clocks: Sequence[int]) -> "array[int] | None":
    """What the game's clock ran down so far, in microseconds; None if it ever rises, or never moves."""
    if not clocks or clocks[0] == clocks[-1] or any(after > before for before, after in pairwise(clocks)):
        return None
    return array("q", accumulate((clocks[0] - clock for clock in clocks), max))
