"""How far a file was sent or received, according to its messages; nothing here does I/O.

Sender and receiver take the same course: the end, the recovery count and the digest of the bytes between head and end
are the same for both after the same messages.

What makes it hard: a game can be taken back to any line, and both sides have to agree on what is left without the bytes
being read again, by a sender that may have been started anew and a receiver that knows only messages.  A digest cannot
go backwards, so the course keeps *places*: ends of lines with the digest up to there.  A truncate goes to a place, and
what stands between it and the sender's new end is sent once more.

- A place follows each `STEP` bytes, at the next end of a line.  Where they are depends on the bytes alone, not on where
  messages begin and end: sender and receiver have the same ones, however the file was cut into messages.
- A message that does not continue the course exactly (offset, count, head, digest) is none: `BadMessage`.

Rejected: a place at every line.  Each is a copy of the digest's state, 0.4 kB and 0.25 us: 10 MB of log in lines of 40
bytes would have 250,000 of them, 100 MB; at `STEP` it has 640, and a truncate sends at most 16 KiB and a line again.

A change must keep that places are a function of the bytes: a receiver of an older version has to find the same.
"""

from bisect import bisect_right
from hashlib import blake2b
from typing import Any, Final

from nhlog.relay.wire import BadMessage, Kind, Message

__all__ = ["STEP", "Course"]

STEP: Final = 1 << 14  # bytes: after the line that ends behind so many more there is a place to go back to
_DIGEST_SIZE: Final = 16  # bytes


class Course:
    """The file up to `end`: its first bytes are `head`, its recovery count is `count`.

    It begins before the first byte, where any count is taken.
    """

    def __init__(self) -> None:
        self.begun = self.finished = False
        self.count = self.end = 0
        self.head = b""
        self._digest = _new()
        self._ends: list[int] = []  # where it can go back to, besides the beginning, and the digests there
        self._digests: list[Any] = []
        self._due = _next(0)

    @property
    def digest(self) -> str:
        """The digest of the bytes behind the head."""
        return str(self._digest.hexdigest())

    @property
    def places(self) -> list[int]:
        """The offsets that it can be cut back to, the lowest first."""
        return [0, *self._ends]

    def check(self, message: Message) -> None:
        """Raise :class:`BadMessage` unless the message continues the file."""
        if message.kind is Kind.SNAPSHOT:
            raise BadMessage("a snapshot among the messages", offset=message.offset)
        if message.kind is Kind.TRUNCATE:
            if message.offset and self._kept(message).hexdigest() != message.digest:
                raise BadMessage("what is left of the file differs", offset=message.offset)
            return
        if not self.begun and (message.kind is not Kind.BYTES or message.offset):
            raise BadMessage("not the first message of the file", expected="its first bytes", found=str(message.kind))
        if self.begun and message.count != self.count:
            raise BadMessage("wrong recovery count", expected=self.count, found=message.count)
        if self.end and message.head != len(self.head):
            raise BadMessage("wrong length of the head", expected=len(self.head), found=message.head)
        if message.offset != self.end:
            raise BadMessage("does not continue the file", expected=f"offset {self.end}", found=message.offset)
        if self._after(message).hexdigest() != message.digest:
            raise BadMessage("wrong digest: other bytes than these were read", offset=message.offset)

    def take(self, message: Message) -> None:
        """Advance by a message that continues the file."""
        if message.kind is Kind.BYTES:
            self.pass_over(message.body, message.head)
        else:
            self.head = message.body
        if message.kind is Kind.TRUNCATE:
            self._cut(message.offset)
        self.begun, self.finished, self.count = True, message.kind is Kind.FINISHED, message.count

    def _cut(self, offset: int) -> None:
        self._digest = self._at(offset).copy()
        standing = bisect_right(self._ends, offset)
        del self._ends[standing:], self._digests[standing:]
        self.end = offset
        self._due = _next(self._ends[-1] if self._ends else 0)

    def pass_over(self, data: bytes, head: int) -> None:
        """Advance by bytes of the file; at its beginning the first ones are the head."""
        view = memoryview(data)
        if not self.end:
            self.head, self.begun, self.end = data[:head], True, min(head, len(data))
            view = view[head:]
        at = len(data) - len(view)  # what of them was taken
        while (line := data.find(b"\n", max(at, at + self._due - self.end))) >= 0:
            self._digest.update(view[: line + 1 - at])
            self.end += line + 1 - at
            view, at = view[line + 1 - at :], line + 1
            self._ends.append(self.end)
            self._digests.append(self._digest.copy())
            self._due = _next(self.end)
        self._digest.update(view)
        self.end += len(view)

    def bytes_message(self, data: bytes, head: int) -> Message:
        """The message that appends bytes; at the beginning of the file the first ones are the head."""
        message = Message(Kind.BYTES, self.count, self.end, head, "", data)
        return Message(Kind.BYTES, self.count, self.end, head, self._after(message).hexdigest(), data)

    def head_message(self, kind: Kind, head: bytes) -> Message:
        """The message with a new head, or of the end of the game."""
        return Message(kind, self.count, self.end, len(head), self.digest, head)

    def truncate_message(self, offset: int, count: int, head: bytes) -> Message:
        """The message that takes the course back to one of its `places`."""
        digest = self._at(offset).hexdigest()
        return Message(Kind.TRUNCATE, count, offset, len(head), digest, head if offset else b"")

    def digest_at(self, offset: int) -> str:
        """The digest at one of its `places`."""
        return str(self._at(offset).hexdigest())

    def _at(self, offset: int) -> Any:
        if offset == self.end:
            return self._digest
        return self._digests[self._ends.index(offset)] if offset else _new()

    def _kept(self, message: Message) -> Any:
        """The digest of what a truncate leaves."""
        if message.offset not in (0, self.end) and message.offset not in self._ends:
            raise BadMessage("cut at an unknown offset", offset=message.offset)
        return self._at(message.offset)

    def _after(self, message: Message) -> Any:
        digest = self._digest.copy()
        if message.kind is Kind.BYTES:
            digest.update(message.body if message.offset else memoryview(message.body)[message.head :])
        return digest


def _next(place: int) -> int:
    """Where the search for the next place begins: it does not depend on where messages begin and end."""
    return (place // STEP + 1) * STEP


def _new() -> Any:
    return blake2b(digest_size=_DIGEST_SIZE)
