"""The player's terminal while a program has it, and what that program learns of the player and of the terminal."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from nhlog.players import PlayerFolder
from nhlog.recorder import ENDING, NOTICED
from nhlog.values import NamedTuple
from nhlog.vt import Size
from nhlog.vt.redraw import NEW
from terminal.input import Signals, noted
from terminal.screen.display import Lender
from terminal.screen.tty.raw import RawTerminal

__all__ = ["Borrowed", "borrowed", "environment_of"]

_WORD: Final = r"[A-Za-z0-9][A-Za-z0-9_.@+:,-]*"
_HARMLESS: Final = {name: re.compile(_WORD) for name in ("LANG", "LC_ALL", "LC_CTYPE", "LC_TIME", "COLORTERM", "TERM")}
_HARMLESS["TZ"] = re.compile(rf"{_WORD}(?:/{_WORD})*")
"""Variables that are passed on if they are such words: an ssh client may send anything, and they name files."""

_USUAL_TERMINAL: Final = "xterm-256color"
_USUAL_PATH: Final = "/usr/local/bin:/usr/bin:/bin"
_GAMES_PATH: Final = "/usr/local/games:/usr/games"
_NO_SHELL: Final = "/bin/false"
_CLEAR: Final = b"\x1b[H\x1b[2J"


class Borrowed(NamedTuple):
    """A terminal, the signals that come while a program has it, and the keys that were typed before."""

    terminal: RawTerminal
    signals: Signals
    typed: bytes


@contextmanager
def borrowed(display: Lender, fixed: Size | None = None) -> Iterator[Borrowed]:
    """Clear and lend the terminal of `display`, and restore it afterwards; `fixed` is a program's fixed size."""
    with display.lent() as typed, RawTerminal(fixed) as terminal, noted((*ENDING, *NOTICED)) as signals:
        terminal.show(_CLEAR)
        yield Borrowed(terminal, signals, typed)
        terminal.show(NEW)


def environment_of(folder: PlayerFolder) -> dict[str, str]:
    """The environment of a player's program: the player, the terminal, and nothing else of ours."""
    told = {name: value for name, word in _HARMLESS.items() if word.fullmatch(value := os.environ.get(name, ""))}
    return (
        {"TERM": _USUAL_TERMINAL}
        | told
        | {
            "HOME": str(folder.home),
            "LOGNAME": folder.name,
            "PATH": f"{os.environ.get('PATH', _USUAL_PATH)}:{_GAMES_PATH}",
            "SHELL": _NO_SHELL,
            "USER": folder.name,
        }
    )
