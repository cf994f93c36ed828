"""`nhlog lobby`: choose a game to play or to watch; the default command of `nhlog`."""

from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import click

from nhlog.errors import Usage
from terminal.options import FILE, color_option

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from nhlog.config import Config
    from terminal.lobby.elsewhere import Elsewhere
    from terminal.lobby.left import Left
    from terminal.lobby.visitors import Visitor

__all__ = ["command"]

_SEEN_BY_ALL = 0o022  # the umask of players: others watch from other accounts, too


@click.command("lobby")
@click.argument("folders", nargs=-1, type=FILE, metavar="[DIR...]")
@click.option("--player", metavar="NAME", help="For sshd: the lobby of this player of the server, and nothing else.")
@click.option("--key", default="", metavar="FINGERPRINT", help="For sshd: the key by which this player logged in.")
@click.option("--spectator", is_flag=True, help="For sshd: a lobby for watching only.")
@click.option(
    "--relay", metavar="nats://HOST", help="Also list the games that `nhlog relay` sends to this NATS server."
)
@color_option
def command(
    folders: tuple[str, ...], player: str | None, key: str, spectator: bool, relay: str | None, color: str
) -> None:
    """Choose a game or recording: continue your own games, watch others', replay the rest.

    It lists DIR, and the folders `games`, `finished` and `recordings` of config.toml. On a server it lists the games of
    all players; if they share one account, NAME says who is playing (docs/server.md).

    \b
    nhlog
    nhlog lobby samples/
    nhlog lobby --player ann
    nhlog lobby --relay nats://hub.example.org
    """
    import sys
    from functools import partial
    from pathlib import Path

    if player is not None or spectator:
        from terminal.screen.tty.front import step_back

        step_back("terminal.behind", sys.argv[1:])

    from nhlog.players import Players
    from nhlog.players.maintenance import announced
    from nhlog.players.notices import Notices
    from terminal.client import chosen_keys, open_client
    from terminal.lobby.folders import Folders
    from terminal.lobby.loop import visit
    from terminal.lobby.model import Lobby
    from terminal.screen.tty.front import channel

    if (player is not None) + spectator + bool(folders) > 1:
        raise Usage("choose one: --player NAME, --spectator or DIR")
    visitor, config = _player(player) if player is not None else _spectator() if spectator else _user()
    logging = [game.name for game in config.programs if game.walls.logs is not None]
    logs = [] if visitor.folder is None else [visitor.folder.logs / name for name in logging]
    paths = (*config.folders, *logs, *map(Path, folders))
    players = None if config.players is None else Players(config.players)

    def choose(left: "Left | None" = None) -> "Left | None":
        with _elsewhere(relay, config) as elsewhere, open_client(color, config) as console:
            with Folders(paths, players) as found:
                lobby = Lobby(found, visitor, console.bound)
                lobby.contents.elsewhere = elsewhere
                lobby.is_left = is_left
                if left is None:
                    lobby.notices, lobby.notice = Notices(config.door), announced(config.door)
                    lobby.message = lobby.notice or config.motd or ""
                else:
                    left.give(lobby)
                visit(console, lobby, config)
            if not lobby.program:
                return None
            from terminal.lobby.left import Left

            return Left.of(lobby, console.typed_ahead())

    with _attending(visitor, config, key):
        is_left = visitor.plays and channel() is not None
        if not is_left:
            choose()
            return
        from terminal.lobby.left import play_left  # and all that is needed to play
        from terminal.screen.tty.apart import apart

        left = apart(choose)
        while left is not None:
            left = apart(partial(choose, play_left(left, visitor, config, chosen_keys(config.keys))))


@contextmanager
def _attending(visitor: "Visitor", config: "Config", key: str) -> "Iterator[None]":
    """A scope in which a player of the server counts as there; raises :class:`Banned` for one who may not be."""
    from nhlog.players.sessions import attending
    from terminal.lobby.visitors import PlayerVisitor

    if not isinstance(visitor, PlayerVisitor):
        yield
        return
    with attending(visitor.folder):
        if config.door is not None:  # asked now: who bans somebody ends those who are there after that
            _refuse_banned(config.door, visitor.folder.name, key)
        yield


def _elsewhere(url: str | None, config: "Config") -> "AbstractContextManager[Elsewhere | None]":
    """What is announced at a NATS server; nothing without one."""
    if url is None:
        return nullcontext()
    from nhlog.relay.login import options_of
    from nhlog.relay.wire import parse_server
    from terminal.lobby.elsewhere import Elsewhere

    return Elsewhere(parse_server(url), options_of(config.relay))


def _user() -> "tuple[Visitor, Config]":
    """A user of the system, who has a configuration."""
    import os

    from terminal.client import read_client_config
    from terminal.lobby.visitors import User

    return User(os.getuid()), read_client_config()


def _player(name: str) -> "tuple[Visitor, Config]":
    """A player of this server, whose games and options are in the player's folder."""
    import os
    from dataclasses import replace

    from nhlog.players import Players
    from terminal.lobby.visitors import PlayerVisitor

    config, players = _server()
    folder = Players(players).folder(name)
    os.umask(_SEEN_BY_ALL)
    folder.make()
    _keep_options_in(folder.settings)
    return PlayerVisitor(folder), replace(config, games=folder.games)


def _refuse_banned(keys: "Path", name: str, key: str) -> None:
    """Raise :class:`Banned` for a player who may not play."""
    import time

    from nhlog.players.bans import Banned, Bans, Comer
    from nhlog.players.sessions import address_of_session

    ban = Bans(keys).of(Comer(name, key, address_of_session()), time.time())
    if ban is not None:
        raise Banned(f"{name} may not play here{ban.told}")


def _spectator() -> "tuple[Visitor, Config]":
    """Somebody who watches, and keeps nothing."""
    import os
    from pathlib import Path

    from terminal.lobby.visitors import Spectator

    config, _ = _server()
    _keep_options_in(Path(os.devnull))
    return Spectator(), config


def _server() -> "tuple[Config, Path]":
    """What the administrator of a server has settled, and the folder of its players; an account has no say in it."""
    import os
    import sys

    from nhlog.config import read_system_config
    from nhlog.files.processes import user_name

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Usage("only the lobby can run here, and it needs a terminal: ssh -t")
    config = read_system_config()
    if config.players is None:
        raise Usage("this is not a server: players is not set in the system's config.toml (docs/server.md)")
    if (account := user_name(os.getuid())) in config.administrators:
        raise Usage(f"{account} is an administrator; players must use another account")
    return config, config.players


def _keep_options_in(folder: "Path") -> None:
    """Have the user's configuration in this folder: for this process, and those it starts, the player is the user."""
    import os

    os.environ["XDG_CONFIG_HOME"] = str(folder)
