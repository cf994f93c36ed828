"""Snapshots: one message with which a late viewer begins, to continue with the messages after it.

A snapshot is a file of its own: a log that begins with the newest save backup, or a recording of a terminal that begins
with its screen (see `screens`).  Later messages append the same bytes as to the sender's
file, only at another offset.
"""

from typing import Protocol

from nhlog.errors import NhlogError
from nhlog.log.columns import next_head
from nhlog.log.file import LogFile
from nhlog.log.wire.grammar import backup_pointer
from nhlog.log.wire.header import MAX_HEADER, parse_header
from nhlog.log.wire.lines import BACKUP_HEAD, CLOCK_WRAP, Time
from nhlog.relay.connection import Connection
from nhlog.relay.course import Course
from nhlog.relay.screens import Screens
from nhlog.relay.sources import LogSource, Source
from nhlog.relay.wire import Game, Kind, Message, encode_snapshot
from nhlog.savehead import HEAD_SIZE, parse_save_head

__all__ = ["Snapshots", "snapshot_of"]


class _Maker(Protocol):
    """Makes the snapshots of a source."""

    @property
    def more(self) -> bool:
        """Whether it is to be asked again soon, also if nothing new is sent."""
        ...

    def next(self, course: Course) -> Message | None:
        """A snapshot of what was sent, if it is time for one; raises :class:`NhlogError`."""
        ...


class Snapshots:
    """Stores the snapshots of a game."""

    def __init__(self, connection: Connection, game: Game) -> None:
        self._connection, self._game = connection, game
        self._source: Source | None = None
        self._maker: _Maker
        self._made: tuple[Message, int] | None = None  # what is to be stored yet, and of what message it is

    async def store(self, source: Source, course: Course, sequence: int) -> bool:
        """Store one, if it is time, of what was sent, the last of it as message `sequence`.

        Returns whether there is more to do for the next one, which can wait until all that is new is sent.
        """
        if source is not self._source:
            most = self._connection.most
            self._source = source
            self._maker = _Backups(source, most) if isinstance(source, LogSource) else Screens(source, most)
        try:
            message = self._maker.next(course)
            self._made = (message, sequence) if message else self._made
            if self._made:
                headers = {**encode_snapshot(*self._made), "Nats-Rollup": "sub"}
                await self._connection.publish(self._game.snapshot, self._made[0].body, headers)
                self._made = None
        except (NhlogError, OSError):
            return False  # then the next time
        return self._maker.more


class _Backups:
    """Makes a snapshot each time that the log has a newer save backup."""

    more = False

    def __init__(self, source: LogSource, most: int) -> None:
        self._source, self._most = source, most
        self._made = b""  # the head of the log of which there is one

    def next(self, course: Course) -> Message | None:
        """A snapshot, if there is a newer backup."""
        if course.head == self._made:
            return None
        message = snapshot_of(self._source.file, course, self._most)
        self._made = course.head
        return message


def snapshot_of(file: LogFile, course: Course, most: int) -> Message | None:
    """The snapshot of a log up to where the course is; None if it has no sound backup there, or would be too large.

    It has the header, the newest backup, a time line that sets the clock to that of the save, and the lines after it.
    """
    header = parse_header(course.head)
    first = header.length
    start, at = course.head[:first], backup_pointer(course.head[first:])
    if at is None or not first <= at < course.end or course.end - at > most - MAX_HEADER:
        return None
    data = file.pread(course.end - at, at)
    if file.pread(len(course.head), 0) != course.head:
        return None  # another backup came, or something was taken back: that is told first
    line, newline, others = data.partition(b"\n")
    if backup_pointer(line) is None or not newline:
        return None
    save = parse_save_head(next_head(line, b"", HEAD_SIZE))
    if save is None:
        return None
    clock = Time((save.clock - header.start) % CLOCK_WRAP).format()
    body = b"%s*%08x %s\n%s\n%s" % (start, first, line[BACKUP_HEAD:], clock, others)
    return Message(Kind.SNAPSHOT, course.count, course.end, first + BACKUP_HEAD, course.digest, body)
