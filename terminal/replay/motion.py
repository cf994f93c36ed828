"""The motions of a player as a table: which action leads from one motion to another."""

from enum import StrEnum
from typing import Final

__all__ = ["NEXT", "Motion", "Pace"]


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
