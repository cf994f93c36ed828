"""What the rows of the lobby say, column by column, and how wide these are: as wide as what is in view."""

from collections.abc import Iterable, Mapping
from typing import Final

from nhlog.listed import GameListing
from nhlog.operations import Unlisted
from nhlog.replay import Status
from nhlog.screen import clip, width_of
from terminal.lobby.model import Lobby
from terminal.lobby.rows import FOLDERS, Row
from terminal.screen.columns import Column, Place, places
from terminal.text.words import ago, clock, utc_time

__all__ = ["cells", "columns_of", "fitted", "now_told"]

_PLAYER, _GAME, _SIZE, _TURN, _PLACE = "player", "game", "size", "turn", "place"
_NOW, _IDLE, _WATCHERS, _STARTED, _FILE = "now", "idle", "watchers", "started", "file"
_COLUMNS: Final = (
    Column(_PLAYER, 14, 0),
    Column(_GAME, 10, 6),
    Column(_SIZE, 6, 8),
    Column(_TURN, 5, 2),
    Column(_PLACE, 10, 5),
    Column(_NOW, 18, 1),
    Column(_IDLE, 6, 3),
    Column(_WATCHERS, 8, 4),
    Column(_STARTED, 16, 9, yields=True),
    Column(_FILE, 14, 7, yields=True),
)
_PLAYED: Final = "playing"
_MOST: Final = 44  # columns of any of them

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
    start, people = row.listing.start, lobby.contents.people.get(row.file)
    return {
        _PLAYER: row.title,
        _GAME: row.game,
        _SIZE: row.size,
        _TURN: row.turn,
        _PLACE: row.place,
        _NOW: now_told(lobby, row),
        _IDLE: "" if row.listing.changed is None else ago(lobby.contents.idle(row)),
        _WATCHERS: str(people.watchers) if people and people.watchers else "",
        _STARTED: "" if start is None else utc_time(start)[:16],
        _FILE: _file(lobby, row),
    }


def fitted(row: Cells, column: str, room: int) -> str:
    """What stands in so many columns of the screen; where a file's folder has no room, its name alone."""
    text = row[column]
    return clip(text.rpartition("/")[2] if column == _FILE and width_of(text) > room else text, room)


def _file(lobby: Lobby, row: Row) -> str:
    """Its name, with the folder where there are several of them; nothing that is said already."""
    if row.section == FOLDERS:
        return ""
    if row.is_relayed:
        return f"{row.server}/{row.name}"
    folder = row.folder.rpartition("/")[2]
    return f"{folder}/{row.name}" if lobby.contents.several else "" if row.title == row.name else row.name


def now_told(lobby: Lobby, row: Row) -> str:
    """The state of the recording; for an unfinished game, whether somebody is playing it."""
    listing = row.listing
    if isinstance(listing, Unlisted):
        return listing.fault
    if isinstance(listing, GameListing):
        return listing.state if listing.status is Status.FINISHED else _on_it(lobby, row)
    people = lobby.contents.people.get(row.file)
    if row.written and people and people.players:
        return _PLAYED
    if not row.whole and listing.duration is None and row.section != FOLDERS:
        return ""  # not known yet
    length = "" if listing.duration is None else clock(listing.duration)
    status = "" if listing.status is Status.FINISHED else str(listing.status)
    return ", ".join(filter(None, (length, status)))


def _on_it(lobby: Lobby, row: Row) -> str:
    if row.listing.status is Status.NEEDS_RECOVERY:
        return "needs recovery"
    people = lobby.contents.people.get(row.file)
    return _PLAYED if people and people.players else "paused"
