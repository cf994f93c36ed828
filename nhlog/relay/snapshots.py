"""Snapshots of logs: one message with which a late comer begins where the first messages are no longer stored.

A snapshot is a log of its own: the header, the newest save backup, a time line that sets the clock to that of the save,
and the lines after it.  What comes later is the same lines, only further on in the sender's file.  The digests of later
messages are of all of that, and cannot be checked: offset, length and recovery count are.
"""

from contextlib import suppress

from nhlog.errors import Damaged, NhlogError
from nhlog.log.columns import next_head
from nhlog.log.file import LogFile
from nhlog.log.wire.grammar import backup_pointer
from nhlog.log.wire.header import MAX_HEADER, parse_header
from nhlog.log.wire.lines import BACKUP_HEAD, CLOCK_WRAP, Time
from nhlog.relay.connection import Connection
from nhlog.relay.copy import Copy
from nhlog.relay.course import Course
from nhlog.relay.sources import LogSource, Source
from nhlog.relay.wire import BadMessage, Game, Kind, Message, encode_snapshot
from nhlog.savehead import HEAD_SIZE, parse_save_head

__all__ = ["Shortened", "Snapshots", "snapshot_of"]


class Snapshots:
    """Stores a snapshot of a game each time that its log has a newer save backup."""

    def __init__(self, connection: Connection, game: Game) -> None:
        self._connection, self._game = connection, game
        self._stored = b""  # the head of the log of which there is one

    async def store(self, source: Source, course: Course, sequence: int) -> None:
        """Store one if there is a newer backup in what was sent, the last of it as message `sequence`."""
        if not isinstance(source, LogSource) or course.head == self._stored:
            return
        with suppress(NhlogError, OSError):  # then the next time
            message = snapshot_of(source.file, course, self._connection.most)
            if message is not None:
                headers = {**encode_snapshot(message, sequence), "Nats-Rollup": "sub"}
                await self._connection.publish(self._game.snapshot, message.body, headers)
            self._stored = course.head


def snapshot_of(file: LogFile, course: Course, most: int) -> Message | None:
    """The snapshot of a log up to where the course is; None if it has no sound backup there, or would be too large."""
    header = parse_header(course.head)
    first = header.length
    start, at = course.head[:first], backup_pointer(course.head[first:])
    if at is None or not first <= at < course.end or course.end - at > most - MAX_HEADER:
        return None
    with file.reading():
        if file.pread(len(course.head), 0) != course.head:
            return None  # another backup came, or something was taken back: that is told first
        data = file.pread(course.end - at, at)
    line, newline, others = data.partition(b"\n")
    if backup_pointer(line) is None or not newline:
        return None
    save = parse_save_head(next_head(line, b"", HEAD_SIZE))
    if save is None:
        return None
    clock = Time((save.clock - header.start) % CLOCK_WRAP).format()
    body = b"%s*%08x %s\n%s\n%s" % (start, first, line[BACKUP_HEAD:], clock, others)
    return Message(Kind.SNAPSHOT, course.count, course.end, first + BACKUP_HEAD, course.digest, body)


class Shortened:
    """A file that begins with a snapshot, and goes on with the messages that are stored after it."""

    def __init__(self, copy: Copy, message: Message) -> None:
        self._copy = copy
        self._shift = message.offset - len(message.body)
        self._least = len(message.body)
        copy.begin()
        course = Course()
        course.count = message.count
        copy.take(course.bytes_message(message.body, message.head))
        copy.caught_up()

    def take(self, message: Message) -> None:
        """Do what a message of the whole file says; raises :class:`BadMessage` for one that does not join on.

        Raises :class:`Damaged` if the game was taken back to before the snapshot.
        """
        course, offset = self._copy.course, message.offset - self._shift
        if message.kind is Kind.TRUNCATE:
            if offset < self._least:
                raise Damaged("the game was taken back to before what is stored", file=self._copy.name)
            self._copy.cut(offset, message.count, message.body)
            return
        if message.count != course.count or offset != course.end or message.head != len(course.head):
            raise BadMessage("does not join on", expected=f"offset {course.end + self._shift}", found=message.offset)
        if message.kind is Kind.BYTES:
            self._copy.take(course.bytes_message(message.body, message.head))
        else:
            self._copy.take(course.head_message(message.kind, message.body))
