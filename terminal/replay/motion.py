"""How a player moves: its motions as a table, which tells the action that leads from one to another, and idle gaps.

An idle gap is the time between two steps with nothing in between.
"""

import math
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from nhlog.errors import Usage
from nhlog.values import dataclass

__all__ = ["LOGARITHMIC", "NEXT", "OFF", "Idle", "Motion", "Pace", "idle_cap", "parse_idle"]


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
