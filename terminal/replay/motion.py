"""How a player moves: a table of its motions, with the actions that lead from one to another, and idle gaps.

An idle gap is the time between two steps with nothing in between.
"""

import math
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from nhlog.errors import Usage
from nhlog.timeline import MICROSECONDS, Timeline
from nhlog.values import dataclass

__all__ = ["LOGARITHMIC", "NEXT", "OFF", "Idle", "Motion", "Pace", "Tempo", "idle_cap", "parse_idle"]

USUAL_IDLE: Final = 2.0  # seconds
SLOWEST, FASTEST = 1 / 64, 4096.0
LEAST_TURN: Final = 0.1  # seconds that a turn is seen at speed 1, for games that a machine played


class Motion(StrEnum):
    """How the player moves as time passes."""

    PAUSED = "paused"
    PLAYING = "playing"
    FOLLOWING = "live"  # it stands at the end of a recording that grows


class Pace(StrEnum):
    """The unit of speed: what passes in one second at speed 1."""

    TIME = "time"  # one second of the recording
    TURNS = "turns"  # one turn


NEXT: Final = {
    "toggle": {
        Motion.PAUSED: Motion.PLAYING,
        Motion.PLAYING: Motion.PAUSED,
        Motion.FOLLOWING: Motion.PAUSED,
    },
    "follow": {
        Motion.PAUSED: Motion.FOLLOWING,
        Motion.PLAYING: Motion.FOLLOWING,
        Motion.FOLLOWING: Motion.PAUSED,
    },
    "seek": {Motion.PAUSED: Motion.PAUSED, Motion.PLAYING: Motion.PLAYING, Motion.FOLLOWING: Motion.PAUSED},
    "halt": dict.fromkeys(Motion, Motion.PAUSED),  # a single step was taken, or there is nowhere to go
}
"""The next motion, by the action and the current motion."""


@dataclass(frozen=True, slots=True)
class Idle:
    """A way to treat idle gaps; `shown` converts the recorded seconds of a gap to the seconds to wait."""

    name: str
    shown: Callable[[float], float]


OFF: Final = Idle("off", lambda seconds: seconds)
LOGARITHMIC: Final = Idle("log", lambda seconds: seconds if seconds <= 1 else 1 + math.log(seconds))


def idle_cap(seconds: float) -> Idle:
    """Wait at most `seconds`."""
    return Idle(f"{seconds:g} s", lambda gap: min(gap, seconds))


def parse_idle(text: str) -> Idle:
    """Parse the value of ``--idle``: ``off``, ``log``, or the most seconds to wait; raises :class:`Usage` otherwise."""
    for idle in (OFF, LOGARITHMIC):
        if text == idle.name:
            return idle
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise Usage("not a limit for idle gaps", expected="seconds, off or log", found=repr(text))
    return idle_cap(seconds)


class Tempo:
    """How fast time passes in a player, and in which direction.

    The methods return a message.  `limit` is the longest idle gap in seconds that the recording asks for, 0 if it has
    none.
    """

    def __init__(self, speed: float = 1.0, idle: Idle | None = None, limit: float = 0.0) -> None:
        cap = idle_cap(limit or USUAL_IDLE) if idle in (None, OFF, LOGARITHMIC) else idle
        self._idles = (OFF, cap, LOGARITHMIC)

        self.speed = min(max(speed, SLOWEST), FASTEST)
        """The factor on the pace."""

        self.direction = 1
        """1 for forwards, -1 for backwards."""

        self.pace = Pace.TIME
        """What passes in a second at speed 1."""

        self.idle = idle or cap
        """How idle gaps are treated."""

    def wait(self, timeline: Timeline, step: int) -> float:
        """The seconds to wait at a step, at speed 1; none at the last one."""
        if step >= timeline.last:
            return 0.0
        values = timeline.axes[timeline.unit].values
        turns = values[step + 1] - values[step] if timeline.unit == "turn" else 0
        if self.pace is Pace.TURNS:
            return self.idle.shown(float(turns))
        gap = timeline.time(step + 1) - timeline.time(step)
        return max(self.idle.shown(gap / MICROSECONDS), LEAST_TURN if turns else 0.0)

    def play_at(self, speed: float) -> str:
        """Set the speed."""
        self.speed = min(max(speed, SLOWEST), FASTEST)
        return f"speed {self.speed:g}x"

    def reverse(self) -> str:
        """Play in the other direction."""
        self.direction = -self.direction
        return "forwards" if self.direction > 0 else "backwards"

    def next_idle(self) -> str:
        """Switch to the next of the three ways to treat idle gaps."""
        self.idle = self._idles[(self._idles.index(self.idle) + 1) % len(self._idles)]
        return f"idle gaps: {'as recorded' if self.idle is OFF else self.idle.name}"

    def next_pace(self) -> str:
        """Switch between playing by recorded time and by turns."""
        self.pace = Pace.TIME if self.pace is Pace.TURNS else Pace.TURNS
        return "one turn a second" if self.pace is Pace.TURNS else "by recorded time"
