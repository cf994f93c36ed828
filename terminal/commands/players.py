"""`nhlog players`: who can log in to play, by which keys, and who may not."""

from typing import TYPE_CHECKING

import click

from nhlog.errors import Usage
from terminal.options import age_option, json_option
from terminal.output import print_json, print_lines, print_table

if TYPE_CHECKING:
    from pathlib import Path

    from nhlog.config import Config
    from nhlog.operations import Record
    from nhlog.players import KeyFile
    from nhlog.players.keys import KeyLine, PublicKey

__all__ = ["command"]

MOST = 1 << 16  # bytes of a file with a public key
ACTIONS = ("list", "add", "remove", "kick", "ban", "unban")


@click.command("players")
@click.argument("action", type=click.Choice(ACTIONS), default="list")
@click.argument("name", required=False)
@click.argument("key", required=False)
@click.option("--spectator", is_flag=True, help="With add: the key is for watching only.")
@age_option("--for", "With ban: for how long, instead of for ever")
@click.option("--reason", default="", metavar="TEXT", help="With ban: what the player is told.")
@json_option
def command(
    action: str, name: str | None, key: str | None, spectator: bool, reason: str, as_json: bool, **span: int | None
) -> None:
    """List, add, kick, ban or remove the players of this server.

    KEY is a public SSH key, or the name of a file with one (- for standard input). A player may have several.
    `authorized_keys` in the system's config.toml is the file where the keys are stored, and where sshd finds them. Each
    key runs `nhlog lobby --player NAME` and nothing else. Removing a player deletes all their keys; games and
    recordings stay, and belong to the player again with a new key.

    `kick` ends a player's sessions and games as if the connection were lost: games can save. `ban` does the same, and
    the player cannot log in until `unban`, or until the time is over. Who did what is kept in the file `audit` beside
    the keys.

    \b
    nhlog players
    nhlog players add ann ann.pub
    nhlog players add ann 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHb...'
    nhlog players add --spectator guest guest.pub
    nhlog players remove ann
    nhlog players ban bob --for 7d --reason 'no floods of mail, please'
    """
    from nhlog.config import read_system_config
    from nhlog.players import KeyFile
    from nhlog.players.audit import note
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
        note(config.authorized_keys, action, name, added.key.fingerprint)
        print_lines(f"{name} can log in to {_may(added)}, by {added.key.fingerprint}")
    elif action == "remove" and name is not None and key is None:
        file.remove(name)
        note(config.authorized_keys, action, name)
        print_lines(f"{name} can no longer log in; games and recordings are kept")
    elif action in ("kick", "ban", "unban") and name is not None and key is None:
        _keep_out(config, config.authorized_keys, action, name, span["for"], reason)
    else:
        raise Usage("players takes list, add NAME KEY, or remove, kick, ban or unban NAME")


def _keep_out(config: "Config", keys: "Path", action: str, name: str, span: int | None, reason: str) -> None:
    """Kick, ban or unban a player, and write down who did it."""
    import time

    from nhlog.players import Players
    from nhlog.players.audit import note
    from nhlog.players.bans import Ban, Bans
    from nhlog.players.sessions import end_all
    from terminal.text.words import counted, utc_time

    if config.players is None:
        raise Usage("players is not set in the system's config.toml (docs/server.md)")
    folder = Players(config.players).folder(name)
    until = None if span is None else int(time.time()) + span // 1_000_000
    told = "" if until is None else f" until {utc_time(until * 1_000_000)}"
    if action == "unban":
        Bans(keys).lift(name)
        print_lines(f"{name} may play again")
    elif action == "ban":
        Bans(keys).put(Ban(name, until, reason))
        print_lines(f"{name} may not play{told}")
    note(keys, action, name, f"{told} {reason}".strip())
    if action != "unban":
        lobbies, games = end_all(folder)
        print_lines(f"ended {counted(lobbies, 'session')} and {counted(games, 'game')} of {name}")


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
