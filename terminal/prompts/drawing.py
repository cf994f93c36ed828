"""Draws a prompt over the first rows of a screen, for who answers it and for who looks on.

The prompt is in the message row, as in NetHack's own client.
"""

import textwrap

from nhlog.screen import PLAIN, Screen, width_of
from terminal.prompts.inputs import PromptInput
from terminal.prompts.menus import MenuInput, ObjectsInput
from terminal.prompts.text import TextInput
from terminal.screen import theme
from terminal.screen.page import draw_page

__all__ = ["below", "draw_message", "draw_prompt"]


def draw_prompt(screen: Screen, prompt: PromptInput) -> None:
    """Draw a prompt over the first rows of a screen, with the rows of its menu if it has one."""
    if isinstance(prompt, MenuInput | ObjectsInput):
        draw_page(screen, below(_menu(prompt), len(_rows(screen, prompt.line))), 0)
    x, y = draw_message(screen, prompt.line)
    if isinstance(prompt, TextInput):
        screen.put(x, y, " ", theme.CURSOR)


def draw_message(screen: Screen, text: str) -> tuple[int, int]:
    """Write a text to the message row, and below it if it is long; returns the cell after its end."""
    x = y = 0
    for y, row in enumerate(_rows(screen, text)):
        screen.put(0, y, " " * screen.width)
        x = screen.put(0, y, row, theme.RARE)
    return x, y


def below(page: Screen, rows: int) -> Screen:
    """The page with empty rows added at its top, for the prompt."""
    lowered = Screen(page.width, page.height + rows)
    lowered.paste(0, rows, page)
    return lowered


def _rows(screen: Screen, text: str) -> list[str]:
    return textwrap.wrap(text, max(screen.width - 1, 1), drop_whitespace=False)[: screen.height] or [""]


def _menu(menu: MenuInput | ObjectsInput) -> Screen:
    """The rows of a menu; headings are underlined, picked rows are marked."""
    rows = menu.rows
    page = Screen(max((width_of(label) + 4 for _, _, label in rows), default=0), len(rows))
    for y, (letter, picked, label) in enumerate(rows):
        if letter == " ":
            page.put(0, y, label, theme.HEAD if menu.prompt.most else PLAIN)
        else:
            page.put(0, y, letter, theme.KEY)
            page.put(2, y, "+" if picked else "-", theme.GOOD if picked else PLAIN)
            page.put(4, y, label, theme.GOOD if picked else PLAIN)
    return page
