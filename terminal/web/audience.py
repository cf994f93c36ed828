"""The viewers of one process: each picture goes to all who have the one before.

Who comes, or was slow, waits for a whole one, which is asked for once for all of them: so a slow viewer gets the newest
picture, and never what was missed.
"""

from collections.abc import Callable
from typing import Final, Protocol

from websockets.frames import Opcode

from terminal.web.connection import Connection, framed
from terminal.web.processes.process import Process, Work
from terminal.web.processes.wire import ALL, Kind, Message, packed

__all__ = ["Audience", "Member"]


class Member(Protocol):
    """Who looks: in pictures of one class of size."""

    connection: Connection
    identity: str
    size: int

    def begin_with(self, frames: bytes) -> None:
        """Show them all that there is, for they have nothing of it."""

    def ended(self, said: bytes) -> None:
        """There is nothing more to see: the reason as frames, empty if it is unknown."""


class Audience:
    """The members that look at one process doing `work`; `ended` gets why it did, as frames, empty if nobody knows."""

    def __init__(
        self,
        work: Work,
        order: object,
        ended: Callable[["Audience", bytes], None],
        back: Callable[["Audience"], None] | None = None,
        opcode: Opcode = Opcode.TEXT,
    ) -> None:
        self.members: set[Member] = set()
        self._current: dict[int, set[Member]] = {}
        self._asked: set[int] = set()
        self._said = b""
        self._ended = ended
        self._back = back
        self._opcode = opcode
        self.process: Final = Process(work, order, self._take, lambda: self._ended(self, self._said))

    def join(self, member: Member) -> None:
        """Let a member look, or look again in another size."""
        self._drop(member)
        self.members.add(member)
        self._tell_watched()
        self._ask(member.size)

    def leave(self, member: Member) -> None:
        """Let a member go."""
        self._drop(member)
        self._tell_watched()

    def catch_up(self, member: Member) -> None:
        """A member that was slow takes pictures again."""
        if member not in self._current.get(member.size, ()):
            self._ask(member.size)

    def send(self, text: bytes) -> None:
        """Pass on what a page sent."""
        self.process.send(packed(Kind.INPUT, ALL, text))

    def end(self) -> None:
        """End the process."""
        self.process.end()

    def _drop(self, member: Member) -> None:
        self.members.discard(member)
        for current in self._current.values():
            current.discard(member)

    def _tell_watched(self) -> None:
        self.process.send(packed(Kind.WATCHED, ALL, bytes(sorted({member.size for member in self.members}))))

    def _ask(self, size: int) -> None:
        if size not in self._asked:
            self._asked.add(size)
            self.process.send(packed(Kind.WANTED, size))

    def _take(self, message: Message) -> None:
        kind, size, parts = message
        if kind is Kind.UPDATE:
            self._update(size, framed(*parts, opcode=self._opcode))
        elif kind in (Kind.WHOLE, Kind.RESET):
            self._asked.discard(size)
            self._whole(size, framed(*parts, opcode=self._opcode), everybody=kind is Kind.RESET)
        elif kind is Kind.ENDED:
            self._said = framed(*parts, opcode=self._opcode)
        elif kind is Kind.BACK and self._back is not None:
            self._back(self)

    def _update(self, size: int, frames: bytes) -> None:
        current = self._current.get(size, set())
        slow = []
        for member in current:
            if member.connection.slow:
                slow.append(member)
            else:
                member.connection.write(frames)
        current.difference_update(slow)

    def _whole(self, size: int, frames: bytes, *, everybody: bool) -> None:
        current = self._current.setdefault(size, set())
        if everybody:
            current.clear()
        for member in self.members:
            if member.size == size and member not in current and not member.connection.slow:
                member.begin_with(frames)
                current.add(member)
