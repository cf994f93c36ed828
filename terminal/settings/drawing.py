"""The menu of options as a page over the screen."""

from typing import Final

from nhlog.screen import PLAIN, Screen, width_of
from terminal.screen import theme
from terminal.screen.page import draw_page
from terminal.settings.menu import OptionsMenu
from terminal.views.lines import Line, draw_lines

__all__ = ["draw_options"]

MARK: Final = "▶ "
MARGIN: Final = 3  # columns of a page's left side


def draw_options(screen: Screen, menu: OptionsMenu) -> None:
    """Draw the menu over the right side of `screen`; on a low one around the marked row."""
    names = max(len(row.name) for row in menu.rows)
    values = max(len(value) for row in menu.rows for value in row.values)
    lines: list[Line] = []
    group, marked = "", 0
    places = []  # the lines of the rows
    for number, row in enumerate(menu.rows):
        if row.group != group:
            group = row.group
            lines.append((group, theme.HEAD))
        here = number == menu.index
        marked = len(lines) if here else marked
        places.append(len(lines))
        text = f"{MARK if here else '':{len(MARK)}}{row.name:<{names}}  {row.value():<{values}}  {row.does}"
        lines.append((text, theme.HERE if here else PLAIN))
    hint = _hint(menu, screen.width - MARGIN)
    lines += [("", PLAIN), (menu.told or hint, theme.ALARM if menu.told else theme.NOTE)]
    page = draw_lines(lines)
    for number, y in enumerate(places):
        page.aim(0, y, page.width, f"row {number}")
    draw_page(screen, page, max(marked - screen.height + 3, 0))


def _hint(menu: OptionsMenu, room: int) -> str:
    """What the keys do; on a narrow screen which they are."""
    label = menu.keys.label
    choose, change = f"{label('previous')} {label('next')}", f"{label('change')} {label('change-back')}"
    whole = f"{choose} choose, {change} change, {label('quit')} leaves"
    return whole if width_of(whole) <= room else f"{choose}, {change}, {label('quit')}"
