"""The rows of the lobby: what is known of a game or recording, the section it stands in, and the orders of rows.

A row finds its place among thousands without any other being looked at.
"""

import os
from bisect import bisect_left, insort
from collections.abc import Callable, Mapping
from typing import Any, Final

from nhlog.operations import Listing
from nhlog.replay import Status
from nhlog.values import LazySequence, dataclass
from terminal.hosting.places import named

__all__ = [
    "DEEP_SORTS",
    "FINISHED",
    "FOLDERS",
    "OTHERS",
    "RECORDINGS",
    "SECTIONS",
    "SORTS",
    "UNREADABLE",
    "YOURS",
    "Row",
    "Rows",
]

SECTIONS: Final = ("your games", "games of others", "folders", "finished games", "recordings", "unreadable")
YOURS, OTHERS, FOLDERS, FINISHED, RECORDINGS, UNREADABLE = SECTIONS


@dataclass(frozen=True, slots=True)
class Row:
    """A recording in the list.

    `section` is one of `SECTIONS`; `identity` is the device and the inode of its file, `owner` the user id of its
    owner, `changed` when it was written to, in nanoseconds since 1970.  The listing is `whole`, or what a glance at the
    file told.  `crowd` is how many processes were on it at the last count, `written` whether one had the write lock.
    """

    file: str
    section: str
    listing: Listing
    identity: tuple[int, int]
    owner: int
    changed: int
    whole: bool
    crowd: int = 0
    written: bool = False

    @property
    def is_relayed(self) -> bool:
        """Whether it is at an address, and no file here."""
        return "://" in self.file

    @property
    def server(self) -> str:
        """The machine where it is played, if it is relayed."""
        return self.file.split("/")[-3] if self.is_relayed else ""

    @property
    def title(self) -> str:
        """Who plays the game that is a program; else the title of the recording; the name of a file that has none."""
        return self._named[0] or self.listing.title or self.name

    @property
    def player(self) -> str:
        """Who plays the game that is a program, by their name here; else whom the recording tells of."""
        return self._named[0] or ", ".join(self.listing.people)

    @property
    def _named(self) -> tuple[str, str]:
        return named(self.file) or ("", "")

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.file.rpartition("/")[2]

    @property
    def game(self) -> str:
        """The game that is played in it, if known; else the kind of recording; empty for a folder."""
        if self.section == FOLDERS:
            return ""
        told = (
            getattr(self.listing, "engine", "")
            or getattr(self.listing, "game", "")
            or self._named[1]
            or self.listing.format
        )
        return str(told).partition(" (")[0]

    @property
    def place(self) -> str:
        """Where the hero was last; empty if unknown."""
        return getattr(self.listing, "place", None) or ""

    @property
    def turn(self) -> str:
        """The turn of the game; empty if unknown."""
        turn = getattr(self.listing, "turn", None)
        return "" if turn is None else str(int(turn))

    @property
    def terminal(self) -> tuple[int, int]:
        """The columns and rows of the recorded terminal; 0 for other recordings."""
        return getattr(self.listing, "columns", 0), getattr(self.listing, "rows", 0)

    @property
    def size(self) -> str:
        """The same in words; empty for other recordings."""
        columns, rows = self.terminal
        return f"{columns}x{rows}" if columns else ""

    @property
    def folder(self) -> str:
        """The folder that it is in."""
        return self.file.rpartition("/")[0]

    @classmethod
    def of_folder(cls, path: str, status: os.stat_result) -> "Row":
        """The row of a folder that can be opened."""
        listing = Listing(
            file=path,
            format="folder",
            title="",
            start=None,
            duration=None,
            changed=status.st_mtime_ns // 1000,
            size=0,
            status=Status.FINISHED,
        )
        identity = status.st_dev, status.st_ino
        return cls(path, FOLDERS, listing, identity, status.st_uid, status.st_mtime_ns, whole=True)


SORTS: Final[Mapping[str, Callable[[Row], Any]]] = {
    "last played": lambda row: -(row.listing.changed or 0),
    "turn": lambda row: -(getattr(row.listing, "turn", None) or 0),  # recordings of terminals may not tell any
    "player": lambda row: row.title.casefold(),
    "game": lambda row: row.game.casefold(),
    "place": lambda row: (not row.place, row.place),
    "watchers": lambda row: -row.crowd,
    "started": lambda row: -(row.listing.start or 0),
    "file": lambda row: row.name.casefold(),
    "size": lambda row: row.terminal,
    "bytes": lambda row: -row.listing.size,
}
"""The orders that rows can be sorted by: names and keys."""
DEEP_SORTS: Final = frozenset({"turn", "game", "place", "started", "size"})  # that go by what a glance may not tell

_Place = tuple[int, Any, str]  # the number of a row's section, what it is sorted by, its file


class Rows(LazySequence[Row]):
    """The rows that contain the text `filter`, by section and in the order `sort`, or its reverse (see `arrange`)."""

    def __init__(self) -> None:
        self.filter = ""
        self.sort = next(iter(SORTS))
        self.reverse = False
        self._all: dict[str, Row] = {}
        self._order: list[_Place] = []
        self._places: dict[str, _Place] = {}  # of the rows in the order, by their files

    def __len__(self) -> int:
        return len(self._order)

    def _item(self, index: int) -> Row:
        return self._all[self._order[self._turned(index)][2]]

    def of(self, file: str) -> Row | None:
        """The row of this file, also of one that does not contain the filter."""
        return self._all.get(file)

    def has(self, row: Row) -> bool:
        """Whether the row contains the filter."""
        return row.file in self._places

    def place(self, file: str) -> int | None:
        """The index of the row of this file; None if there is none."""
        place = self._places.get(file)
        return None if place is None else self._turned(bisect_left(self._order, place))

    def _turned(self, index: int) -> int:
        """Where a row stands whose place is this one, and the other way round: in reverse, each section by itself."""
        if not self.reverse:
            return index
        number = self._order[index][0]
        return bisect_left(self._order, (number,)) + bisect_left(self._order, (number + 1,)) - 1 - index

    @property
    def sections(self) -> list[tuple[str, int]]:
        """The sections that have rows, and the index of the first row of each."""
        starts = [bisect_left(self._order, (number,)) for number in range(len(SECTIONS) + 1)]
        return [(name, start) for name, start, end in zip(SECTIONS, starts, starts[1:], strict=False) if start < end]

    def put(self, row: Row) -> None:
        """Have this row, in place of the one of the same file."""
        self.remove(row.file)
        self._all[row.file] = row
        if self._wanted(row):
            place = self._places[row.file] = self._place(row)
            insort(self._order, place)

    def remove(self, file: str) -> None:
        """Have no row of this file."""
        self._all.pop(file, None)
        place = self._places.pop(file, None)
        if place is not None:
            del self._order[bisect_left(self._order, place)]

    def arrange(self, text: str, sort: str, *, reverse: bool = False) -> None:
        """Have the rows that contain `text`, in the order that has this name in `SORTS`, or in its reverse."""
        self.reverse = reverse
        if (text, sort) != (self.filter, self.sort):
            self.filter, self.sort = text, sort
            self._places = {file: self._place(row) for file, row in self._all.items() if self._wanted(row)}
            self._order = sorted(self._places.values())

    def _wanted(self, row: Row) -> bool:
        return not self.filter or self.filter.casefold() in f"{row.title} {row.game} {row.place} {row.file}".casefold()

    def _place(self, row: Row) -> _Place:
        return SECTIONS.index(row.section), SORTS[self.sort](row), row.file
