"""The whole screen: a title, the view of the recording with its details, the timeline bar, the status and a message.

The frame never moves: every line keeps its place whatever there is to say.
"""

from collections.abc import Sequence
from typing import Final

from nhlog.replay import Status
from nhlog.screen import PLAIN, Screen, Style, shorten, width_of
from nhlog.timeline import MICROSECONDS
from terminal.keys import Controls, Mode
from terminal.player import OFF, Motion, Pace, Player
from terminal.views import Fact, View, theme
from terminal.views.help import draw_help
from terminal.words import clock, printable, utc_time

__all__ = ["draw_frame"]

LEAST: Final = (30, 7)  # columns and rows below which nothing useful can be shown
SIDE: Final = 120  # columns from which the details stand beside the view
STRIP: Final = 20  # rows from which they stand below it otherwise
STRIP_ROWS: Final = 3
SCALE: Final = 30  # rows from which the bar has a scale
HINT: Final = (("h", "help"), ("q", "quit"))

_GLYPHS: Final = {Motion.PAUSED: "⏸", Motion.FOLLOWING: "●"}
_STATUS: Final = {Status.LIVE: theme.GOOD, Status.FINISHED: theme.TITLE, Status.DAMAGED: theme.ALARM}


def draw_frame(controls: Controls, view: View, width: int, height: int) -> Screen:
    """What the client shows now."""
    screen = Screen(width, height)
    if width < LEAST[0] or height < LEAST[1]:
        screen.put(0, 0, "too small"[:width])
        return screen
    player = controls.player
    scale = height >= SCALE
    inside = Screen(width, height - 4 - scale)
    if controls.mode is Mode.HELP:
        inside = draw_help(inside.width, inside.height, controls.help_row)
    else:
        _draw_inside(inside, controls, view)
    _draw_title(screen, player)
    screen.paste(0, 1, inside)
    _draw_bar(screen, player, height - 3 - scale)
    if scale:
        _draw_scale(screen, player, height - 3)
    _draw_status(screen, player, height - 2)
    _draw_message(screen, controls, height - 1)
    return screen
