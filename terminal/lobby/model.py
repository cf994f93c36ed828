"""The state of the lobby: the rows of its folders, the chosen row, and the keys.

A file is looked at again only when it changed, and read further than its first bytes only for a row in view; who is on
a game is asked for the rows in view alone.
"""

import os
import random
import stat
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Final

from nhlog.engines import engines
from nhlog.engines.prompts import AskText
from nhlog.errors import LockNotObtained, NhlogError
from nhlog.formats import format_of, is_recording, unlisted
from nhlog.formats.nhgame.listing import GameListing
from nhlog.log.locks.holders import processes_on, writes
from nhlog.operations import Listing, Unlisted
from nhlog.replay import Status
from nhlog.screen import Screen
from terminal.lobby.folders import Folders
from terminal.lobby.jobs import Job
from terminal.lobby.rows import (
    DEEP_SORTS,
    FINISHED,
    FOLDERS,
    OTHERS,
    RECORDINGS,
    SORTS,
    UNREADABLE,
    YOURS,
    People,
    Row,
    Rows,
)
from terminal.lobby.visitors import Visitor
from terminal.prompts.text import TextInput
from terminal.screen.keys import Bound, Key, KeyTable, about, as_they_are

__all__ = ["LOBBY_KEYS", "Lobby"]

_WANTS: Final = {YOURS: "play", OTHERS: "watch", FOLDERS: "walk"}  # what Enter does, by section; else it replays
GLANCES: Final = 100  # files glanced at between two frames
READINGS: Final = 10  # and files read whole
PICTURES: Final = 32  # that are kept
PAGE: Final = 10  # rows


class Lobby:
    """The recordings in some folders; `visitor` is who looks at them, `bound` that user's choice of keys.

    `place` is the folder that was walked into, if one was.  `sort` names the order (see `rows.SORTS`), in `reverse` or
    not; `filter` is a text that rows must contain, `typing` the input while the filter is being typed.  `message` is
    shown to the person, `help` whether the keys are shown.  `wants` is what is to be done with the chosen row:
    ``play``, ``watch``, ``replay``, ``walk``, ``new`` or nothing.  `ended` has the finished games that the visitor puts
    away, since they were found or changed.  `people` has who is on a game, and `broken` why a
    file cannot be read, both by the file's path.  `now` is the time of the last look, in UTC microseconds since 1970.
    """

    def __init__(self, folders: Folders, visitor: Visitor, bound: Bound = as_they_are, place: str = "") -> None:
        self.place = place
        self.visitor = visitor
        self.keys = bound(LOBBY_KEYS)
        self.sort = next(iter(SORTS))
        self.reverse = False
        self.filter = ""
        self.typing: TextInput | None = None
        self.help = False
        self.message = ""
        self.wants = ""
        self.done = False
        self.now = 0
        self.ended: dict[str, None] = {}
        self.people: dict[str, People] = {}
        self.broken: dict[str, str] = {}
        self._folders = folders
        self._rows = Rows()
        self._partly: dict[str, None] = {}  # files of which a glance is all that was taken
        self._pictures: dict[Job, Screen | str] = {}
        self._chosen = ""
        self._at = 0  # where the chosen row stood

    # what there is

    def look(self) -> bool:
        """Glance at files that are new or changed, a limited number at a time.  Returns whether there are more."""
        self.now = time.time_ns() // 1000
        for file, status in self._folders.look(GLANCES).items():
            if status is None:
                self._forget(file)
            elif stat.S_ISDIR(status.st_mode) and not is_recording(file):
                self._rows.put(Row.of_folder(file, status))
            else:
                listing, whole = _glance(file, status)
                section, identity = self._section(file, listing, status.st_uid), (status.st_dev, status.st_ino)
                self._put(Row(file, section, listing, identity, status.st_uid, status.st_mtime_ns, whole))
        self._at = self.index
        if self._chosen and (row := self.chosen):
            self._chosen = row.file
        return self._folders.waiting > 0

    @property
    def waiting(self) -> int:
        """How many files are still to be looked at, or to be read for the order or the filter."""
        return self._folders.waiting or (len(self._partly) if self._goes_deep else 0)

    @property
    def _goes_deep(self) -> bool:
        """Whether the order or the filter goes by what a glance may not tell."""
        return self.sort in DEEP_SORTS or bool(self.filter)

    def wanted(self, rows: Sequence[Row], picture: tuple[int, int] | None = None) -> list[Job]:
        """What is to be read of the rows in view, the most important first, and of others where the order or the filter
        asks for it.

        `picture` is the size of that of the chosen one; None for none.
        """
        partly = sorted((row for row in rows if not row.whole), key=lambda row: row.listing.size)
        if self._goes_deep:
            more = (self._rows.of(file) for file in islice(self._partly, READINGS))
            partly += [row for row in more if row is not None and row not in partly]
        jobs = [_job(row) for row in partly]
        row = self.chosen
        if row is not None and picture and row.section not in (FOLDERS, UNREADABLE):
            wish = _job(row, picture)
            jobs = [*[job for job in jobs if job.file == row.file], *([] if wish in self._pictures else [wish]), *jobs]
        return [*dict.fromkeys(jobs)]

    def take(self, job: Job, answer: Listing | Screen | str | None) -> None:
        """Take in what was read; of what is kept from us just now, what was known stays."""
        row = self._rows.of(job.file)
        if row is None or row.changed != job.changed:  # it will be read again
            return
        if job.picture:
            self._pictures[job] = "" if answer is None or isinstance(answer, Listing) else answer
            while len(self._pictures) > PICTURES:
                del self._pictures[next(iter(self._pictures))]
            return
        if isinstance(answer, str):
            answer = unlisted(job.file, NhlogError(answer))
        listing = answer if isinstance(answer, Listing) else row.listing
        self._put(replace(row, listing=listing, section=self._section(row.file, listing, row.owner), whole=True))

    def picture_of(self, row: Row) -> Screen | str:
        """The newest picture of a row, or why there is none."""
        found = [picture for job, picture in self._pictures.items() if job.file == row.file]
        return found[-1] if found else "its last screen is being read"

    def _forget(self, file: str) -> None:
        self._rows.remove(file)
        for known in (self._partly, self.broken, self.people, self.ended):
            known.pop(file, None)

    def _put(self, row: Row) -> None:
        """Have this row, and all that follows from it."""
        file, listing = row.file, row.listing
        self._rows.put(row)
        self._partly.pop(file, None)
        self.broken.pop(file, None)
        if not row.whole:
            self._partly[file] = None
        if isinstance(listing, Unlisted):
            self.broken[file] = listing.fault
        elif _is_over(listing) and self.visitor.puts_away(file, row.owner):
            self.ended[file] = None

    def _section(self, file: str, listing: Listing, owner: int) -> str:
        if isinstance(listing, Unlisted):
            return UNREADABLE
        if not isinstance(listing, GameListing):
            return RECORDINGS
        if _is_over(listing):
            return FINISHED
        return YOURS if self.visitor.owns(file, owner) and listing.engine in engines() else OTHERS

    @property
    def several(self) -> bool:
        """Whether there is more than one folder with something in it."""
        return self._folders.several

    @property
    def rows(self) -> Rows:
        """The rows that contain the filter, by section and in the chosen order."""
        self._rows.arrange(self.filter, self.sort, reverse=self.reverse)
        return self._rows

    def count(self, rows: Sequence[Row]) -> None:
        """Count the people on these games, for `people`."""
        for row in rows:
            if row.section not in (YOURS, OTHERS):
                continue
            with suppress(OSError):  # it is gone
                status, held = os.stat(row.file), processes_on(row.identity)
                playing = sum(writes(holder, status) for holder in held)
                self.people[row.file] = People(playing, len(held) - playing)

    # which one

    @property
    def index(self) -> int:
        """The index of the chosen row in `rows`; of one that is no longer there, what stands in its place."""
        rows = self.rows
        found = rows.place(self._chosen)
        return max(min(self._at, len(rows) - 1), 0) if found is None else found

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
            self._at = min(max(self.index + count, 0), len(rows) - 1)
            self._chosen = rows[self._at].file

    # keys

    def press(self, key: str) -> None:
        """Do what the key of this name does."""
        self.message = ""
        if self.help:
            self.help = False
            key = about(key, "press")  # on a row of the help
        if file := about(key, "row"):
            self._click(file)
        elif self.typing is not None:
            self._type(key)
        elif row := self.keys.of(key):
            row.act(self)
        elif key:
            self.message = f"no such key: {self.keys.label('help')} shows all"

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

    def _click(self, file: str) -> None:
        """Put the cursor on the row of this file; where it stands already, do as Enter does."""
        if self.chosen is not None and self.chosen.file == file:
            self.enter()
        else:
            self._chosen = file

    def enter(self) -> None:
        """Do what suits the chosen row; for an unreadable file, show the error."""
        row = self.chosen
        if row is not None and row.section == UNREADABLE:
            self.message = self.broken[row.file]
        elif row is not None:
            self.wants = _WANTS.get(row.section, "replay")

    def want(self, what: str) -> None:
        """Ask for the chosen row to be shown: sets `wants`."""
        row = self.chosen
        if what == "new" and not self.visitor.plays:
            self.message = "you watch here: who plays has a key of their own"
        elif row is not None and row.section == FOLDERS and what != "new":
            self.wants = _WANTS[FOLDERS]
        elif row is not None or what == "new":
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
        self._tell_sort()

    def turn_sort(self) -> None:
        """Sort by the same order the other way round."""
        self.reverse = not self.reverse
        self._tell_sort()

    def _tell_sort(self) -> None:
        self.message = f"sorted by {self.sort}" + (", the other way round" if self.reverse else "")

    def start_filter(self) -> None:
        """Start typing the filter."""
        self.typing = TextInput(AskText("show only:"))
        self.filter = ""

    def show_help(self) -> None:
        """Show the keys."""
        self.help = True

    def back(self) -> None:
        """Show all rows again, if a filter is set; else leave the lobby."""
        if self.filter:
            self.filter = ""
        else:
            self.quit()

    def quit(self) -> None:
        """Leave the lobby."""
        self.done = True


LOBBY_KEYS: Final[KeyTable[Lobby]] = KeyTable(
    "lobby",
    (
        Key("Games", ("enter",), "open", "play yours, watch others', walk into a folder", Lobby.enter),
        Key("Games", ("n",), "new-game", "new game", lambda lobby: lobby.want("new")),
        Key("Games", ("w",), "watch", "watch", lambda lobby: lobby.want("watch")),
        Key("Games", ("r",), "replay", "see from the start", lambda lobby: lobby.want("replay")),
        Key("Games", ("*",), "watch-any", "watch any that is played", Lobby.watch_any),
        Key("List", ("down", "j", "wheel-down"), "next", "next", lambda lobby: lobby.move(1)),
        Key("List", ("up", "k", "wheel-up"), "previous", "previous", lambda lobby: lobby.move(-1)),
        Key("List", ("page-down",), "ten-on", "ten on", lambda lobby: lobby.move(PAGE)),
        Key("List", ("page-up",), "ten-back", "ten back", lambda lobby: lobby.move(-PAGE)),
        Key("List", ("g", "home"), "first", "first", lambda lobby: lobby.move(-len(lobby.rows))),
        Key("List", ("G", "end"), "last", "last", lambda lobby: lobby.move(len(lobby.rows))),
        Key("List", ("/",), "filter", "show only what has ... in it", Lobby.start_filter),
        Key("List", ("s",), "sort", "change sort order", Lobby.next_sort),
        Key("List", ("S",), "reverse", "sort the other way round", Lobby.turn_sort),
        Key("List", ("?", "h"), "help", "these keys", Lobby.show_help),
        Key("List", ("escape",), "back", "show all again, else leave", Lobby.back),
        Key("List", ("q",), "quit", "leave", Lobby.quit),
    ),
)


def _is_over(listing: Listing) -> bool:
    return isinstance(listing, GameListing) and listing.status is Status.FINISHED


def _job(row: Row, picture: tuple[int, int] | None = None) -> Job:
    return Job(row.file, row.changed, picture)


def _glance(file: str, status: os.stat_result) -> tuple[Listing, bool]:
    """What the first bytes of a file tell, or its name alone; and whether that is all that can be known."""
    kind = format_of(file)
    try:
        operations = kind.load()
        if operations.glance is not None:
            return operations.glance(file), False
    except LockNotObtained:  # its writer is at work
        pass
    except (NhlogError, OSError) as error:
        return unlisted(file, error), True
    return Listing(
        file=file,
        format=kind.name,
        title="",
        start=None,
        duration=None,
        changed=status.st_mtime_ns // 1000,
        size=status.st_size,
        status=Status.FINISHED,
    ), False
