"""The screen of the menu of recordings."""

from collections.abc import Sequence
from typing import Final

from nhlog.files import as_ours
from nhlog.replay import Info
from nhlog.screen import PLAIN, Screen, clip, width_of
from terminal.replay.menu import Menu
from terminal.screen import theme
from terminal.screen.columns import Column, Place, places
from terminal.screen.hints import draw_hints
from terminal.screen.page import draw_title, too_small
from terminal.text.words import clock, counted, utc_time

__all__ = ["draw_menu"]

LEAST: Final = (20, 5)  # columns and rows below which nothing useful can be shown
LEFT: Final = 2  # columns before the first one
COLUMNS: Final = (
    Column("recording", 14, 0),
    Column("status", 8, 1),
    Column("file", 12, 2),
    Column("started (UTC)", 16, 3),
    Column("length", 8, 4),
)


def draw_menu(menu: Menu, width: int, height: int) -> Screen:
    """The rows around the chosen recording, `width` columns by `height` rows."""
    if width < LEAST[0] or height < LEAST[1]:
        return too_small(width, height)
    screen = Screen(width, height)
    draw_title(screen, f"nhlog: {counted(len(menu.files), 'recording')}")
    screen.put(0, 1, " " * width, theme.HEAD)
    rows = height - 3
    first = max(min(menu.index - rows // 2, len(menu.files) - rows), 0)
    files = menu.files[first : first + rows]
    columns = _columns(menu, files, width)
    for name, x, _ in columns:
        screen.put(x, 1, name, theme.HEAD)
    for y, file in enumerate(files, 2):
        _draw_row(screen, y, menu, file, columns)
        screen.aim(0, y, width, f"row {file}")
    draw_hints(screen, height - 1, menu.keys, tuple((row.action, row.does) for row in menu.keys))
    return screen


def _columns(menu: Menu, files: Sequence[str], width: int) -> list[Place]:
    """The columns for these files, as wide as their texts."""
    known = [_texts(file, info) for file in files if isinstance(info := menu.known.get(file), Info)]
    widest = [max(map(width_of, texts)) for texts in zip(*known, strict=True)] or [1] * len(COLUMNS)
    return places(COLUMNS, dict(zip((column.name for column in COLUMNS), widest, strict=True)), LEFT, width)


def _draw_row(screen: Screen, y: int, menu: Menu, file: str, columns: list[Place]) -> None:
    style = PLAIN
    if file == menu.file:
        style = theme.HERE
        screen.put(0, y, "▶ " + " " * screen.width, style)
    match menu.known.get(file):
        case Info() as info:
            texts = dict(zip((column.name for column in COLUMNS), _texts(file, info), strict=True))
            for name, x, room in columns:
                screen.put(x, y, clip(texts[name], room), style)
        case None:
            screen.put(2, y, clip(_name(file), screen.width - 2), style)
        case error:
            why = as_ours(error).what
            x = screen.put(2, y, clip(_name(file), screen.width - 2), style)
            screen.put(x + 2, y, clip(why, screen.width - x - 2), theme.ALARM if style is PLAIN else style)


def _texts(file: str, info: Info) -> tuple[str, ...]:
    """The text of each column."""
    started = "" if info.start is None else utc_time(info.start)[:16]
    return info.title, str(info.status), _name(file), started, clock(info.duration)


def _name(file: str) -> str:
    return file.rpartition("/")[2]
