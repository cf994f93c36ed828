"""The screen of the menu of recordings."""

from typing import Final

from nhlog.errors import NhlogError
from nhlog.replay import Info
from nhlog.screen import PLAIN, Screen, clip, width_of
from terminal.replay.menu import Menu
from terminal.screen import theme
from terminal.screen.columns import Place, places
from terminal.text.words import clock, counted, utc_time

__all__ = ["draw_menu"]

LEAST: Final = (20, 5)  # columns and rows below which nothing useful can be shown
LEFT: Final = 2  # columns before the first one
NARROWEST: Final = 24  # columns that the first column keeps before others are shown
COLUMNS: Final = (("recording", 0), ("status", 8), ("file", 22), ("started (UTC)", 16), ("length", 8))
"""Names and widths; the first takes the rest of the width, and the last ones are left out on a narrow screen."""


def draw_menu(menu: Menu, width: int, height: int) -> Screen:
    """The rows around the chosen recording, `width` columns by `height` rows."""
    screen = Screen(width, height)
    if width < LEAST[0] or height < LEAST[1]:
        screen.put(0, 0, "too small")
        return screen
    columns = places(COLUMNS, width, LEFT, NARROWEST)
    screen.put(0, 0, " " * width, theme.TITLE)
    screen.put(1, 0, f"nhlog: {counted(len(menu.files), 'recording')}", theme.TITLE)
    screen.put(0, 1, " " * width, theme.HEAD)
    for name, x, _ in columns:
        screen.put(x, 1, name, theme.HEAD)
    rows = height - 3
    first = max(min(menu.index - rows // 2, len(menu.files) - rows), 0)
    for y, file in enumerate(menu.files[first : first + rows], 2):
        _draw_row(screen, y, menu, file, columns)
    _draw_hints(screen, menu, height - 1)
    return screen


def _draw_row(screen: Screen, y: int, menu: Menu, file: str, columns: list[Place]) -> None:
    style = PLAIN
    if file == menu.file:
        style = theme.HERE
        screen.put(0, y, "▶ " + " " * screen.width, style)
    match menu.known.get(file):
        case Info() as info:
            for (_, x, room), text in zip(columns, _texts(file, info), strict=False):
                screen.put(x, y, clip(text, room), style)
        case None:
            screen.put(2, y, clip(_name(file), screen.width - 2), style)
        case error:
            why = error.what if isinstance(error, NhlogError) else error.strerror or str(error)
            x = screen.put(2, y, clip(_name(file), screen.width - 2), style)
            screen.put(x + 2, y, clip(why, screen.width - x - 2), theme.ALARM if style is PLAIN else style)


def _texts(file: str, info: Info) -> tuple[str, ...]:
    """The text of each column."""
    started = "" if info.start is None else utc_time(info.start)[:16]
    return info.title, str(info.status), _name(file), started, clock(info.duration)


def _name(file: str) -> str:
    return file.rpartition("/")[2]


def _draw_hints(screen: Screen, menu: Menu, y: int) -> None:
    x = 1
    for key in menu.keys:
        label = menu.keys.label(key.action)
        if label and x + width_of(label) + width_of(key.does) + 2 <= screen.width:
            x = screen.put(x, y, label, theme.KEY)
            x = screen.put(x + 1, y, key.does, theme.NOTE) + 2
