"""The screen of the lobby: the games by sections, the people on them, and the keys."""

from bisect import bisect_left
from collections import Counter
from typing import Final

from nhlog.errors import in_short
from nhlog.screen import PLAIN, Screen, clip
from terminal.lobby.details import details_width, draw_details, picture_size
from terminal.lobby.model import FilterText, Lobby
from terminal.lobby.rows import FINISHED, FOLDERS, OTHERS, RECORDINGS, UNREADABLE, YOURS, Row
from terminal.lobby.table import cells, columns_of, fitted
from terminal.screen import theme
from terminal.screen.hints import draw_hint, draw_hints, draw_keys, hint_width
from terminal.screen.page import draw_title, too_small
from terminal.settings.drawing import draw_options
from terminal.settings.menu import OptionsMenu
from terminal.text.words import counted

__all__ = ["draw_lobby", "picture_in_view", "rows_in_view"]

LEAST: Final = (30, 7)
HEAD: Final = 2  # rows above the list
FOOT: Final = 2  # and below it
TITLE: Final = "nhlog"
HINTS: Final = (
    ("open", "open"),
    ("new-game", "new game"),
    ("watch", "watch"),
    ("replay", "replay"),
    ("filter", "filter"),
    ("sort", "sort"),
    ("help", "keys"),
    ("quit", "leave"),
)
"""What is in the last row: actions, and a word for each."""
_OF_PLAYERS: Final[str] = "new-game"  # no hint for who only watches
_LASTING: Final = 2  # hints that are there on every screen: the last ones
LEFT: Final = 3  # columns before the first one
_KINDS: Final = {YOURS: "game", OTHERS: "game", FINISHED: "game", FOLDERS: "folder", RECORDINGS: "recording"} | {
    UNREADABLE: "unreadable file"
}


def draw_lobby(lobby: Lobby, width: int, height: int) -> Screen:
    """The screen of the lobby, `width` columns by `height` rows."""
    if width < LEAST[0] or height < LEAST[1]:
        return too_small(width, height)
    screen = Screen(width, height)
    draw_title(screen, _title(lobby))
    opened = lobby.opened.top
    if lobby.opened.mode == "help":
        _draw_help(screen, lobby)
    elif lobby.contents.rows:
        _draw_rows(screen, lobby)
    else:
        _draw_empty(screen, lobby)
    _draw_message(screen, lobby, height - 2)
    _draw_hints(screen, lobby, height - 1)
    if isinstance(opened, OptionsMenu):
        draw_options(screen, opened)
    return screen


def _title(lobby: Lobby) -> str:
    """Where one is, what there is, and how much of it is still to be read."""
    rows = lobby.contents.rows
    kinds = Counter[str]()
    for (name, start), end in zip(rows.sections, [*[start for _, start in rows.sections][1:], len(rows)], strict=False):
        kinds[_KINDS[name]] += end - start
    told = [counted(count, kind) for kind, count in kinds.items()] or ["no games"]
    told[-1] += f" with {lobby.contents.filter!r}" if lobby.contents.filter else ""
    told += [f"{lobby.contents.waiting} more to read"] if lobby.contents.waiting else []
    return ": ".join(filter(None, (TITLE, lobby.place, ", ".join(told))))


def rows_in_view(lobby: Lobby, height: int) -> list[Row]:
    """The rows of the lobby that a screen of `height` rows shows."""
    return [line for line in _lines(lobby, height) if isinstance(line, Row)]


def picture_in_view(width: int, height: int) -> tuple[int, int] | None:
    """The size of the picture of the chosen row on a screen of this size; None if it shows none."""
    return picture_size(width, height - HEAD - FOOT)


def _lines(lobby: Lobby, height: int) -> list[Row | str]:
    """The rows in view and the names of their sections, the chosen row near the middle."""
    rows, room = lobby.contents.rows, height - HEAD - FOOT
    names = {start + above: name for above, (name, start) in enumerate(rows.sections)}
    at = [*names]  # the lines of the names, which every row below them is moved down by
    total = len(rows) + len(names)
    chosen = lobby.index + sum(start <= lobby.index for _, start in rows.sections)
    first = max(min(chosen - room // 2, total - room), 0)
    shown = range(first, min(first + room, total))
    return [names[line] if line in names else rows[line - bisect_left(at, line)] for line in shown]


def _draw_rows(screen: Screen, lobby: Lobby) -> None:
    lines, chosen = _lines(lobby, screen.height), lobby.chosen
    beside = details_width(screen.width)
    texts = {line.file: cells(lobby, line) for line in lines if isinstance(line, Row)}
    columns = columns_of(texts.values(), LEFT, screen.width - beside - 1)
    for name, x, _ in columns:
        screen.put(x, 1, name, theme.HEAD)
    for y, line in enumerate(lines, HEAD):
        if isinstance(line, str):
            screen.put(1, y, line, theme.NOTE)
            continue
        style = theme.HERE if line is chosen else PLAIN
        if line is chosen:
            screen.put(0, y, " ▶" + " " * screen.width, style)
        for name, x, room in columns:
            screen.put(x, y, fitted(texts[line.file], name, room), style)
        screen.aim(0, y, screen.width - beside, f"row {line.file}")
    if beside and chosen is not None:
        details = draw_details(lobby, chosen, beside, screen.height - HEAD - FOOT)
        screen.paste(screen.width - beside, HEAD, details)


def _draw_empty(screen: Screen, lobby: Lobby) -> None:
    if lobby.contents.filter:
        x = screen.put(3, 3, f"No game matches {lobby.contents.filter!r}.")
        draw_hints(screen, 3, lobby.keys, (("back", "shows all"),), x + 1)
        return
    if lobby.place:
        screen.put(3, 3, "There are no recordings here.")
        return
    screen.put(3, 3, "There are no games yet.")
    if not lobby.contents.visitor.plays:
        return
    x = draw_hint(screen, 3, 5, lobby.keys, _OF_PLAYERS, "starts one;")
    screen.put(x, 5, " every key is saved in its log before it takes effect,")
    screen.put(5, 6, "so nothing is ever lost, and others can watch.")


def _draw_help(screen: Screen, lobby: Lobby) -> None:
    keys = draw_keys(lobby.keys)
    screen.paste(3, max(1, min(HEAD, screen.height - 2 - keys.height)), keys)  # above the message and the hints


def _draw_message(screen: Screen, lobby: Lobby, y: int) -> None:
    if (typing := lobby.opened.find(FilterText)) is not None:
        screen.put(screen.put(1, y, typing.input.line, theme.RARE), y, " ", theme.CURSOR)
    elif told := lobby.message or lobby.notice:
        screen.put(1, y, clip(told, screen.width - 2), theme.RARE)
    elif lobby.contents.elsewhere is not None and lobby.contents.elsewhere.trouble:
        screen.put(1, y, clip(lobby.contents.elsewhere.trouble, screen.width - 2), theme.ALARM)
    elif lobby.contents.broken:
        file, why = next(iter(lobby.contents.broken.items()))
        told = f"{file.rpartition('/')[2]}: {in_short(why, len(lobby.contents.broken))}"
        screen.put(1, y, clip(told, screen.width - 2), theme.ALARM)


def _draw_hints(screen: Screen, lobby: Lobby, y: int) -> None:
    """Draw the hints, each whole or not at all: those at the end of the table of hints are always there."""
    hints = [
        hint for hint in HINTS if lobby.keys.key(hint[0]) and (lobby.contents.visitor.plays or hint[0] != _OF_PLAYERS)
    ]
    while hints[_LASTING:] and sum(hint_width(lobby.keys, *hint) + 2 for hint in hints) > screen.width:
        del hints[-_LASTING - 1]
    draw_hints(screen, y, lobby.keys, tuple(hints))
