"""The client as its user has configured it: what is chosen for its keys is checked before anything is drawn."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from terminal.screen.console import Console
from terminal.screen.keys import KeyTable

if TYPE_CHECKING:
    from nhlog.config import Choice, Config

__all__ = ["TABLES", "chosen_keys", "key_table", "open_client"]

TABLES: Final = {
    "replay": ("terminal.replay.controls", "KEYS"),
    "play": ("terminal.play.keys", "PLAY_KEYS"),
    "lobby": ("terminal.lobby.model", "LOBBY_KEYS"),
    "menu": ("terminal.replay.menu", "MENU_KEYS"),
}
"""Where the tables of keys are, by their names."""


def open_client(color: str, config: "Config") -> Console:
    """The terminal of the client; raises :class:`~nhlog.errors.Usage` for what cannot be, with its line."""
    return Console(color, config.idle_minutes, tables=chosen_keys(config.keys))


def chosen_keys(choices: "tuple[Choice, ...]") -> dict[str, KeyTable[Any]]:
    """The tables for which the user chose keys, by their names."""
    for choice in choices:
        if choice.table not in TABLES:
            raise choice.refused(f"no such keys: {choice.table}", expected=" or ".join(TABLES))
    return {
        name: key_table(name).chosen([choice for choice in choices if choice.table == name])
        for name in dict.fromkeys(choice.table for choice in choices)
    }


def key_table(name: str) -> KeyTable[Any]:
    """The table of this name, as it is without a configuration."""
    module, table = TABLES[name]
    found: KeyTable[Any] = getattr(import_module(module), table)
    return found
