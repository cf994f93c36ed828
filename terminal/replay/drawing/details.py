"""Details of the replay's current step: a strip below the view, or a panel beside it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from nhlog.screen import PLAIN, Screen, Style, clip, width_of
from terminal.replay.player import Player
from terminal.screen import theme
from terminal.text.wrapping import wrapped
from terminal.views import Fact

__all__ = ["draw_panel", "draw_strip"]

NAMES: Final = 15  # columns for the names in the panel
LONGEST: Final = 1000  # characters of a value that are shown
GAP: Final = 3  # columns between two facts of the strip


def draw_strip(facts: Sequence[Fact], width: int, height: int) -> Screen:
    """The facts as running text below a separator line, as many as fit."""
    screen = Screen(width, height)
    screen.put(0, 0, "─" * width, theme.BAR)
    x, y = 1, 1
    for name, value in facts:
        value = clip(value[:LONGEST], width - 3 - width_of(name))
        if x > 1 and x + width_of(name) + 1 + width_of(value) > width - 1:
            x, y = 1, y + 1
        x = screen.put(x, y, name, _style(name)) + 1
        x = screen.put(x, y, value) + GAP
    return screen


def draw_panel(facts: Sequence[Fact], player: Player, width: int, height: int) -> Screen:
    """The facts one below the other, the recording's metadata, and the markers around the current step."""
    screen = Screen(width, height)
    screen.paste(0, 0, _ruled(width, height))
    y = _draw_facts(screen, 0, "here", facts)
    metadata = [(name, str(value)) for name, value in player.info.metadata.items()]
    y = _draw_facts(screen, y + 1, "recording", metadata)
    _draw_markers(screen, player, y + 1)
    return screen


@lru_cache(maxsize=4)
def _ruled(width: int, height: int) -> Screen:
    """An empty panel; not to be changed."""
    screen = Screen(width, height)
    for y in range(height):
        screen.put(0, y, "│", theme.BAR)
    return screen


def _draw_facts(screen: Screen, y: int, heading: str, facts: Sequence[Fact]) -> int:
    """Draw the facts from row `y` on; returns the row after them."""
    screen.put(2, y, heading, theme.HEAD)
    y += 1
    for name, value in facts:
        screen.put(2, y, clip(name, NAMES - 1), _style(name))
        for line in _wrapped(value[:LONGEST], max(screen.width - NAMES - 3, 1)):
            screen.put(2 + NAMES, y, line)
            y += 1
    return y


_wrapped = lru_cache(maxsize=256)(wrapped)


def _draw_markers(screen: Screen, player: Player, top: int) -> None:
    markers, timeline = player.markers, player.timeline
    room = screen.height - top - 1
    if not markers or room < 1:
        return
    screen.put(2, top, "markers", theme.HEAD)
    passed = sum(marker.step <= player.step for marker in markers)
    first = max(min(passed - 1 - room // 2, len(markers) - room), 0)
    shown = markers[first : first + room]
    told = tuple((marker.name, timeline.at(timeline.unit, marker.step)) for marker in shown)
    screen.paste(2, top + 1, _markers_drawn(told, timeline.unit, passed - first, screen.width - 2))
    for y, marker in enumerate(shown, top + 1):
        screen.aim(2, y, screen.width - 2, f"go {marker.step}")


@lru_cache(maxsize=4)
def _markers_drawn(told: Sequence[tuple[str, int]], unit: str, passed: int, width: int) -> Screen:
    """The positions and the names of markers, of which so many are passed; not to be changed."""
    screen = Screen(width, len(told))
    digits = max(len(str(at)) for _, at in told)
    for y, (name, at) in enumerate(told):
        here = y == passed - 1
        style = theme.HERE if here else theme.RARE if y < passed else theme.FUTURE
        screen.put(0, y, "▶ " if here else "  ", style if here else PLAIN)
        x = screen.put(2, y, f"{unit} {at:>{digits}}  ", style)
        screen.put(x, y, clip(name, max(width - x - 1, 0)), style)
    return screen


def _style(name: str) -> Style:
    return theme.ALARM if name == "fault" else theme.NOTE
