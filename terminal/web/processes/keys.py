"""The keys of who only looks: the player's own table, without what would write or is the terminal's."""

from typing import Final

from terminal.replay.controls import KEYS, Controls
from terminal.screen.keys import Key, KeyTable, key_label

__all__ = ["LOOKING_KEYS", "told_keys"]

_NOT_HERE: Final = ("mark", "options", "command", "quit")  # markers, options and rewinds are kept; a page is closed

LOOKING_KEYS: Final[KeyTable[Controls]] = KEYS.without(
    [key for row in KEYS if row.action in _NOT_HERE for key in row.keys]
)


def told_keys(controls: Controls) -> list[dict[str, str]]:
    """The keys that have a meaning for a recording, for its page."""
    return [_told(row, key, controls) for row in controls.keys if row.fits(controls) for key in row.keys]


def _told(row: Key[Controls], key: str, controls: Controls) -> dict[str, str]:
    return {
        "key": key,
        "action": row.action,
        "label": key_label(key),
        "does": controls.help_words(row),
        "section": row.group,
    }
