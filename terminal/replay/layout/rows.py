"""Where everything stands on the player's screen, by its size and that of the view alone: drawing and mouse ask here.

The view has rows of its own; the transport line has one in every layout.  Only what is left is given to the title, the
message, and the two rows around the transport line that tell the names of markers and the axis.
"""

from itertools import count
from typing import Final

from nhlog.values import NamedTuple

__all__ = ["LEAST", "TALKING", "Details", "Layout", "details_fit", "details_need", "layout_of", "talk_fits"]

LEAST: Final = (30, 7)  # columns and rows below which nothing useful can be shown
TALL: Final = 30  # rows from which the transport line has rows around it
SIDE: Final = 120  # columns from which the details stand beside the view
NARROWEST: Final = 38  # columns that they need there
WIDEST: Final = 56  # and the most that they take
BELOW: Final = 16  # rows of the view from which they stand below it otherwise
STRIP: Final = 4  # rows that they take there
TALK_SIDE: Final = 100  # columns from which talk stands beside the view, where no details do
TALK_LEAST: Final = 19  # columns that it needs there: what 80 columns leave of 100
TALK_MOST: Final = 40  # and the most that it takes
TALKING: Final = 3  # what part of the details' rows talk takes below them: one third


class Layout(NamedTuple):
    """The rows of a screen, counted from 0.

    `body` is the first of the view's, `drawn` how many it is drawn with, `rows` how many of them are shown.
    `transport` is the row of the transport line.  `around` is whether the rows above and below that one belong to it.
    `message` is the row of the message; None where it is shown over the first row of the view.
    """

    body: int
    drawn: int
    rows: int
    transport: int
    around: bool
    message: int | None


def layout_of(least: tuple[int, int], width: int, height: int) -> Layout:
    """The layout for a view that needs that many columns and rows, on a screen of that size."""
    fits = width >= least[0] and height >= least[1]
    for around in (True, False) if height >= TALL else (False,):
        rows = height - 3 - 2 * around
        if rows >= least[1] or not fits:
            return Layout(1, rows, rows, height - 2 - around, around, height - 1)
    spare = height - least[1]
    shown = min(least[1], height - 1)
    if spare < 2:
        return Layout(0, least[1], shown, height - 1, False, None)
    return Layout(0, shown, shown, height - 2, False, height - 1)


class Details(NamedTuple):
    """Where the details stand: so many columns on the right of the view, or so many rows below it."""

    columns: int
    rows: int


def details_fit(least: tuple[int, int], width: int, rows: int) -> Details | None:
    """Where there is room for details, if view and details have that many rows; None if there is none."""
    side = min(width // 3, WIDEST, width - least[0] - 1)
    if width >= SIDE and side >= NARROWEST:
        return Details(side, 0)
    return Details(0, STRIP) if rows >= BELOW and rows - STRIP >= least[1] else None


def talk_fits(least: tuple[int, int], width: int, details: Details | None) -> int:
    """The columns for talk on the right of the view; 0 where there is no room, or the details have it."""
    room = min(width // 3, TALK_MOST, width - least[0] - 1)
    return room if width >= TALK_SIDE and room >= TALK_LEAST and not (details and details.columns) else 0


def details_need(least: tuple[int, int]) -> tuple[int, int]:
    """From how many columns on there is room beside the view, and from how many rows on below it."""
    columns = next(width for width in count(SIDE) if details_fit(least, width, 0))
    rows = next(
        height for height in count(LEAST[1]) if details_fit(least, least[0], layout_of(least, least[0], height).drawn)
    )
    return columns, rows
