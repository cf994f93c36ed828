"""The loops that show a player, or a menu of recordings, on a display; time comes only from the clock passed in.

A loop draws the state, waits for keys, and passes them on.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final, cast

from nhlog.errors import Damaged, LockNotObtained, LogRecovered, NhlogError
from nhlog.screen import Screen
from terminal.replay.controls import Controls
from terminal.replay.drawing.frame import draw_frame, draw_hindered
from terminal.replay.drawing.menu import draw_menu
from terminal.replay.menu import Menu
from terminal.replay.motion import Motion
from terminal.replay.player import Player
from terminal.screen.display import Changes, Display
from terminal.views import view_of

__all__ = ["REFRESH", "choose", "show", "watch", "work_on"]

FRAME: Final = 1 / 25  # seconds between two frames while playing
REFRESH: Final = 1 / 4  # seconds between two looks at the recording


def watch(
    display: Display,
    player: Player,
    clock: Callable[[], float] = time.monotonic,
    until: Callable[[], bool] = lambda: False,
) -> None:
    """Show a recording until the user leaves, or `until()` is true."""
    controls = Controls(player, view_of(player.info.id), display.bound)
    if player.changes:
        display.listen(player.changes)
    show(display, controls, lambda: controls.done or until(), clock, player.changes)
    if player.changes:
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
    screen, seen, stirred = Screen(*display.size), None, True
    due = clock()
    while not enough():
        now = clock()
        controls.size = display.size
        player.advance(now)
        if (changes and changes.take()) or now >= due:
            player.refresh()
            due = clock() + REFRESH + (clock() - now)  # whoever keeps us waiting is not asked all the time
        shows = (*display.size, *player.shown)
        if stirred or shows != seen:
            screen, seen = _drawn(controls, screen, *display.size), shows
        display.draw(screen)
        worked, more = False, True
        with _reading(player):
            worked, more = work_on(controls.work, clock)
        stirred = worked
        for key in _keys(display, player, 0 if more else FRAME if player.motion is Motion.PLAYING else REFRESH):
            stirred = True
            with _reading(player):
                controls.press(key)
            if controls.opened.mode == "options":
                from terminal.settings.menu import OptionsMenu  # which was brought when it was opened

                display.dress(cast(OptionsMenu, controls.opened.top).appearance)
            if enough():
                break  # the other keys are for what comes then


def work_on(work: Callable[[], bool], clock: Callable[[], float]) -> tuple[bool, bool]:
    """Go on with what takes long, for the time of a frame; return whether anything was done, and if there is more."""
    until, worked, more = clock() + FRAME, False, True
    while more and clock() < until:
        more = work()
        worked = worked or more
    return worked, more


def _keys(display: Display, player: Player, timeout: float) -> Iterable[str]:
    """The keys pressed; an interrupt ends a search, if there is one."""
    try:
        return display.keys(timeout)
    except KeyboardInterrupt:
        if not player.seeker.busy:
            raise
        player.seeker.give_up()
        return []


def _drawn(controls: Controls, before: Screen, width: int, height: int) -> Screen:
    """The current screen; if the recording cannot be read for it, the one before, and why."""
    with _reading(controls.player):
        return draw_frame(controls, width, height)
    return draw_hindered(before, controls.player)


@contextmanager
def _reading(player: Player) -> Iterator[None]:
    """A scope that reads the recording; it ends if others changed the recording meanwhile, or lock it."""
    try:
        yield
    except LogRecovered:
        player.refresh()
    except (LockNotObtained, Damaged) as error:  # of a file that is being written anew just now, too
        player.news.hinder(error)


def choose(display: Display, files: list[str], shown: Callable[[str], None]) -> None:
    """Show a menu of `files`, and have each one that is chosen `shown`, until the user leaves."""
    menu = Menu(files, display.bound)
    while not menu.done:
        display.draw(draw_menu(menu, *display.size))
        for key in display.keys(0 if menu.read_next() else REFRESH):
            menu.press(key)
        if menu.opened:
            menu.opened = False
            try:
                shown(menu.file)
            except (NhlogError, OSError) as error:  # it says so in the list
                menu.known[menu.file] = error
