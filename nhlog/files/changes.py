"""Changes of a file: reported by the system, or found by looking at the file again and again.

A notification only means that the file should be looked at.

Whoever waits for events is woken inside the writer's own write, and the system would let most of them run before the
writer goes on: with 10 watchers a line took 5 times as long.  So they are `standing_back`; then it takes as long as
alone, but for the waking, 2 to 4 us each.  That is why only the first few are woken; later ones look now and then.
"""

import os
import select
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import islice
from typing import Final, Protocol

from nhlog.files.events import FolderEvents, is_remote
from nhlog.files.processes import processes_with
from nhlog.files.stamps import Stamp, stamp_of

__all__ = [
    "FEW",
    "Bell",
    "EventListener",
    "FileChanges",
    "Listener",
    "PollingListener",
    "polling_interval",
    "standing_back",
]

FEW: Final = 8  # processes on a file that all may be woken inside every write to it: a tenth of what a line takes
POLLING_INTERVAL: Final = 1 / 25  # seconds: a frame of the player
REMOTE_INTERVAL: Final = 1.0  # seconds, where each look may be a question to another machine


class Bell:
    """What other threads ring, or the system by a descriptor: `fileno` is readable after that."""

    def __init__(self) -> None:
        self._readable, self._writable = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._heard = select.epoll()
        self.hear(self._readable)

    def fileno(self) -> int:
        """The descriptor to wait for, with `select` and the like."""
        return self._heard.fileno()

    def hear(self, fd: int) -> None:
        """Ring whenever this descriptor, which never blocks, has something to read; what it has is thrown away."""
        self._heard.register(fd, select.EPOLLIN)

    def ignore(self, fd: int) -> None:
        """Hear it no more."""
        self._heard.unregister(fd)

    def ring(self) -> None:
        """Make it readable."""
        with suppress(OSError):  # full: it is known already; closed: nobody listens
            os.write(self._writable, b"!")

    def take(self) -> bool:
        """Whether it rang since the last call."""
        rung = self._heard.poll(0)
        for fd, _ in rung:
            os.read(fd, 4096)
        return bool(rung)

    def close(self) -> None:
        """Close it."""
        self._heard.close()
        os.close(self._readable)
        os.close(self._writable)


class Listener(Protocol):
    """Somebody who tells of changes, in another thread."""

    def stop(self) -> None:
        """Tell of nothing any more."""


class EventListener:
    """Tells of the system's events of a file; raises :class:`OSError` if there are none.

    The folder is watched, as some systems cannot watch a file.
    """

    def __init__(self, path: str, tell: Callable[[], None]) -> None:
        self._path = os.path.realpath(path)
        self._tell = tell
        self._events = FolderEvents(self._hear)
        try:
            self._events.watch(os.path.dirname(self._path))
        except BaseException:
            self._events.stop()
            raise

    def _hear(self, path: str) -> None:
        if path == self._path:
            self._tell()

    def stop(self) -> None:
        """Tell of nothing any more."""
        self._events.stop()


class PollingListener:
    """Tells when a file's `stamp` is another one, which takes no lock; `interval` is the seconds to the next look."""

    def __init__(
        self, stamp: Callable[[], Stamp | None], interval: Callable[[], float], tell: Callable[[], None]
    ) -> None:
        self._stamp, self._interval, self._tell = stamp, interval, tell
        self._seen = stamp()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._poll, name="nhlog polling", daemon=True)
        self._thread.start()

    def _poll(self) -> None:
        while not self._stopped.wait(self._interval()):
            if (now := self._stamp()) != self._seen:
                self._seen = now
                self._tell()

    def stop(self) -> None:
        """Tell of nothing any more."""
        self._stopped.set()
        self._thread.join()


@contextmanager
def standing_back() -> Iterator[None]:
    """A scope in which this thread, and those it starts, never take the processor from who wakes them.

    It has as much of the processor as before (sched(7), SCHED_BATCH).
    """
    ordinary = _be(os.SCHED_BATCH, instead_of=os.SCHED_OTHER)
    try:
        yield
    finally:
        if ordinary:
            _be(os.SCHED_OTHER, instead_of=os.SCHED_BATCH)


def _be(policy: int, *, instead_of: int) -> bool:
    """Have this thread scheduled so if it was scheduled otherwise; returns whether it was, and may."""
    with suppress(OSError):  # not within our walls
        if os.sched_getscheduler(0) == instead_of:
            os.sched_setscheduler(0, policy, os.sched_param(0))
            return True
    return False


def polling_interval(path: str) -> float:
    """Seconds between two looks at a file."""
    return REMOTE_INTERVAL if is_remote(path) else POLLING_INTERVAL


class FileChanges:
    """Notifications about the file that has a name, or gets it: `fileno` is readable when it should be looked at.

    By events for the first few who have it open; whoever comes later, or is on another machine, looks now and then.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        with ExitStack() as undoing:
            self._bell = undoing.enter_context(closing(Bell()))
            undoing.enter_context(standing_back())
            self._listener = self._listen()
            self._ending = undoing.pop_all()

    def _listen(self) -> Listener:
        stamp = stamp_of(self._path)
        crowded = stamp is not None and len([*islice(processes_with(stamp.identity), FEW + 1)]) > FEW
        if not crowded and not is_remote(self._path):
            with suppress(OSError):
                return EventListener(self._path, self._bell.ring)
        interval = polling_interval(self._path)
        return PollingListener(lambda: stamp_of(self._path), lambda: interval, self._bell.ring)

    def fileno(self) -> int:
        """The descriptor to wait for, with `select` and the like."""
        return self._bell.fileno()

    def take(self) -> bool:
        """Whether there was a notification since the last call; clears it."""
        return self._bell.take()

    def pause(self) -> None:
        """Stop notifying."""
        self._listener.stop()

    def resume(self) -> None:
        """Go on after a pause, in which anything may have changed."""
        self._listener = self._listen()
        self._bell.ring()

    def close(self) -> None:
        """Stop notifying and close the descriptor."""
        self._listener.stop()
        self._ending.close()
