"""The lobby: the games there are, who is on them, and which one is chosen.

A row is read again only when its file changed; who is on a game is asked for the rows in view alone.
"""

import os
import random
import stat
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from nhlog.engines import engines
from nhlog.engines.prompts import AskText
from nhlog.errors import LockNotObtained, NhlogError
from nhlog.formats import is_recording, operation
from nhlog.log.holders import holders_of, writes
from nhlog.operations import as_record
from terminal.asking import Text
from terminal.keys import Key

__all__ = ["LOBBY_KEYS", "SECTIONS", "Lobby", "Row"]

SECTIONS: Final = ("your games", "games of others", "finished games", "recordings")
YOURS, OTHERS, FINISHED, RECORDINGS = SECTIONS
AT_ONCE: Final = 40  # files read between two frames
PAGE: Final = 10  # rows


@dataclass(frozen=True, slots=True)
class Row:
    """A game or recording: its listing, the section it stands in, and its file's device and inode."""

    file: str
    section: str
    listing: Mapping[str, Any]
    identity: tuple[int, int]
    owner: int

    @property
    def title(self) -> str:
        """Who it is about."""
        record = self.listing
        return f"{record['player']}, {record['race']} {record['role']}" if "player" in record else str(record["title"])

    @property
    def playable(self) -> bool:
        """Whether Enter plays it."""
        return self.section == YOURS


@dataclass(frozen=True, slots=True)
class People:
    """Who is on a game: processes that may write, and others."""

    players: int
    watchers: int


SORTS: Final[Mapping[str, Callable[[Row], Any]]] = {
    "last played": lambda row: -row.listing["changed"],
    "turn": lambda row: -row.listing.get("turn", 0),
    "name": lambda row: row.title.casefold(),
}


class Lobby:
    """The rows of some folders; `chosen` is the one that the cursor is on, `wants` what is to be done with it.

    `filter` is what rows must have in them, `typing` whether it is being typed, `broken` the files that cannot be read
    and why, `now` the moment of the last look in UTC microseconds.  `wants` is ``play``, ``watch``, ``replay``, ``new``
    or nothing.
    """

    def __init__(self, folders: Sequence[Path], user: int) -> None:
        self.folders = tuple(folders)
        self.sort = next(iter(SORTS))
        self.filter = ""
        self.typing: Text | None = None
        self.help = False
        self.message = ""
        self.wants = ""
        self.done = False
        self.now = 0
        self.people: dict[str, People] = {}
        self.broken: dict[str, str] = {}
        self._user = user
        self._known: dict[str, Row] = {}
        self._versions: dict[str, tuple[int, ...]] = {}  # of the files that were read, whatever came of it
        self._ordered: tuple[object, list[Row]] | None = None
        self._chosen = ""

    # what there is

    def look(self) -> bool:
        """Read what is new or changed, some of it at a time; whether there is more to read."""
        self.now = time.time_ns() // 1000
        files = self._files()
        for gone in self._versions.keys() - files.keys():
            self._ordered = None
            for known in (self._versions, self._known, self.broken, self.people):
                known.pop(gone, None)
        read = 0
        for file, status in files.items():
            version = (status.st_mtime_ns, status.st_size, status.st_ino)
            if self._versions.get(file) == version:
                continue
            if read == AT_ONCE:
                return True
            read += 1
            self._ordered = None
            self._versions[file] = version
            self._read(file, status)
        return False

    def _files(self) -> dict[str, os.stat_result]:
        found = {}
        for folder in self.folders:
            try:
                names = sorted(os.listdir(folder))
            except OSError:
                continue  # a folder that is not there has no games
            for path in (os.path.join(folder, name) for name in names):
                try:
                    status = os.stat(path)
                except OSError:
                    continue
                if is_recording(path) and (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
                    found[path] = status
        return found

    def _read(self, file: str, status: os.stat_result) -> None:
        """Read a file that is new or was written since; what cannot be read may be no more than half written."""
        self.broken.pop(file, None)
        try:
            listing = as_record(operation(file, "listing")(file))
        except (NhlogError, OSError) as error:
            if not (isinstance(error, LockNotObtained) and file in self._known):
                self._known.pop(file, None)
                self.broken[file] = error.what if isinstance(error, NhlogError) else error.strerror or str(error)
            return
        identity = (status.st_dev, status.st_ino)
        self._known[file] = Row(file, self._section(listing, status), listing, identity, status.st_uid)

    def _section(self, listing: Mapping[str, Any], status: os.stat_result) -> str:
        if "player" not in listing:
            return RECORDINGS
        if listing["status"] == "finished":
            return FINISHED
        return YOURS if status.st_uid == self._user and listing.get("engine") in engines() else OTHERS

    @property
    def rows(self) -> list[Row]:
        """The rows that the filter lets through, by section and in order."""
        order = (self.filter, self.sort)
        if self._ordered is None or self._ordered[0] != order:
            wanted = self.filter.casefold()
            rows = [row for row in self._known.values() if wanted in f"{row.title} {row.file}".casefold()]
            rows.sort(key=lambda row: (SECTIONS.index(row.section), SORTS[self.sort](row)))
            self._ordered = (order, rows)
        return self._ordered[1]

    def count(self, rows: Sequence[Row]) -> None:
        """Ask who is on these games."""
        for row in rows:
            if row.section in (YOURS, OTHERS):
                held = holders_of(row.identity)
                playing = sum(writes(holder, row.identity, row.owner) for holder in held)
                self.people[row.file] = People(playing, len(held) - playing)

    # which one

    @property
    def index(self) -> int:
        """Where the chosen row stands among `rows`; 0 where it is no longer there."""
        return next((index for index, row in enumerate(self.rows) if row.file == self._chosen), 0)

    @property
    def chosen(self) -> Row | None:
        """The row that the cursor is on."""
        rows = self.rows
        return rows[self.index] if rows else None

    def choose(self, file: str) -> None:
        """Put the cursor on this file's row."""
        self._chosen = file

    def move(self, count: int) -> None:
        """Move the cursor."""
        rows = self.rows
        if rows:
            self._chosen = rows[min(max(self.index + count, 0), len(rows) - 1)].file

    # keys

    def press(self, key: str) -> None:
        """Do what `key` does."""
        self.message = ""
        if self.help:
            self.help = False
        elif self.typing is not None:
            self._type(key)
        elif key in _BY_NAME:
            _BY_NAME[key].act(self)
        else:
            self.message = "no such key: ? shows all"

    def _type(self, key: str) -> None:
        """The filter acts while it is typed."""
        assert self.typing is not None
        if key in ("down", "up"):
            self.move(1 if key == "down" else -1)
        elif key == "escape":
            self.typing, self.filter = None, ""
        elif key == "enter":
            self.typing = None
        else:
            self.typing.press(key)
            self.filter = self.typing.typed

    def enter(self) -> None:
        """Play one's own game, watch another's, look at what is finished."""
        row = self.chosen
        if row is not None:
            self.wants = "play" if row.playable else "watch" if row.section == OTHERS else "replay"

    def want(self, what: str) -> None:
        """Do this with the chosen row."""
        if self.chosen is not None or what == "new":
            self.wants = what

    def watch_any(self) -> None:
        """Watch one of the games that somebody plays now, or else one that goes on."""
        going = [row for row in self.rows if row.section in (YOURS, OTHERS)]
        self.count(going)
        played = [row for row in going if self.people[row.file].players]
        if not going:
            self.message = "nobody plays"
            return
        self._chosen = random.choice(played or going).file
        self.wants = "watch"

    def next_sort(self) -> None:
        """Sort by the next of the orders there are."""
        names = list(SORTS)
        self.sort = names[(names.index(self.sort) + 1) % len(names)]
        self.message = f"sorted by {self.sort}"

    def start_filter(self) -> None:
        """Type what rows must have in them."""
        self.typing = Text(AskText("show only:"))
        self.filter = ""

    def show_help(self) -> None:
        """Show the keys."""
        self.help = True

    def quit(self) -> None:
        """Leave."""
        self.done = True


LOBBY_KEYS: Final[tuple[Key[Lobby], ...]] = (
    Key("Games", ("enter",), "Enter", "play yours, watch others'", Lobby.enter),
    Key("Games", ("n",), "n", "new game", lambda lobby: lobby.want("new")),
    Key("Games", ("w",), "w", "watch", lambda lobby: lobby.want("watch")),
    Key("Games", ("r",), "r", "see from the start", lambda lobby: lobby.want("replay")),
    Key("Games", ("*",), "*", "watch any that is played", Lobby.watch_any),
    Key("List", ("down", "j"), "Down", "next", lambda lobby: lobby.move(1)),
    Key("List", ("up", "k"), "Up", "previous", lambda lobby: lobby.move(-1)),
    Key("List", ("page-down",), "PgDn", "ten on", lambda lobby: lobby.move(PAGE)),
    Key("List", ("page-up",), "PgUp", "ten back", lambda lobby: lobby.move(-PAGE)),
    Key("List", ("g", "home"), "g", "first", lambda lobby: lobby.move(-len(lobby.rows))),
    Key("List", ("G", "end"), "G", "last", lambda lobby: lobby.move(len(lobby.rows))),
    Key("List", ("/",), "/", "show only what has ... in it", Lobby.start_filter),
    Key("List", ("s",), "s", "sort otherwise", Lobby.next_sort),
    Key("List", ("?", "h"), "?", "these keys", Lobby.show_help),
    Key("List", ("q", "escape"), "q", "leave", Lobby.quit),
)

_BY_NAME: Final = {name: key for key in LOBBY_KEYS for name in key.names}
