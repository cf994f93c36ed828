"""What there is in the folders of the lobby, and what is known of it: the rows, and who is on them.

A file is looked at again only when it changed, also since an earlier lobby or `nhlog ls`, and read further than its
first bytes only for a row in view; who is on the files is asked once for all of them, and who of those plays for the
rows in view alone.
"""

import stat
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from os import stat_result
from typing import TYPE_CHECKING, Final

from nhlog.engines import engines
from nhlog.errors import NhlogError
from nhlog.files import Identity
from nhlog.files.processes import Locks
from nhlog.formats import is_recording, unlisted
from nhlog.formats.listings import Listings, seen
from nhlog.formats.nhgame.listing import list_near
from nhlog.listed import GameListing
from nhlog.operations import Listing, Unlisted
from nhlog.replay import Status
from nhlog.screen import Screen
from terminal.hosting.places import running_games
from terminal.lobby.folders import Folders
from terminal.lobby.glance import glance
from terminal.lobby.people import NOBODY, People, are_written, crowd, locked, people_on, people_recorded
from terminal.lobby.reading.jobs import Job
from terminal.lobby.rows import (
    DEEP_SORTS,
    FINISHED,
    FOLDERS,
    OTHERS,
    RECORDINGS,
    SORTS,
    UNREADABLE,
    YOURS,
    Row,
    Rows,
)
from terminal.lobby.visitors import Visitor

if TYPE_CHECKING:
    from terminal.lobby.elsewhere import Elsewhere

__all__ = ["COUNT", "REFRESH", "Contents"]

REFRESH: Final = 1 / 2  # seconds between two looks at the folders
COUNT: Final = 2.0  # seconds between two looks at who is on the games
GLANCES: Final = 100  # files glanced at between two frames
READINGS: Final = 10  # and files read whole
AT_ONCE: Final = 0.2  # seconds of the processor between two frames, for reading what takes next to no time: 200 games
PICTURES: Final = 32  # that are kept


class Contents:
    """The recordings in some folders, for a `visitor`."""

    def __init__(self, folders: Folders, visitor: Visitor) -> None:
        self.visitor = visitor
        self._folders = folders
        self._rows = Rows()
        self._listings = Listings()
        self._read: dict[str, tuple[Listing, int]] = {}  # and when the file had been written to
        self._partly: dict[str, None] = {}  # files of which a glance is all that was taken
        self._pictures: dict[Job, Screen | str] = {}
        self._files: dict[Identity, str] = {}
        self._crowded: dict[str, Locks] = {}  # the files that somebody was on at the last count
        self._announced: dict[str, Row] = {}

        self.elsewhere: Elsewhere | None = None
        """The games that relays announce; None for none."""

        self.sort = next(iter(SORTS))
        """The order (see `rows.SORTS`)."""

        self.reverse = False
        """Whether it is reversed."""

        self.filter = ""
        """A text that rows must contain."""

        self.now = 0
        """The time of the last look, in UTC microseconds since 1970."""

        self.ended: dict[str, None] = {}
        """The finished games that the visitor puts away, since they were found or changed."""

        self.people: dict[str, People] = {}
        """Who is on a game, by the file's path."""

        self.broken: dict[str, str] = {}
        """Why a file cannot be read, by its path."""

        self.running: dict[str, str] = {}
        """The names of the visitor's programs that run, by the paths of their recordings."""

    def rest(self) -> None:
        """Hear of no changes until the next look: the visitor does something else."""
        self._folders.rest()

    def look(self) -> bool:
        """Glance at files that are new or changed, a limited number at a time.  Returns whether there are more."""
        self.now = time.time_ns() // 1000
        for file, status in self._folders.look(GLANCES).items():
            if status is None:
                self._forget(file)
            elif stat.S_ISDIR(status.st_mode) and not is_recording(file):
                self._rows.put(Row.of_folder(file, status))
            else:
                self._put(self._seen(file, status))
        self._look_at_programs()
        self._look_elsewhere()
        return self._folders.waiting > 0

    def _look_elsewhere(self) -> None:
        """Have the rows of what is announced by relays."""
        if self.elsewhere is None:
            return
        before, self._announced = self._announced, self.elsewhere.rows()
        for address in before.keys() - self._announced.keys():
            self._rows.remove(address)
        for address, row in self._announced.items():
            if before.get(address) != row:
                self._rows.put(row)

    def _look_at_programs(self) -> None:
        """See which of the visitor's programs run: they can be gone on with."""
        before, folder = self.running, self.visitor.folder
        self.running = {} if folder is None else running_games(folder)
        for file in before.keys() ^ self.running.keys():
            if row := self._rows.of(file):
                self._rows.put(self._sorted_in(row))

    def _seen(self, file: str, status: stat_result) -> Row:
        """The row of a file that is new or changed."""
        identity, known = (status.st_dev, status.st_ino), self._rows.of(file)
        if known is None or known.identity != identity:
            known = None
        if (kept := self._listings.known(file)) is not None:
            listing, whole = kept, True
        else:
            listing, whole = glance(file, status, known.listing if known else None)
        row = Row(file, "", listing, identity, status.st_uid, status.st_mtime_ns, whole)
        return self._sorted_in(replace(row, crowd=known.crowd, written=known.written) if known else row)

    @property
    def waiting(self) -> int:
        """How many files are still to be looked at, or to be read for the order or the filter."""
        return self._folders.waiting or (len(self._partly) if self._goes_deep else 0)

    @property
    def _goes_deep(self) -> bool:
        """Whether the order or the filter goes by what a glance may not tell."""
        return self.sort in DEEP_SORTS or bool(self.filter)

    def to_read(self, rows: Sequence[Row], pictured: Row | None, size: tuple[int, int]) -> list[Job]:
        """What is to be read of the rows in view, the most important first, and of others where the order or the filter
        asks for it; of one a picture of this size.
        """
        partly = sorted((row for row in rows if not row.whole), key=lambda row: row.listing.size)
        if self._goes_deep:
            more = (self._rows.of(file) for file in islice(self._partly, READINGS))
            partly += [row for row in more if row is not None and row not in partly]
        jobs = [_job(row) for row in partly]
        if pictured is not None and pictured.section not in (FOLDERS, UNREADABLE) and not pictured.is_relayed:
            picture = _job(pictured, size)
            jobs = [
                *[job for job in jobs if job.file == pictured.file],
                *([] if picture in self._pictures else [picture]),
                *jobs,
            ]
        return [*dict.fromkeys(jobs)]

    def read_near(self, rows: Sequence[Row]) -> None:
        """Read at once the games in view that need little reading, so that the first screen of them is right."""
        until = time.thread_time() + AT_ONCE
        for row in rows:
            if row.whole or row.is_relayed or not isinstance(row.listing, GameListing) or time.thread_time() > until:
                continue
            with suppress(NhlogError, OSError):  # its reader will tell
                if (listing := list_near(row.file)) is not None:
                    self.take(_job(row), listing)

    def take(self, job: Job, answer: Listing | Screen | str | None) -> None:
        """Take in what was read; if a file is locked just now, what was known of it stays.

        What was read of a recording that goes on is true until it is read again.
        """
        row = self._rows.of(job.file)
        if row is None or (row.changed != job.changed and not _is_live(answer)):  # it will be read again
            return
        if job.picture:
            self._pictures[job] = "" if answer is None or isinstance(answer, Listing) else answer
            while len(self._pictures) > PICTURES:
                del self._pictures[next(iter(self._pictures))]
            return
        if isinstance(answer, str):
            answer = unlisted(job.file, NhlogError(answer))
        listing = answer if isinstance(answer, Listing) else row.listing
        if listing is answer:
            self._read[job.file] = listing, job.changed
        if row.changed != job.changed:
            listing = replace(listing, changed=row.listing.changed, size=row.listing.size)
        self._put(self._sorted_in(replace(row, listing=listing, whole=row.changed == job.changed)))

    def store(self) -> None:
        """Keep what was read for whoever lists the folders next."""
        while self._read:
            file, (listing, changed) = self._read.popitem()
            self._listings.keep(file, seen(file, listing, changed))
        self._listings.store()

    def picture_of(self, row: Row) -> Screen | str:
        """The newest picture of a row, or why there is none."""
        if row.is_relayed:
            return "it is played on another machine"
        found = [picture for job, picture in self._pictures.items() if job.file == row.file]
        return found[-1] if found else "its last screen is being read"

    def _forget(self, file: str) -> None:
        if row := self._rows.of(file):
            self._files.pop(row.identity, None)
        self._rows.remove(file)
        for known in (self._partly, self.broken, self.people, self.ended):
            known.pop(file, None)

    def _put(self, row: Row) -> None:
        """Have this row, and all that follows from it."""
        file, listing = row.file, row.listing
        self._rows.put(row)
        self._files[row.identity] = file
        self._partly.pop(file, None)
        self.broken.pop(file, None)
        if not row.whole:
            self._partly[file] = None
        if isinstance(listing, Unlisted):
            self.broken[file] = listing.fault
        elif _is_over(listing) and self.visitor.puts_away(file, row.owner):
            self.ended[file] = None

    def _sorted_in(self, row: Row) -> Row:
        """The row in the section where it belongs; a program that is being recorded is a game of others."""
        listing = row.listing
        if isinstance(listing, Unlisted):
            section = UNREADABLE
        elif row.file in self.running:
            section = YOURS
        elif not isinstance(listing, GameListing):
            section = OTHERS if row.written else RECORDINGS
        elif _is_over(listing):
            section = FINISHED
        else:
            plays = listing.engine in engines() or self.program_of(row.file) is not None
            section = YOURS if self.visitor.owns(row.file, row.owner) and plays else OTHERS
        return replace(row, section=section)

    def row(self, file: str) -> Row | None:
        """The row of this file, whether or not the filter shows it; None if there is none."""
        return self._rows.of(file)

    def crowded(self) -> list[Row]:
        """The rows that the filter shows of files that somebody was on at the last count."""
        return [row for row in map(self._rows.of, self._crowded) if row is not None and self._rows.has(row)]

    def program_of(self, file: str) -> str | None:
        """The name of the program in which the visitor goes on with what is in this file; None if it is none."""
        folder = self.visitor.folder
        return self.running.get(file) or (None if folder is None else folder.program_of(file))

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
        """Count the processes on all files, and tell the players of these from the others, for `people`."""
        found = locked(self._files)
        for file in {*found, *self._crowded}:
            locks, row = found.get(file, NOBODY), self._rows.of(file)
            if file not in found:
                self.people.pop(file, None)
            if row is not None:
                written, is_log = are_written(locks), isinstance(row.listing, GameListing)
                whole = row.whole and (is_log or written >= row.written)  # where its recorder has left, it may be over
                row = self._sorted_in(replace(row, crowd=crowd(locks), written=written, whole=whole))
                (self._rows.put if whole else self._put)(row)
        self._crowded = found
        for row in rows:
            locks = found.get(row.file, NOBODY)
            with suppress(OSError):  # it is gone
                is_log = isinstance(row.listing, GameListing)
                self.people[row.file] = people_on(row.file, locks) if is_log else people_recorded(locks)

    def idle(self, row: Row) -> int:
        """For how many microseconds nothing has happened in it."""
        return max(self.now - (row.listing.changed or 0), 0)


def _is_live(answer: object) -> bool:
    """Whether what was read tells of a recording that goes on."""
    return isinstance(answer, Screen) or (isinstance(answer, Listing) and answer.status is Status.LIVE)


def _is_over(listing: Listing) -> bool:
    return isinstance(listing, GameListing) and listing.status is Status.FINISHED


def _job(row: Row, picture: tuple[int, int] | None = None) -> Job:
    return Job(row.file, row.changed, picture)
