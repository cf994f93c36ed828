"""All that is settled: the system's file holds for everybody, and a user's own comes over it.

Who is an administrator, who plays under which name, and what others run as a game is read from files that those it
concerns cannot write.  A missing file or key means the default; an unknown key or value is an error, not a silent one.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Any, Final, Never

from nhlog.config.accounts import ACCOUNTS, Accounts, accounts_in
from nhlog.config.programs import FOLDER, GAMES, GameProgram, programs_in
from nhlog.config.relay import RELAY, Relay, relay_in
from nhlog.config.values import amount, choices, count, flag, folder, line, list_of, minutes, text
from nhlog.config.web import WEB, Web, web_in
from nhlog.config.written import Choice, Choices, Readers, Written, together
from nhlog.errors import Usage
from nhlog.log import Durability, NotifyMethod
from nhlog.values import dataclass

__all__ = [
    "Config",
    "config_path",
    "own_folder",
    "read_config",
    "read_system_config",
    "system_config_path",
]

_ROOT: Final = 0
_OF_PLAYERS: Final = ("players", "authorized_keys", ACCOUNTS, "quota_games", "quota_bytes", "quota_common")
_SYSTEM_ALONE: Final = ("administrators", *_OF_PLAYERS)
"""The settings that users cannot have in their own files."""


def own_folder() -> Path:
    """Where a user's own things are kept who is no named player: ``~/.local/share/nhlog`` by default."""
    from platformdirs import user_data_path  # which a process that is told its settings has no need of

    return _in_home(user_data_path)


def _own_games() -> Path:
    return own_folder() / "games"


@dataclass(frozen=True, slots=True)
class Config:
    """What the files of the configuration say, and the defaults of what they leave out."""

    durability: Durability = Durability.NONE
    """When writers wait for the disk."""
    notify: NotifyMethod | None = None
    """How watchers hear of changes; None for what suits each file."""
    games: Path = field(default_factory=_own_games)
    """The folder where games are played."""
    finished: Path | None = None
    """The folder where games go when they are over; None if they stay."""
    recordings: tuple[Path, ...] = ()
    """Folders with others to be seen."""
    maps: tuple[Path, ...] = ()
    """Folders with Teeworlds maps."""
    tournaments: tuple[Path, ...] = ()
    """Files of rules (see `nhlog.scores.tournament`)."""
    idle_minutes: float | None = None
    """How long the client waits for a key before it ends; None for ever."""
    mouse: bool = True
    """Whether the client listens to the mouse."""
    mail: bool = True
    """Whether watchers may write to players."""
    talk: bool = True
    """Whether watchers may talk to one another."""
    administrators: tuple[str, ...] = ()
    """The users who may take back a game that is not theirs to take back."""
    players: Path | None = None
    """The folder with a folder for each named player; None where there are none."""
    authorized_keys: Path | None = None
    """The file of the players' keys that sshd reads, unless `accounts` has a store of them."""
    accounts: Accounts = field(default_factory=Accounts)
    quota_games: int | None = None
    """How many games a player has at most; None for no limit."""
    quota_bytes: int | None = None
    """How many bytes a player has at most; None for no limit."""
    quota_common: int | None = None
    """How many bytes the dumps and bones of programs have at most, those of all players together; None for no limit."""
    motd: str | None = None
    """What the lobby says first."""
    keys: Choices = ()
    """The keys that the user chose for actions of the client, by the client's tables."""
    theme: Choices = ()
    """The styles that the user chose for what the client draws."""
    programs: tuple[GameProgram, ...] = ()
    """The programs that are offered as games."""
    web: Web = field(default_factory=Web)
    relay: Relay = field(default_factory=Relay)

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where games and recordings are looked for, besides the folders of players."""
        finished = () if self.finished is None else (self.finished,)
        return self.games, *finished, *self.recordings

    @property
    def door(self) -> Path | None:
        """The file by which players are let in: the store of accounts, else the keys that sshd reads; None for none.

        Beside it is what an administrator tells players: bans, notices, maintenance.
        """
        return self.accounts.store or self.authorized_keys


def config_path() -> Path:
    """Where a user's file is looked for: ``~/.config/nhlog/config.toml`` unless XDG_CONFIG_HOME says otherwise."""
    from platformdirs import user_config_path

    return _in_home(user_config_path) / "config.toml"


def _in_home(place: Callable[[str], Path]) -> Path:
    """A place in the user's home; one where nothing is, for a user who has none, as that of a unit's DynamicUser."""
    try:
        return place("nhlog")
    except RuntimeError:
        return Path("/nonexistent/nhlog")


def system_config_path() -> Path:
    """Where the administrator's is: ``/etc/xdg/nhlog/config.toml`` unless XDG_CONFIG_DIRS says otherwise."""
    from platformdirs import site_config_path

    return site_config_path("nhlog") / "config.toml"


def read_config(
    path: Path | None = None, system: Path | None = None, check: Callable[[Choices, Choices], object] | None = None
) -> Config:
    """The configuration of both files; raises :class:`Usage` naming the file, and the key, for what cannot be meant.

    `check` raises what cannot be meant of the keys and the styles; it is given those that can be read, whatever else is
    wrong.
    """
    shared, *owns = files = _written(path, system)
    checks = () if check is None else (lambda: check(_sound_in(files, _keys), _sound_in(files, _styles)),)
    return together(partial(_refuse_own, shared, owns), partial(_merged, files), *checks)[1]  # type: ignore[no-any-return]


def _written(path: Path | None, system: Path | None) -> list[Written]:
    """The system's file, and the user's if it is another one."""
    shared, own = Written(system or system_config_path()), Written(path or config_path())
    return [shared] if own.path == shared.path else [shared, own]


def _refuse_own(shared: Written, owns: list[Written]) -> None:
    """Refuse what a user's own file cannot say."""
    for own in owns:
        for name in _SYSTEM_ALONE:
            if name in own.values:
                raise own.refused((name,), f"{name} can only be set in the system's file", expected=str(shared.path))


def read_system_config(system: Path | None = None) -> Config:
    """The configuration of the system's file alone: for players who have no files of their own."""
    return _merged([Written(system or system_config_path())])


def _merged(files: list[Written]) -> Config:
    """The configuration of these files, the system's first: a later one comes over an earlier one."""
    shared, *_ = files
    settings: dict[str, Any] = {}
    programs: dict[str, GameProgram] = {}
    web: dict[str, Any] = {}
    relay: dict[str, Any] = {}
    accounts: dict[str, Any] = {}
    readers = (
        (settings, _settings),
        (programs, programs_in),
        (web, web_in),
        (relay, relay_in),
        (accounts, accounts_in),
    )
    read = together(
        *(partial(reader, file) for _, reader in readers for file in files),
        lambda: _latest(together(*_choices_in(files, _keys))),
        lambda: _latest(together(*_choices_in(files, _styles))),
    )
    *_, keys, theme = read
    for number, (kind, _) in enumerate(readers):
        for found in read[number * len(files) : (number + 1) * len(files)]:
            kind |= found
    for name in ("mail", "talk"):
        settings[name] = all(file.values.get(name, True) for file in files)  # what the system refuses stays refused
    if not shared.is_kept_by({_ROOT}):
        settings.pop("administrators", None)
    _refuse_strangers(shared)
    config = Config(
        **settings,
        keys=keys,
        theme=theme,
        programs=tuple(programs.values()),
        web=Web(**web),
        relay=Relay(**relay),
        accounts=Accounts(**accounts),
    )
    if config.finished is not None and config.finished.resolve() == config.games.resolve():
        named = [file for file in files if "finished" in file.values][-1]
        raise named.refused(("finished",), "bad value for finished", expected="another folder than games")
    return config


def _refuse_strangers(shared: Written) -> None:
    """Refuse what others than root and the user could have written, and the user would run or be bound by."""
    if shared.is_kept_by({_ROOT, os.geteuid()}):
        return
    for place in [(GAMES, name) for name in programs_in(shared)] + [
        (name,) for name in _OF_PLAYERS if name in shared.values
    ]:
        raise shared.refused(place, f"{place[-1]} is not trusted", expected="file and folder that only root can write")


def _settings(file: Written) -> dict[str, Any]:
    """The settings of all keys but those of tables; the folder of games may stand in the table of games."""
    table = file.values.get(GAMES)
    if not isinstance(table, dict):
        return file.settings(_READERS, others=_TABLES)
    settings = file.settings(_READERS, others=(GAMES, *_TABLES))
    if FOLDER in table:
        inner = {FOLDER: _READERS[GAMES]}
        settings[GAMES] = file.settings(inner, GAMES, others=[name for name in table if name != FOLDER])[FOLDER]
    return settings


def _keys(file: Written) -> Iterator[Callable[[], Choice]]:
    """What reads each of the keys that are chosen, in tables of the table `keys`."""
    for table in file.table("keys"):
        try:
            names = file.table("keys", table)
        except Usage as error:  # it is no table
            yield partial(_raise, error)
            continue
        for name in names:
            yield partial(_choice, file, "keys", table, name, expected='a list of keys, as ["Space", "p", "Ctrl-P"]')


def _styles(file: Written) -> Iterator[Callable[[], Choice]]:
    """What reads each of the styles that are chosen, in the table `theme`."""
    for name in file.table("theme"):
        yield partial(_choice, file, "theme", name, expected='colours and attributes, as "bold yellow on blue"')


def _raise(error: Usage) -> Never:
    raise error


def _choice(file: Written, *place: str, expected: str) -> Choice:
    """What is chosen at this place: a text, or a list of some."""
    *_, table, name = place
    value = file.table(*place[:-1])[name]
    try:
        texts = list_of(text)([value] if isinstance(value, str) else value)
    except TypeError:
        raise file.refused(place, f"bad value for {name}", expected=expected, found=repr(value)) from None
    return Choice(table, name, texts, str(file.path), file.line(place))


def _choices_in(
    files: list[Written], kind: Callable[[Written], Iterator[Callable[[], Choice]]]
) -> list[Callable[[], Choice]]:
    """What reads the choices of a kind in these files, one by one."""
    read: list[Callable[[], Choice]] = []
    for file in files:
        try:
            read += kind(file)
        except Usage as error:  # there is no such table in it, but something else of that name
            read.append(partial(_raise, error))
    return read


def _sound_in(files: list[Written], kind: Callable[[Written], Iterator[Callable[[], Choice]]]) -> Choices:
    """The choices of a kind in these files that can be read."""
    return _latest(choice for read in _choices_in(files, kind) for choice in _if_sound(read))


def _if_sound(read: Callable[[], Choice]) -> list[Choice]:
    with suppress(Usage):
        return [read()]
    return []


def _latest(choices: Iterable[Choice]) -> Choices:
    """Of several choices for the same thing the last one."""
    return tuple({(choice.table, choice.name): choice for choice in choices}.values())


_READERS: Final[Readers] = {
    "durability": (Durability, choices(Durability)),
    "notify": (NotifyMethod, choices(NotifyMethod)),
    "games": (folder, "a folder's name"),
    "finished": (folder, "a folder's name"),
    "recordings": (list_of(folder), "a list of folders' names"),
    "maps": (list_of(folder), "a list of folders' names"),
    "tournaments": (list_of(folder), "a list of files' names"),
    "idle_minutes": (minutes, "a number above 0"),
    "mouse": (flag, "true or false"),
    "mail": (flag, "true or false"),
    "talk": (flag, "true or false"),
    "administrators": (list_of(text), "a list of users' names"),
    "players": (folder, "a folder's name"),
    "authorized_keys": (folder, "a file's name"),
    "quota_games": (count, "a whole number above 0"),
    "quota_bytes": (amount, "a number of bytes above 0, or a text, as '512M'"),
    "quota_common": (amount, "a number of bytes above 0, or a text, as '512M'"),
    "motd": (line, "a text of characters that can be shown"),
}
_TABLES: Final = ("keys", "theme", WEB, RELAY, ACCOUNTS)
