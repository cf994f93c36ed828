"""Idle gaps: how long the player waits between two steps with nothing in between."""

import math
from collections.abc import Callable
from typing import Final

from nhlog.errors import Usage
from nhlog.values import dataclass

__all__ = ["LOGARITHMIC", "OFF", "Idle", "idle_cap", "parse_idle"]


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
