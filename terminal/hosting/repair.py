"""A game whose process died, made one that can be continued: by the game's own program for that, within its walls.

NetHack leaves the files of its levels then, and begins another game beside them: its `recover` makes a saved game of
them.  Where there is a saved game already it is not run, as it would write over it; the broken one waits until that is
over.  What cannot be repaired is put aside.  The player has no other game of this kind running: whoever calls this has
the game's lock.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from glob import escape
from pathlib import Path
from typing import Final

from nhlog.config import GameProgram
from nhlog.errors import NhlogError
from nhlog.files import open_only_name
from nhlog.players import PlayerFolder
from nhlog.recorder.walls import run_within
from terminal.hosting.left import matching, places
from terminal.hosting.places import is_saved

__all__ = ["repaired"]

_ASIDE: Final = ".broken"
"""What is added to the names of files that cannot be repaired: they stay for the administrator to look at."""


def repaired(game: GameProgram, folder: PlayerFolder, environment: Mapping[str, str]) -> str:
    """Repair what a game left whose process died; returns what its player should know, empty if nothing was left.

    Walls stand already.  Raises :class:`NhlogError` if the program that does it cannot be run.
    """
    for place, pattern in places(game, folder, game.around.broken_files):
        for name in matching(place, pattern.name):
            if is_saved(game, folder):
                return ""
            if _is_regular(place, name):
                return _repair(game, folder, environment, str(pattern.with_name(name)), place)
    return ""


def _is_regular(place: int, name: str) -> bool:
    try:
        os.close(open_only_name(place, name))
    except NhlogError:
        return False
    return True


def _repair(game: GameProgram, folder: PlayerFolder, environment: Mapping[str, str], file: str, place: int) -> str:
    command = [word.replace("{file}", file) for word in game.around.repair]
    run_within(command, game.walls, folder.home, environment)
    if is_saved(game, folder):
        return f"{game.title} broke off the last time you played. Your game was recovered and goes on."
    stem = Path(file).stem
    for name in matching(place, f"{escape(stem)}.*"):  # else they would be in the way for ever
        with suppress(OSError):
            os.rename(name, f"{name}{_ASIDE}", src_dir_fd=place, dst_dir_fd=place)
    return f"{game.title} broke off the last time you played, and that game could not be recovered. You begin another."
