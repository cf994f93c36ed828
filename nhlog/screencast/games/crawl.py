"""Dungeon Crawl: a panel at the right of the map, in the upper rows."""

import re
from collections.abc import Sequence
from typing import Final

from nhlog.screencast.games.status import Status

__all__ = ["read"]

_ROWS: Final = 14  # the panel is in these
_LEFT: Final = 30  # columns that are never the panel's
_HEALTH: Final = re.compile(r"(?:Health|HP): +(-?\d{1,9})/(\d{1,9})(?: |$)")
_MAGIC: Final = re.compile(r"(?:Magic|MP): +(-?\d{1,9})/(\d{1,9})(?: |$)")
_LONGEST: Final = 60  # characters of a name
_LEVEL: Final = re.compile(r"^XL: +(\d{1,3})\b", re.MULTILINE)
_PLACE: Final = re.compile(r"\bPlace: {1,4}(\S{1,30}(?: \S{1,30}){0,4})")
_TURN: Final = re.compile(r"\b(?:Time|Turn): +(\d{1,9}(?:\.\d)?)")
_GOLD: Final = re.compile(r"\bGold: +(\d{1,12})\b")
_DEPTH: Final = re.compile(r".*:(\d{1,4})$")


def read(rows: Sequence[str]) -> Status | None:
    """The status in a screen; None if there is none."""
    for y in range(1, min(_ROWS, len(rows) - 1)):
        health = _HEALTH.search(rows[y], _LEFT)
        if health and (magic := _MAGIC.match(rows[y + 1], health.start())):
            left = health.start()
            break
    else:
        return None
    panel = "\n".join(row[left:] for row in rows[y + 2 : y + 2 + _ROWS])
    name, title = next((found for row in rows[max(y - 2, 0) : y] if (found := _hero(row[left:]))), ("", ""))
    level, place, turn, gold = (field.search(panel) for field in (_LEVEL, _PLACE, _TURN, _GOLD))
    depth = _DEPTH.match(place[1]) if place else None
    return Status(
        game="Dungeon Crawl",
        name=name,
        title=title,
        place=place[1] if place else "",
        depth=int(depth[1]) if depth else None,
        turn=_turn(turn[1]) if turn else None,
        hp=int(health[1]),
        hp_max=int(health[2]),
        power=int(magic[1]),
        power_max=int(magic[2]),
        level=int(level[1]) if level else None,
        gold=int(gold[1]) if gold else None,
    )


def _hero(row: str) -> tuple[str, str] | None:
    name, the, title = row.partition(" the ")
    return (name, title.strip()) if the and name.strip() == name != "" and len(name) <= _LONGEST else None


def _turn(text: str) -> int | float:
    return float(text) if "." in text else int(text)
