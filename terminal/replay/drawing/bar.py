"""The timeline bar: the whole recording in one row, proportional to its steps.

The mark of the current step is always on top.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from nhlog.screen import Screen
from terminal.replay.player import Player
from terminal.screen import theme

__all__ = ["draw_bar", "draw_scale"]

LABEL: Final = 14  # columns for each number of the scale
CROWDED: Final = 3  # columns per keyframe below which they say nothing


def draw_bar(player: Player, width: int) -> Screen:
    """One row: track, keyframes, markers, and the current step."""
    screen = Screen(width, 1)
    timeline = player.timeline
    here = _column(player, player.step, width)
    screen.put(0, 0, "─" * width, theme.BAR)
    screen.put(0, 0, "━" * here, theme.PLAYED)
    if len(timeline.keyframes) * CROWDED <= width:
        for step in timeline.keyframes:
            x = _column(player, step, width)
            screen.put(x, 0, "┿" if x < here else "┼", theme.PLAYED if x < here else theme.BAR)
    keyframes = set(timeline.keyframes)
    for marker in player.markers:
        if marker.step not in keyframes:
            screen.put(_column(player, marker.step, width), 0, "◆", theme.RARE)
    screen.put(here, 0, "●", theme.KEY)
    return screen


def draw_scale(player: Player, width: int) -> Screen:
    """One row with numbers in the recording's unit, for below the bar; not to be changed."""
    timeline = player.timeline
    parts = max(width // LABEL, 1)
    columns = [part * (width - 1) // parts for part in range(parts + 1)]
    numbers = tuple(timeline.at(timeline.unit, x * timeline.last // max(width - 1, 1)) for x in columns)
    return _scale_drawn(timeline.unit, numbers, width)


@lru_cache(maxsize=4)
def _scale_drawn(unit: str, numbers: Sequence[int], width: int) -> Screen:
    """The numbers at equal distances from the first column to the last, those that differ from the one before."""
    screen = Screen(width, 1)
    screen.put(0, 0, f"{unit} {numbers[0]}", theme.NOTE)
    for part, (before, number) in enumerate(pairwise(numbers), 1):
        if number != before:
            label = str(number)
            x = part * (width - 1) // (len(numbers) - 1)
            screen.put(min(x - len(label) // 2, width - len(label)), 0, label, theme.NOTE)
    return screen


def _column(player: Player, step: int, width: int) -> int:
    return step * (width - 1) // max(player.timeline.last, 1)
