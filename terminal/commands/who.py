"""`nhlog who`: who is on the server, and what they play."""

from typing import TYPE_CHECKING

import click

from nhlog.errors import Usage
from terminal.options import json_option
from terminal.output import print_json, print_lines, print_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nhlog.operations import Record
    from nhlog.players import PlayerFolder

__all__ = ["command"]


@click.command("who")
@json_option
def command(as_json: bool) -> None:
    """List the players who are on this server, or whose games run.

    For each: the address of their ssh, since when, and the programs they have running. Only root and the players'
    account are told. Maintenance is told on standard error.

    \b
    nhlog who --json
    sudo nhlog who
    """
    from nhlog.config import read_system_config
    from nhlog.players import Players
    from nhlog.players.maintenance import announced

    config = read_system_config()
    if config.players is None:
        raise Usage("this is not a server: players is not set in the system's config.toml (docs/server.md)")
    if told := announced(config.door):
        print_lines(told, err=True)
    records = [record for folder in Players(config.players).all for record in _records(folder)]
    if as_json:
        for record in records:
            print_json(record)
    elif records:
        print_table([_row(record) for record in records])
    else:
        print_lines("nobody is there", err=True)


def _records(folder: "PlayerFolder") -> "Iterator[Record]":
    """One for each lobby of the player; one without a lobby if only games are there."""
    from nhlog.files.processes import started_at
    from nhlog.players.sessions import games_of, present

    games, lobbies = [*games_of(folder)], present(folder)
    for there in lobbies:
        since = int(started_at(there.process) * 1_000_000)
        yield {"player": folder.name, "address": there.address or None, "since": since or None, "games": games}
    if games and not lobbies:
        yield {"player": folder.name, "address": None, "since": None, "games": games}


def _row(record: "Record") -> "Record":
    from terminal.text.words import utc_time

    since = record["since"]
    return {
        "player": record["player"],
        "from": record["address"] or "",
        "since": "" if since is None else utc_time(since),
        "games": ", ".join(record["games"]),
    }
