"""`nhlog ls`: the games and other recordings in a folder."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import click

from terminal.options import json_option
from terminal.output import print_error, print_json, print_lines
from terminal.text.words import clip, clock, printable, utc_time

if TYPE_CHECKING:
    from nhlog.formats.nhgame.listing import GameListing
    from nhlog.operations import Listing

__all__ = ["command"]

_SORTS: Final[dict[str, Callable[["Listing"], Any]]] = {
    "changed": lambda one: -(one.changed or 0),
    "started": lambda one: -(one.start or 0),
    "turn": lambda one: -getattr(one, "turn", 0),
    "player": lambda one: _people(one).casefold(),
    "file": lambda one: one.file,
    "size": lambda one: -one.size,
}
_STATUSES: Final = ("live", "finished", "needs recovery", "damaged", "unreadable")
_GAMES = ("player", "role", "turn", "place", "started", "changed", "status", "file")
_OTHERS = ("recording", "of", "length", "started", "changed", "status", "file")
TITLE = 30  # columns for a recording's title
_NUMBERS = ("turn", "length")


@click.command("ls")
@click.argument("folder", default=".", metavar="[DIR]", type=click.Path(readable=False))
@click.option("--sort", type=click.Choice(list(_SORTS)), default="changed", show_default=True)
@click.option("--player", help="Only games of players whose name has this in it.")
@click.option("--role", help="Only games of roles that begin like this: Val, wizard.")
@click.option(
    "--status",
    type=click.Choice(["live", "finished", "needs recovery", "damaged", "unreadable"]),
    help="Only such games.",
)
@click.option("--put-away", is_flag=True, help="First put away finished games of yours; of all players' for root.")
@json_option
def command(
    folder: str, sort: str, player: str | None, role: str | None, status: str | None, put_away: bool, as_json: bool
) -> int:
    """List the games in a folder: who, how far, where, since when, and how they stand; then other recordings.

    A file that cannot be read has a row, too, and standard error tells why.

    --put-away does what the lobby does by itself: it moves what has ended in the folder of games to the one that
    config.toml names `finished`, with a line in the xlogfile there (see `nhlog scores`) and a dumplog, its last state
    as text.

    \b
    nhlog ls /var/games/nethack4
    nhlog ls --sort turn --status live
    """
    from nhlog.formats.nhgame.listing import GameListing
    from nhlog.operations import as_record

    failed = _put_away() if put_away else 0
    listed, worst = _listed(folder)
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
    parts = [_table(_GAMES, games)] if games or not others else []
    parts += [_table(_OTHERS, others)] if others else []
    print_lines(*(parts[0] if len(parts) == 1 else [*parts[0], "", *parts[1]]))
    return worst


def _put_away() -> int:
    """Put away what is over, each by itself; returns the worst exit code of what stays."""
    from nhlog.config import read_config
    from nhlog.errors import NhlogError, Usage
    from terminal.play.finished import due_games, filed

    config = read_config()
    if config.finished is None:
        raise Usage("config.toml names no folder for finished games", expected="finished = FOLDER")
    worst = 0
    for game in due_games(config):
        try:
            print_lines(filed(game, config), err=True)
        except NhlogError as error:
            worst = max(worst, error.exit_code)
            print_error(str(error))
    return worst


def _listed(folder: str) -> tuple[list["Listing"], int]:
    """What is there, and the worst exit code of what could not be read."""
    from nhlog.errors import NhlogError
    from nhlog.files import reason
    from nhlog.formats import is_recording, operation, unlisted

    listed: list[Listing] = []
    worst = 0
    files = filter(is_recording, (os.path.join(folder, name) for name in os.listdir(folder)))
    for file in sorted(files):
        try:
            listed.append(operation(file, "listing")(file))
        except (NhlogError, OSError) as error:
            ours = error if isinstance(error, NhlogError) else NhlogError(reason(error), file=file)
            listed.append(unlisted(file, ours))
            worst = max(worst, ours.exit_code)
            print_error(str(ours))
    return listed, worst


def _people(one: "Listing") -> str:
    return ", ".join(one.people)


def _game(game: "GameListing") -> tuple[str, ...]:
    status = game.state if game.status == "finished" else game.status
    who = (game.player, f"{game.race} {game.role}")
    place = game.place or f"({game.engine.partition(' (')[0]})"
    return (*who, str(game.turn), place, *_moments(game), status, os.path.basename(game.file))


def _other(one: "Listing") -> tuple[str, ...]:
    length = "" if one.duration is None else clock(one.duration)
    name = os.path.basename(one.file)
    title = getattr(one, "fault", one.title)
    return (clip(title, TITLE), one.format, length, *_moments(one), one.status, name)


def _moments(one: "Listing") -> tuple[str, str]:
    """The start of the game and the last write to its file, to the minute."""
    started, changed = (
        "" if moment is None else utc_time(moment).removesuffix(" UTC")[:16] for moment in (one.start, one.changed)
    )
    return started, changed


def _table(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    """Columns as wide as their widest cell, numbers right-aligned."""
    printed = [tuple(map(printable, row)) for row in (headings, *rows)]
    widths = [max(map(len, column)) for column in zip(*printed, strict=True)]
    numbers = {index for index, heading in enumerate(headings) if heading in _NUMBERS}
    return [
        "  ".join(
            f"{cell:>{width}}" if index in numbers else f"{cell:<{width}}"
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in printed
    ]
