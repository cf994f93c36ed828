"""What a user or an administrator has settled once, in `config.toml` of their configuration folder.

The system's file holds for everybody, a user's own comes over it; who is an administrator is read from a file that
users cannot write.  A missing file or key means the default; an unknown key or value is an error, not a silent one.
"""

import math
import os
import stat
import tomllib
from collections.abc import Callable
from dataclasses import field
from enum import Enum
from pathlib import Path
from typing import Any, Final

from platformdirs import site_config_path, user_config_path, user_data_path

from nhlog.errors import Usage
from nhlog.log.append import Durability
from nhlog.log.notify import NotifyMethod
from nhlog.values import dataclass

__all__ = ["Config", "config_path", "read_config", "system_config_path"]


def _own_games() -> Path:
    return user_data_path("nhlog") / "games"


@dataclass(frozen=True, slots=True)
class Config:
    """`durability`: when writers wait for the disk; `notify`: how watchers hear of changes, None for what suits.

    `games` is the folder where games are played, `finished` the one where they go when they are over, None if they
    stay; `recordings` are folders with others to be seen, `maps` folders with Teeworlds maps.  `idle_minutes`: how long
    the client waits for a key before it ends, None for ever.
    `administrators` are the users who may take back a game that is not theirs to take back.
    """

    durability: Durability = Durability.NONE
    notify: NotifyMethod | None = None
    games: Path = field(default_factory=_own_games)
    finished: Path | None = None
    recordings: tuple[Path, ...] = ()
    maps: tuple[Path, ...] = ()
    idle_minutes: float | None = None
    administrators: tuple[str, ...] = ()


def config_path() -> Path:
    """Where a user's file is looked for: ``~/.config/nhlog/config.toml`` unless XDG_CONFIG_HOME says otherwise."""
    return user_config_path("nhlog") / "config.toml"


def system_config_path() -> Path:
    """Where the administrator's is: ``/etc/xdg/nhlog/config.toml`` unless XDG_CONFIG_DIRS says otherwise."""
    return site_config_path("nhlog") / "config.toml"


def read_config(path: Path | None = None, system: Path | None = None) -> Config:
    """The configuration of both files; raises :class:`Usage` naming the file, and the key, for what cannot be meant."""
    path, system = path or config_path(), system or system_config_path()
    chosen = {key: _chosen(system, key, value) for key, value in _settings(system).items()}
    if not _kept_from_users(system):
        chosen.pop("administrators", None)
    own = _settings(path)
    if "administrators" in own and path != system:
        raise Usage("administrators are named by the system's file alone", file=str(path), expected=str(system))
    config = Config(**chosen | {key: _chosen(path, key, value) for key, value in own.items()})
    if config.finished is not None and config.finished.resolve() == config.games.resolve():
        named = path if "finished" in own else system
        raise Usage("bad value for finished", file=str(named), expected="another folder than games")
    return config


def _settings(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Usage(f"not TOML: {error}", file=str(path)) from None
    except OSError as error:
        raise Usage(f"cannot be read: {(error.strerror or str(error)).lower()}", file=str(path)) from None


def _kept_from_users(path: Path) -> bool:
    """Whether only the system's administrator can write the file and what it lies in."""
    try:
        places = [os.stat(place) for place in (path, path.parent)]
    except OSError:
        return False
    return all(place.st_uid == 0 and not place.st_mode & (stat.S_IWGRP | stat.S_IWOTH) for place in places)


def _chosen(path: Path, key: str, value: Any) -> Any:
    if key not in _READERS:
        raise Usage(f"no such setting: {key}", file=str(path), expected=" or ".join(_READERS))
    read, expected = _READERS[key]
    try:
        return read(value)
    except (ValueError, TypeError):
        raise Usage(f"bad value for {key}", file=str(path), expected=expected, found=repr(value)) from None


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
    "administrators": (_list(_text), "a list of users' names"),
}
