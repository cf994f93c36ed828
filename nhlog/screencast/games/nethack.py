"""NetHack 3.x in its terminal and curses windows, NLE, and variants that keep its status lines.

Who it is stands in one row; hit points, place and turn in the one or two below it.  Half of a row may be drawn, or be
covered by a menu: what cannot be read is not told.
"""

import re
from collections.abc import Sequence
from typing import Final

from nhlog.screencast.games.status import Status

__all__ = ["read"]

_ROWS: Final = 4  # of the last ones that are not blank; there are two or three, and a message may stand below
_LONGEST: Final = 60  # characters of a name
_HEALTH: Final = re.compile(r"\bHP:(-?\d{1,9})\((-?\d{1,9})\)")
_PLACE: Final = re.compile(
    r"(?:[│|] ?)?(?P<place>(?:Dlvl|[A-Z][a-z]{2,8}):\s{0,3}(?P<depth>-?\d{1,4})|Home\s{1,3}\d{1,2}"
    r"|Fort Ludios|Astral Plane|End Game|Earth|Air|Fire|Water)(?=\s|$)"
)
_ATTRIBUTES: Final = re.compile(r"\sSt:\d")
_TURN: Final = re.compile(r"\bT:(\d{1,9})\b")
_POWER: Final = re.compile(r"\bPw:(-?\d{1,9})\((-?\d{1,9})\)")
_LEVEL: Final = re.compile(r"\b(?:Xp|Exp):(\d{1,3})\b")  # HD is a form's
_GOLD: Final = re.compile(r"\$:(\d{1,12})\b")
_SCORE: Final = re.compile(r"\bS:(-?\d{1,12})\b")
_CONDITIONS: Final = re.compile(
    r"\b(?:Satiated|Hungry|Weak|Fainting|Fainted|Starved|Conf|Stun|Hallu|Blind|Deaf|Slime|Stone|Strngl|FoodPois|TermIll"
    r"|Ill|Lev|Fly|Ride|Held|Burdened|Stressed|Strained|Overtaxed|Overloaded)\b"
)


def read(rows: Sequence[str]) -> Status | None:
    """The status in a screen; None if there is none."""
    last = len(rows)
    for _ in range(_ROWS):
        last = next((y for y in range(last - 1, -1, -1) if rows[y]), -1)
        if last < 0:
            return None
        if health := _HEALTH.search(rows[last]):
            return _read(rows, last, int(health[1]), int(health[2]))
    return None


def _read(rows: Sequence[str], y: int, hp: int, hp_max: int) -> Status | None:
    """The status whose hit points are in this row."""
    row, below = rows[y], rows[y + 1] if y + 1 < len(rows) else ""
    place = _PLACE.match(row) or _PLACE.match(below)
    if place is None and not _POWER.search(row):
        return None
    name, title, more = next((found for above in rows[max(y - 2, 0) : y] if (found := _hero(above))), ("", "", ""))
    told = f"{row} {below}" if place is None or place.string is below else row
    return Status(
        game="NetHack",
        name=name,
        title=title,
        place=" ".join(place["place"].replace(": ", ":").split()) if place else "",
        depth=int(place["depth"]) if place and place["depth"] else None,
        turn=_number(_TURN, told),
        hp=hp,
        hp_max=hp_max,
        power=_number(_POWER, row),
        power_max=_number(_POWER, row, 2),
        level=_number(_LEVEL, row),
        score=_number(_SCORE, f"{more} {told}"),
        gold=_number(_GOLD, row),
        conditions=tuple(_CONDITIONS.findall(told)),
    )


def _hero(row: str) -> tuple[str, str, str] | None:
    """Name and title, which may be a bar, and what stands behind them; None if this is no such row."""
    attributes = _ATTRIBUTES.search(row)
    if attributes is None:
        return None
    name, the, title = row[: attributes.start()].strip(" │|[]").partition(" the ")
    return (name, title.strip(), row[attributes.end() :]) if the and name and len(name) <= _LONGEST else None


def _number(field: re.Pattern[str], text: str, group: int = 1) -> int | None:
    found = field.search(text)
    return int(found[group]) if found else None
