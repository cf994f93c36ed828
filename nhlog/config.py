"""What a user or an administrator has settled once, in `config.toml` of the user's configuration folder.

A missing file or key means the default; an unknown key or value is an error, as it would otherwise be a silent one.
"""

import tomllib
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from nhlog.errors import Usage
from nhlog.log.append import Durability
from nhlog.log.notify import Way

__all__ = ["Config", "config_path", "read_config"]


@dataclass(frozen=True, slots=True)
class Config:
    """`durability`: when writers wait for the disk; `notify`: how watchers hear of changes, None for what suits."""

    durability: Durability = Durability.NONE
    notify: Way | None = None


def config_path() -> Path:
    """Where the file is looked for: ``~/.config/nhlog/config.toml`` unless XDG_CONFIG_HOME says otherwise."""
    return user_config_path("nhlog") / "config.toml"


def read_config(path: Path | None = None) -> Config:
    """The configuration in `path`; raises :class:`Usage` naming the file, and the key, for what cannot be meant."""
    path = path or config_path()
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Config()
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Usage(f"not TOML: {error}", file=str(path)) from None
    chosen = {key: _chosen(path, key, value) for key, value in settings.items()}
    return Config(**chosen)


_CHOICES: dict[str, type[Enum]] = {"durability": Durability, "notify": Way}


def _chosen(path: Path, key: str, value: Any) -> Any:
    choices = _CHOICES.get(key)
    if choices is None:
        raise Usage(f"no such setting: {key}", file=str(path), expected=" or ".join(_CHOICES))
    try:
        return choices(value)
    except ValueError:
        expected = " or ".join(repr(choice.value) for choice in choices)
        raise Usage(f"bad value for {key}", file=str(path), expected=expected, found=repr(value)) from None
