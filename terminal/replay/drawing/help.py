"""The help screen, generated from the table of keys."""

from nhlog.screen import PLAIN, Screen, clip, width_of
from terminal.replay.controls import Controls
from terminal.screen import theme
from terminal.screen.hints import Entry

__all__ = ["draw_help"]


def draw_help(controls: Controls, row: int, width: int, height: int) -> Screen:
    """The help from this row on, in as many columns as fit."""
    screen = Screen(width, height)
    entries = _entries(controls)
    wide = 1 + max(width_of(label) for _, label, does in entries if does)
    widest = 1 + wide + max(width_of(does) for _, _, does in entries)  # columns of an entry and the space before it
    columns = max(min(width // widest, -(-len(entries) // max(height, 1))), 1)
    rows = -(-len(entries) // columns)
    first = max(min(row, rows - height), 0)
    for number, (key, label, does) in enumerate(entries):
        x, y = number // rows * (width // columns) + 1, number % rows - first
        screen.put(x, y, label, theme.KEY if does else theme.HEAD)
        screen.put(x + wide, y, clip(does, width // columns - wide - 1), PLAIN)
        screen.aim(x, y, width // columns - 1 if key else 0, f"press {key}")
    return screen


def _entries(controls: Controls) -> list[Entry]:
    """The keys that mean something here, each group under its name."""
    entries: list[Entry] = []
    group = ""
    for key in filter(lambda key: key.keys and key.fits(controls), controls.keys):
        if key.group != group:
            group = key.group
            entries.append(("", group, ""))
        entries.append((key.keys[0], key.label, controls.help_words(key)))
    return entries
