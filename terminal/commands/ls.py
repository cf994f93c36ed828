"""`nhlog ls`: the games in a folder."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from terminal.options import json_option
from terminal.output import each_file, print_json
from terminal.words import printable, utc_time

if TYPE_CHECKING:
    from nhlog.formats.nhgame.listing import Listed

__all__ = ["command"]

_SORTS: dict[str, Callable[["Listed"], Any]] = {
    "changed": lambda game: -game.changed,
    "started": lambda game: -game.start,
    "turn": lambda game: -game.turn,
    "player": lambda game: game.player.casefold(),
    "file": lambda game: game.file,
    "size": lambda game: -game.size,
}
_HEADINGS = ("player", "role", "turn", "place", "started", "changed", "status", "file")


@click.command("ls")
@click.argument("folder", default=".", metavar="[DIR]", type=click.Path(readable=False))
@click.option("--sort", type=click.Choice(list(_SORTS)), default="changed", show_default=True)
@click.option("--player", help="Only games of players whose name has this in it.")
@click.option("--role", help="Only games of roles that begin like this: Val, wizard.")
@click.option("--status", type=click.Choice(["in progress", "finished", "needs recovery"]), help="Only such games.")
@json_option
def command(folder: str, sort: str, player: str | None, role: str | None, status: str | None, as_json: bool) -> int:
    """List the games in a folder: who, how far, where, since when, and how they stand.

    A file that is no sound log is named on standard error; the others are listed.

    \b
    nhlog ls /var/games/nethack4
    nhlog ls --sort turn --status 'in progress'
    """
    games, worst = _games(folder)
    wanted = [
        game
        for game in games
        if (player is None or player.casefold() in game.player.casefold())
        and (role is None or game.role.casefold().startswith(role.casefold()))
        and (status is None or status == game.status)
    ]
    wanted.sort(key=_SORTS[sort])
    if as_json:
        for game in wanted:
            print_json(game)
    else:
        print("\n".join(_table([_HEADINGS, *map(_row, wanted)])))
    return worst


def _games(folder: str) -> tuple[list["Listed"], int]:
    """The games there, and the worst exit code of what could not be read."""
    from nhlog.formats.nhgame.listing import list_game

    games = []

    def add(file: str) -> int:
        games.append(list_game(file))
        return 0

    files = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".nhgame")]
    return games, each_file(sorted(files), add)


def _row(game: "Listed") -> tuple[str, ...]:
    started, changed = (utc_time(moment).removesuffix(" UTC")[:16] for moment in (game.start, game.changed))
    status = game.state if game.status == "finished" else game.status
    name = os.path.basename(game.file)
    return (game.player, f"{game.race} {game.role}", str(game.turn), game.place or "", started, changed, status, name)


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    """Columns as wide as what stands in them, numbers to the right."""
    printed = [tuple(map(printable, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*printed, strict=True)]
    turn = _HEADINGS.index("turn")
    return [
        "  ".join(
            f"{cell:>{width}}" if i == turn else f"{cell:<{width}}"
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in printed
    ]
