"""`nhlog ls`: the games and other recordings in some folders."""

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from terminal.options import json_option, pager_option
from terminal.output import print_error, print_json, print_lines, print_table
from terminal.text.words import utc_time

if TYPE_CHECKING:
    from nhlog.listed import GameListing
    from nhlog.operations import Listing

__all__ = ["command"]

_SORTS: Final[dict[str, Callable[["Listing"], Any]]] = {
    "changed": lambda one: -(one.changed or 0),
    "started": lambda one: -(one.start or 0),
    "turn": lambda one: -(getattr(one, "turn", None) or 0),
    "player": lambda one: _people(one).casefold(),
    "file": lambda one: one.file,
    "size": lambda one: -one.size,
}
_STATUSES: Final = ("live", "finished", "needs recovery", "damaged", "unreadable")
_SPARE: Final = ("started", "changed", "of")  # columns that a narrow terminal does without


@click.command("ls")
@click.argument("folders", nargs=-1, metavar="[DIR...]", type=click.Path(readable=False))
@click.option("--sort", type=click.Choice(list(_SORTS)), default="changed", show_default=True)
@click.option("--player", help="Only players whose name contains this.")
@click.option("--role", help="Only roles that start with this: Val, wizard.")
@click.option(
    "--status",
    type=click.Choice(_STATUSES),
    help="Only games with this status.",
)
@click.option("--put-away", is_flag=True, help="First put away your finished games; as root, everybody's.")
@pager_option
@json_option
def command(
    folders: tuple[str, ...],
    sort: str,
    player: str | None,
    role: str | None,
    status: str | None,
    put_away: bool,
    as_json: bool,
) -> int:
    """List games in folders: player, progress, place, times and status; then other recordings.

    Without DIR it lists the current folder; DIR may be the address of an archive (see `nhlog archive`). An unreadable
    file gets a row, too, and standard error says why.

    --put-away does what the lobby does by itself: it moves finished games to the folder that config.toml names
    `finished`, adds a line to the xlogfile there (see `nhlog scores`), and writes a dumplog, the last state as text.

    \b
    nhlog ls /var/games/nethack4
    nhlog ls --sort turn --status live
    nhlog ls /var/games/nhlog/players/*/games
    nhlog ls s3://museum/2026
    """
    from nhlog.listed import GameListing
    from nhlog.operations import as_record

    failed = _put_away() if put_away else 0
    archives = [folder for folder in folders if "://" in folder]
    local = tuple(folder for folder in folders if "://" not in folder)
    listed, worst = _listed(local or (() if archives else (os.curdir,)))
    for address in archives:
        worst = max(worst, _add_archived(address, listed))
    worst = max(failed, worst)
    wanted = [
        one
        for one in listed
        if (player is None or player.casefold() in _people(one).casefold())
        and (role is None or getattr(one, "role", "").casefold().startswith(role.casefold()))
        and (status is None or status == one.status)
    ]
    wanted.sort(key=_SORTS[sort])
    if as_json:
        for one in wanted:
            print_json(as_record(one))
        return worst
    games = [_game(one) for one in wanted if isinstance(one, GameListing)]
    others = [_other(one) for one in wanted if not isinstance(one, GameListing)]
    if games:
        print_table(games, _SPARE)
    if games and others:
        print_lines("")
    if others:
        print_table(others, _SPARE)
    if not wanted:
        told = f"{', '.join(folders)}: no recordings here"
        print_lines("none of the recordings here is like that" if listed else told, err=True)
    return worst


def _put_away() -> int:
    """Put away what is over, each by itself; returns the worst exit code of what stays."""
    from nhlog.config import read_config
    from nhlog.errors import NhlogError, Usage
    from terminal.play.finished import due_games, filed

    config = read_config()
    if config.finished is None:
        raise Usage("config.toml sets no folder for finished games", expected="finished = FOLDER")
    worst = 0
    for game in due_games(config):
        try:
            print_lines(filed(game, config), err=True)
        except NhlogError as error:
            worst = max(worst, error.exit_code)
            print_error(str(error))
    return worst


def _listed(folders: Sequence[str]) -> tuple[list["Listing"], int]:
    """What is there, and the worst exit code of what could not be read."""
    from nhlog.errors import NhlogError
    from nhlog.files import as_ours
    from nhlog.formats import is_recording, unlisted
    from nhlog.formats.listings import Listings
    from nhlog.progress import each

    listings = Listings()
    files = filter(is_recording, (os.path.join(folder, name) for folder in folders for name in os.listdir(folder)))
    rows = {file: listings.known(file) for file in sorted(files)}
    worst = 0
    for file in each("file", [file for file, row in rows.items() if row is None]):
        try:
            rows[file] = listings.read(file)
        except (NhlogError, OSError) as error:
            ours = as_ours(error, file)
            rows[file] = unlisted(file, ours)
            worst = max(worst, ours.exit_code)
            print_error(str(ours))
    listings.store()
    return [row for row in rows.values() if row is not None], worst


def _add_archived(address: str, listed: list["Listing"]) -> int:
    """List what is in an archive, too; the worst exit code of what could not be read."""
    from nhlog.archive.catalogue import listings
    from nhlog.errors import NhlogError
    from nhlog.remote.store import Store

    worst = 0
    for one in listings(Store(address)):
        if isinstance(one, NhlogError):
            worst = max(worst, one.exit_code)
            print_error(str(one))
        else:
            listed.append(one)
    return worst


def _people(one: "Listing") -> str:
    return ", ".join(one.people)


def _game(game: "GameListing") -> dict[str, Any]:
    return {
        "player": game.player,
        "role": f"{game.race} {game.role}",
        "turn": game.turn,
        "place": game.place or f"({game.engine.partition(' (')[0]})",
        **_moments(game),
        "status": game.state if game.status == "finished" else game.status,
        "file": os.path.basename(game.file),
    }


def _other(one: "Listing") -> dict[str, Any]:
    return {
        "recording": getattr(one, "fault", one.title),
        "of": one.format,
        "duration": one.duration,
        **_moments(one),
        "status": one.status,
        "file": os.path.basename(one.file),
    }


def _moments(one: "Listing") -> dict[str, str]:
    """The start of the game and the last write to its file, to the minute."""
    return {
        name: "" if moment is None else utc_time(moment).removesuffix(" UTC")[:16]
        for name, moment in (("started", one.start), ("changed", one.changed))
    }
