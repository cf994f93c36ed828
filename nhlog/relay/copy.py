"""A local file that is made from messages, byte for byte as the sender has it.

Bytes that it already has are compared and not written again, so a receiver that starts again with the first message
changes nothing that is right.  Until it has `caught_up`, old truncations are not repeated in the file.
"""

import os
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from nhlog.errors import Damaged, NhlogError
from nhlog.files import File, create_file, lock_whole, naming, open_regular, read_at, refusals
from nhlog.formats import format_of
from nhlog.log.file import LogFile
from nhlog.relay.course import Course
from nhlog.relay.wire import BadMessage, Kind, Message

__all__ = ["Copy", "Likeness", "Outdated", "Shortened"]


class _Target(Protocol):
    """A file that is written."""

    def writing(self) -> AbstractContextManager[None]:
        """A scope in which no process reads it that respects locks."""

    def size(self) -> int:
        """Its length."""

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`; inside of the scope."""

    def pwrite(self, data: bytes, offset: int) -> None:
        """Write all of `data` at `offset`; inside of the scope."""

    def truncate(self, size: int) -> None:
        """Shorten it; inside of the scope."""

    def close(self) -> None:
        """Close it."""


class _Plain:
    """A file that is not a log: its writer has it locked all the time."""

    def __init__(self, path: str) -> None:
        self.name = path
        self._fd = open_regular(path, os.O_RDWR)
        try:
            lock_whole(self._fd, path)
        except BaseException:
            os.close(self._fd)
            raise

    @contextmanager
    def writing(self) -> Iterator[None]:
        yield

    def size(self) -> int:
        return os.fstat(self._fd).st_size

    def pread(self, size: int, offset: int) -> bytes:
        return read_at(self._fd, size, offset, self.name)

    def pwrite(self, data: bytes, offset: int) -> None:
        view = memoryview(data)
        with naming(self.name):
            while view:
                written = os.pwrite(self._fd, view, offset)
                view, offset = view[written:], offset + written

    def truncate(self, size: int) -> None:
        with naming(self.name):
            os.ftruncate(self._fd, size)

    def close(self) -> None:
        os.close(self._fd)


class Copy:
    """The file `path`, created if there is none; raises :class:`NhlogError`, and :class:`OSError` of the disk.

    It begins with the first message, `behind` none.
    """

    behind = 0

    def __init__(self, path: str) -> None:
        self.name = path
        if not os.path.lexists(path):
            with refusals(path):
                os.close(create_file(path))
        else:
            File(path).close()  # which says what is wrong with it
        self._target: _Target = LogFile(path, writable=True) if format_of(path).id == "nhgame" else _Plain(path)
        self._course = Course()
        self._live = False

    @property
    def course(self) -> Course:
        """How far it is."""
        return self._course

    def begin(self) -> None:
        """Begin anew, before the first message that there is."""
        self._course, self._live = Course(), False

    def take(self, message: Message) -> None:
        """Do what a message says; raises :class:`~nhlog.relay.wire.BadMessage` for one that does not join on."""
        self._course.check(message)
        if self._live and self._target.size() != self._course.end:
            raise NhlogError("another program has written to it", file=self.name, expected=f"{self._course.end} bytes")
        with self._target.writing():
            if message.kind is Kind.BYTES:
                self._write(message)
            elif self._live:
                self._target.pwrite(message.body, 0)
                self._target.truncate(message.end)
        self._course.take(message)

    def _write(self, message: Message) -> None:
        """Have the bytes in the file; what stands there instead is cut off, as another head says."""
        first = message.offset or message.head
        new = message.body[first - message.offset :]
        if self._target.pread(len(new), first) == new and (message.offset or self._has_head(message)):
            return
        if self._target.size() > message.offset:
            self._target.pwrite(self._course.head, 0)
            self._target.truncate(message.offset)
        self._target.pwrite(message.body, message.offset)

    def _has_head(self, message: Message) -> bool:
        """Whether there is a head, which may be a later one."""
        return self._target.size() >= message.head

    def cut(self, offset: int, count: int, head: bytes) -> None:
        """Cut it at any offset behind the head; raises :class:`BadMessage` for one behind its end."""
        course = self._course
        if not len(course.head) <= offset <= course.end or len(head) != len(course.head):
            raise BadMessage("cut at an unknown offset", offset=offset)
        place = max(place for place in [*course.places, course.end] if place <= offset)
        with self._target.writing():
            first = place or len(head)
            kept = self._target.pread(offset - first, first)
        self.take(course.truncate_message(place, count, head))
        if kept:
            self.take(course.bytes_message(kept if place else head + kept, len(head)))

    def caught_up(self) -> None:
        """There is no more for now: have the file be what the messages say, and each to come at once."""
        if self._live:
            return
        with self._target.writing():
            if self._target.pread(len(self._course.head), 0) != self._course.head:
                self._target.pwrite(self._course.head, 0)
            if self._target.size() > self._course.end:
                self._target.truncate(self._course.end)
        self._live = True

    def close(self) -> None:
        """Close the file."""
        self._target.close()


class Likeness:
    """How far a file is what the messages taken so far make: whether it ever was, whatever became of the game since.

    The head is not compared, as it is rewritten in place: an older one stands in a copy that was left alone.
    """

    def __init__(self, path: str) -> None:
        self._file = File(path)
        self._size = self._file.size()
        self._alike = 0  # the bytes, from the first, that are those of the game now
        self._course = Course()
        self.whole = not self._size
        """Whether all of the file was once the game, or the beginning of it."""

    @property
    def begun(self) -> bool:
        """Whether there was a first message."""
        return self._course.begun

    def take(self, message: Message) -> None:
        """Take a message into account; raises :class:`~nhlog.relay.wire.BadMessage` for one that does not join on."""
        self._course.check(message)
        if message.kind is Kind.TRUNCATE:
            self._alike = min(self._alike, message.offset)
        elif message.kind is Kind.BYTES and message.offset == self._alike:
            first = message.offset or (message.head if message.head < self._size else 0)
            new = message.body[first - message.offset :]
            held = self._file.pread(len(new), first)
            self._alike = first + bisect_left(range(len(held)), True, key=lambda at: new[: at + 1] != held[: at + 1])
            self.whole |= self._alike >= self._size
        self._course.take(message)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class Outdated(Damaged):
    """The messages no longer continue the snapshot."""


class Shortened:
    """The file of `copy`, which begins with the snapshot `message`, of what ends with message `behind`.

    It goes on with the same bytes as the sender's, where they stand further on.  The digests of later messages are of
    all that is there, and cannot be checked: offset, length and recovery count are.
    """

    def __init__(self, copy: Copy, message: Message, behind: int) -> None:
        self.behind = behind
        self._copy = copy
        self._shift = message.offset - len(message.body)
        self._least = len(message.body)
        course = Course()
        course.count = message.count
        copy.take(course.bytes_message(message.body, message.head))
        copy.caught_up()

    @property
    def course(self) -> Course:
        """How far it is."""
        return self._copy.course

    def begin(self) -> None:
        """It cannot begin anew, before the first message that there is: raises :class:`Outdated`."""
        raise Outdated("the server lost what it had stored", file=self._copy.name)

    def take(self, message: Message) -> None:
        """Do what a message of the whole file says; raises :class:`BadMessage` for one that does not join on.

        Raises :class:`Outdated` if the game was taken back to before the snapshot.
        """
        course, offset = self._copy.course, message.offset - self._shift
        if message.kind is Kind.TRUNCATE:
            if offset < self._least:
                raise Outdated("the game was taken back to before what is stored", file=self._copy.name)
            self._copy.cut(offset, message.count, message.body)
            return
        if message.count != course.count or offset != course.end or message.head != len(course.head):
            expected = f"offset {course.end + self._shift}"
            raise BadMessage("does not continue the file", expected=expected, found=message.offset)
        if message.kind is Kind.BYTES:
            self._copy.take(course.bytes_message(message.body, message.head))
        else:
            self._copy.take(course.head_message(message.kind, message.body))

    def caught_up(self) -> None:
        """There is no more for now: have the file be what the messages say."""
        self._copy.caught_up()

    def close(self) -> None:
        """Close the file."""
        self._copy.close()
