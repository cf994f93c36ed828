"""The process behind the wall, as its user sees it: it is started when it is needed, and may end at any time.

There is one for all terminals of a process (see `nhlog.emulator.worker` for what it is and may do).  It is a new
interpreter, not a fork: whoever uses a terminal may have threads, locks and secrets, none of which it gets; it costs
20 to 33 ms of the processor (12 of which are Python's), while its user goes on, and 6 MB.  What is sent is put together
until an answer is wanted or there is enough of it, so that output costs the pipe next to nothing.  Many answers may be
on their way at once: to wait for each costs as much as the work (looks at each event of a recording: 57 us each one by
one, 35 together).

Nothing that it sends is trusted: an answer has a greatest length, and who reads one checks it.
"""

import os
import select
import signal
import socket
import threading
from collections import deque
from contextlib import suppress
from typing import Final, NoReturn

from nhlog.emulator.wire import ANSWER, COMMAND, LONGEST, WORKER, Command, Outcome
from nhlog.errors import NhlogError, Unsupported
from nhlog.files import reason
from nhlog.files.processes import python_command, python_environment

__all__ = ["Answer", "Ended", "Process", "Refused", "rest", "shared"]

_TOGETHER: Final = 1 << 16  # bytes that are sent at once, if no answer is wanted before
_RECEIVED: Final = 1 << 16
_NONE: Final = 0  # the number of no terminal
_FAULTS: Final = frozenset(
    {signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGTRAP}
)
_NEEDED: Final = ("LD_LIBRARY_PATH", "PYGHOSTTY_LIB", "PYTHONHOME", "PYTHONPATH")
"""What it gets of our environment."""


class Ended(Exception):
    """The process is gone; `by` is the signal that ended it, 0 for none."""

    def __init__(self, by: int) -> None:
        super().__init__(by)
        self.by = by

    @property
    def by_itself(self) -> bool:
        """Whether it fell over what it did, as far as one can tell; others kill with other signals."""
        return self.by in _FAULTS or self.too_slow

    @property
    def too_slow(self) -> bool:
        """Whether what it did took too long."""
        return self.by == signal.SIGPROF


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

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.spent = 0.0
        """The seconds of the processor that the terminal took about which it answered last."""
        self._numbers = 0
        self._left: list[int] = []  # terminals that nobody has any more
        self._unsent: list[bytes] = []
        self._size = 0
        self._awaited: deque[Answer] = deque()
        self._received = bytearray()
        self._ended: Ended | None = None
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                self.pid = _start(theirs.fileno())
            except OSError as error:
                ours.close()
                raise NhlogError(f"the terminal emulator cannot be started: {reason(error)}") from None
        self._socket = ours

    @property
    def is_there(self) -> bool:
        """Whether it has not ended, as far as that was noticed."""
        return self._ended is None

    def number(self) -> int:
        """A number for a new terminal."""
        self._numbers += 1
        return self._numbers

    def leave(self, number: int) -> None:
        """Have a terminal freed with what is sent next; may be called at any time, as when garbage is collected."""
        self._left.append(number)

    def send(self, command: Command, number: int, body: bytes = b"") -> None:
        """Have something done that is not answered; raises :class:`Ended`."""
        if self._ended is not None:
            raise self._ended
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
        if self._ended is not None:
            raise self._ended
        outcome, spent, size = ANSWER.unpack(self._receive(ANSWER.size))
        if size > LONGEST:
            raise self.broken()
        told = self._receive(size)
        first = self._awaited.popleft()
        first.outcome, first.told, self.spent = outcome, told, spent / 1e9

    def _receive(self, size: int) -> bytes:
        while len(self._received) < size:
            self._read()
        found = bytes(self._received[:size])
        del self._received[:size]
        return found

    def _read(self) -> None:
        try:
            piece = self._socket.recv(_RECEIVED)
        except OSError:
            piece = b""
        if not piece:
            self._notice()
        self._received += piece

    def _flush(self) -> None:
        """Send what is to be sent; answers that come meanwhile are received, or it would wait for us as we do."""
        left, self._unsent, self._size = memoryview(b"".join(self._unsent)), [], 0
        while left:
            if self._ended is not None:
                raise self._ended
            try:
                left = left[self._socket.send(left, socket.MSG_DONTWAIT) :]
            except BlockingIOError:
                self._wait()
            except OSError:
                self._notice()
            except BaseException:
                self.end()
                raise

    def _wait(self) -> None:
        """Until it takes more, or answers."""
        poll = select.poll()
        poll.register(self._socket, select.POLLIN | select.POLLOUT)
        for _, event in poll.poll():
            if event & (select.POLLIN | select.POLLHUP | select.POLLERR):
                self._read()
        if len(self._received) > LONGEST + ANSWER.size:
            raise self.broken()

    def _notice(self) -> NoReturn:
        """It is gone."""
        raise self._ended or self.broken()

    def broken(self) -> Ended:
        """End it, if it has not ended; gives what ended it."""
        if self._ended is None:
            self._socket.close()
            self._ended = Ended(_reap(self.pid))
        return self._ended

    def end(self) -> None:
        """End it at once, whatever it does; may be called again."""
        if self._ended is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            self.broken()

    def disown(self) -> None:
        """Forget it, as a process that was forked from its user has to."""
        if self._ended is None:
            self._socket.close()
            self._ended = Ended(0)


def _start(channel: int) -> int:
    command = python_command("-m", WORKER)
    environment = {name: value for name, value in python_environment().items() if name in _NEEDED}
    files = [(os.POSIX_SPAWN_DUP2, channel, 0)]
    return os.posix_spawn(
        command[0],
        command,
        environment,
        file_actions=files,
        setpgroup=0,  # not that of the terminal's keys
        setsigmask=[],
        setsigdef=[signal.SIGINT, signal.SIGPROF],
    )


def _reap(pid: int) -> int:
    """The signal that ended the process; 0 if it ended otherwise, or somebody else asked for it."""
    try:
        _, status = os.waitpid(pid, 0)
    except ChildProcessError:
        return 0
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


_shared: list[Process] = []
_starting: Final = threading.Lock()


def shared() -> Process:
    """The one that all terminals of this process have, which is started if there is none."""
    with _starting:
        if not _shared or not _shared[0].is_there:
            _shared[:] = [Process()]
        return _shared[0]


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
