"""What is known of the chosen recording, beside the list: facts, and a small picture of its last screen."""

from collections.abc import Iterator
from typing import Final

from nhlog.listed import GameListing
from nhlog.screen import Screen, clip, width_of
from terminal.lobby.model import Lobby
from terminal.lobby.rows import FOLDERS, UNREADABLE, Row
from terminal.lobby.table import now_told
from terminal.screen import theme
from terminal.text.words import clock, size, utc_time
from terminal.text.wrapping import wrapped

__all__ = ["details_width", "draw_details", "picture_size"]

_SHARE: Final = 100  # columns that the list keeps: for who, what, where, and what is going on
_NARROWEST, _WIDEST = 44, 84  # columns of it: as wide as most terminals that were recorded
SIDE: Final = _SHARE + _NARROWEST  # columns of the screen from which there is room for both
_FACTS: Final = 12  # rows above the picture, with the line between them
_LABEL: Final = 9


def details_width(width: int) -> int:
    """How many columns of a screen it has; 0 if there is no room."""
    return 0 if width < SIDE else min(width - _SHARE, _WIDEST)


def picture_size(width: int, height: int) -> tuple[int, int] | None:
    """The columns and rows of the picture on a screen whose list is so high; None if there is none."""
    columns, rows = details_width(width) - 2, min(height - _FACTS, 24)
    return (columns, rows) if columns > 0 and rows > 3 else None


def draw_details(lobby: Lobby, row: Row, width: int, height: int) -> Screen:
    """All that is known of a row; the picture is that which the lobby has of it."""
    screen = Screen(width, height)
    for y in range(height):
        screen.put(0, y, "│", theme.BAR)
    screen.put(2, 0, clip(row.title, width - 2), theme.HEAD)
    y = 1
    for name, value in _facts(lobby, row):
        if y >= _FACTS - 1:
            break
        screen.put(2, y, name, theme.NOTE)
        screen.put(2 + _LABEL, y, clip(value, width - 2 - _LABEL))
        y += 1
    if row.section == UNREADABLE:
        for at, line in enumerate(wrapped(lobby.contents.broken[row.file], width - 2), _FACTS):
            screen.put(2, at, line, theme.ALARM)
    if row.section in (FOLDERS, UNREADABLE):
        return screen
    picture = lobby.contents.picture_of(row)
    if isinstance(picture, Screen):
        screen.put(2, _FACTS - 1, "─" * (width - 2), theme.BAR)
        screen.paste(2, _FACTS, picture)
    elif height > _FACTS:
        screen.put(2, _FACTS, clip(picture, width - 2), theme.QUIET)
    return screen


def _facts(lobby: Lobby, row: Row) -> Iterator[tuple[str, str]]:
    listing = row.listing
    place = ("server", row.server) if row.is_relayed else ("folder", row.folder)
    kind = listing.format if row.game in ("", listing.format) else f"{row.game} ({listing.format})"
    told: list[tuple[str, str]] = [("file", row.name), place, ("kind", kind)]
    if isinstance(listing, GameListing):
        hp = "" if listing.hp is None else f"{listing.hp} of {listing.hp_max}"
        level = "" if listing.level is None else str(listing.level)
        told += [("place", listing.place or ""), ("turn", row.turn), ("health", hp), ("level", level)]
    elif row.section != FOLDERS:
        told += [("who", ", ".join(listing.people))]
        told += [("length", "" if listing.duration is None else clock(listing.duration))]
        told += [("screen", row.size), ("place", row.place), ("turn", row.turn)]
    known = str(listing.status) if row.whole else ""
    now = now_told(lobby, row) if row.written or isinstance(listing, GameListing) else known
    told += [("now", now)] if row.section not in (FOLDERS, UNREADABLE) else []
    told += [("size", size(listing.size))] if row.section != FOLDERS else []
    told += [("started", "" if listing.start is None else utc_time(listing.start))]
    told += [("changed", "" if listing.changed is None else utc_time(listing.changed))]
    return ((name, value) for name, value in told if value and width_of(value))
