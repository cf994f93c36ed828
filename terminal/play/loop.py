"""The loop of one who plays: draw, wait for a key, hand it on; now and then, look at the log.

While the game is watched again the same log is shown by the player of recordings, and nothing is reopened.
"""

import time
from collections.abc import Callable

from nhlog.errors import LogRecovered, NhlogError
from nhlog.screen import Screen
from terminal.play.controller import Seat
from terminal.play.drawing import draw_seat, draw_trouble
from terminal.replay.controls import Controls
from terminal.replay.loop import REFRESH, Changes, Display, show
from terminal.replay.player import Motion, Player

__all__ = ["play"]


def play(
    display: Display, seat: Seat, clock: Callable[[], float] = time.monotonic, changes: Changes | None = None
) -> None:
    """Play until the person has had enough; with `changes`, another player's keys show at once."""
    if changes:
        display.listen(changes)
    seat.enter()
    while not seat.done:
        busy = seat.advance()
        if changes is None or changes.take():
            seat.refresh()
        display.draw(_drawn(seat, *display.size))
        for key in display.keys(0 if busy else REFRESH):
            seat.press(key)
        if seat.wants_replay:
            seat.wants_replay = False
            _watch_again(display, seat, clock, changes)
    seat.leave()
    if changes:
        display.listen(None)


def _drawn(seat: Seat, width: int, height: int) -> Screen:
    """What one who plays sees; the log may have changed, or be kept from us, since it was looked at."""
    try:
        return draw_seat(seat, width, height)
    except LogRecovered:
        seat.refresh()
    except NhlogError as error:
        return draw_trouble(seat, error, width, height)
    try:
        return draw_seat(seat, width, height)
    except NhlogError as error:
        return draw_trouble(seat, error, width, height)


def _watch_again(display: Display, seat: Seat, clock: Callable[[], float], changes: Changes | None) -> None:
    """Show the game from now back; q, or F at its end, returns to it."""
    player = Player(seat.replay)
    player.message = "watching again: F or q returns to the game"
    controls = Controls(player, seat.view)
    show(display, controls, lambda: controls.done or player.motion is Motion.FOLLOWING, clock, changes)
    seat.refresh()
