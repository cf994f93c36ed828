"""The state of the lobby: the rows of its folders, the chosen row, and the keys.

A row is read again only when its file has changed; the people on a game are counted only for rows in view.
"""

import os
import random
import stat
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from nhlog.engines import engines
from nhlog.engines.prompts import AskText
from nhlog.errors import LockNotObtained, NhlogError
from nhlog.formats import is_recording, operation, unlisted
from nhlog.formats.nhgame.listing import GameListing
from nhlog.log.locks.holders import holders_of, writes
from nhlog.operations import Listing, Unlisted
from nhlog.replay import Status
from terminal.lobby.rows import FINISHED, OTHERS, RECORDINGS, SECTIONS, SORTS, UNREADABLE, YOURS, People, Row
from terminal.play.prompts.text import TextInput
from terminal.screen.keys import Key

__all__ = ["LOBBY_KEYS", "Lobby"]

AT_ONCE: Final = 40  # files read between two frames
PAGE: Final = 10  # rows


class Lobby:
    """The recordings in some folders; `user` is the id of the user whose games are "your games".

    `sort` names the order (see `rows.SORTS`), `filter` is a text that rows must contain, `typing` the input while the
    filter is being typed.  `message` is shown to the person, `help` whether the keys are shown.  `wants` is what is
    to be done with the chosen row: ``play``, ``watch``, ``replay``, ``new`` or nothing.  `people` has who is on a
    game, and `broken` why a file cannot be read, both by the file's path.  `now` is the time of the last look, in UTC
    microseconds since 1970.
    """

    def __init__(self, folders: Sequence[Path], user: int) -> None:
        self.folders = tuple(folders)
        self.sort = next(iter(SORTS))
        self.filter = ""
        self.typing: TextInput | None = None
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
        """Read files that are new or changed, a limited number at a time.  Returns whether there are more to read."""
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
        """Read a file that is new or has changed; one that cannot be read becomes an unreadable row, unless locked."""
        self.broken.pop(file, None)
        try:
            listing: Listing = operation(file, "listing")(file)
        except (NhlogError, OSError) as error:
            if isinstance(error, LockNotObtained) and file in self._known:
                return
            listing = broken = unlisted(file, error)
            self.broken[file] = broken.fault
        identity = (status.st_dev, status.st_ino)
        self._known[file] = Row(file, self._section(listing, status), listing, identity, status.st_uid)

    def _section(self, listing: Listing, status: os.stat_result) -> str:
        if isinstance(listing, Unlisted):
            return UNREADABLE
        if not isinstance(listing, GameListing):
            return RECORDINGS
        if listing.status is Status.FINISHED:
            return FINISHED
        return YOURS if status.st_uid == self._user and listing.engine in engines() else OTHERS

    @property
    def rows(self) -> list[Row]:
        """The rows that contain the filter, by section and in the chosen order."""
        order = (self.filter, self.sort)
        if self._ordered is None or self._ordered[0] != order:
            wanted = self.filter.casefold()
            rows = [row for row in self._known.values() if wanted in f"{row.title} {row.file}".casefold()]
            rows.sort(key=lambda row: (SECTIONS.index(row.section), SORTS[self.sort](row)))
            self._ordered = (order, rows)
        return self._ordered[1]

    def count(self, rows: Sequence[Row]) -> None:
        """Count the people on these games, for `people`."""
        for row in rows:
            if row.section in (YOURS, OTHERS):
                held = holders_of(row.identity)
                playing = sum(writes(holder, row.identity, row.owner) for holder in held)
                self.people[row.file] = People(playing, len(held) - playing)

    # which one

    @property
    def index(self) -> int:
        """The index of the chosen row in `rows`; 0 if it is no longer there."""
        return next((index for index, row in enumerate(self.rows) if row.file == self._chosen), 0)

    @property
    def chosen(self) -> Row | None:
        """The row under the cursor; None if there are no rows."""
        rows = self.rows
        return rows[self.index] if rows else None

    def choose(self, file: str) -> None:
        """Put the cursor on the row of this file."""
        self._chosen = file

    def move(self, count: int) -> None:
        """Move the cursor by `count` rows."""
        rows = self.rows
        if rows:
            self._chosen = rows[min(max(self.index + count, 0), len(rows) - 1)].file

    # keys

    def press(self, key: str) -> None:
        """Do what the key of this name does."""
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
        """Handle a key while the filter is being typed; the filter takes effect at once."""
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
        """Play the user's own game, watch another one, replay anything else; for an unreadable file, show the error."""
        row = self.chosen
        if row is not None and row.section == UNREADABLE:
            self.message = self.broken[row.file]
        elif row is not None:
            self.wants = "play" if row.playable else "watch" if row.section == OTHERS else "replay"

    def want(self, what: str) -> None:
        """Ask for the chosen row to be shown: sets `wants`."""
        if self.chosen is not None or what == "new":
            self.wants = what

    def watch_any(self) -> None:
        """Watch a random game that is being played now, or else any unfinished one."""
        going = [row for row in self.rows if row.section in (YOURS, OTHERS)]
        self.count(going)
        played = [row for row in going if self.people[row.file].players]
        if not going:
            self.message = "nobody plays"
            return
        self._chosen = random.choice(played or going).file
        self.wants = "watch"

    def next_sort(self) -> None:
        """Sort by the next order."""
        names = list(SORTS)
        self.sort = names[(names.index(self.sort) + 1) % len(names)]
        self.message = f"sorted by {self.sort}"

    def start_filter(self) -> None:
        """Start typing the filter."""
        self.typing = TextInput(AskText("show only:"))
        self.filter = ""

    def show_help(self) -> None:
        """Show the keys."""
        self.help = True

    def quit(self) -> None:
        """Leave the lobby."""
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
    Key("List", ("s",), "s", "change sort order", Lobby.next_sort),
    Key("List", ("?", "h"), "?", "these keys", Lobby.show_help),
    Key("List", ("q", "escape"), "q", "leave", Lobby.quit),
)

_BY_NAME: Final = {name: key for key in LOBBY_KEYS for name in key.names}
