"""The file of what a player has chosen in the client: ``options.toml`` beside their config.toml.

The client writes it whole; who edits it is told of what cannot be meant.
"""

import os
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, Final

from nhlog.config import config_path
from nhlog.config.toml import NotTOML, parse_toml, toml_text
from nhlog.errors import NhlogError, Usage
from nhlog.files import atomic, read_whole, refusals
from nhlog.values import dataclass
from terminal.messages.others import TALK, Wants
from terminal.screen.preferences import COLORS, SYMBOLS, Appearance
from terminal.text.words import printable

__all__ = ["Settings", "keep_settings", "read_settings", "settings_path"]

LARGEST: Final = 1 << 20  # bytes
_TOLD: Final = 100  # characters of what is wrong


@dataclass(frozen=True, slots=True)
class Settings:
    """How screens look, the options that new `games` begin with, by the id of their engine, and what the player `wants`
    of those who watch.
    """

    appearance: Appearance = field(default_factory=Appearance)
    games: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    wants: Wants = Wants()

    def with_option(self, game: str, name: str, value: str) -> "Settings":
        """These settings with another value of an option of new games."""
        return replace(self, games={**self.games, game: {**self.games.get(game, {}), name: value}})


def settings_path() -> str:
    """Where the file is: ``~/.config/nhlog/options.toml`` unless XDG_CONFIG_HOME says otherwise."""
    return str(config_path().with_name("options.toml"))


def read_settings() -> Settings:
    """What is kept; raises :class:`Usage` naming the file for what cannot be meant."""
    path = settings_path()
    if not os.path.lexists(path):
        return Settings()
    try:
        table = parse_toml(read_whole(path, LARGEST).decode())
    except (NotTOML, UnicodeDecodeError) as error:
        raise Usage(f"not TOML: {error}", file=path) from None
    except NhlogError as error:
        raise Usage(f"cannot be read: {error.what}", file=path) from None
    games = {name: value for name, value in table.items() if isinstance(value, dict)}
    for name in table.keys() - games.keys() - {"colors", "symbols", "mail", "talk"}:
        raise Usage(f"no such option: {_told(name)}", file=path, expected="colors, symbols, mail or talk")
    for name, options in games.items():
        if not all(isinstance(value, str) for value in options.values()):
            raise Usage(f"bad value in {_told(name)}", file=path, expected="texts")
    colors, symbols = _one_of(table, "colors", COLORS, path), _one_of(table, "symbols", SYMBOLS, path)
    mail = table.get("mail", True)
    if not isinstance(mail, bool):
        raise Usage("bad value for mail", file=path, expected="true or false", found=_told(repr(mail)))
    return Settings(Appearance(colors, symbols), games, Wants(mail, _one_of(table, "talk", TALK, path)))


def keep_settings(settings: Settings) -> None:
    """Write the file; raises :class:`NhlogError`, also for who has no place for it."""
    path = settings_path()
    look = settings.appearance
    lines = [f"colors = {toml_text(look.colors)}", f"symbols = {toml_text(look.symbols)}"]
    lines += [f"mail = {str(settings.wants.mail).lower()}", f"talk = {toml_text(settings.wants.talk)}"]
    for name, options in settings.games.items():
        lines += ["", f"[{toml_text(name)}]", *(f"{toml_text(key)} = {toml_text(options[key])}" for key in options)]
    with refusals(path):
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        except NotADirectoryError:
            raise NhlogError("there is no folder for it") from None
        atomic.replace(path, ["".join(f"{line}\n" for line in lines).encode()])


def _one_of(table: Mapping[str, Any], name: str, values: Any, path: str) -> str:
    usual, *_ = values
    value = table.get(name, usual)
    if value not in tuple(values):
        raise Usage(f"bad value for {name}", file=path, expected=" or ".join(values), found=_told(repr(value)))
    return str(value)


def _told(text: str) -> str:
    """A name or a value in the file, as a part of a message of one line."""
    return printable(text[:_TOLD])
