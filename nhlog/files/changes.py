"""Changes of a file: reported by the system, or found by looking at the file again and again.

A notification only means that the file should be looked at.
"""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

from nhlog.files.events import FolderEvents, is_remote
from nhlog.files.processes import processes_with
from nhlog.files.stamps import Stamp, stamp_of

__all__ = ["FEW", "Bell", "EventListener", "FileChanges", "Listener", "PollingListener", "polling_interval"]

FEW: Final = 4  # processes on a file that all may be woken inside every write to it
POLLING_INTERVAL: Final = 1 / 25  # seconds: a frame of the player
REMOTE_INTERVAL: Final = 1.0  # seconds, where each look may be a question to another machine


class Bell:
    """What one thread rings and another one waits for: `fileno` is readable after that."""

    def __init__(self) -> None:
        self._readable, self._writable = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    def fileno(self) -> int:
        """The descriptor to wait for, with `select` and the like."""
        return self._readable

    def ring(self) -> None:
        """Make it readable."""
        with suppress(OSError):  # full: it is known already; closed: nobody listens
            os.write(self._writable, b"!")

    def take(self) -> bool:
        """Whether it rang since the last call."""
        try:
            return bool(os.read(self._readable, 4096))
        except BlockingIOError:
            return False

    def close(self) -> None:
        """Close it."""
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


def polling_interval(path: str) -> float:
    """Seconds between two looks at a file."""
    return REMOTE_INTERVAL if is_remote(path) else POLLING_INTERVAL


class FileChanges:
    """Notifications about the file that has a name, or gets it: `fileno` is readable when it should be looked at.

    By events for the first few who have it open: inside the writer's own write the system wakes all who wait for them.
    Whoever comes later, or is on another machine, looks at it from time to time.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._bell = Bell()
        try:
            self._listener = self._listen()
        except BaseException:
            self._bell.close()
            raise

    def _listen(self) -> Listener:
        stamp = stamp_of(self._path)
        crowded = stamp is not None and sum(1 for _ in processes_with(stamp.identity)) > FEW
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
        self._bell.close()
