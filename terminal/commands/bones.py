"""`nhlog bones`: who left bones that nobody has found yet."""

import click

from terminal.options import FILE, json_option, pager_option
from terminal.output import print_json, print_lines, print_table

__all__ = ["command"]


@click.command("bones")
@click.argument("folder", required=False, metavar="[DIR]", type=FILE)
@pager_option
@json_option
def command(folder: str | None, as_json: bool) -> int:
    """List the bones beside games in a folder: who died, where, how, when, and in which game.

    DIR is by default the folder of games of config.toml; on a server, those of all players. When somebody finds the
    bones, they leave the list.

    \b
    nhlog bones
    nhlog bones /var/games/nhlog --json
    """
    import os
    from pathlib import Path

    from nhlog.config import read_config
    from nhlog.files import CannotOpen
    from nhlog.operations import as_record
    from nhlog.players import Players
    from nhlog.scores.graves import graves
    from terminal.text.words import utc_time

    if folder is not None and not os.path.isdir(folder):
        raise CannotOpen("not a directory" if os.path.exists(folder) else "no such file or directory", file=folder)
    config = read_config()
    others = [] if config.finished is None else [config.finished]
    others += [] if config.players is None else Players(config.players).shown
    found = graves(Path(folder) if folder else config.players or config.games, others)
    if as_json:
        for grave in found:
            print_json(as_record(grave))
        return 0
    rows = [
        {
            "hero": grave.hero,
            "place": grave.place,
            "death": grave.death,
            "died": utc_time(grave.changed).removesuffix(" UTC")[:16],
            "user": grave.user,
            "game": grave.game or f"({grave.engine})",
        }
        for grave in found
    ]
    if rows:
        print_table(rows)
    else:
        print_lines("no bones lie there", err=True)
    return 0
