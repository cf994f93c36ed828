"""The keys of viewers: the tables of player and lobby, without keys that would write."""

from collections.abc import Iterable
from typing import Any, Final

from terminal.lobby.model import LOBBY_KEYS
from terminal.replay.controls import KEYS, Controls
from terminal.screen.keys import Key, KeyTable, key_label

__all__ = ["LOOKING_KEYS", "fitting_keys", "told_keys", "told_lobby_keys"]

_NOT_HERE: Final = ("mark", "options", "command")  # markers, options and rewinds are kept
_NOT_IN_LOBBY: Final = ("new-game", "quit")
_BACK: Final = {"quit": ("escape",)}  # further keys of the page, where nothing is open that they close

LOOKING_KEYS: Final[KeyTable[Controls]] = KEYS.without(
    [key for row in KEYS if row.action in _NOT_HERE for key in row.keys]
)


def fitting_keys(controls: Controls) -> tuple[Key[Controls], ...]:
    """The keys that have a meaning for a recording."""
    return tuple([row for row in controls.keys if row.fits(controls)])


def told_keys(rows: Iterable[Key[Controls]], controls: Controls) -> list[dict[str, str]]:
    """These keys, for the page of a recording."""
    return [
        _told(row, key, controls.help_words(row)) for row in rows for key in (*row.keys, *_BACK.get(row.action, ()))
    ]


def told_lobby_keys() -> list[dict[str, str]]:
    """The keys of the lobby, for its page."""
    return [_told(row, key, row.does) for row in LOBBY_KEYS if row.action not in _NOT_IN_LOBBY for key in row.keys]


def _told(row: Key[Any], key: str, does: str) -> dict[str, str]:
    return {"key": key, "action": row.action, "label": key_label(key), "does": does, "section": row.group}
