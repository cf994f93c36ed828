"""A player of one game, without the lobby: ``python -m tests.terminal.hosting.player FOLDER 'TABLE' [edit]``.

The player edits its options, or plays it.  The table is that of the game `it` in a config.toml.  What there is to say
afterwards is printed.
"""

import os
import sys
from functools import partial
from pathlib import Path

from nhlog.config import read_config
from nhlog.errors import NhlogError
from nhlog.players import PlayerFolder
from nhlog.players.mutes import Author
from terminal.hosting.editing import edit_options
from terminal.hosting.playing import play_program
from terminal.messages.others import FromOthers
from terminal.screen.console import Console


def heard(keys: Path, recording: str | None) -> FromOthers:
    """What the player hears of others, and says to them, where nobody else has muted them by the file `keys`."""
    say = None if recording is None else partial(Author("ann", keys).say, recording)
    return FromOthers(recording, say=say)


def main(folder: Path, table: str, act: str = "play") -> None:
    path = folder / "config.toml"
    path.write_text(f"idle_minutes = {os.environ.get('IDLE_MINUTES', 5)}\n[games.it]\nsandbox = 'none'\n{table}")
    config = read_config(path, folder / "none.toml")
    (game,) = config.programs
    player = PlayerFolder("ann", folder / "ann")
    with Console() as display:
        try:
            if act == "edit":
                told = edit_options(display, game, player)
            else:
                recordings = folder / "recordings"
                hears = partial(heard, folder / "keys")
                told = play_program(
                    display, game, player, recordings, [recordings], hears=hears, idle_minutes=config.idle_minutes
                )
        except NhlogError as error:
            told = str(error)
    print(f"afterwards: {told}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
