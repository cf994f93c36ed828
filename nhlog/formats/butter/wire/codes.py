"""Words that a .butter file stores as numbers: the word for number n is at index n of its table (spec 3 and 5)."""

from typing import Final

from nhlog.formats.butter.wire.values import Loadout

__all__ = ["GOALS", "HOLDINGS", "LOADOUTS", "PAUSES", "STATUSES"]

STATUSES: Final = (
    "NOT FOUND",
    "",
    "pre_match",
    "round_start",
    "playing",
    "score",
    "round_over",
    "post_match",
    "pre_sudden_death",
    "sudden_death",
    "post_sudden_death",
)
PAUSES: Final = ("unpaused", "paused", "unpausing", "pausing", "none", "NOT FOUND")
GOALS: Final = (
    "unknown",
    "BOUNCE SHOT",
    "INSIDE SHOT",
    "LONG BOUNCE SHOT",
    "LONG SHOT",
    "SELF GOAL",
    "SLAM DUNK",
    "BUMPER SHOT",
    "HEADBUTT",
)
_WEAPONS: Final = ("rocket", "blaster", "scout", "assault")
_ORDNANCES: Final = ("stun", "det", "burst", "arc")
_TAC_MODS: Final = ("sensor", "wraith", "heal", "shield")
_ARMS: Final = ("Left", "Right")

LOADOUTS: Final = tuple(
    Loadout(_WEAPONS[bits & 3], _ORDNANCES[bits >> 2 & 3], _TAC_MODS[bits >> 4 & 3], _ARMS[bits >> 6 & 1])
    for bits in range(256)
)
HOLDINGS: Final[tuple[str | None, ...]] = (*map(str, range(252)), None, "disc", "geo", "none")
