"""A growing file as messages, one after the other: the file and the messages so far determine the next one.

Nothing is sent twice unless it was taken back; a relay that restarts continues after the last stored message.
"""

from collections.abc import Iterator
from typing import Final

from nhlog.relay.course import Course
from nhlog.relay.sources import Look, Source
from nhlog.relay.wire import MOST_FILE, PIECE, Kind, Message

__all__ = ["Following"]

_KNOWN: Final = 256  # bytes before the end by which one sees that the file is still the same
_BLOCK: Final = 1 << 20  # bytes read at a time of what was sent already
_MOST_COUNT: Final = 0xFFFF_FFFF


class Following:
    """A file, and the course that its messages have taken; `source` may be replaced by one of the same name."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._course = Course()
        self._counted: int | None = None  # the recovery count that the file had last
        self._known = b""  # what stands before the end of the course, but for the head
        self._standing = b""  # the same for the place to which a truncate goes back
        self._astray = False  # what was stored is not of this file

    @property
    def course(self) -> Course:
        """The course so far."""
        return self._course

    @property
    def end(self) -> int:
        """How much of the file was sent."""
        return self._course.end

    @property
    def finished(self) -> bool:
        """Whether everything was sent."""
        return self._course.finished

    @property
    def astray(self) -> bool:
        """Whether what is stored is of another file, so that this one has to be sent from its beginning."""
        return self._astray

    def next(self) -> Message | None:
        """The next message, None if nothing is new; the same one until it is taken.  Raises :class:`NhlogError`."""
        course = self._course
        look = self.source.look(course.end, PIECE, len(self._known))
        before, self._counted = self._counted, look.recoveries
        if not look.whole and not course.end:
            return None
        if self._astray:
            self._standing = b""
            return course.truncate_message(0, self._raised(look), b"")
        if course.begun and (self._differs(look) or before not in (None, look.recoveries)):
            self._counted = before  # until it is told
            return course.truncate_message(self._find_standing(look), self._raised(look), look.head)
        if not course.begun:
            course.count = look.recoveries or 0
        if course.end and look.head != course.head:
            return course.head_message(Kind.HEAD, look.head)
        if look.data and course.end + len(look.data) <= MOST_FILE:
            return course.bytes_message(look.data[:PIECE], len(look.head))
        if look.finished and course.end == look.whole and not course.finished:
            return course.head_message(Kind.FINISHED, look.head)
        return None

    def take(self, message: Message) -> None:
        """Advance: the message, which was the next one, is stored."""
        self._course.take(message)
        if message.kind is Kind.TRUNCATE:
            self._astray, self._counted, self._known = False, None, self._standing
        elif message.kind is Kind.BYTES:
            self._known = _last(self._known + message.body, self._course.end - message.head)

    def go_on_from(self, last: Message | None) -> None:
        """Continue after the last stored message, whichever relay sent it; None if there is none.

        A head that was never seen is sent again.
        """
        before = self._course
        self._course, self._counted, self._known, self._astray = Course(), None, b"", False
        if last is None:
            return
        told = before.head if (before.count, len(before.head)) == (last.count, last.head) else bytes(last.head)
        course = Course()
        for known in self._pass_over(course, last.head, [last.end]):
            if course.digest == last.digest and (not last.end or len(course.head) == last.head):
                course.count, course.begun, course.finished = last.count, True, last.kind is Kind.FINISHED
                course.head = told if last.kind is Kind.BYTES and last.offset else last.body[: last.head]
                self._course, self._known = course, known
                return
        self._course.count, self._course.begun, self._astray = last.count, True, True

    def _differs(self, look: Look) -> bool:
        """Whether what was sent was taken back or replaced in the file, as far as its end shows."""
        course = self._course
        return look.whole < course.end or look.known != self._known or len(look.head) != len(course.head) > 0

    def _find_standing(self, look: Look) -> int:
        """The last place up to which the file still has what was sent."""
        known, self._standing = self._course, b""
        if len(look.head) != len(known.head):
            return 0
        places = sorted({place for place in [*known.places, known.end] if len(known.head) < place <= look.whole})
        course, found = Course(), 0
        for before in self._pass_over(course, len(known.head), places):
            if course.digest != known.digest_at(course.end):
                break
            found, self._standing = course.end, before
        return found

    def _pass_over(self, course: Course, head: int, places: list[int]) -> Iterator[bytes]:
        """Advance the course over the file as it is now; yields the bytes before each of the places, in order."""
        known = b""
        for place in places:
            while course.end < place:
                data = self.source.pread(min(_BLOCK, place - course.end), course.end)
                if not data:
                    return
                course.pass_over(data, head)
                known = _last(known + data, course.end - head)
            yield known

    def _raised(self, look: Look) -> int:
        """The count for what comes after something was taken back: the file's own, if it is a higher one."""
        count = self._course.count
        return look.recoveries if look.recoveries is not None and look.recoveries > count else count % _MOST_COUNT + 1


def _last(data: bytes, most: int) -> bytes:
    """The last of some bytes, by which a file is known."""
    size = min(_KNOWN, most, len(data))
    return data[len(data) - size :]
