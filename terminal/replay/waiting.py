"""Showing a recording that others write: waiting for its first byte, and opening anew what is replaced.

What is shown is kept until the file that has its name now can be opened.
"""

import os
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from typing import Final

from nhlog.errors import NhlogError, TooShort
from nhlog.files import CannotOpen, Stamp, stamp_of
from nhlog.formats import reading
from nhlog.replay import Status
from nhlog.screen import Screen, clip
from terminal.replay.loop import REFRESH, watch
from terminal.replay.player import Player
from terminal.screen import theme
from terminal.screen.display import Display
from terminal.screen.page import draw_title
from terminal.text.words import counted, printable

__all__ = ["GivenUp", "show_file"]

LEAVE: Final = ("q", "escape")
_GONE: Final = "no file has its name any more"
_NEW: Final = "another file has its name now: this is it"

Opened = Callable[[], Player]


def show_file(
    display: Display,
    file: str,
    opened: Opened,
    ended: Callable[[], bool] = lambda: False,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Show the recording `file`, as `opened` opens it, until the user leaves; `ended()` is whether no more can come.

    Raises :class:`NhlogError` if it cannot be opened, :class:`GivenUp` where the user interrupts that; one of which
    there is too little is waited for.
    """
    with reading(file):
        player = _begun(display, file, opened, ended)
        while player is not None:
            future = _Future(player, file, opened, ended)
            with closing(player):
                watch(display, player, clock, until=future.is_there)
            player = future.player


class GivenUp(NhlogError):
    """The user did not want to wait until it was open (exit code 130)."""

    exit_code = 130


class _Future:
    """What comes after what is shown: the player of the file that got its name (None as yet), or the end of a pipe."""

    def __init__(self, player: Player, file: str, opened: Opened, ended: Callable[[], bool]) -> None:
        self.player: Player | None = None
        self._shown = player
        self._ended = ended
        self._file = file
        self._opened = opened
        self._tried: Stamp | None = None
        self._named, self._gone, self._note = stamp_of(file) is not None, False, player.info.note

    def is_there(self) -> bool:
        """Whether there is another player; until then what is shown stays."""
        if self._shown.info.status is not Status.FINISHED and self._ended():
            self._shown.refresh()
            self._shown.end("the pipe was closed: this is all that came")
        self._look_at_name()
        if self._shown.replaced and (stamp := stamp_of(self._file)) != self._tried:
            self._tried = stamp
            with suppress(NhlogError, OSError):
                self.player = self._opened()
                self.player.tell(_NEW)
        return self.player is not None

    def _look_at_name(self) -> None:
        """Tell when no file has the name any more, of a recording that does not tell by itself what became of it."""
        shown, gone = self._shown, self._named and stamp_of(self._file) is None
        if gone and not self._gone:
            shown.refresh()
            if shown.info.note == self._note:
                shown.info = replace(shown.info, note=_GONE)
                shown.tell(_GONE)
        elif not gone and shown.info.note == _GONE:
            shown.info = shown.replay.info
        self._gone, self._note = gone, shown.info.note


def _begun(display: Display, file: str, opened: Opened, ended: Callable[[], bool]) -> Player | None:
    """The player, as soon as there is something to show; None if the user does not want to wait."""
    why: NhlogError | None = None
    while True:
        last = ended()
        try:
            return opened()
        except KeyboardInterrupt:
            raise GivenUp("not opened: it was given up", file=file) from None
        except TooShort as error:
            if last:
                raise
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
    draw_title(screen, printable(os.path.basename(file) or file))
    stamp = None if os.path.isdir(file) else stamp_of(file)
    if stamp is None:
        told = f"waiting: {why.message}"
    elif not stamp.size:
        told = "waiting for the first byte"
    else:
        told = f"waiting for more than the first {counted(stamp.size, 'byte')}: {why.what}"
    screen.put(1, height // 2, clip(told, width - 2))
    if height > 1:
        screen.put(1, height - 1, "q", theme.KEY)
        screen.put(3, height - 1, "leave", theme.NOTE)
    return screen
