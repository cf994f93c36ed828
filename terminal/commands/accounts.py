"""`nhlog accounts`: what sshd and systemd run on a server whose accounts are in a store."""

from typing import TYPE_CHECKING

import click

from nhlog.errors import Usage

if TYPE_CHECKING:
    from pathlib import Path

    from nhlog.config import Config
    from nhlog.players.keys import PublicKey

__all__ = ["command"]

ACTIONS = ("serve", "register", "login")


@click.command("accounts")
@click.argument("action", type=click.Choice(ACTIONS))
@click.argument("key", nargs=-1, metavar="[KIND DATA]")
def command(action: str, key: tuple[str, ...]) -> int:
    """For sshd and systemd: let strangers register as players, and players log in by passwords.

    `serve` is the service that keeps the accounts: it runs as the owner of the store's folder, and listens at a socket
    beside the store, or at the one that systemd hands over. `register` is the session of somebody whose public key
    nobody has; `nhlog-keys` has sshd run it. `login` is that of somebody without a key, who is asked for name and
    password. Both go on to the lobby. docs/server.md has the lines for sshd.

    \b
    nhlog accounts serve
    nhlog accounts login
    """
    from nhlog.config import read_system_config
    from nhlog.players.keys import parse_key

    config = read_system_config()
    store = config.accounts.store
    if store is None:
        raise Usage("store is not set in [accounts] of the system's config.toml (docs/server.md)")
    if action == "register" and len(key) == 2:
        return _register(store, parse_key(" ".join(key)))
    if key:
        raise Usage(f"accounts takes {', '.join(ACTIONS)}; only register takes a key")
    if action == "serve":
        return _serve(store, config)
    if action == "login":
        return _log_in(store)
    raise Usage("accounts register takes a key: KIND DATA")


def _serve(store: "Path", config: "Config") -> int:
    """Answer sessions until the process is ended."""
    import os

    from nhlog.accounts.broker import Broker
    from nhlog.accounts.serving import listening, serve
    from nhlog.accounts.store import Store
    from nhlog.config import read_system_config
    from nhlog.players.asking import socket_of

    keeper = os.stat(store.absolute().parent).st_uid
    if os.geteuid() != keeper:
        raise Usage("the owner of the store's folder has to serve it", file=str(store), expected=keeper)
    heard = {0, keeper} | (set() if config.players is None else {os.stat(config.players).st_uid})
    with Store(store, make=True) as accounts, listening(socket_of(store)) as listener:
        serve(listener, Broker(accounts, read_system_config), heard)
    return 0


def _register(store: "Path", key: "PublicKey") -> int:
    from terminal.accounts.sessions import register

    _need_terminal()
    name = register(store, key)
    return 0 if name is None else _become_lobby("--player", name, "--key", key.fingerprint)


def _log_in(store: "Path") -> int:
    from terminal.accounts.sessions import log_in

    _need_terminal()
    name = log_in(store)
    return 0 if name is None else _become_lobby("--player", name)


def _need_terminal() -> None:
    import sys

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Usage("only questions can be answered here, in a terminal: ssh -t")


def _become_lobby(*options: str) -> int:
    """Be the lobby of the player, as sshd runs it for a key that is known."""
    import os

    from terminal.accounts.program import nhlog_path

    os.execv(program := nhlog_path(), (program, "lobby", *options))
    raise AssertionError
