"""Editing the file of a game's options: by an editor that opens no other file and starts no other program.

It runs in the game's sandbox, because the file is in a folder that the game can write to, so it may be a link.
"""

import shutil
from typing import Final

from nhlog.config import GameProgram
from nhlog.errors import BY_SIGNAL, Usage
from nhlog.players import PlayerFolder
from nhlog.recorder import ENDING, Exchange, Program, Unrecorded, pixels_of
from nhlog.recorder.walls import confined
from terminal.hosting.borrowed import borrowed, environment_of
from terminal.hosting.places import made
from terminal.screen.display import Display

__all__ = ["edit_options"]

_EDITOR: Final = ("nano", "--restricted", "--ignorercfiles")
_ENDED: Final = frozenset(BY_SIGNAL + number for number in ENDING)


def edit_options(display: Display, game: GameProgram, folder: PlayerFolder) -> str:
    """Let the player edit them on the terminal of `display`; returns a message for afterwards.

    Raises :class:`NhlogError` if that is not possible, and :class:`SystemExit` if the player's terminal is gone.
    """
    assert game.rcfile is not None, "it is asked for games that have one"
    if shutil.which(_EDITOR[0]) is None:
        raise Usage("no editor is installed", expected=_EDITOR[0])
    folder = made(game, folder)
    path = folder.home / game.rcfile
    folder.check_in_home(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    environment = environment_of(folder)
    run = confined((*_EDITOR, str(path)), game.walls, folder.home, environment)
    with borrowed(display) as (terminal, signals, _):
        size = terminal.first_size
        pixels = pixels_of(terminal.screen, size)
        program = Program(run.command, environment, size, terminal.modes, run.begin, pixels)
        code = Exchange(program, Unrecorded(), signals, terminal).run()
        if code in _ENDED:
            raise SystemExit(code)
    return f"the editor ended with exit code {code}" if code else ""
