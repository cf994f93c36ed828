"""Draw lines of styled text as a screen; most panels consist of them."""

from collections.abc import Sequence

from nhlog.screen import Screen, Style, width_of

__all__ = ["Line", "draw_lines"]

Line = tuple[str, Style]


def draw_lines(lines: Sequence[Line]) -> Screen:
    """A screen with the lines one below the other, just large enough for them."""
    screen = Screen(max((width_of(text) for text, _ in lines), default=0), len(lines))
    for y, (text, style) in enumerate(lines):
        screen.put(0, y, text, style)
    return screen
