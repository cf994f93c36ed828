"""The process behind the wall, as its user sees it: it is started when it is needed, and may end at any time.

There is one for all terminals of a process (see `nhlog.emulator.worker` for what it is and may do).  What is sent is
put together until an answer is wanted or there is enough of it, so that output costs the pipe next to nothing.  Many
answers may be on their way at once: to wait for each costs as much as the work (looks at each event of a recording: 57
us each one by one, 35 together).

Nothing that it sends is trusted: an answer has a greatest length, and who reads one checks it.

Why there is a wall: a null pointer in the emulator's library ended every process that emulated, a verb without a word,
a folder's listing as a whole, the host of a game by that game's own output.  What stands behind it may now end at any
time, and its user tells another one what the first was told since its last snapshot.  Bytes that end two in a row are
to blame (`EmulatorFailed`), and the recording is shown up to there.

Rejected: the emulator in the process that shows, as it was before.  It played 58 MB/s in place of 45, and any place in
100 MB was there after 1.7 ms (median) in place of 2.6; but the next fault of another's code would end a game again.  It
is no `fork` of its user either, as it would have all that its user knows, unless that was forked itself just now
(`fork_emulator`); and one serves all terminals of a process, as each is 7 to 9 MB.

A change must keep: the worker has no file but its socket; and what is told again gives the same screen, so snapshots
stand at places that do not depend on who asked (see `tape`).
"""

import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from nhlog.confined.worker import Beginning, Ended, Worker, forked, spawned
from nhlog.emulator.wire import ANSWER, COMMAND, LONGEST, WORKER, Command, Outcome
from nhlog.errors import Unsupported

__all__ = ["Answer", "Ended", "Process", "Refused", "fork_emulator", "rest", "shared"]

_TOGETHER: Final = 1 << 16  # bytes that are sent at once, if no answer is wanted before
_NONE: Final = 0  # the number of no terminal
_BEGINNINGS: Final = 3  # processes that are started until one begins: the first may be killed by others
_NEEDED: Final = ("PYGHOSTTY_LIB",)
"""What it gets of our environment, besides what Python needs."""


class Refused(Exception):
    """It could not do what it was asked to, and says why."""


class Answer:
    """What becomes of a question; it has no `outcome` as long as that is on its way."""

    __slots__ = ("outcome", "told")

    def __init__(self) -> None:
        self.outcome: int | None = None
        self.told = b""


class Process:
    """One such process; to be used by one thread at a time, with its `lock`."""

    def __init__(self, begun: Callable[[Beginning], int] = spawned) -> None:
        self.lock = threading.RLock()
        self.spent = 0.0
        """The seconds of the processor that the terminal took about which it answered last."""
        self._numbers = 0
        self._left: list[int] = []  # terminals that nobody has any more
        self._unsent: list[bytes] = []
        self._size = 0
        self._awaited: deque[Answer] = deque()
        most = LONGEST + ANSWER.size
        self._worker = Worker(WORKER, called="the terminal emulator", most=most, needs=_NEEDED, begun=begun)
        self.pid = self._worker.pid

    @property
    def is_there(self) -> bool:
        """Whether it has not ended, as far as that was noticed."""
        return self._worker.is_there

    def number(self) -> int:
        """A number for a new terminal."""
        self._numbers += 1
        return self._numbers

    def leave(self, number: int) -> None:
        """Have a terminal freed with what is sent next; may be called at any time, as when garbage is collected."""
        self._left.append(number)

    def send(self, command: Command, number: int, body: bytes = b"") -> None:
        """Have something done that is not answered; raises :class:`Ended`."""
        if not self._worker.is_there:
            raise self._worker.broken()
        while self._left:
            self._unsent.append(COMMAND.pack(Command.FREE, self._left.pop(), 0))
        self._unsent += (COMMAND.pack(command, number, len(body)), body)
        self._size += COMMAND.size + len(body)
        if self._size >= _TOGETHER:
            self._flush()

    def ask(self, command: Command, number: int, body: bytes = b"") -> bytes | None:
        """What is answered, None for nothing; raises :class:`Ended`, :class:`Refused` and :class:`Unsupported`."""
        return self.answer(self.order(command, number, body))

    def order(self, command: Command, number: int, body: bytes = b"") -> Answer:
        """Ask, and get the answer later; raises :class:`Ended`."""
        self.send(command, number, body)
        self._awaited.append(Answer())
        return self._awaited[-1]

    def answer(self, ordered: Answer) -> bytes | None:
        """Wait for what was ordered; gives and raises what `ask` does."""
        try:
            self._flush()
            while ordered.outcome is None:
                self._take()
        except BaseException:  # the rest of an answer would be taken for the next one
            self.end()
            raise
        if ordered.outcome == Outcome.DONE:
            return ordered.told
        if ordered.outcome == Outcome.NOTHING:
            return None
        told = ordered.told.decode(errors="replace")
        if ordered.outcome == Outcome.UNSUPPORTED:
            what, expected, found = (*told.split("\0"), "", "")[:3]
            raise Unsupported(what, expected=expected, found=found)
        raise Refused(told)

    def settles(self) -> bool:
        """Have all that was sent done; returns whether it is still there then."""
        with suppress(Ended):
            self.ask(Command.SPENT, _NONE)
            return True
        return False

    def _take(self) -> None:
        """Take in the next answer."""
        outcome, spent, size = ANSWER.unpack(self._worker.receive(ANSWER.size))
        if size > LONGEST:
            raise self.broken()
        told = self._worker.receive(size)
        first = self._awaited.popleft()
        first.outcome, first.told, self.spent = outcome, told, spent / 1e9

    def _flush(self) -> None:
        data, self._unsent, self._size = b"".join(self._unsent), [], 0
        self._worker.send(data)

    def broken(self) -> Ended:
        """What ended it; if it has not ended, it is let to."""
        return self._worker.broken()

    def end(self) -> None:
        """End it at once, whatever it does; may be called again."""
        self._worker.end()

    def disown(self) -> None:
        """Forget it, as a process that was forked from its user has to."""
        self._worker.disown()


_shared: list[Process] = []
_starting: Final = threading.Lock()


def shared() -> Process:
    """The one that all terminals of this process have, which is started if there is none.

    In place of one that has ended it gives one that has begun; raises :class:`Ended` where none does.
    """
    with _starting:
        if not _shared:
            _shared.append(Process())
        elif not _shared[0].is_there:
            _shared[0] = _begun()
        return _shared[0]


def fork_emulator() -> None:
    """Have that process forked from this one, if there is none: 2 MB in place of 8, where this is a fork as well.

    For a process that has just begun: it has one thread, and nothing yet that an emulator must not know.
    """
    with _starting:
        if not _shared:
            _shared.append(Process(forked))


def _begun() -> Process:
    """A new one that has answered: who tried again with one that ends at once, as each of them does, never ended."""
    for _ in range(_BEGINNINGS - 1):
        with suppress(Ended):
            return _answering()
    return _answering()


def _answering() -> Process:
    process = Process()
    with suppress(Unsupported):  # an answer, too, which is given again to who asks for more
        process.ask(Command.SPENT, _NONE)
    return process


def rest() -> None:
    """End that process, if there is one: for who will not look at a terminal for a long time, and feeds it little.

    Its terminals go on where they were, in another one, when they are looked at.
    """
    with _starting:
        for process in _shared:
            process.end()


def _forked() -> None:
    for process in _shared:
        process.disown()
    _shared.clear()


os.register_at_fork(after_in_child=_forked)
