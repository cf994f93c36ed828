"""`nhlog` in a process that was forked from a service, behind the one that its user started (`screen.tty.front`).

What lobbies of players import and keep is there before (`prepare`), and they share it: a lobby has 12 to 15 MB to
itself in place of 32; while a program is played, 8 (see `screen.tty.apart`).

A change must keep: nothing is prepared that depends on who asks, as on the environment or the terminal.

Rejected: preparing a lobby that was drawn once (0.5 MB less for each) and blessed's terminal (1.6, but a process has
one for good, whatever the player's is); malloc_trim while a program is played (2.7 MB as long as each lobby looked for
plugins itself, 0.1 since); emulators that are forked like this, as none runs for who plays at a terminal.
"""

import atexit
import sys
from importlib import import_module
from typing import Final

from nhlog.engines import engines, lacking
from terminal import cli
from terminal.screen.tty import front

__all__ = ["main", "prepare"]

_NEEDED: Final = (
    "encodings.cp437",
    "nhlog.players.bans",
    "nhlog.players.maintenance",
    "nhlog.players.quota",
    "nhlog.players.sessions",
    "platformdirs.unix",
    "terminal.client",
    "terminal.commands.lobby",
    "terminal.lobby.left",
    "terminal.lobby.loop",
    "terminal.lobby.new_game",
    "terminal.lobby.visitors",
    "terminal.output",
    "terminal.screen.tty.apart",
    "tomllib",
    "watchdog.observers",
)
"""What a player's lobby imports when it is needed."""


def prepare() -> None:
    """Have all that a lobby of a player comes to need."""
    for module in _NEEDED:
        import_module(module)
    for engine in engines():
        lacking(engine)


def main() -> None:
    """Run `nhlog` with the arguments of who is in front, and its exit code."""
    arguments, code = front.arrive(), 1
    try:
        code = cli.main(arguments)
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else code
    except Exception:  # which is shown with its place only if that is wanted
        sys.excepthook(*sys.exc_info())
    finally:
        atexit._run_exitfuncs()
        front.leave(code)
