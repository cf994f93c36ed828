"""Messages as rows of a width, and as pages on the first rows of the screen: none is lost, and none is cut."""

from collections.abc import Sequence
from itertools import islice
from typing import Final

from nhlog.replay import Replay, Telling
from nhlog.screen import PLAIN, Screen, Style, width_of
from terminal.screen import theme
from terminal.text.wrapping import wrapped

__all__ = ["MORE", "draw_rows", "packed", "pages", "recent", "told_rows"]

ROOM: Final = 3  # rows of a page; they cover the first rows of the map
WIDEST: Final = 80  # columns of a row: a longer one is hard to read
MORE: Final = "--More--"
"""What each page but the last ends in."""
BETWEEN: Final = "  "  # two messages on a row
PIECES: Final = 40  # pieces of messages that are looked through for the recent ones: each can take some milliseconds


def packed(messages: Sequence[str], width: int) -> list[str]:
    """The messages one after the other, in rows of `width` columns; one begins a row of its own unless it fits."""
    rows: list[str] = []
    for text in messages:
        if rows and width_of(rows[-1]) + len(BETWEEN) + width_of(text) <= width:
            rows[-1] += BETWEEN + text
        else:
            rows += wrapped(text, width)
    return rows


def recent(replay: Replay[object], width: int, height: int) -> list[tuple[str, Style]]:
    """The latest messages of a replay, the last one lowest; those of earlier turns are quiet."""
    lines: list[tuple[str, Style]] = []
    latest = None
    for piece in islice(replay.messages(), PIECES) if isinstance(replay, Telling) else ():
        for told in reversed(piece):
            latest = told.turn if latest is None else latest
            style = PLAIN if told.turn == latest else theme.QUIET
            lines[:0] = [(row, style) for row in wrapped(told.text, width)]
        if len(lines) >= height:
            break
    return lines[-height:] if height > 0 else []


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
