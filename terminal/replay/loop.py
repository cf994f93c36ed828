"""The loops that show a player, or a menu of recordings, on a display; time comes only from the clock passed in.

A loop draws the state, waits for keys, and passes them on.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Final

from nhlog.errors import LockNotObtained, LogRecovered, NhlogError
from nhlog.formats import reading
from nhlog.screen import Screen
from terminal.replay.controls import Controls
from terminal.replay.drawing.frame import draw_frame, draw_hindered
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
    """Show a recording until the user leaves; `changes` reports new data at once."""
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
    """Show the recording of `controls` and handle keys until `enough()` is true."""
    player = controls.player
    screen = Screen(*display.size)
    due = clock()
    while not enough():
        now = clock()
        player.advance(now)
        if (changes and changes.take()) or now >= due:
            player.refresh()
            due = clock() + REFRESH + (clock() - now)  # whoever keeps us waiting is not asked all the time
        screen = _drawn(controls, screen, *display.size)
        display.draw(screen)
        for key in display.keys(FRAME if player.motion is Motion.PLAYING else REFRESH):
            with _reading(player):
                controls.press(key)


def _drawn(controls: Controls, before: Screen, width: int, height: int) -> Screen:
    """The current screen; if the recording cannot be read for it, the one before, and why."""
    with _reading(controls.player):
        return draw_frame(controls, width, height)
    return draw_hindered(before, controls.player)


@contextmanager
def _reading(player: Player) -> Iterator[None]:
    """A scope that reads the recording; it is left if others changed that meanwhile, or keep it from us."""
    try:
        yield
    except LogRecovered:
        player.refresh()
    except LockNotObtained as error:
        player.hinder(error)


def choose(display: Display, files: list[str], opened: Callable[[str], Player]) -> None:
    """Show a menu of `files`, and each one chosen (opened by `opened`), until the user leaves."""
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
