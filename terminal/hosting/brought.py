"""Games that were saved on another server, put where the program finds them before it begins.

Who takes over a player (`nhlog migrate`) cannot put them there: where a program saves is its player's copy of a folder
of the system's, which is made for the first game.  So they wait beside it, out of every program's reach.
"""

import os
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from nhlog.config import GameProgram
from nhlog.files import open_inner_folder
from nhlog.players import PlayerFolder
from terminal.hosting.places import root_of

__all__ = ["hand_over"]

_OWN: Final = 0o700


def hand_over(program: GameProgram, folder: PlayerFolder) -> None:
    """Move what waits for the program to where it saves; what has a name there that is taken, or is no save, waits on.

    Nothing of it is a reason not to play.
    """
    waiting = folder.brought(program.name)
    for pattern in program.save_files:
        with suppress(OSError):
            names = [name for name in sorted(os.listdir(waiting)) if fnmatchcase(name, Path(pattern).name)]
            if names:
                _move(waiting, names, *root_of(program, folder, pattern))
    with suppress(OSError):
        waiting.rmdir()


def _move(waiting: Path, names: list[str], root: Path, inner: Path) -> None:
    place = _made(str(root), inner.parent.parts)
    try:
        for name in names:
            with suppress(FileExistsError):
                os.link(waiting / name, name, dst_dir_fd=place, follow_symlinks=False)
                os.unlink(waiting / name)
    finally:
        os.close(place)


def _made(root: str, names: tuple[str, ...]) -> int:
    """A descriptor of the folder to which these names lead, which are made where there is nothing."""
    for depth, name in enumerate(names):
        outer = open_inner_folder(root, names[:depth])
        try:
            with suppress(FileExistsError):
                os.mkdir(name, _OWN, dir_fd=outer)
        finally:
            os.close(outer)
    return open_inner_folder(root, names)
