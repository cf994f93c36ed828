"""Draw a page over the right side of a screen, scrolled if it is too long; the rest of the screen stays visible."""

from nhlog.screen import Screen
from terminal.screen import theme

__all__ = ["draw_page"]


def draw_page(screen: Screen, page: Screen, first: int) -> None:
    """Draw `page` from its row `first` over the right side of `screen`, within a margin."""
    width, height = min(page.width, max(screen.width - 3, 0)), min(page.height, screen.height)
    first = max(min(first, page.height - height), 0)
    left = screen.width - width - 3
    for y in range(min(height + 1, screen.height)):
        screen.put(left, y, " " * (width + 3))
        screen.put(left, y, "│", theme.BAR)
    if height < screen.height:
        screen.put(left, height, "└" + "─" * (width + 2), theme.BAR)
    screen.paste(left + 2, 0, page.crop(0, first, width, height))
