"""What is shown while something takes long: over the last screen, how far it is.  Must not wait for anything itself."""

from typing import Final

from nhlog.progress import in_words
from nhlog.screen import Screen, clip
from terminal.screen import theme

__all__ = ["PULSE", "SOON", "draw_waiting", "waiting_words"]

SOON: Final = 0.2  # seconds after which one wants to know what it is that takes so long
PULSE: Final = 0.25  # seconds after which one wants to know how far it is now


def waiting_words(doing: str, done: int, total: int) -> str:
    """What is being done, how far it is, and how to end it."""
    return f"{in_words(doing, done, total)} (Ctrl-C ends it)"


def draw_waiting(shown: Screen | None, width: int, height: int, doing: str, done: int, total: int) -> Screen:
    """That in the last row of what was shown, if that was as large; else in the middle of an empty screen."""
    words = waiting_words(doing, done, total)
    if shown is not None and (shown.width, shown.height) == (width, height):
        screen = shown.crop(0, 0, width, height)
        screen.put(0, height - 1, f" {clip(words, width - 2)}".ljust(width), theme.RARE)
        return screen
    screen = Screen(width, height)
    words = clip(words, width - 2)
    screen.put(max((width - len(words)) // 2, 0), height // 2, words, theme.RARE)
    return screen
