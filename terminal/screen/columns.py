"""Layout of columns: each as wide as what is in it; where there is no room the less important ones are clipped."""

from collections.abc import Mapping, Sequence
from typing import Final

from nhlog.values import NamedTuple

__all__ = ["Column", "Place", "places"]

BETWEEN: Final = 2  # columns between two


class Column(NamedTuple):
    """A column of a list.

    `least` is the width below which it is rather left out.  Of two, the one with the higher `rank` is left out first;
    one that `yields` is left out where others would be clipped.
    """

    name: str
    least: int
    rank: int
    yields: bool = False


class Place(NamedTuple):
    """Where a column stands: the name in its head, the first of its screen's columns, and how many these are."""

    name: str
    x: int
    width: int


def places(columns: Sequence[Column], contents: Mapping[str, int], left: int, end: int) -> list[Place]:
    """The columns that fit between `left` and `end`, in their order.

    `contents` is how wide the widest text of each column is; without one, it is left out.
    """
    shown = [column for column in columns if contents.get(column.name)]
    wanted = {column.name: max(contents[column.name], len(column.name)) for column in shown}
    rooms = {column.name: min(column.least, wanted[column.name]) for column in shown}
    by_rank = sorted(shown, key=lambda column: column.rank)
    while len(by_rank) > 1 and sum(rooms.values()) + BETWEEN * (len(rooms) - 1) > end - left:
        del rooms[by_rank.pop().name]
    yielding = [column.name for column in by_rank if column.yields]
    while yielding and sum(wanted[name] for name in rooms) + BETWEEN * (len(rooms) - 1) > end - left:
        del rooms[yielding.pop()]
    by_rank = [column for column in by_rank if column.name in rooms]
    spare = end - left - sum(rooms.values()) - BETWEEN * (len(rooms) - 1)
    while growing := [column.name for column in by_rank if rooms[column.name] < wanted[column.name]][: max(spare, 0)]:
        for name in growing:  # those that are clipped grow alike
            rooms[name] += 1
        spare -= len(growing)
    found = []
    for name, room in rooms.items():
        found.append(Place(name, left, max(room, 0)))
        left += room + BETWEEN
    return found
