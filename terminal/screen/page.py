"""What screens have in common: a title, a page over the right side, how far something is, no room for anything."""

from typing import ClassVar

from nhlog.progress import in_words
from nhlog.screen import Screen, clip, width_of
from terminal.screen import theme
from terminal.screen.keys import SCROLLS, about

__all__ = ["Page", "draw_page", "draw_title", "draw_waiting", "too_small"]


class Page:
    """A page that was opened over a screen, by its name; any key that does not scroll it leaves it."""

    mode: ClassVar[str] = "page"

    def __init__(self, name: str) -> None:
        self.name = name
        self.done = False

        self.row = 0
        """Its first row that is shown."""

        self.unseen = 0
        """How many rows were below the screen when it was drawn."""

        self.clicked = ""
        """The key of the row that was clicked, which left it."""

    def press(self, key: str) -> None:
        """Handle the key with this name."""
        if key in SCROLLS or (key == " " and self.unseen):
            self.row = max(self.row + min(SCROLLS.get(key, SCROLLS["page-down"]), self.unseen), 0)
        else:
            self.done, self.clicked = True, about(key, "press")


def too_small(width: int, height: int) -> Screen:
    """The screen where there is no room for what should be shown."""
    screen = Screen(width, height)
    screen.put(0, 0, "too small")
    return screen


def draw_title(screen: Screen, title: str, beside: str = "") -> None:
    """Draw the first row: a title, and what is said beside it at the right end."""
    beside = clip(beside, screen.width - 4)
    room = screen.width - 2 - (width_of(beside) + 2 if beside else 0)
    screen.put(0, 0, " " * screen.width, theme.TITLE)
    screen.put(1, 0, clip(title, room), theme.TITLE)
    screen.put(screen.width - width_of(beside) - 1, 0, beside, theme.TITLE)


def draw_page(screen: Screen, page: Screen, first: int, hint: str = "") -> int:
    """Draw `page` from its row `first` over the right side of `screen`, within a margin.

    A page that is too long has the hint in its last row.  Returns how many rows there are below those that are shown.
    """
    height = min(page.height, screen.height)
    hinted = bool(hint) and page.height > screen.height
    width = min(max(page.width, width_of(hint) if hinted else 0), max(screen.width - 3, 0))
    height -= hinted
    first = max(min(first, page.height - height), 0)
    left = screen.width - width - 3
    for y in range(min(height + 1, screen.height)):
        screen.put(left, y, " " * (width + 3))
        screen.put(left, y, "│", theme.BAR)
    if hinted:
        screen.put(left + 2, height, clip(hint, width), theme.NOTE)
    elif height < screen.height:
        screen.put(left, height, "└" + "─" * (width + 2), theme.BAR)
    screen.paste(left + 2, 0, page.crop(0, first, width, height))
    return page.height - height - first


def draw_waiting(shown: Screen | None, width: int, height: int, doing: str, done: int, total: int) -> Screen:
    """How far it is: in the last row of what was shown, if that was as large, else in the middle of an empty screen."""
    words = f"{in_words(doing, done, total)} (Ctrl-C ends it)"
    if shown is not None and (shown.width, shown.height) == (width, height):
        screen = shown.crop(0, 0, width, height)
        screen.put(0, height - 1, f" {clip(words, width - 2)}".ljust(width), theme.RARE)
        return screen
    screen = Screen(width, height)
    words = clip(words, width - 2)
    screen.put(max((width - len(words)) // 2, 0), height // 2, words, theme.RARE)
    return screen
