"""`nhlog play`: play a game in its shared log."""

from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import click

from terminal.options import FILE, color_option
from terminal.output import print_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nhlog.config import Config
    from nhlog.engines.protocol import NewGame

__all__ = ["command"]

_MODES = {"normal": 0, "explore": 1, "wizard": 2}


@click.command("play")
@click.argument("file", type=FILE, required=False)
@click.option("--new", is_flag=True, help="Start a new game, in FILE or in your folder of games.")
@click.option("--game", metavar="ID", help="Which installed game to start; by default delve.")
@click.option("--name", help="The hero's name, by default yours; or whose game to continue, by default any of yours.")
@click.option("--role", help="The hero's role, or its first letters; by default any, as of the next three.")
@click.option("--race", help="The hero's race, or its first letters.")
@click.option("--gender", help="The hero's gender, or its first letters.")
@click.option("--align", help="The hero's alignment, or its first letters.")
@click.option(
    "--mode", type=click.Choice(list(_MODES)), default="normal", show_default=True, help="The mode of a new game."
)
@click.option("--seed", type=click.IntRange(min=0), help="The world to play in: the same number makes the same world.")
@click.option("--ghost", type=FILE, help="Show the hero of this earlier game at the same turn.")
@click.option("--from", "position", metavar="POSITION", help="Play FILE on from there, as another game (--as).")
@click.option("--as", "branch", type=FILE, metavar="NEW", help="The new file of that other game.")
@color_option
def command(
    file: str | None,
    new: bool,
    game: str | None,
    name: str | None,
    role: str | None,
    race: str | None,
    gender: str | None,
    align: str | None,
    mode: str,
    seed: int | None,
    ghost: str | None,
    position: str | None,
    branch: str | None,
    color: str,
) -> None:
    """Play a game. Without FILE, continue your latest unfinished game, or start a new one.

    Every key is saved before it takes effect, so a lost connection loses nothing: play on from another terminal. If the
    old one is still open, both play. ? lists the keys.

    --from and --as begin a second game with the past of FILE, which stays as it is. The new one counts as explore mode.

    \b
    nhlog play
    nhlog play --new --name Ann --role Wizard --seed 7
    nhlog play --new --game delve
    nhlog play ann.nhgame
    nhlog play ann.nhgame --from turn:300 --as again.nhgame
    """
    from terminal.client import open_client, read_client_config
    from terminal.play.finished import due_games, file_away
    from terminal.play.new_game import DEFAULT_GAME, begin
    from terminal.play.open import open_ghost
    from terminal.play.start import play_file

    _check_branch(file, position, branch, new=new)
    config = read_client_config()
    console = open_client(color, config)
    path = file if new or file else _unfinished(config, name, game)
    with ExitStack() as stack:
        seen, says = None, ""
        if ghost:  # before a game is begun for it
            _check_ghost(ghost, path)
            seen = stack.enter_context(closing(open_ghost(ghost)))
        if file and position is not None and branch is not None:
            from nhlog.formats.nhgame.writing.branch import branch_off

            path = str(branch_off(file, branch, position)["target"])
        elif new or path is None:
            game = game or DEFAULT_GAME
            hero = {"name": name, "role": role, "race": race, "gender": gender, "alignment": align}
            options, says = _options(game, {field: word for field, word in hero.items() if word}, mode, seed)
            path = begin(game, options, config, path)
        stack.enter_context(console)
        play_file(console, path, config, seen, says)
    for game in due_games(config):
        print_lines(file_away(game, config), err=True)


def _check_branch(file: str | None, position: str | None, branch: str | None, *, new: bool) -> None:
    """Raise :class:`Usage` unless the options say what is to be played on, from where, and in which file."""
    from nhlog.errors import Usage

    if position is None and branch is None:
        return
    if position is None or branch is None:
        raise Usage("--from and --as belong together", expected="--from POSITION --as NEW")
    if new or file is None:
        raise Usage("--from plays a game on that there is", expected="nhlog play FILE --from POSITION --as NEW")


def _check_ghost(ghost: str, path: str | None) -> None:
    import os

    from nhlog.errors import Usage

    if path is not None and os.path.exists(path) and os.path.exists(ghost) and os.path.samefile(path, ghost):
        raise Usage("a game cannot be its own ghost", file=path, expected="--ghost with another game")


def _options(game: str, hero: "Mapping[str, str]", mode: str, seed: int | None) -> "tuple[NewGame, str]":
    """The options of a new game, and what there is to say about the player's own ones.

    What is not given of the hero these tell, or it is random.
    """
    from nhlog.engines import engine_named
    from nhlog.errors import Usage
    from terminal.play.new_game import default_name, random_options
    from terminal.settings.own_options import own_options

    roles = engine_named(game).roles
    known = {"role": [*roles]} | {
        field: sorted({word for choices in roles.values() for word in choices[at]})
        for at, field in enumerate(("race", "gender", "alignment"))
    }
    given = {field: word if field == "name" else _whole(field, word, known[field]) for field, word in hero.items()}
    own = own_options(game)
    wanted = given | {field: word for field, word in own.hero.items() if field not in given}
    options = random_options(game, wanted.get("name") or default_name(), wanted, _MODES[mode], seed, own.text)
    for field in given.keys() - {"name"}:
        if getattr(options, field) != given[field]:
            raise Usage(
                "there is no such hero", expected=f"{options.role}: {getattr(options, field)}", found=given[field]
            )
    return options, own.said


def _whole(field: str, start: str, known: list[str]) -> str:
    """The word that begins so; raises :class:`Usage` where there is none."""
    from nhlog.errors import Usage

    found = next((word for word in known if word.casefold().startswith(start.casefold())), None)
    if found is None:
        raise Usage(f"no such {field}", expected=" or ".join(known), found=repr(start))
    return found


def _unfinished(config: "Config", name: str | None, wanted_engine: str | None) -> str | None:
    """The user's unfinished game that was played last, of a hero and of an engine if these are given."""
    import os

    from nhlog.engines import engines
    from nhlog.errors import NhlogError
    from nhlog.formats.nhgame.listing import list_game

    games = []
    for path in config.games.glob("*.nhgame"):
        try:
            game, owner = list_game(str(path)), path.stat().st_uid
        except (NhlogError, OSError):  # no game, or it is put away just now
            continue
        playable = game.status != "finished" and game.engine in engines() and os.access(path, os.W_OK)
        is_own = owner == os.getuid() if name is None else game.player == name
        if is_own and playable and wanted_engine in (None, game.engine):
            games.append((game.changed, game.file))
    return max(games)[1] if games else None
