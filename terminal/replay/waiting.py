"""Showing a recording that others write: waiting for its first byte, and opening anew what is replaced.

What is shown is kept until the file that has its name now can be opened.
"""

import os
import time
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Final

from nhlog.errors import NhlogError, TooShort
from nhlog.files import CannotOpen, Stamp, stamp_of
from nhlog.formats import reading
from nhlog.screen import Screen, clip
from terminal.replay.loop import REFRESH, watch
from terminal.replay.player import Player
from terminal.screen import theme
from terminal.screen.display import Display
from terminal.text.words import counted, printable

__all__ = ["show_file"]

LEAVE: Final = ("q", "escape")
_NEW: Final = "another file has its name now: this is it"

Opened = Callable[[], Player]


def show_file(display: Display, file: str, opened: Opened, clock: Callable[[], float] = time.monotonic) -> None:
    """Show the recording `file`, as `opened` opens it, until the user leaves.

    Raises :class:`NhlogError` if it cannot be opened; one of which there is too little is waited for.
    """
    with reading(file):
        player = _begun(display, file, opened)
        while player is not None:
            successor = _Successor(player, file, opened)
            with closing(player):
                watch(display, player, clock, until=successor.is_there)
            player = successor.player


class _Successor:
    """The player of the file that got the name of the one that is shown; None as long as there is none."""

    def __init__(self, player: Player, file: str, opened: Opened) -> None:
        self.player: Player | None = None
        self._shown = player
        self._file = file
        self._opened = opened
        self._tried: Stamp | None = None

    def is_there(self) -> bool:
        """Whether there is one, and it could be opened; until then what is shown stays."""
        if self._shown.replaced and (stamp := stamp_of(self._file)) != self._tried:
            self._tried = stamp
            with suppress(NhlogError, OSError):
                self.player = self._opened()
                self.player.tell(_NEW)
        return self.player is not None


def _begun(display: Display, file: str, opened: Opened) -> Player | None:
    """The player, as soon as there is something to show; None if the user does not want to wait."""
    why: NhlogError | None = None
    while True:
        try:
            return opened()
        except TooShort as error:
            why = error
        except CannotOpen as error:
            if why is None:
                raise
            why = error  # it was there: somebody is about to write it anew
        display.draw(_draw_waiting(file, why, *display.size))
        if set(display.keys(REFRESH)) & set(LEAVE):
            return None


def _draw_waiting(file: str, why: NhlogError, width: int, height: int) -> Screen:
    screen = Screen(width, height)
    screen.put(0, 0, " " * width, theme.TITLE)
    screen.put(1, 0, clip(printable(os.path.basename(file) or file), width - 2), theme.TITLE)
    stamp = stamp_of(file)
    if stamp is None:
        told = f"waiting: {why.what}"
    elif not stamp.size:
        told = "waiting for the first byte"
    else:
        told = f"waiting for more than the first {counted(stamp.size, 'byte')}: {why.what}"
    screen.put(1, height // 2, clip(told, width - 2))
    if height > 1:
        screen.put(1, height - 1, "q", theme.KEY)
        screen.put(3, height - 1, "leave", theme.NOTE)
    return screen
