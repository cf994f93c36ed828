"""Messages as rows of a width: none is lost, and none is cut."""

from collections.abc import Sequence
from itertools import islice
from typing import Final

from nhlog.replay import Replay, Telling
from nhlog.screen import PLAIN, Style, width_of
from terminal.screen import theme
from terminal.text.wrapping import wrapped

__all__ = ["packed", "recent"]

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
