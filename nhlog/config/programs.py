"""Programs that are offered as games: the tables `[games.NAME]`, every value checked before anything is run by it."""

import re
from collections.abc import Mapping
from dataclasses import field, fields, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from nhlog.config.presets import PRESETS
from nhlog.config.values import (
    absolute_path,
    amount,
    argument,
    choices,
    count,
    environment,
    file_pattern,
    flag,
    folder,
    inner_path,
    line,
    list_of,
    minutes,
    path_pattern,
    terminal_size,
)
from nhlog.config.written import Readers, Written
from nhlog.values import dataclass

if TYPE_CHECKING:
    from nhlog.vt import Size

__all__ = ["FOLDER", "GAMES", "Around", "GameProgram", "Hooks", "OnDisconnect", "Sandbox", "Walls", "programs_in"]

GAMES: Final = "games"
FOLDER: Final = "folder"
"""The setting of the table `games` that stands for the folder where games are played."""

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,19}")


class OnDisconnect(Enum):
    """What becomes of a game whose player's terminal is gone."""

    HANGUP = "hangup"  # it is told, as by any terminal, and may save
    KEEP = "keep"  # it goes on, and the player comes back to it


class Sandbox(Enum):
    """What keeps a game from other files than its player's."""

    BWRAP = "bwrap"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Walls:
    """What a game may do.

    `network`: reach others.  So many `processes` at most, each with at most `memory` bytes and `cpu_minutes` of the
    processor, each None for no limit.  `readable` are files and folders that it may read beside the system's.  In the
    place of `own_folders` it has copies that are its player's own, and writes there.  What it writes in the folder
    `logs` are logs, which are games by themselves: that folder is a part of the player's, for others to watch.
    """

    sandbox: Sandbox = Sandbox.BWRAP
    network: bool = False
    memory: int | None = None
    processes: int | None = None
    cpu_minutes: float | None = None
    readable: tuple[Path, ...] = ()
    own_folders: tuple[Path, ...] = ()
    logs: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What is done around a game, before and after it.

    Where a game left `broken_files`, as its process died, `repair` makes a saved game of each: a command, in which
    ``{file}`` stands for the file.  What the game writes about who died, in `scores`, `bones` and `dumps`, is taken out
    of the player's folder, for all to see; bones are put into it again before the next game.  All are patterns of
    names in the player's folder, or in one that is the player's own copy of the system's.
    """

    repair: tuple[str, ...] = ()
    broken_files: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    bones: tuple[str, ...] = ()
    dumps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """Commands of the administrator's, run `before` and `after` each game and `on_death`; empty for none.

    They are run outside of the game's walls, with the rights of the account that players share, and without a shell.
    """

    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    on_death: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameProgram:
    """A program that is played as a game, in a recording of the kind `record`: ``cast`` or ``ttyrec``.

    In `command`, `save_files` and the values of `env` ``{player}`` stands for the player's name, and ``{home}`` for the
    player's folder, in which `cwd`, `rcfile` and the patterns `save_files` are if they are not absolute.  `size` is
    that of its terminal, None for the player's.  `idle_limit` is in minutes without a key, `max_players` how many play
    it at the same time, both None for no limit.  A program with its `own_home` shares no file with the player's others:
    two versions of a game do not find each other's saved games.  Without `new_games` it goes on with those that are
    saved, and begins none.
    """

    name: str
    command: tuple[str, ...]
    title: str
    record: str = "cast"
    size: "Size | None" = None
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: Path = Path()
    rcfile: str | None = None
    idle_limit: float | None = None
    max_players: int | None = None
    save_files: tuple[str, ...] = ()
    on_disconnect: OnDisconnect = OnDisconnect.HANGUP
    own_home: bool = False
    new_games: bool = True
    walls: Walls = Walls()
    around: Around = Around()
    hooks: Hooks = Hooks()

    def for_player(self, player: str, home: Path) -> "GameProgram":
        """The same, with this player's name and folder in its command and environment."""

        def told(value: str) -> str:
            return value.replace("{player}", player).replace("{home}", str(home))

        return replace(
            self,
            command=tuple(map(told, self.command)),
            save_files=tuple(map(told, self.save_files)),
            env={name: told(value) for name, value in self.env.items()},
        )


def programs_in(written: Written) -> dict[str, GameProgram]:
    """The programs that a file offers, by their names; raises :class:`Usage` for what cannot be meant."""
    if not isinstance(written.values.get(GAMES), dict):
        return {}
    return {name: _program(written, name) for name in written.table(GAMES) if name != FOLDER}


def _program(written: Written, name: str) -> GameProgram:
    place = (GAMES, name)
    if not _NAME.fullmatch(name):
        raise written.refused(
            place, "bad name for a game", expected="a letter, then at most 19 letters, digits, - or _", found=repr(name)
        )
    settings = written.settings(_READERS, *place)
    settings = _preset(settings.pop("preset", None)) | settings
    if "command" not in settings:
        raise written.refused(place, f"no command for the game {name}", expected="command or preset")
    parts = {
        part: kind(**{key: settings.pop(key) for key in [field.name for field in fields(kind)] if key in settings})
        for part, kind in _PARTS.items()
    }
    _check_places(written, place, parts["around"], parts["walls"])
    if parts["walls"].logs is not None and "max_players" in settings:
        raise written.refused((*place, "max_players"), "no max_players with logs", expected="a game that is recorded")
    settings.setdefault("title", name)
    return GameProgram(name=name, **parts, **settings)


def _preset(name: str | None) -> dict[str, Any]:
    """The settings of a preset, as their readers have them."""
    return {} if name is None else {key: _READERS[key][0](value) for key, value in PRESETS[name].items()}


def _check_places(written: Written, place: tuple[str, ...], around: Around, walls: Walls) -> None:
    """Refuse files that no player has for themselves."""
    named = [(kind.name, path) for kind in fields(around)[1:] for path in map(Path, getattr(around, kind.name))]
    for kind, pattern in [*named, *([] if walls.logs is None else [("logs", walls.logs)])]:
        if pattern.is_absolute() and not any(pattern.is_relative_to(own) for own in walls.own_folders):
            raise written.refused(
                (*place, kind), f"bad value for {kind}", "names in own_folders or the home", str(pattern)
            )


def _command(value: Any) -> tuple[str, ...]:
    command: tuple[str, ...] = list_of(argument)(value)
    if not command or not command[0]:
        raise ValueError
    return command


def _recording(value: Any) -> str:
    if value not in ("cast", "ttyrec"):
        raise ValueError
    return str(value)


def _preset_name(value: Any) -> str:
    if value not in PRESETS:
        raise ValueError
    return str(value)


_PARTS: Final[Mapping[str, type[Any]]] = {"walls": Walls, "around": Around, "hooks": Hooks}
_PATTERNS: Final = (list_of(file_pattern), "a list of patterns of files' names, with * in the last part alone")
_COMMAND: Final = (_command, "a list of texts: a program, and its arguments")
_READERS: Final[Readers] = {
    "command": _COMMAND,
    "title": (line, "a text of characters that can be shown"),
    "record": (_recording, "'cast' or 'ttyrec'"),
    "size": (terminal_size, "a size, as '80x24'"),
    "env": (environment, "a table of texts"),
    "cwd": (folder, "a folder's name"),
    "rcfile": (inner_path, "a file's name, within the player's folder"),
    "idle_limit": (minutes, "a number of minutes above 0"),
    "max_players": (count, "a whole number above 0"),
    "save_files": (list_of(path_pattern), "a list of patterns of files' names"),
    "own_home": (flag, "true or false"),
    "new_games": (flag, "true or false"),
    "on_disconnect": (OnDisconnect, choices(OnDisconnect)),
    "sandbox": (Sandbox, choices(Sandbox)),
    "network": (flag, "true or false"),
    "memory": (amount, "a number of bytes above 0, or a text, as '512M'"),
    "processes": (count, "a whole number above 0"),
    "cpu_minutes": (minutes, "a number of minutes above 0"),
    "readable": (list_of(absolute_path), "a list of whole paths"),
    "logs": (absolute_path, "a whole path of a folder"),
    "own_folders": (list_of(absolute_path), "a list of whole paths of folders"),
    "repair": _COMMAND,
    "broken_files": _PATTERNS,
    "scores": _PATTERNS,
    "bones": _PATTERNS,
    "dumps": _PATTERNS,
    **dict.fromkeys(("before", "after", "on_death"), _COMMAND),
    "preset": (_preset_name, " or ".join(map(repr, PRESETS))),
}
