"""`nhlog play`: play a game in its shared log."""

from contextlib import closing
from typing import TYPE_CHECKING

import click

from terminal.options import FILE, color_option

if TYPE_CHECKING:
    from nhlog.config import Config
    from nhlog.engines.protocol import NewGame

__all__ = ["command"]

_MODES = {"normal": 0, "explore": 1, "wizard": 2}


@click.command("play")
@click.argument("file", type=FILE, required=False)
@click.option("--new", is_flag=True, help="Begin a new game, in FILE or in the folder of games.")
@click.option("--name", help="The hero's name; by default yours.")
@click.option("--role", help="The hero's role; as much of it as tells it from others. By default any.")
@click.option("--mode", type=click.Choice(list(_MODES)), default="normal", show_default=True, help="Of a new game.")
@click.option("--seed", type=click.IntRange(min=0), help="The world to play in; the same number is the same world.")
@click.option("--ghost", type=FILE, help="Show the hero of this earlier game where they were at the same turn.")
@color_option
def command(
    file: str | None,
    new: bool,
    name: str | None,
    role: str | None,
    mode: str,
    seed: int | None,
    ghost: str | None,
    color: str,
) -> None:
    """Play. Without FILE your latest unfinished game goes on, or a new one begins.

    Every key is in the log before it does anything, so nothing is lost when the connection is: play on from another
    terminal, and the old one becomes a spectator. ? shows the keys.

    \b
    nhlog play
    nhlog play --new --name Ann --role Wizard --seed 7
    nhlog play ann.nhgame
    """
    from nhlog.config import read_config
    from nhlog.log.notify import Changes
    from terminal.console import Console
    from terminal.opening import begin, open_ghost, open_seat
    from terminal.table import play

    config = read_config()
    console = Console(color)
    wanted = None if new or file else _unfinished(config, name)
    if new or not (file or wanted):
        wanted = begin(_options(name, role, mode, seed), config, file)
    path = file or wanted
    assert path is not None
    seat = open_seat(path, config)
    with closing(seat), Changes(seat.source, config.notify) as changes, console:
        if ghost:
            seat.ghost = open_ghost(ghost)
        play(console, seat, changes=changes)


def _options(name: str | None, role: str | None, mode: str, seed: int | None) -> "NewGame":
    """A new game as it was asked for; what was not is left to chance."""
    import getpass

    from nhlog.engines import engine_named
    from nhlog.errors import Usage
    from nhlog.log.header import MODES
    from terminal.hall import chance
    from terminal.opening import ENGINE

    roles = engine_named(ENGINE).roles
    known = [word for word in roles if role is not None and word.casefold().startswith(role.casefold())]
    if role is not None and not known:
        raise Usage("no such role", expected=" or ".join(roles), found=repr(role))
    number = MODES.index("set seed") if seed is not None and mode == "normal" else _MODES[mode]
    return chance(name or getpass.getuser(), known[0] if known else None, number, seed)


def _unfinished(config: "Config", name: str | None) -> str | None:
    """The user's game that was played last, of those that go on."""
    import getpass

    from nhlog.errors import NhlogError
    from nhlog.formats.nhgame.listing import list_game

    wanted = name or getpass.getuser()
    games = []
    for path in config.games.glob("*.nhgame"):
        try:
            game = list_game(str(path))
        except NhlogError:
            continue
        if game.player == wanted and game.status != "finished":
            games.append((game.changed, game.file))
    return max(games)[1] if games else None
