"""What a user or an administrator has settled once, in `config.toml` of their configuration folder.

The system's file holds for everybody, a user's own comes over it; who is an administrator is read from a file that
users cannot write.  A missing file or key means the default; an unknown key or value is an error, not a silent one.
"""

import math
import os
import stat
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import field
from enum import Enum
from pathlib import Path
from typing import Any, Final, NamedTuple

from platformdirs import site_config_path, user_config_path, user_data_path

from nhlog.errors import Usage
from nhlog.log.append import Durability
from nhlog.log.notify import NotifyMethod
from nhlog.values import dataclass

__all__ = ["Choice", "Config", "config_path", "read_config", "system_config_path"]


def _own_games() -> Path:
    return user_data_path("nhlog") / "games"


class Choice(NamedTuple):
    """What was chosen for something that has its name elsewhere, and is checked there: `value` for `name` of `table`.

    `file` and `line` are where it stands.
    """

    table: str
    name: str
    value: tuple[str, ...]
    file: str
    line: int

    def refused(self, what: str, expected: str | None = None, found: str | None = None) -> Usage:
        """The error that says why it cannot be."""
        return Usage(f"line {self.line}: {what}", file=self.file, expected=expected, found=found)


@dataclass(frozen=True, slots=True)
class Config:
    """`durability`: when writers wait for the disk; `notify`: how watchers hear of changes, None for what suits.

    `games` is the folder where games are played, `finished` the one where they go when they are over, None if they
    stay; `recordings` are folders with others to be seen, `maps` folders with Teeworlds maps.  `idle_minutes`: how long
    the client waits for a key before it ends, None for ever.  `mouse` is whether it listens to the mouse.
    `administrators` are the users who may take back a game that is not theirs to take back.  `keys` are the keys that
    the user chose for actions of the client, by the client's tables, `theme` the styles for what it draws.
    """

    durability: Durability = Durability.NONE
    notify: NotifyMethod | None = None
    games: Path = field(default_factory=_own_games)
    finished: Path | None = None
    recordings: tuple[Path, ...] = ()
    maps: tuple[Path, ...] = ()
    idle_minutes: float | None = None
    mouse: bool = True
    administrators: tuple[str, ...] = ()
    keys: tuple[Choice, ...] = ()
    theme: tuple[Choice, ...] = ()


def config_path() -> Path:
    """Where a user's file is looked for: ``~/.config/nhlog/config.toml`` unless XDG_CONFIG_HOME says otherwise."""
    return user_config_path("nhlog") / "config.toml"


def system_config_path() -> Path:
    """Where the administrator's is: ``/etc/xdg/nhlog/config.toml`` unless XDG_CONFIG_DIRS says otherwise."""
    return site_config_path("nhlog") / "config.toml"


def read_config(path: Path | None = None, system: Path | None = None) -> Config:
    """The configuration of both files; raises :class:`Usage` naming the file, and the key, for what cannot be meant."""
    shared, own = _Written(system or system_config_path()), _Written(path or config_path())
    chosen = shared.settings()
    if not _kept_from_users(shared.path):
        chosen.pop("administrators", None)
    if "administrators" in own.values and own.path != shared.path:
        raise own.refused(
            ("administrators",), "administrators are named by the system's file alone", expected=str(shared.path)
        )
    config = Config(
        **chosen | own.settings(),
        keys=_last([*shared.keys(), *own.keys()]),
        theme=_last([*shared.styles(), *own.styles()]),
    )
    if config.finished is not None and config.finished.resolve() == config.games.resolve():
        named = own if "finished" in own.values else shared
        raise named.refused(("finished",), "bad value for finished", expected="another folder than games")
    return config


def _last(choices: list[Choice]) -> tuple[Choice, ...]:
    """Of several choices for the same thing the last one."""
    return tuple({(choice.table, choice.name): choice for choice in choices}.values())


class _Written:
    """What a file says: `values` as TOML has them; none if there is no file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._text = ""
        try:
            self._text = path.read_text(encoding="utf-8")
            self.values: dict[str, Any] = tomllib.loads(self._text)
        except FileNotFoundError:
            self.values = {}
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise Usage(f"not TOML: {error}", file=str(path)) from None
        except OSError as error:
            raise Usage(f"cannot be read: {(error.strerror or str(error)).lower()}", file=str(path)) from None

    def settings(self) -> dict[str, Any]:
        """The settings of all keys but those of tables."""
        return {key: self._setting(key, value) for key, value in self.values.items() if key not in _TABLES}

    def _setting(self, key: str, value: Any) -> Any:
        if key not in _READERS:
            raise self.refused((key,), f"no such setting: {key}", expected=" or ".join((*_READERS, *_TABLES)))
        read, expected = _READERS[key]
        try:
            return read(value)
        except (ValueError, TypeError):
            raise self.refused((key,), f"bad value for {key}", expected=expected, found=repr(value)) from None

    def keys(self) -> Iterator[Choice]:
        """The keys that are chosen, in tables of the table `keys`."""
        for table in self._table("keys"):
            for name in self._table("keys", table):
                yield self._choice("keys", table, name, expected='a list of keys, as ["Space", "p", "Ctrl-P"]')

    def styles(self) -> Iterator[Choice]:
        """The styles that are chosen, in the table `theme`."""
        for name in self._table("theme"):
            yield self._choice("theme", name, expected='colours and attributes, as "bold yellow on blue"')

    def _choice(self, *place: str, expected: str) -> Choice:
        """What is chosen at this place: a text, or a list of some."""
        *_, table, name = place
        value = self._table(*place[:-1])[name]
        try:
            texts = _list(_text)([value] if isinstance(value, str) else value)
        except TypeError:
            raise self.refused(place, f"bad value for {name}", expected=expected, found=repr(value)) from None
        return Choice(table, name, texts, str(self.path), self._line(place))

    def _table(self, *keys: str) -> dict[str, Any]:
        value: Any = self.values
        for key in keys:
            value = value.get(key, {})
        if not isinstance(value, dict):
            raise self.refused(keys, f"bad value for {'.'.join(keys)}", expected="a table", found=repr(value))
        return value

    def refused(self, keys: tuple[str, ...], what: str, expected: str | None = None, found: str | None = None) -> Usage:
        """The error that says what is wrong with the value of these keys, each in the table before it."""
        return Usage(f"line {self._line(keys)}: {what}", file=str(self.path), expected=expected, found=found)

    def _line(self, keys: tuple[str, ...]) -> int:
        """The line in which the value of these keys begins, as TOML's own reader sees it."""
        lines, begins = self._text.splitlines(), 1
        for number in range(1, len(lines) + 1):
            try:
                value: Any = tomllib.loads("\n".join(lines[:number]))
            except tomllib.TOMLDecodeError:
                continue  # in the middle of a value
            for key in keys:
                value = value.get(key) if isinstance(value, dict) else None
            if value is not None:
                return begins
            begins = number + 1
        return begins


def _kept_from_users(path: Path) -> bool:
    """Whether only the system's administrator can write the file and what it lies in."""
    try:
        places = [os.stat(place) for place in (path, path.parent)]
    except OSError:
        return False
    return all(place.st_uid == 0 and not place.st_mode & (stat.S_IWGRP | stat.S_IWOTH) for place in places)


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError
    return value


def _folder(value: Any) -> Path:
    return Path(_text(value)).expanduser()


def _minutes(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise TypeError
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _list(of: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise TypeError
        return tuple(of(item) for item in value)

    return read


def _choices(kind: type[Enum]) -> str:
    return " or ".join(repr(choice.value) for choice in kind)


_READERS: Final[dict[str, tuple[Callable[[Any], Any], str]]] = {
    "durability": (Durability, _choices(Durability)),
    "notify": (NotifyMethod, _choices(NotifyMethod)),
    "games": (_folder, "a folder's name"),
    "finished": (_folder, "a folder's name"),
    "recordings": (_list(_folder), "a list of folders' names"),
    "maps": (_list(_folder), "a list of folders' names"),
    "idle_minutes": (_minutes, "a number above 0"),
    "mouse": (_flag, "true or false"),
    "administrators": (_list(_text), "a list of users' names"),
}
_TABLES: Final = ("keys", "theme")
