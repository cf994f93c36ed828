"""What those who watch say, in a pane beside the view: the latest lines at its end."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from nhlog.screen import Screen
from terminal.screen import theme
from terminal.text.wrapping import wrapped

if TYPE_CHECKING:
    from nhlog.beside.talk import Said

__all__ = ["draw_talk"]


def draw_talk(said: "Sequence[Said]", width: int, height: int) -> Screen:
    """The latest lines, as many as fit, below a heading."""
    screen = Screen(width, height)
    for y in range(height):
        screen.put(0, y, "│", theme.BAR)
    screen.put(2, 0, "talk", theme.HEAD)
    rows: list[tuple[str, str]] = []  # who begins to speak there, and the text
    for one in reversed(said[-height:]):
        lines = _wrapped(f"{one.name}: {one.text}", max(width - 3, 1))
        rows = [(one.name if number == 0 else "", line) for number, line in enumerate(lines)] + rows
        if len(rows) >= height - 1:
            break
    for y, (name, line) in enumerate(rows[-(height - 1) :] if height > 1 else (), 1):
        screen.put(2, y, line)
        if line.startswith(name):
            screen.put(2, y, name, theme.RARE if name else theme.NOTE)
    return screen


_wrapped = lru_cache(maxsize=256)(wrapped)
