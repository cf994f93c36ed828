"""`nhlog tournament`: who leads in a tournament."""

import click

from terminal.options import FILE, json_option, pager_option
from terminal.output import print_error, print_json, print_lines, print_table

__all__ = ["command"]


@click.command("tournament")
@click.argument("rules", type=FILE)
@click.argument("files", nargs=-1, type=FILE, metavar="[FILE|DIR...]")
@pager_option
@json_option
def command(rules: str, files: tuple[str, ...], as_json: bool) -> int:
    """Print who leads in a tournament, by the games that ended.

    RULES is a file of TOML: when it is, for whom and which games, and its trophies (docs/server.md). FILE is an
    xlogfile or a finished game, DIR a folder of them; without any it is the folder of finished games of config.toml.
    The page of `nhlog serve --tournament RULES` shows the same, live.

    \b
    nhlog tournament november.toml
    nhlog tournament november.toml /var/games/nhlog/finished --json
    """
    from nhlog.config import read_config
    from nhlog.errors import NhlogError
    from nhlog.scores.table import scores_in
    from nhlog.scores.tournament import read_tournament
    from terminal.text.words import not_counted, utc_time

    tournament = read_tournament(rules)
    if not files:
        config = read_config()
        files = (str(config.finished or config.games),)
    scores, code = [], 0
    for file in files:
        for found in scores_in(file):
            if isinstance(found, NhlogError):
                print_error(str(found))
                code = max(code, found.exit_code)
            else:
                scores.append(found)
    board = tournament.board(scores)
    if as_json:
        for one in board.standings:
            trophy, measure, place, player, value, score = one
            told = {"trophy": trophy, "measure": measure, "place": place, "player": player, "value": value}
            print_json({**told, "game": score.engine, "end": score.end, "death": score.death})
    elif board.standings:
        rows = [
            {
                "trophy": one.trophy,
                "place": one.place,
                "player": one.player,
                "value": utc_time(one.value) if one.measure == "first" else one.value,
                "game": one.score.engine,
                "death": one.score.death,
            }
            for one in board.standings
        ]
        print_table(rows)
    else:
        print_lines(f"{tournament.title}: nobody has a place yet", err=True)
    if board.untold:
        print_lines(not_counted(board.untold), err=True)
    return code
