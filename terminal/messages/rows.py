"""Messages as rows of a width: none is lost, and none is cut."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from nhlog.replay import Replay, Telling
from nhlog.screen import PLAIN, Style, width_of
from terminal.screen import theme

__all__ = ["recent", "wrapped"]

BETWEEN: Final = "  "  # two messages on a row
PIECES: Final = 40  # pieces of messages that are looked through for the recent ones: each can take some milliseconds


def wrapped(messages: Sequence[str], width: int) -> list[str]:
    """The messages one after the other, in rows of `width` columns; one begins a row of its own unless it fits."""
    rows: list[str] = []
    for text in messages:
        if rows and width_of(rows[-1]) + len(BETWEEN) + width_of(text) <= width:
            rows[-1] += BETWEEN + text
        else:
            rows += _broken(text, max(width, 1))
    return rows


def _broken(text: str, width: int) -> list[str]:
    """The rows of a text: broken between words, and within one that is longer than a row."""
    rows = [""]
    for word in _words(text, width):
        if rows[-1] and width_of(rows[-1]) + 1 + width_of(word) > width:
            rows.append(word)
        else:
            rows[-1] = f"{rows[-1]} {word}" if rows[-1] else word
    return rows


def _words(text: str, width: int) -> Iterator[str]:
    for word in text.split(" "):
        rest = word
        while width_of(rest) > width:
            head = max((size for size in range(width + 1) if width_of(rest[:size]) <= width), default=0) or 1
            yield rest[:head]
            rest = rest[head:]
        yield rest


def recent(replay: Replay[object], width: int, height: int) -> list[tuple[str, Style]]:
    """The latest messages of a replay, the last one lowest; those of earlier turns are quiet."""
    lines: list[tuple[str, Style]] = []
    latest = None
    for piece in islice(replay.messages(), PIECES) if isinstance(replay, Telling) else ():
        for told in reversed(piece):
            latest = told.turn if latest is None else latest
            style = PLAIN if told.turn == latest else theme.QUIET
            lines[:0] = [(row, style) for row in _broken(told.text, width)]
        if len(lines) >= height:
            break
    return lines[-height:] if height > 0 else []
