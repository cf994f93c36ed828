"""`nhlog watch`: follow a game that is being played."""

from contextlib import closing

import click

from terminal.options import FILE, color_option

__all__ = ["command"]

_WAYS = {"monitor": "lock monitor", "events": "file events", "polling": "polling"}


@click.command("watch")
@click.argument("file", type=FILE)
@click.option(
    "--notify",
    type=click.Choice(list(_WAYS)),
    help="How to hear of changes; by default what suits the file, or what config.toml says.",
)
@color_option
def command(file: str, notify: str | None, color: str) -> None:
    """Follow a game while others play it; the file is opened for reading only.

    All keys of the player work: step back and look around, F returns to the game as it is now. h shows the keys.

    \b
    nhlog watch game.nhgame
    nhlog watch game.nhgame --notify events
    """
    from nhlog.config import read_config
    from nhlog.errors import Unsupported
    from nhlog.formats import open_recording
    from nhlog.formats.nhgame.replay import LogReplay
    from nhlog.log.file import LogFile
    from nhlog.log.notify import Changes, Way
    from terminal.client import watch
    from terminal.console import Console
    from terminal.player import Player

    replay = open_recording(file)
    with closing(Player(replay)) as player:
        source = replay.log.source if isinstance(replay, LogReplay) else None
        if not isinstance(source, LogFile):
            raise Unsupported("only a log in a file can be watched", file=file)
        console = Console(color)
        way = Way(_WAYS[notify]) if notify else read_config().notify
        with Changes(source, way) as changes, console:
            player.follow()
            watch(console, player, changes=changes)
