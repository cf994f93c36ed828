"""Hints and lists of keys: keys and words for what they do, where a click does the same."""

from collections.abc import Sequence
from typing import Any, Final

from nhlog.screen import Screen, clip, width_of
from terminal.screen import theme
from terminal.screen.keys import KeyTable

__all__ = ["Entry", "draw_entries", "draw_hint", "draw_hints", "draw_keys", "hint_width"]

WIDEST: Final = 32  # columns for the names of the keys of a row: beside them there is room for what they do


def hint_width(keys: KeyTable[Any], action: str, word: str) -> int:
    """The columns of a hint; 0 for an action without a key."""
    label = keys.label(action)
    return width_of(label) + 1 + width_of(word) if label else 0


def draw_hint(screen: Screen, x: int, y: int, keys: KeyTable[Any], action: str, word: str) -> int:
    """Draw the hint on an action; returns the column after it."""
    after = screen.put(screen.put(x, y, keys.label(action), theme.KEY) + 1, y, word, theme.NOTE)
    screen.aim(x, y, after - x, keys.key(action))
    return after


def draw_hints(
    screen: Screen,
    y: int,
    keys: KeyTable[Any],
    hints: tuple[tuple[str, str], ...],
    x: int = 1,
    end: int | None = None,
) -> None:
    """Draw the hints, actions and words for them, that have a key and fit into the row from column `x` to `end`."""
    end = screen.width if end is None else end
    for action, word in hints:
        width = hint_width(keys, action, word)
        if width and x + width < end:
            x = draw_hint(screen, x, y, keys, action, word) + 2


def draw_keys(keys: KeyTable[Any]) -> Screen:
    """The keys and what they do, one below the other; a click on one means ``press`` and its name."""
    return draw_entries([(row.keys[0], row.label, row.does) for row in keys if row.keys])


Entry = tuple[str, str, str]
"""A row of a list of keys: the key that a click presses, what its keys are called, what they do; or a heading."""


def draw_entries(entries: Sequence[Entry]) -> Screen:
    """The rows one below the other; one that does nothing is a heading."""
    wide = min(max(width_of(label) for _, label, does in entries if does), WIDEST) + 2
    screen = Screen(wide + max(width_of(does) for _, _, does in entries), len(entries))
    for y, (key, label, does) in enumerate(entries):
        screen.put(0, y, clip(label, wide - 2) if does else label, theme.KEY if does else theme.HEAD)
        screen.put(wide, y, does)
        screen.aim(0, y, screen.width if key else 0, f"press {key}")
    return screen
