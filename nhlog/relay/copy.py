"""A local file that is made from messages, byte for byte as the sender has it.

Bytes that it already has are compared and not written again, so a receiver that starts again with the first message
changes nothing that is right.

A log is read without a lock (`nhlog.log.reading`), and a copy is a log: nothing may become shorter, or other lines,
under a recovery count that a reader has seen.  But the messages from the first on tell of all that the game ever was,
under all the counts that it had, and the copy is to end with the sender's count, which it may have had all along.  So
until it has `caught_up`, what the file lacks is appended to it only where it has the message's count; whatever else
comes waits in a temporary file (`_Waiting`), where old truncations are repeated.  Then

- a file that only lacks lines gets them;
- one that has others, under a lower count, is cut by the rules: the raised count first, then the cut, under one lock;
- one that has others under that very count, or has a higher one, as of a sender who lost much, is replaced by another
  file: who reads the old one goes on with what that was.

Writing each message at once and cutting at the first difference, as it was before, let the count fall and rise again to
what it had been, with other lines under it meanwhile.
"""

import os
import tempfile
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from nhlog.errors import Damaged, NhlogError
from nhlog.files import CHUNK, File, atomic, create_file, lock_whole, naming, open_regular, read_at, refusals
from nhlog.formats import format_of
from nhlog.log.file import LogFile
from nhlog.log.wire.header import IDENTIFICATION_SIZE, parse_identification
from nhlog.relay.course import Course
from nhlog.relay.wire import BadMessage, Kind, Message

__all__ = ["Copy", "Likeness", "Outdated", "Shortened"]


class _Target(Protocol):
    """A file that is written."""

    def writing(self) -> AbstractContextManager[None]:
        """A scope in which no process reads it that respects locks."""
        ...

    def size(self) -> int:
        """Its length."""
        ...

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`; inside of the scope."""
        ...

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
        self._is_log = format_of(path).id == "nhgame"
        self._target = self._opened()
        self._course = Course()
        self._live = False
        self._waiting: _Waiting | None = None

    def _opened(self) -> _Target:
        return LogFile(self.name, writable=True) if self._is_log else _Plain(self.name)

    @property
    def course(self) -> Course:
        """How far it is."""
        return self._course

    def begin(self) -> None:
        """Begin anew, before the first message that there is."""
        self._course, self._live = Course(), False
        self._forget()

    def take(self, message: Message) -> None:
        """Do what a message says; raises :class:`~nhlog.relay.wire.BadMessage` for one that does not join on."""
        self._course.check(message)
        if self._live and self._target.size() != self._course.end:
            raise NhlogError("another program has written to it", file=self.name, expected=f"{self._course.end} bytes")
        if self._live:
            with self._target.writing():
                self._repeat(message)
        elif self._waiting is not None:
            self._wait_with(message)
        elif message.kind is Kind.BYTES:
            self._compare(message)
        self._course.take(message)

    def _repeat(self, message: Message) -> None:
        """Do at once what was done to the sender's file."""
        if message.kind is Kind.BYTES:
            self._target.pwrite(message.body, message.offset)
        else:
            self._target.pwrite(message.body, 0)
            self._target.truncate(message.end)

    def _compare(self, message: Message) -> None:
        """Have the bytes in the file, if they stand there or may be appended; else they wait."""
        first = message.offset or message.head
        new = message.body[first - message.offset :]
        with self._target.writing():
            held = self._target.pread(len(new), first)
            if held == new and (message.offset or self._has_head(message)):
                return
            end = first + len(held) if message.offset or self._has_head(message) else 0
            if self._target.size() == end and new.startswith(held) and self._count() in (None, message.count):
                self._target.pwrite(message.body[end - message.offset :], end)
                return
        self._waiting = _Waiting(message.offset)
        self._wait_with(message)

    def _wait_with(self, message: Message) -> None:
        """Repeat a message in the temporary file; where all of that is taken back, nothing waits any more."""
        waiting = self._waiting
        assert waiting is not None
        with naming(self.name):
            if message.kind is Kind.BYTES:
                waiting.write(message.body, message.offset)
            elif message.kind is Kind.TRUNCATE and message.offset > waiting.start:
                waiting.truncate(message.offset)
            elif message.kind is Kind.TRUNCATE:
                self._forget()

    def _forget(self) -> None:
        if self._waiting is not None:
            self._waiting.close()
            self._waiting = None

    def _count(self) -> int | None:
        """The recovery count in the file; None for one that has none."""
        try:
            return parse_identification(self._target.pread(IDENTIFICATION_SIZE, 0)).recovery_count
        except NhlogError:
            return None

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
            same = self._same()
            cuts, count = self._target.size() > same, self._count()
            replaced = count is not None and (count > self._course.count or (cuts and count == self._course.count))
            if not replaced:
                self._finish(same, cuts=cuts)
        if replaced:
            self._replace(same)
        self._forget()
        self._live = True

    def _same(self) -> int:
        """How much of the file stays, from the first byte: as far as the messages make the same, but for the head."""
        size, end = self._target.size(), self._course.end
        if self._waiting is None:
            return min(size, end)
        at = self._waiting.start
        if at < len(self._course.head) <= min(size, end):
            at = len(self._course.head)
        while at < min(size, end):
            length = min(CHUNK, size - at, end - at)
            held, new = self._target.pread(length, at), self._waiting.read(length, at)
            if held != new:
                return at + bisect_left(range(length), True, key=lambda to: held[: to + 1] != new[: to + 1])
            at += length
        return at

    def _finish(self, same: int, *, cuts: bool) -> None:
        """Make the file what the messages say: the head, which has the count, before a cut, else after the lines."""
        head = self._course.head
        if cuts:
            self._target.pwrite(head, 0)
            self._target.truncate(same)
        for part, at in self._rest(same):
            self._target.pwrite(part, at)
        if self._target.pread(len(head), 0) != head:
            self._target.pwrite(head, 0)

    def _rest(self, first: int) -> Iterator[tuple[bytes, int]]:
        """What waits from an offset on, a piece at a time, each with its offset."""
        if self._waiting is not None:
            for at in range(first, self._course.end, CHUNK):
                yield self._waiting.read(min(CHUNK, self._course.end - at), at), at

    def _replace(self, same: int) -> None:
        """Put another file in the place of this one, with what the messages say."""
        head = self._course.head

        def parts() -> Iterator[bytes]:
            yield head
            for at in range(len(head), same, CHUNK):
                yield self._target.pread(min(CHUNK, same - at), at)
            yield from (part for part, _ in self._rest(max(same, len(head))))

        with refusals(self.name):
            status = os.stat(self.name)

            def finish(draft: str) -> None:
                atomic.keep_status(draft, status)
                os.utime(draft)

            atomic.replace(os.path.realpath(self.name), parts(), finish)
        self._target.close()
        self._target = self._opened()

    def close(self) -> None:
        """Close the file."""
        self._forget()
        self._target.close()


class _Waiting:
    """Bytes of the sender's file from the offset `start` on, in a file without a name."""

    def __init__(self, start: int) -> None:
        self.start = start
        self._file = tempfile.TemporaryFile()  # noqa: SIM115

    def write(self, data: bytes, offset: int) -> None:
        self._file.seek(offset - self.start)
        self._file.write(data)

    def read(self, size: int, offset: int) -> bytes:
        self._file.seek(offset - self.start)
        return self._file.read(size)

    def truncate(self, size: int) -> None:
        self._file.truncate(size - self.start)

    def close(self) -> None:
        self._file.close()


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
