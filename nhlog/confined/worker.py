"""A process of ours that works for this one: a module behind a socket, which may fall without taking anybody along.

It is a new interpreter, not a fork: whoever starts one may have threads, locks and secrets, none of which it gets; that
costs 20 to 33 ms of the processor (12 of which are Python's), while its user goes on, and 6 MB.  Only a process that
was itself forked just now, and has none of these yet, forks its own (`forked`).  Its standard input is the
socket; it ends when its user has closed that, or is gone.  Nothing that it sends is trusted: who reads an answer checks
it.
"""

import os
import select
import signal
import socket
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Final, NoReturn

from nhlog.errors import NhlogError
from nhlog.files import reason
from nhlog.files.processes import LAST_DESCRIPTOR, python_command, python_environment
from nhlog.values import NamedTuple

__all__ = ["Beginning", "Ended", "Worker", "forked", "spawned"]

_RECEIVED: Final = 1 << 16
_FAULTS: Final = frozenset(
    {signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGTRAP}
)
_AS_USUAL: Final = (signal.SIGINT, signal.SIGPROF)
"""Signals that it does not ignore, whether we do or not."""
_NEEDED: Final = ("LD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH")
"""What it gets of our environment, whatever it is."""


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


class Beginning(NamedTuple):
    """How a worker begins: what it runs, its environment, its side of the socket, and the descriptors that it keeps."""

    module: str
    arguments: Sequence[str]
    environment: Mapping[str, str]
    channel: int
    keeps: Collection[int]


def spawned(worker: Beginning) -> int:
    """Begin it as a new interpreter; gives its number."""
    files = [(os.POSIX_SPAWN_DUP2, worker.channel, 0), *((os.POSIX_SPAWN_DUP2, kept, kept) for kept in worker.keeps)]
    command = python_command("-m", worker.module, *worker.arguments)
    return os.posix_spawn(
        command[0],
        command,
        worker.environment,
        file_actions=files,
        setpgroup=0,  # not that of the terminal's keys
        setsigmask=[],
        setsigdef=_AS_USUAL,
    )


def forked(worker: Beginning) -> int:
    """Begin it as a copy of this process, which has one thread, and nothing that a worker may not know.

    It runs `main` of the module, and shares with us what both have imported, and with all who began as we did.
    """
    if pid := os.fork():
        return pid
    try:
        os.setpgid(0, 0)
        for number in _AS_USUAL:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        os.dup2(worker.channel, 0)
        os.environ.clear()
        os.environ.update(worker.environment)
        last = 0
        for kept in (*sorted(worker.keeps), LAST_DESCRIPTOR):
            os.closerange(last + 1, kept)
            last = kept
        sys.argv[1:] = worker.arguments
        import_module(worker.module).main()
    finally:
        os._exit(1)


class Worker:
    """A process that runs `module` with `arguments`; to be used by one thread at a time.

    `called` is what messages call it, `most` how many bytes of its answers may wait to be received.  Of our environment
    it gets what Python needs and the variables `needs`, and besides these `environment`; of our descriptors those that
    it `keeps`, under the same numbers.  It is `begun` as a new interpreter or as a fork.  Raises :class:`NhlogError` if
    it cannot be started.
    """

    def __init__(
        self,
        module: str,
        *arguments: str,
        called: str,
        most: int,
        needs: Collection[str] = (),
        environment: Mapping[str, str] | None = None,
        keeps: Collection[int] = (),
        begun: Callable[[Beginning], int] = spawned,
    ) -> None:
        self._ended: Ended | None = None
        self._most = most
        self._received = bytearray()
        given = {name: value for name, value in python_environment().items() if name in {*_NEEDED, *needs}}
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                self.pid = begun(Beginning(module, arguments, given | dict(environment or {}), theirs.fileno(), keeps))
            except OSError as error:
                ours.close()
                raise NhlogError(f"{called} cannot be started: {reason(error)}") from None
        self._socket = ours

    @property
    def is_there(self) -> bool:
        """Whether it has not ended, as far as that was noticed."""
        return self._ended is None

    def send(self, data: bytes) -> None:
        """Send it something; raises :class:`Ended`.

        What it sends meanwhile is taken in, or it would wait for us as we do for it.
        """
        left = memoryview(data)
        while left:
            if self._ended is not None:
                raise self._ended
            try:
                left = left[self._socket.send(left, socket.MSG_DONTWAIT) :]
            except BlockingIOError:
                self._wait()
            except OSError:
                self._notice()
            except BaseException:  # the rest would be taken for what comes next
                self.end()
                raise

    def receive(self, size: int) -> bytes:
        """That many bytes of what it sends; raises :class:`Ended`."""
        while len(self._received) < size:
            if self._ended is not None:
                raise self._ended
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

    def _wait(self) -> None:
        """Until it takes more, or sends something."""
        poll = select.poll()
        poll.register(self._socket, select.POLLIN | select.POLLOUT)
        for _, event in poll.poll():
            if event & (select.POLLIN | select.POLLHUP | select.POLLERR):
                self._read()
        if len(self._received) > self._most:
            raise self.broken()

    def _notice(self) -> NoReturn:
        """It is gone."""
        raise self._ended or self.broken()

    def broken(self) -> Ended:
        """Let it end by itself, if it has not ended; gives what ended it."""
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


def _reap(pid: int) -> int:
    """The signal that ended the process; 0 if it ended otherwise, or somebody else asked for it."""
    try:
        _, status = os.waitpid(pid, 0)
    except ChildProcessError:
        return 0
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
