"""`nhlog lobby`: choose a game to play or to watch; the default command of `nhlog`."""

import click

from terminal.options import FILE, color_option

__all__ = ["command"]


@click.command("lobby")
@click.argument("folders", nargs=-1, type=FILE, metavar="[DIR...]")
@color_option
def command(folders: tuple[str, ...], color: str) -> None:
    """Choose a game: your own go on, others' are watched, finished ones and recordings are shown again.

    Games are in the folder that config.toml names `games`, those that are over in the one it names `finished`,
    recordings in those it names `recordings` and in DIR.

    \b
    nhlog
    nhlog lobby samples/
    """
    import os
    from pathlib import Path

    from nhlog.config import read_config
    from terminal.client import open_client
    from terminal.lobby.folders import Folders
    from terminal.lobby.loop import visit
    from terminal.lobby.model import Lobby
    from terminal.lobby.visitors import User

    config = read_config()
    finished = () if config.finished is None else (config.finished,)
    paths = (config.games, *finished, *config.recordings, *map(Path, folders))
    with open_client(color, config) as console, Folders(paths) as found:
        visit(console, Lobby(found, User(os.getuid()), console.bound), config)
