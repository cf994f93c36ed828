"""The screen of the lobby: the games by sections, the people on them, and the keys."""

from bisect import bisect_left
from typing import Final

from nhlog.formats.nhgame.listing import GameListing
from nhlog.operations import Unlisted
from nhlog.replay import Status
from nhlog.screen import PLAIN, Screen, clip, width_of
from terminal.lobby.model import Lobby
from terminal.lobby.rows import Row
from terminal.screen import theme
from terminal.screen.columns import Place, places
from terminal.text.words import clock, counted, utc_time

__all__ = ["draw_lobby", "rows_in_view"]

LEAST: Final = (30, 7)
HEAD: Final = 2  # rows above the list
FOOT: Final = 2  # and below it
TITLE: Final = "nhlog"
COLUMNS: Final = (("who", 0), ("where", 14), ("turn", 7), ("now", 22), ("last played", 16))
"""Names and widths; the first takes the rest of the width, and on a narrow screen the last ones are left out first."""
HINTS: Final = ("open", "new-game", "watch", "replay", "filter", "help", "quit")  # actions, in the last row
LEFT: Final = 3  # columns before the first one
NARROWEST: Final = 26
SECOND: Final = 1_000_000
IDLE: Final = 24 * 3600 * SECOND  # a game left alone for longer tells when it was played last


def draw_lobby(lobby: Lobby, width: int, height: int) -> Screen:
    """The screen of the lobby, `width` columns by `height` rows."""
    screen = Screen(width, height)
    if width < LEAST[0] or height < LEAST[1]:
        screen.put(0, 0, "too small")
        return screen
    screen.put(0, 0, " " * width, theme.TITLE)
    rows = lobby.rows
    games = counted(len(rows), "game") + (f" with {lobby.filter!r}" if lobby.filter else "")
    waiting = f", {lobby.waiting} more to read" if lobby.waiting else ""
    screen.put(1, 0, f"{TITLE}: {games}{waiting}", theme.TITLE)
    if lobby.help:
        _draw_help(screen, lobby)
    elif rows:
        _draw_rows(screen, lobby, places(COLUMNS, width, LEFT, NARROWEST))
    else:
        _draw_empty(screen, lobby)
    _draw_message(screen, lobby, height - 2)
    _draw_hints(screen, lobby, height - 1)
    return screen


def rows_in_view(lobby: Lobby, height: int) -> list[Row]:
    """The rows of the lobby that a screen of `height` rows shows."""
    return [line for line in _lines(lobby, height) if isinstance(line, Row)]


def _lines(lobby: Lobby, height: int) -> list[Row | str]:
    """The rows in view and the names of their sections, the chosen row near the middle."""
    rows, room = lobby.rows, height - HEAD - FOOT
    names = {start + above: name for above, (name, start) in enumerate(rows.sections)}
    at = [*names]  # the lines of the names, which every row below them is moved down by
    total = len(rows) + len(names)
    chosen = lobby.index + sum(start <= lobby.index for _, start in rows.sections)
    first = max(min(chosen - room // 2, total - room), 0)
    shown = range(first, min(first + room, total))
    return [names[line] if line in names else rows[line - bisect_left(at, line)] for line in shown]


def _draw_rows(screen: Screen, lobby: Lobby, columns: list[Place]) -> None:
    for name, x, _ in columns:
        screen.put(x, 1, name, theme.HEAD)
    chosen = lobby.chosen
    for y, line in enumerate(_lines(lobby, screen.height), HEAD):
        if isinstance(line, str):
            screen.put(1, y, line, theme.NOTE)
            continue
        style = theme.HERE if line is chosen else PLAIN
        if line is chosen:
            screen.put(0, y, " ▶" + " " * screen.width, style)
        for (_, x, room), text in zip(columns, _texts(lobby, line), strict=False):
            screen.put(x, y, clip(text, room), style)


def _texts(lobby: Lobby, row: Row) -> tuple[str, ...]:
    """The text of each column."""
    listing = row.listing
    played = "" if listing.changed is None else utc_time(listing.changed)[:16]
    if isinstance(listing, Unlisted):
        return row.title, listing.format, "", listing.fault, played
    if not isinstance(listing, GameListing):
        length = "" if listing.duration is None else clock(listing.duration)
        now = ", ".join(filter(None, (length, "live" if listing.status is Status.LIVE else "")))
        return row.title, listing.format, "", now, played
    place, turn = listing.place or "", str(listing.turn)
    now = listing.state if listing.status is Status.FINISHED else _now(lobby, row)
    return row.title, place, turn, now, played


def _now(lobby: Lobby, row: Row) -> str:
    """The people on the game, and for how long nothing has happened."""
    if row.listing.status is Status.NEEDS_RECOVERY:
        return "needs recovery"
    people = lobby.people.get(row.file)
    idle = max(lobby.now - (row.listing.changed or 0), 0)
    told = []
    if people and people.players:
        told.append("played" + (f", idle {clock(idle)}" if idle >= 60 * SECOND else ""))
    elif idle < IDLE:
        told.append(f"left {clock(idle)} ago")
    if people and people.watchers:
        told.append(f"{people.watchers} watching")
    return ", ".join(told)


def _draw_empty(screen: Screen, lobby: Lobby) -> None:
    if lobby.filter:
        screen.put(3, 3, f"No game has {lobby.filter!r} in it. Esc shows all.")
        return
    screen.put(3, 3, "There are no games yet.")
    x = screen.put(3, 5, lobby.keys.label("new-game"), theme.KEY) + 1
    screen.put(x, 5, "begins one; every key you press is in its log before it does anything,")
    screen.put(x, 6, "so nothing is ever lost, and others can watch.")


def _draw_help(screen: Screen, lobby: Lobby) -> None:
    label = max(width_of(key.label) for key in lobby.keys) + 2
    for y, key in enumerate(lobby.keys, HEAD):
        screen.put(3, y, key.label, theme.KEY)
        screen.put(3 + label, y, key.does)


def _draw_message(screen: Screen, lobby: Lobby, y: int) -> None:
    if lobby.typing is not None:
        screen.put(screen.put(1, y, lobby.typing.line, theme.RARE), y, " ", theme.CURSOR)
    elif lobby.message:
        screen.put(1, y, clip(lobby.message, screen.width - 2), theme.RARE)
    elif lobby.broken:
        file, why = next(iter(lobby.broken.items()))
        more = f" (and {len(lobby.broken) - 1} more)" if len(lobby.broken) > 1 else ""
        screen.put(1, y, clip(f"{file.rpartition('/')[2]}: {why}{more}", screen.width - 2), theme.ALARM)


def _draw_hints(screen: Screen, lobby: Lobby, y: int) -> None:
    x = 1
    for key in lobby.keys:
        label = lobby.keys.label(key.action)
        if key.action in HINTS and label and x + width_of(label) + width_of(key.does) + 4 <= screen.width:
            x = screen.put(x, y, label, theme.KEY)
            x = screen.put(x + 1, y, key.does, theme.NOTE) + 2
