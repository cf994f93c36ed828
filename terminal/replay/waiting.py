"""Showing a recording that others write: waiting for its first byte, and opening anew what is replaced.

What is shown is kept until the file that has its name now can be opened.
"""

import os
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from threading import Thread
from typing import Any, Final

from nhlog.errors import NhlogError, TooShort
from nhlog.files import CannotOpen, Stamp, may_come, stamp_of
from nhlog.files.events import unheard
from nhlog.formats import reading
from nhlog.replay import Replay, Status
from nhlog.screen import Screen, clip
from terminal.followed import Followed, Version
from terminal.replay.loop import REFRESH, watch
from terminal.replay.player import Player
from terminal.screen import theme
from terminal.screen.display import Display
from terminal.screen.page import draw_title
from terminal.text.words import counted, printable

__all__ = ["GivenUp", "show_file"]

LEAVE: Final = ("q", "escape")
_GONE: Final = "the file was deleted or moved"
_NEW: Final = "another file has its name now, and is shown"
_READ: Final = "the beginning has come, and is being read"
_ALL: Final = "all of it is here, from the start"

Open = Callable[[str], Replay[Any]]
Shown = Callable[[str, Replay[Any]], Player]


def show_file(
    display: Display,
    source: Followed,
    open_file: Open,
    shown: Shown,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Show the recording of a file that `open_file` opens, by the player that `shown` makes, until the user leaves.

    Raises :class:`NhlogError` if it cannot be opened, :class:`GivenUp` where the user interrupts that; one of which
    there is too little is waited for.
    """
    with reading(source.version().path):
        player, path = _begun(display, source, lambda path: shown(path, open_file(path)))
        while player is not None:
            with closing(player), closing(_Future(player, path, source, open_file, shown)) as future:
                watch(display, player, clock, until=future.is_there)
            player, path = future.player, future.path


class GivenUp(NhlogError):
    """The user did not want to wait until it was open (exit code 130)."""

    exit_code = 130


class _Future:
    """What comes after what is shown: the player of another file (None as yet), or the end of a pipe.

    `path` is the file of what is shown, and then of the other one.
    """

    def __init__(self, player: Player, path: str, source: Followed, open_file: Open, shown: Shown) -> None:
        self.player: Player | None = None
        self.path = path
        self._shown, self._source = player, source
        self._open, self._make = open_file, shown
        self._opening: _Opening | None = None
        self._tried: Stamp | None = None
        self._named, self._gone, self._note = stamp_of(path) is not None, False, player.info.note

    def is_there(self) -> bool:
        """Whether there is another player; until then what is shown stays."""
        if self._shown.info.status is not Status.FINISHED and self._source.ended():
            self._shown.refresh()
            self._shown.end("the pipe was closed: this is all that came")
        self._look_at_name()
        version = self._source.version()
        if version.path == self.path:
            self._shown.before, self._shown.lacking = version.before, version.told
        if self._opening is not None and self._opening.done:
            with suppress(NhlogError, OSError):
                self.player = self._make(self._opening.version.path, self._opening.take())
                self._hand_over(self.player, self._opening.version)
            self._opening = None
        elif self._opening is None and (self._shown.replaced or version.path != self.path):
            self._open_next(version)
        return self.player is not None

    def _open_next(self, version: Version) -> None:
        stamp = stamp_of(version.path)
        if stamp != self._tried:
            self._tried = stamp
            self._opening = _Opening(self._open, version)
            if self._shown.before:
                self._shown.lacking = _READ

    def _hand_over(self, player: Player, version: Version) -> None:
        """Have the next player go on: where this one stands, if it shows the same."""
        player.before, player.lacking = version.before, version.told
        self._source.taken()
        if version.path == self.path:
            player.tell(_NEW)
        else:
            player.go_on_as(self._shown)
            player.tell("" if version.before else _ALL)
        self.path = version.path

    def close(self) -> None:
        """Leave the next one, if it is not shown."""
        if self._opening is not None:
            self._opening.leave()

    def _look_at_name(self) -> None:
        """Say so when no file has the name any more, for recordings that do not notice this themselves."""
        shown = self._shown
        gone = self._named and stamp_of(self.path) is None
        if gone and not self._gone:
            shown.refresh()
            if shown.info.note == self._note:
                shown.info = replace(shown.info, note=_GONE)
                shown.tell(_GONE)
        elif not gone and shown.info.note == _GONE:
            shown.info = shown.replay.info
        self._gone, self._note = gone, shown.info.note


class _Opening:
    """A version that is opened by a thread, as that may take long, while another one is shown."""

    def __init__(self, open_file: Open, version: Version) -> None:
        self.version = version
        self._open = open_file
        self._replay: Replay[Any] | None = None
        self._error: BaseException | None = None
        self._left = False
        self._thread = Thread(target=self._run, name="nhlog opening", daemon=True)
        with unheard():
            self._thread.start()

    def _run(self) -> None:
        try:
            self._replay = self._open(self.version.path)
        except BaseException as error:
            self._error = error
        if self._left:
            self.leave()

    @property
    def done(self) -> bool:
        """Whether it is open, or cannot be."""
        return not self._thread.is_alive()

    def take(self) -> Replay[Any]:
        """The recording; raises the error of its opening."""
        if self._replay is None:
            raise self._error or AssertionError
        return self._replay

    def leave(self) -> None:
        """Close it, now or as soon as it is open."""
        self._left = True
        if self._replay is not None:
            self._replay.close()


def _begun(display: Display, source: Followed, opened: Callable[[str], Player]) -> tuple[Player | None, str]:
    """The player of a file, as soon as there is something to show; None if the user does not want to wait."""
    why: NhlogError | None = None
    while True:
        last, version = source.ended(), source.version()
        file = version.path
        try:
            player = opened(file)
            player.before, player.lacking = version.before, version.told
            return player, file
        except KeyboardInterrupt:
            raise GivenUp("not opened: cancelled", file=file) from None
        except TooShort as error:
            if last:
                raise
            why = error
        except CannotOpen as error:
            if why is None and not may_come(file):
                raise
            why = error  # it was there: somebody is about to write it anew
        display.draw(_draw_waiting(file, why, *display.size))
        if any(key in LEAVE for key in display.keys(REFRESH)):
            return None, file


def _draw_waiting(file: str, why: NhlogError, width: int, height: int) -> Screen:
    screen = Screen(width, height)
    draw_title(screen, printable(os.path.basename(file) or file))
    stamp = None if os.path.isdir(file) else stamp_of(file)
    if may_come(file):
        told = "waiting: there is no such file yet"
    elif stamp is None:
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
