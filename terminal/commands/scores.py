"""`nhlog scores`: the best games that ended."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from terminal.options import FILE, json_option, pager_option
from terminal.output import print_error, print_json, print_lines, print_table

if TYPE_CHECKING:
    from nhlog.scores.table import Score

__all__ = ["command"]


@click.command("scores")
@click.argument("files", nargs=-1, type=FILE, metavar="[FILE|DIR...]")
@click.option("--top", type=click.IntRange(min=1), default=10, show_default=True, help="How many games to list.")
@click.option("--player", help="Only this player's games.")
@click.option("--by-player", is_flag=True, help="Each player's best game, and how many they finished.")
@click.option("--all-modes", is_flag=True, help="Also explore and wizard games, which have no rank.")
@pager_option
@json_option
def command(
    files: tuple[str, ...], top: int, player: str | None, by_player: bool, all_modes: bool, as_json: bool
) -> int:
    """List the best finished games: points, player, depth, time, and how they ended.

    FILE is an xlogfile (of nhlog or any NetHack since 3.4.3) or a finished game. For a folder, its xlogfile is read, or
    else the finished games in it. Without FILE, it is the folder of finished games of config.toml, or else your games.

    \b
    nhlog scores
    nhlog scores /var/games/finished --top 20 --by-player
    nhlog scores xlogfile --player ann --json
    """
    from nhlog.config import read_config
    from nhlog.scores.table import best, best_of_each

    if not files:
        config = read_config()
        own = config.finished or config.games
        files = (str(own),) if own.exists() else ()  # nobody has played here yet
    codes = [0]
    wanted = (
        score
        for score in _collected(files, codes)
        if (all_modes or score.is_contest) and (player is None or score.player.casefold() == player.casefold())
    )
    ranked = best(best_of_each(wanted) if by_player else wanted, top)
    if as_json:
        for rank, score in enumerate(ranked, 1):
            print_json(_record(rank, score))
    elif ranked:
        print_table([_row(rank, score, by_player) for rank, score in enumerate(ranked, 1)])
    elif max(codes) == 0:
        print_lines("no such game has ended yet", err=True)
    return max(codes)


def _collected(files: tuple[str, ...], codes: list[int]) -> Iterator["Score"]:
    """The scores; what could not be read is printed, and its exit code is added to `codes`."""
    from nhlog.errors import NhlogError
    from nhlog.scores.table import scores_in

    for file in files:
        for found in scores_in(file):
            if isinstance(found, NhlogError):
                codes.append(found.exit_code)
                print_error(str(found))
            else:
                yield found


def _record(rank: int, score: "Score") -> dict[str, Any]:
    from nhlog.operations import as_record

    return {"rank": rank, **as_record(score)}


def _row(rank: int, score: "Score", by_player: bool) -> dict[str, Any]:
    from terminal.text.words import utc_time

    return {
        "rank": rank,
        "points": score.points,
        "player": score.player,
        **({"games": score.games} if by_player else {}),
        "role": f"{score.race} {score.role}",
        "depth": score.depth,
        "deepest": score.deepest,
        "turns": score.turns,
        "ended": "" if score.end is None else utc_time(score.end)[:10],
        "death": score.death,
    }
