"""The legend: the view's, and below it the signs of the timeline bar, which are those of every recording."""

from typing import Final

from nhlog.screen import Screen
from terminal.replay.controls import Controls, moves
from terminal.replay.drawing.bar import MANY, ONE
from terminal.screen import theme
from terminal.views import LEGEND
from terminal.views.legend import Sign, draw_signs

__all__ = ["draw_legend"]

BAR: Final[tuple[Sign, ...]] = (
    ("●", theme.KEY, "on the timeline: where you are"),
    ("━─", theme.PLAYED, "what was, and what comes"),
    (ONE, theme.RARE, "a marker"),
    (f"2 9 {MANY}", theme.RARE, "so many markers in one place, or more"),
    ("┿┼", theme.PLAYED, "a keyframe: stored whole"),
)


def draw_legend(controls: Controls) -> Screen:
    """What the signs on the screen mean."""
    bar = draw_signs(BAR)
    panel = controls.view.panels.get(LEGEND)
    if panel is not None and not moves(controls):
        return panel(controls.player.replay)
    if panel is None:
        return bar
    own = panel(controls.player.replay)
    page = Screen(max(own.width, bar.width), own.height + bar.height)
    page.paste(0, 0, own)
    page.paste(0, own.height + 1, bar.crop(0, 1, bar.width, bar.height - 1))
    return page
