"""The loops that join a player or a menu with a display; their only clock is the one they are given.

A loop draws what there is, waits for keys, and hands them on; everything else is done by those whom it joins.
"""

import time
from collections.abc import Callable
from contextlib import closing
from typing import Final, Protocol

from nhlog.errors import LockNotObtained, LogRecovered, NhlogError
from nhlog.screen import Screen
from terminal.replay.controls import Controls
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.drawing.menu import draw_menu
from terminal.replay.menu import Menu
from terminal.replay.player import Motion, Player
from terminal.views import view_of

__all__ = ["REFRESH", "Changes", "Display", "choose", "show", "watch"]

FRAME: Final = 1 / 25  # seconds between two frames while playing
REFRESH: Final = 1 / 4  # seconds between two looks at the recording


class HasFileno(Protocol):
    """What `select` can wait for."""

    def fileno(self) -> int:
        """Its descriptor."""


class Display(Protocol):
    """What a client draws on and takes keys from; the console is one."""

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows, as they are now."""

    def draw(self, screen: Screen) -> None:
        """Show the screen."""

    def keys(self, timeout: float) -> list[str]:
        """The keys pressed; waits `timeout` seconds for one."""

    def listen(self, source: HasFileno | None) -> None:
        """Do not wait on in `keys` when there is something to read from `source`; None for nothing of the kind."""


class Changes(HasFileno, Protocol):
    """Who tells that the recording changed; :class:`nhlog.log.notify.Changes` is one."""

    def take(self) -> bool:
        """Whether it did since it was asked last."""


def watch(
    display: Display,
    player: Player,
    clock: Callable[[], float] = time.monotonic,
    changes: Changes | None = None,
) -> None:
    """Show a recording until its person has seen enough; with `changes`, no later than it changes."""
    controls = Controls(player, view_of(player.info.format))
    if changes:
        display.listen(changes)
    show(display, controls, lambda: controls.done, clock, changes)
    if changes:
        display.listen(None)


def show(
    display: Display,
    controls: Controls,
    enough: Callable[[], bool],
    clock: Callable[[], float],
    changes: Changes | None,
) -> None:
    """Show what the controls' player stands at, and obey its keys, until there is `enough`."""
    player = controls.player
    due = clock()
    while not enough():
        now = clock()
        player.advance(now)
        if (changes and changes.take()) or now >= due:
            player.refresh()
            due = clock() + REFRESH + (clock() - now)  # whoever keeps us waiting is not asked all the time
        try:
            display.draw(draw_frame(controls, *display.size))
        except (LogRecovered, LockNotObtained):
            player.refresh()  # the log changed, or was kept from us, between looking at it and drawing: look again
        for key in display.keys(FRAME if player.motion is Motion.PLAYING else REFRESH):
            controls.press(key)


def choose(display: Display, files: list[str], opened: Callable[[str], Player]) -> None:
    """Show the list of `files`, and those of them that are chosen, until their person has seen enough."""
    menu = Menu(files)
    while not menu.done:
        display.draw(draw_menu(menu, *display.size))
        for key in display.keys(0 if menu.read_next() else REFRESH):
            menu.press(key)
        if menu.opened:
            menu.opened = False
            _show(display, menu, opened)


def _show(display: Display, menu: Menu, opened: Callable[[str], Player]) -> None:
    """Show the chosen recording; one that cannot be opened says so in the list."""
    try:
        player = opened(menu.file)
    except (NhlogError, OSError) as error:
        menu.known[menu.file] = error
        return
    with closing(player):
        watch(display, player)
