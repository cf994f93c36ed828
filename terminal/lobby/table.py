"""What the rows of the lobby say, column by column, and how wide these are: as wide as what is in view."""

from collections.abc import Iterable, Mapping
from typing import Final

from nhlog.formats.nhgame.listing import GameListing
from nhlog.operations import Unlisted
from nhlog.replay import Status
from nhlog.screen import clip, width_of
from terminal.lobby.model import Lobby
from terminal.lobby.rows import FOLDERS, Row
from terminal.screen.columns import Column, Place, places
from terminal.text.words import clock, utc_time

__all__ = ["cells", "columns_of", "fitted", "now_told"]

_WHO, _WHERE, _TURN, _NOW, _FILE, _PLAYED = "who", "where", "turn", "now", "file", "last played"
_COLUMNS: Final = (
    Column(_WHO, 14, 0),
    Column(_WHERE, 9, 5),
    Column(_TURN, 5, 2),
    Column(_NOW, 18, 1),
    Column(_FILE, 14, 3),
    Column(_PLAYED, 10, 4),
)
_MOST: Final = 44  # columns of any of them
_SECOND: Final = 1_000_000
_IDLE: Final = 24 * 3600 * _SECOND  # a game left alone for longer tells when it was played last

Cells = Mapping[str, str]
"""The texts of a row by the names of the columns."""


def columns_of(rows: Iterable[Cells], left: int, end: int) -> list[Place]:
    """The columns for these rows between two columns of the screen."""
    widest = dict.fromkeys((column.name for column in _COLUMNS), 0)
    for row in rows:
        for name, text in row.items():
            widest[name] = max(widest[name], min(width_of(text), _MOST))
    return places(_COLUMNS, widest, left, end)


def cells(lobby: Lobby, row: Row) -> Cells:
    """What a row says."""
    listing = row.listing
    game = listing if isinstance(listing, GameListing) else None
    return {
        _WHO: row.title,
        _WHERE: (game.place or "") if game else listing.format,
        _TURN: str(game.turn) if game else "",
        _NOW: now_told(lobby, row),
        _FILE: _file(lobby, row),
        _PLAYED: "" if listing.changed is None else utc_time(listing.changed)[:10],
    }


def fitted(row: Cells, column: str, room: int) -> str:
    """What stands in so many columns of the screen; where a file's folder has no room, its name alone."""
    text = row[column]
    return clip(text.rpartition("/")[2] if column == _FILE and width_of(text) > room else text, room)


def _file(lobby: Lobby, row: Row) -> str:
    """Its name, with the folder where there are several of them; nothing that is said already."""
    if row.section == FOLDERS:
        return ""
    folder = row.folder.rpartition("/")[2]
    return f"{folder}/{row.name}" if lobby.several else "" if row.title == row.name else row.name


def now_told(lobby: Lobby, row: Row) -> str:
    """How the recording stands; of a game that goes on, who is on it, and for how long nothing has happened."""
    listing = row.listing
    if isinstance(listing, Unlisted):
        return listing.fault
    if isinstance(listing, GameListing):
        return listing.state if listing.status is Status.FINISHED else _on_it(lobby, row)
    if not row.whole and row.section != FOLDERS:
        return "…"
    length = "" if listing.duration is None else clock(listing.duration)
    status = "" if listing.status is Status.FINISHED else str(listing.status)
    return ", ".join(filter(None, (length, status)))


def _on_it(lobby: Lobby, row: Row) -> str:
    if row.listing.status is Status.NEEDS_RECOVERY:
        return "needs recovery"
    people = lobby.people.get(row.file)
    idle = max(lobby.now - (row.listing.changed or 0), 0)
    told = []
    if people and people.players:
        told.append("played" + (f", idle {clock(idle)}" if idle >= 60 * _SECOND else ""))
    elif idle < _IDLE:
        told.append(f"left {clock(idle)} ago")
    if people and people.watchers:
        told.append(f"{people.watchers} watching")
    return ", ".join(told)
