"""Draws a prompt over the first rows of a screen, for who answers it and for who looks on.

The prompt is in the message row, as in NetHack's own client.
"""

import textwrap

from nhlog.screen import PLAIN, Screen, width_of
from terminal.prompts.characters import KeyInput, ScreenInput
from terminal.prompts.inputs import PromptInput
from terminal.prompts.menus import MenuInput, ObjectsInput
from terminal.prompts.text import TextInput
from terminal.screen import theme
from terminal.screen.page import draw_page

__all__ = ["below", "draw_message", "draw_prompt", "question_rows"]


def draw_prompt(screen: Screen, prompt: PromptInput, top: int = 0) -> None:
    """Draw a prompt over the rows of a screen from row `top` on, with the rows of its menu if it has one.

    A screen of the game's own covers all of it.
    """
    if isinstance(prompt, ScreenInput):
        _draw_own(screen, prompt)
        return
    if isinstance(prompt, MenuInput | ObjectsInput | KeyInput) and prompt.rows:
        draw_page(screen, below(_menu(prompt), top + len(question_rows(prompt.line, screen.width))), 0)
    x, y = draw_message(screen, prompt.line, top)
    if isinstance(prompt, TextInput):
        screen.put(x, y, " ", theme.CURSOR)


def _draw_own(screen: Screen, prompt: ScreenInput) -> None:
    """Draw a game's own screen, and in the last row what was wrong with the last key."""
    screen.paste(0, 0, Screen(screen.width, screen.height))
    for y, cells in enumerate(prompt.prompt.cells):
        if cells:
            screen.fill(0, y, cells)
    if prompt.complaint:
        draw_message(screen, prompt.complaint, screen.height - 1)


def draw_message(screen: Screen, text: str, top: int = 0) -> tuple[int, int]:
    """Write a text to row `top`, and below it if it is long; returns the cell after its end."""
    x = y = 0
    for y, row in enumerate(question_rows(text, screen.width), top):
        screen.put(0, y, " " * screen.width)
        x = screen.put(0, y, row, theme.RARE)
    return x, y


def below(page: Screen, rows: int) -> Screen:
    """The page with empty rows added at its top, for the prompt."""
    lowered = Screen(page.width, page.height + rows)
    lowered.paste(0, rows, page)
    return lowered


def question_rows(text: str, width: int) -> list[str]:
    """The rows of a text on a screen of that width, with the spaces at their ends."""
    return textwrap.wrap(text, max(width - 1, 1), drop_whitespace=False) or [""]


def _menu(prompt: MenuInput | ObjectsInput | KeyInput) -> Screen:
    """The rows of a menu; headings are underlined, picked rows are marked, and so is the one that Enter takes."""
    rows = prompt.rows
    mark, heads = (-1, False) if isinstance(prompt, KeyInput) else (prompt.menu.mark, bool(prompt.prompt.most))
    page = Screen(max((width_of(label) + 4 for _, _, label in rows), default=0), len(rows))
    for y, (letter, picked, label) in enumerate(rows):
        if letter == " ":
            page.put(0, y, label, theme.HEAD if heads else PLAIN)
        else:
            page.put(0, y, letter, theme.KEY)
            page.put(2, y, "+" if picked else ">" if y == mark else "-", theme.GOOD if picked else PLAIN)
            page.put(4, y, label, theme.GOOD if picked else PLAIN)
            page.aim(0, y, page.width, letter)
    return page
