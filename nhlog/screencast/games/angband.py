"""Angband: a column at the left of the map, and the depth in the last row.  It shows no name and no turn."""

import re
from collections.abc import Sequence
from typing import Final

from nhlog.screencast.games.status import Status

__all__ = ["read"]

_ROWS: Final = 24  # the column is in these
_WIDTH: Final = 13  # columns of it
_LEVEL: Final = re.compile(r"^(?:LEVEL|Level) +(\d{1,3})$", re.MULTILINE)
_GOLD: Final = re.compile(r"^AU +(\d{1,12})$", re.MULTILINE)
_HEALTH: Final = re.compile(r"^(?:Cur )?HP +(-?\d{1,5})/ *(\d{1,5})$", re.MULTILINE)
_POWER: Final = re.compile(r"^(?:Cur )?SP +(-?\d{1,5})/ *(\d{1,5})$", re.MULTILINE)
_PLACE: Final = re.compile(r"(?P<place>Town|\d{1,5}(?:'| f(?:ee)?t) \((?:L|Lev )(?P<depth>\d{1,3})\))")


def read(rows: Sequence[str]) -> Status | None:
    """The status in a screen; None if there is none."""
    if not any(row.startswith(("LEVEL", "Level")) for row in rows[:_ROWS]):
        return None
    column = "\n".join(row[:_WIDTH].rstrip() for row in rows[:_ROWS])
    level, gold, health = _LEVEL.search(column), _GOLD.search(column), _HEALTH.search(column)
    if not (level and gold and health):
        return None
    power, place = _POWER.search(column), _PLACE.search(rows[-1])
    return Status(
        game="Angband",
        place=place["place"] if place else "",
        depth=int(place["depth"] or 0) if place else None,
        hp=int(health[1]),
        hp_max=int(health[2]),
        power=int(power[1]) if power else None,
        power_max=int(power[2]) if power else None,
        level=int(level[1]),
        gold=int(gold[1]),
    )
