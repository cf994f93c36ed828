"""The loops that show a player, or a menu of recordings, on a display; their only clock is the one they are given.

A loop draws the state, waits for keys, and hands them on.
"""

import time
from collections.abc import Callable
from contextlib import closing
from typing import Final

from nhlog.errors import LockNotObtained, LogRecovered, NhlogError
from nhlog.formats import reading
from terminal.replay.controls import Controls
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.drawing.menu import draw_menu
from terminal.replay.menu import Menu
from terminal.replay.motion import Motion
from terminal.replay.player import Player
from terminal.screen.display import Changes, Display
from terminal.views import view_of

__all__ = ["REFRESH", "choose", "show", "watch"]

FRAME: Final = 1 / 25  # seconds between two frames while playing
REFRESH: Final = 1 / 4  # seconds between two looks at the recording


def watch(
    display: Display,
    player: Player,
    clock: Callable[[], float] = time.monotonic,
    changes: Changes | None = None,
) -> None:
    """Show a recording until the person leaves.  With `changes`, what is written to it shows at once."""
    controls = Controls(player, view_of(player.info.id))
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
    """Show the recording of `controls` and obey its keys until `enough()` is true."""
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
    """Show a menu of `files`, and those that are chosen (`opened` opens one), until the person leaves."""
    menu = Menu(files)
    while not menu.done:
        display.draw(draw_menu(menu, *display.size))
        for key in display.keys(0 if menu.read_next() else REFRESH):
            menu.press(key)
        if menu.opened:
            menu.opened = False
            _show(display, menu, opened)


def _show(display: Display, menu: Menu, opened: Callable[[str], Player]) -> None:
    """Show the chosen recording; one that cannot be opened or shown says so in the list."""
    try:
        with reading(menu.file), closing(opened(menu.file)) as player:
            watch(display, player)
    except (NhlogError, OSError) as error:
        menu.known[menu.file] = error
