"""The client as its user has configured it: keys and colours are checked before anything is drawn."""

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from nhlog.screen import Style
from terminal.screen.console import Console
from terminal.screen.keys import KeyTable
from terminal.screen.preferences import Preferences
from terminal.screen.theme import ROLES, parse_style
from terminal.settings.kept import read_settings

if TYPE_CHECKING:
    from nhlog.config import Choice, Choices, Config

__all__ = ["TABLES", "chosen_keys", "chosen_theme", "key_table", "open_client", "read_client_config"]

TABLES: Final = {
    "replay": ("terminal.replay.controls", "KEYS"),
    "play": ("terminal.play.controller", "PLAY_KEYS"),
    "program": ("terminal.hosting.playing", "PROGRAM_KEYS"),
    "lobby": ("terminal.lobby.model", "LOBBY_KEYS"),
    "messages": ("terminal.messages.history", "MESSAGE_KEYS"),
    "plots": ("terminal.plots.plotting", "PLOT_KEYS"),
    "options": ("terminal.settings.menu", "OPTIONS_KEYS"),
    "ending": ("terminal.ending.ending", "ENDING_KEYS"),
    "menu": ("terminal.replay.menu", "MENU_KEYS"),
}
"""Where the tables of keys are, by their names."""


def read_client_config() -> "Config":
    """The configuration, of which keys and styles were checked; raises all mistakes of it at once."""
    from nhlog.config import read_config

    return read_config(check=_check_choices)


def _check_choices(keys: "Choices", theme: "Choices") -> None:
    from nhlog.config import together

    together(partial(chosen_keys, keys), partial(chosen_theme, theme))


def open_client(color: str, config: "Config") -> Console:
    """The terminal of the client; raises :class:`~nhlog.errors.Usage` for what cannot be, with its line."""
    keys, theme = chosen_keys(config.keys), chosen_theme(config.theme)
    appearance = read_settings().appearance
    return Console(color, Preferences(keys, theme, config.idle_minutes, config.mouse, appearance))


def chosen_keys(choices: "Choices") -> dict[str, KeyTable[Any]]:
    """The tables for which the user chose keys, by their names."""
    from nhlog.config import together

    tables: dict[str, list[Choice]] = {}
    for choice in choices:
        tables.setdefault(choice.table, []).append(choice)
    found = together(*(partial(_chosen_table, name, chosen) for name, chosen in tables.items()))
    return dict(zip(tables, found, strict=True))


def _chosen_table(name: str, choices: "list[Choice]") -> KeyTable[Any]:
    if name not in TABLES:
        raise choices[0].refused(f"no such keys: {name}", expected=" or ".join(TABLES))
    return key_table(name).chosen(choices)


def chosen_theme(choices: "Choices") -> dict[str, Style]:
    """The styles that the user chose, by their roles."""
    from nhlog.config import together

    return dict(together(*(partial(_chosen_style, choice) for choice in choices)))


def _chosen_style(choice: "Choice") -> tuple[str, Style]:
    if choice.name not in ROLES:
        raise choice.refused(f"unknown style: {choice.name}", expected=" or ".join(ROLES))
    try:
        return choice.name, parse_style(" ".join(choice.value))
    except ValueError:
        expected = "colours and attributes, as 'bold yellow on #202040'"
        raise choice.refused(f"bad value for {choice.name}", expected, found=repr(" ".join(choice.value))) from None


def key_table(name: str) -> KeyTable[Any]:
    """The table of this name, as it is without a configuration."""
    module, table = TABLES[name]
    found: KeyTable[Any] = getattr(import_module(module), table)
    return found
