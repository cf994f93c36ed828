"""What the pages say of games, as plain values: the same for HTML, RSS and JSON."""

from bisect import insort
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final

from terminal.web.recordings import Row

__all__ = ["Record", "linked", "live", "shown_of"]

Record = dict[str, Any]

_LATE: Final = 60_000_000  # microseconds from the last write to a recording to the end of its game
_MOST: Final = 100  # recordings of a player


def live(rows: Iterable[Row]) -> list[Row]:
    """The games that somebody plays, the one played last first."""
    return sorted((row for row in rows if row.playing), key=lambda row: (-(row.changed or 0), row.id))


def shown_of(player: str, rows: Iterable[Row]) -> list[Row]:
    """The recordings of a player, the latest first."""
    own = [row for row in rows if row.player.casefold() == player.casefold()]
    return sorted(own, key=lambda row: (-(row.changed or 0), row.id))[:_MOST]


def linked(scores: list[Record], rows: Iterable[Row]) -> list[Record]:
    """The scores, each with the ID of its ``recording``: the player's that was being written when the game ended.

    None for a game that is in no recording.
    """
    players = {score["player"].casefold() for score in scores}
    found: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for row in rows:
        player = row.player.casefold()
        if player in players and row.started is not None and row.changed is not None:
            insort(found[player], (row.started * 1000, row.changed * 1000, row.id))
    return [score | {"recording": _recording(score["end"], found[score["player"].casefold()])} for score in scores]


def _recording(end: int | None, recordings: list[tuple[int, int, str]]) -> str | None:
    if end is None:
        return None
    during = (one for start, changed, one in reversed(recordings) if start <= end <= changed + _LATE)
    return next(during, None)
