"""Hints and lists of keys: keys and words for what they do, where a click does the same."""

from typing import Any

from nhlog.screen import Screen, width_of
from terminal.screen import theme
from terminal.screen.keys import KeyTable

__all__ = ["draw_hint", "draw_hints", "draw_keys", "hint_width"]


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
    rows = [row for row in keys if row.keys]
    wide = max(width_of(row.label) for row in rows) + 2
    screen = Screen(wide + max(width_of(row.does) for row in rows), len(rows))
    for y, row in enumerate(rows):
        screen.put(0, y, row.label, theme.KEY)
        screen.put(wide, y, row.does)
        screen.aim(0, y, screen.width, f"press {row.keys[0]}")
    return screen
