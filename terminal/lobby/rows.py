"""The rows of the lobby: the data of a game or recording, its section, and the orders of rows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from nhlog.operations import Listing, Unlisted

__all__ = ["FINISHED", "OTHERS", "RECORDINGS", "SECTIONS", "SORTS", "UNREADABLE", "YOURS", "People", "Row"]

SECTIONS: Final = ("your games", "games of others", "finished games", "recordings", "unreadable")
YOURS, OTHERS, FINISHED, RECORDINGS, UNREADABLE = SECTIONS


@dataclass(frozen=True, slots=True)
class Row:
    """A recording in the list.

    `section` is one of `SECTIONS`; `identity` is the device and the inode of its file, `owner` the user id of its
    owner.
    """

    file: str
    section: str
    listing: Listing
    identity: tuple[int, int]
    owner: int

    @property
    def title(self) -> str:
        """The title of the recording; the name of a file that cannot be read."""
        return self.file.rpartition("/")[2] if isinstance(self.listing, Unlisted) else self.listing.title

    @property
    def playable(self) -> bool:
        """Whether Enter plays it."""
        return self.section == YOURS


@dataclass(frozen=True, slots=True)
class People:
    """The number of processes on a game: those that may write to it, and others."""

    players: int
    watchers: int


SORTS: Final[Mapping[str, Callable[[Row], Any]]] = {
    "last played": lambda row: -(row.listing.changed or 0),
    "turn": lambda row: -getattr(row.listing, "turn", 0),
    "name": lambda row: row.title.casefold(),
}
"""The orders by which rows can be sorted: their names and sort keys."""
