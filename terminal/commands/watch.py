"""`nhlog watch`: follow a game in progress."""

from typing import Any

import click

from terminal.options import FILE, OfFormats, color_option

__all__ = ["command"]

_WAYS = ("monitor", "events", "polling")  # the values of `nhlog.log.NotifyMethod`, which help need not import


@click.command("watch", cls=OfFormats, operations=("open",))
@click.argument("file", type=FILE)
@click.option(
    "--notify",
    type=click.Choice(_WAYS),
    help="How to notice changes; by default what config.toml says, else what suits the file.",
)
@color_option
def command(file: str, notify: str | None, color: str, options: dict[str, Any]) -> None:
    """Watch a game or recording while it is written, even before its first byte.

    The file is only read, with one exception: if a player crashed and left half a line, and you may write, it is cut
    off.

    It also watches a game that `nhlog relay` sends to a NATS server. A long game is shown from its newest state at
    once; you can step back further as soon as the rest has arrived.

    All keys of the player work: step back, look around; F returns to the game as it is now. h lists the keys, M writes
    a line to the player of a game, and T talks to all who watch it.

    \b
    nhlog watch game.nhgame
    nhlog watch game.nhgame --notify events
    nhlog watch nats://hub.example.org/Ann/game.nhgame
    ssh HOST tail -c +1 -f run.teehistorian | nhlog watch -
    """
    import os
    from dataclasses import replace

    from nhlog.files.processes import user_name
    from nhlog.log import NotifyMethod
    from nhlog.players.mutes import Author
    from terminal.client import open_client, read_client_config
    from terminal.input import followed
    from terminal.replay.live import watch_file

    config = read_client_config()
    if notify:
        config = replace(config, notify=NotifyMethod(notify))
    with followed(file) as source, open_client(color, config) as console:
        here = source.version().path == file  # else nobody here plays it
        watch_file(
            console,
            source,
            config,
            author=Author(user_name(os.getuid()), config.door) if here else None,
            opening=options,
        )
