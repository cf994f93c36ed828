"""`nhlog players`: who can log in to play, and by which keys."""

from typing import TYPE_CHECKING

import click

from nhlog.errors import Usage
from terminal.options import json_option
from terminal.output import print_json, print_lines, print_table

if TYPE_CHECKING:
    from nhlog.config import Config
    from nhlog.operations import Record
    from nhlog.players import KeyFile
    from nhlog.players.keys import KeyLine, PublicKey

__all__ = ["command"]

MOST = 1 << 16  # bytes of a file with a public key


@click.command("players")
@click.argument("action", type=click.Choice(["list", "add", "remove"]), default="list")
@click.argument("name", required=False)
@click.argument("key", required=False)
@click.option("--spectator", is_flag=True, help="With add: the key is for watching only.")
@json_option
def command(action: str, name: str | None, key: str | None, spectator: bool, as_json: bool) -> None:
    """List, add or remove the players of this server.

    KEY is a public SSH key, or the name of a file with one (- for standard input). A player may have several.
    `authorized_keys` in the system's config.toml is the file where the keys are stored, and where sshd finds them. Each
    key runs `nhlog lobby --player NAME` and nothing else. Removing a player deletes all their keys; games and
    recordings stay, and belong to the player again with a new key.

    \b
    nhlog players
    nhlog players add ann ann.pub
    nhlog players add ann 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHb...'
    nhlog players add --spectator guest guest.pub
    nhlog players remove ann
    """
    from nhlog.config import read_system_config
    from nhlog.players import KeyFile
    from nhlog.players.keys import KeyLine

    config = read_system_config()
    if config.authorized_keys is None:
        raise Usage("authorized_keys is not set in the system's config.toml (docs/server.md)")
    file = KeyFile(config.authorized_keys)
    if action == "list" and name is None:
        _list(file, config, as_json=as_json)
    elif action == "add" and name is not None and key is not None:
        added = KeyLine(name, _public_key(key), spectator)
        file.add(added, _program())
        print_lines(f"{name} can log in to {_may(added)}, by {added.key.fingerprint}")
    elif action == "remove" and name is not None and key is None:
        file.remove(name)
        print_lines(f"{name} can no longer log in; games and recordings are kept")
    else:
        raise Usage("players takes list, add NAME KEY or remove NAME")


def _may(key: "KeyLine") -> str:
    """What the key is good for."""
    return "watch" if key.spectator else "play"


def _public_key(text: str) -> "PublicKey":
    """The key that was given, or the one in the file of this name."""
    from nhlog.files import read_whole
    from nhlog.players.keys import parse_key

    if " " in text.strip():
        return parse_key(text)
    try:
        return parse_key(read_whole(text, MOST).decode("utf-8", "replace"))
    except Usage as error:
        raise error.within(text) from None


def _program() -> str:
    """The nhlog that runs here, for sshd to run."""
    import os
    import shutil
    import sys

    beside = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), "nhlog")
    found = beside if os.access(beside, os.X_OK) else shutil.which("nhlog")
    if found is None:
        raise Usage(
            "cannot find the nhlog command for sshd", expected="one beside Python, or on the PATH", found=sys.executable
        )
    return found


def _list(file: "KeyFile", config: "Config", *, as_json: bool) -> None:
    """A row for each key, and for each player without one."""
    from nhlog.players import Players

    rows: list[Record] = [
        {"player": key.name, "may": _may(key), "kind": key.key.kind, "fingerprint": key.key.fingerprint}
        for key in file.keys
    ]
    known = {row["player"] for row in rows}
    folders = [] if config.players is None else Players(config.players).all
    rows += [
        {"player": folder.name, "may": None, "kind": None, "fingerprint": None}
        for folder in folders
        if folder.name not in known
    ]
    rows.sort(key=lambda row: str(row["player"]).casefold())
    if as_json:
        for row in rows:
            print_json(row)
    elif rows:
        print_table([{name: value or "" for name, value in row.items()} for row in rows])
    else:
        print_lines("there are no players yet: nhlog players add NAME KEY", err=True)
