"""What a game told last, on the first rows of the screen: in pages of a few rows, each but the last marked as such."""

from collections.abc import Sequence
from typing import Final

from nhlog.screen import Screen
from terminal.messages.rows import packed

__all__ = ["MORE", "draw_rows", "pages", "told_rows"]

ROOM: Final = 3  # rows of a page; they cover the first rows of the map
WIDEST: Final = 80  # columns of a row: a longer one is hard to read
MORE: Final = "--More--"


def told_rows(told: Sequence[str], width: int) -> list[str]:
    """All that was told, in rows for a screen of that width."""
    return packed(told, min(width, WIDEST))


def pages(told: Sequence[str], width: int) -> list[list[str]]:
    """The rows of each page; there is always one, empty if nothing was told."""
    rows = told_rows(told, width)
    if len(rows) <= ROOM:
        return [rows]
    rows = packed(told, max(min(width, WIDEST) - len(MORE) - 1, 1))
    found = [rows[first : first + ROOM] for first in range(0, len(rows), ROOM)]
    return [*([*page[:-1], f"{page[-1]} {MORE}"] for page in found[:-1]), found[-1]]


def draw_rows(screen: Screen, rows: Sequence[str]) -> int:
    """Draw rows of messages over the first rows of a screen; returns how many there are."""
    for y, row in enumerate(rows):
        screen.put(0, y, " " * min(screen.width, WIDEST))
        screen.put(0, y, row)
    return len(rows)
