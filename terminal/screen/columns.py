"""Layout of columns: the first takes the rest of the width, and the last ones are left out on a narrow screen."""

from collections.abc import Sequence
from typing import Final

__all__ = ["Place", "places"]

BETWEEN: Final = 2  # columns between two
Place = tuple[str, int, int]  # a column's name, where it begins, and how wide it is


def places(columns: Sequence[tuple[str, int]], width: int, left: int, narrowest: int) -> list[Place]:
    """The columns that fit on a screen of `width` columns: their names, first columns and widths.

    `columns` are names and widths; the width of the first is ignored.  It begins at `left`; the last columns are left
    out if it would be narrower than `narrowest`.
    """
    others = list(columns[1:])
    while others and sum(room + BETWEEN for _, room in others) + narrowest > width:
        others.pop()
    wide = width - left - sum(room + BETWEEN for _, room in others)
    found = [(columns[0][0], left, wide)]
    x = left + wide + BETWEEN
    for name, room in others:
        found.append((name, x, room))
        x += room + BETWEEN
    return found
