"""The keys that the play client handles itself; the others are the engine's."""

from typing import Final

__all__ = ["PAGES", "PLAY_KEYS", "key_words"]

PLAY_KEYS: Final = (
    ("i", "inventory"),
    ("^X", "attributes"),
    ("^O", "overview of the levels"),
    ("\\", "discoveries"),
    ("L", "what was done so far"),
    (";", "what is on a square"),
    ("#", "a command by its name"),
    ("R", "watch the game again, from now back"),
    ("^F", "free the game of a process that keeps it, step by step"),
    ("?", "these keys"),
    ("S", "leave; the game stays as it is"),
)
"""The keys handled by the client; the others are the engine's."""

PAGES: Final = {
    "i": "inventory",
    "ctrl-x": "attributes",
    "ctrl-o": "overview",
    "\\": "discoveries",
    "L": "ledger",
    "?": "help",
}
"""The panels of the view that keys open."""


def key_words(key: str) -> str:
    """What a message calls a key."""
    return key if len(key) == 1 else f"the key {key}"
