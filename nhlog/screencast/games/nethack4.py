"""NetHack 4 in a terminal: bars of health and power, the name at the right.

With its option for classic status lines it looks as NetHack does.
"""

import re
from collections.abc import Sequence
from typing import Final

from nhlog.screencast.games.status import Status

__all__ = ["read"]

_ROWS: Final = 4  # at the bottom
_FIRST: Final = re.compile(r"HP:\[\s*(-?\d{1,9}) / (-?\d{1,9})\s*\] Def:-?\d{1,4} (?:Xp|HD):(\d{1,3}) (?=\S)")
_SECOND: Final = re.compile(r"Pw:\[\s*(-?\d{1,9}) / (-?\d{1,9})\s*\] \$(\d{1,12}) ?(.*)")
_SCORE, _TURN = re.compile(r"\bS:(-?\d{1,12})\b"), re.compile(r"\bT:(\d{1,9})\b")
_DEPTH: Final = re.compile(r"(?!Home)[^:]+:(\d{1,4})$")


def read(rows: Sequence[str]) -> Status | None:
    """The status in a screen; None if there is none."""
    for y in range(len(rows) - 1, max(len(rows) - 1 - _ROWS, 0), -1):
        if rows[y - 1].startswith("HP:[") and (first := _FIRST.match(rows[y - 1])):
            second = _SECOND.match(rows[y])
            more = second[4] if second else ""
            place, _, who = rows[y - 1][first.end() :].partition("  ")
            name, _, title = who.strip().partition(", ")
            score, turn, depth = _SCORE.search(more), _TURN.search(more), _DEPTH.match(place)
            return Status(
                game="NetHack 4",
                name=name,
                title=title,
                place=place,
                depth=int(depth[1]) if depth else None,
                turn=int(turn[1]) if turn else None,
                hp=int(first[1]),
                hp_max=int(first[2]),
                power=int(second[1]) if second else None,
                power_max=int(second[2]) if second else None,
                level=int(first[3]),
                score=int(score[1]) if score else None,
                gold=int(second[3]) if second else None,
                conditions=tuple(word for word in more.split() if ":" not in word),
            )
    return None
