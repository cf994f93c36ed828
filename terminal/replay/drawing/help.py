"""The help screen, generated from the table of keys."""

from nhlog.screen import PLAIN, Screen, clip
from terminal.replay.controls import KEYS
from terminal.screen import theme

__all__ = ["draw_help"]

LABEL = 1 + max(len(key.label) for key in KEYS)
WIDEST = 1 + LABEL + max(len(key.does) for key in KEYS)  # columns of an entry and the space before it


def draw_help(width: int, height: int, first: int) -> Screen:
    """The help from its row `first` on, in as many columns as fit."""
    screen = Screen(width, height)
    entries = _entries()
    columns = max(min(width // WIDEST, -(-len(entries) // max(height, 1))), 1)
    rows = -(-len(entries) // columns)
    first = max(min(first, rows - height), 0)
    for number, (label, does) in enumerate(entries):
        x, y = number // rows * (width // columns) + 1, number % rows - first
        screen.put(x, y, label, theme.KEY if does else theme.HEAD)
        screen.put(x + LABEL, y, clip(does, width // columns - LABEL - 1), PLAIN)
    return screen


def _entries() -> list[tuple[str, str]]:
    """Labels and descriptions of keys, each group under its name."""
    entries: list[tuple[str, str]] = []
    group = ""
    for key in KEYS:
        if key.group != group:
            group = key.group
            entries.append((group, ""))
        entries.append((key.label, key.does))
    return entries
