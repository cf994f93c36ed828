"""`nhlog watch`: follow a game in progress."""

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
    """Follow a game while others play it, or any recording while it is written, from before its first byte on.

    The file is only read; but a line that a dead player left half written is cut off if you may write.

    A game at a NATS server, to which `nhlog relay` sends it, is watched in the same way.

    All keys of the player work: step back and look around, F returns to the game as it is now. h shows the keys.
    M writes a line to the player of a game.

    \b
    nhlog watch game.nhgame
    nhlog watch game.nhgame --notify events
    nhlog watch nats://hub.example.org/Ann/game.nhgame
    ssh HOST tail -c +1 -f run.teehistorian | nhlog watch -
    """
    import os
    from dataclasses import replace

    from nhlog.config import read_config
    from nhlog.files.processes import user_name
    from nhlog.log.notify import NotifyMethod
    from terminal.client import open_client
    from terminal.input import followed
    from terminal.replay.live import watch_file

    config = read_config()
    if notify:
        config = replace(config, notify=NotifyMethod(_WAYS[notify]))
    with followed(file) as source, open_client(color, config) as console:
        watch_file(console, source.path, config, ended=source.ended, name=user_name(os.getuid()))
