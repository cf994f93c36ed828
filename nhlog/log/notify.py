"""Notification of changes to a log: three methods behind one interface.

- *file events* of the system: for watchers, and for players where a lock at rest is not possible.
- *lock monitor*: hold a read lock at rest, which every writer asks to release: the method of NetHack 4 processes, for
  players. It needs signals, so all processes must belong to one user; and there must be few of them, because a writer
  asks one after the other.
- *polling*, if neither is available, or with many watchers: each looks at the file's status 25 times a second, at times
  of its own; once a second at another machine's file.  With more than 80 watchers each looks less often, so that they
  leave the processor to who plays.

File events are those of the log alone, however many lie in its folder (`nhlog.files.inotify`).  They are for the first
few watchers, who are woken inside the writer's own write (`nhlog.files.changes`); with 200 that would more than double
what a line takes.  Later watchers poll: that costs the writer nothing, the watcher 0.15% of a core, and their looks are
spread over time.

Rejected: one watcher that hears events, and tells the others through a socket that each log has.  50 who are woken at
once have a line after 3 ms in place of 20, which nobody sees at 25 frames a second; and as whoever comes first could be
anybody, each would have to look for itself all the same.

A notification only means that the log should be looked at: what changed is read without a lock (`nhlog.log.reading`).
"""

import math
import os
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from types import TracebackType
from typing import Final

from nhlog.errors import LockNotObtained
from nhlog.files.changes import FEW, Bell, Listener, PollingListener, polling_interval, standing_back
from nhlog.files.events import is_remote
from nhlog.files.inotify import FileListener
from nhlog.files.processes import locks_on
from nhlog.log import NotifyMethod
from nhlog.log.file import LogFile
from nhlog.log.locks.holders import holders_of, is_shared
from nhlog.log.locks.signals import SIGNALS

__all__ = ["Changes", "Pace", "playing_method", "watching_method"]

LOOKS: Final = 2000  # a second, of all together who follow a log by polling
RECOUNT: Final = 5.0  # seconds after which one looks how many they are, at the least, and
COUNTED: Final = 20  # of them a second: as each reads the locks of all, it would otherwise grow by the square
CROWD = 8  # processes on a log; each further one costs every line two signals and two context switches


def watching_method(file: LogFile) -> NotifyMethod:
    """The method for a spectator of this log, by its file system."""
    return NotifyMethod.POLLING if is_remote(file.name) else NotifyMethod.EVENTS


def playing_method(file: LogFile) -> NotifyMethod:
    """The method for a player of this log, by its file system, by who may play it, and by the number of lock holders.

    Who plays with people of other users must not rest in a lock: they could not ask for it.
    """
    handshake = sys.platform == "linux" and bool(SIGNALS)
    ours = handshake and _is_ours_alone(file) and not is_remote(file.name)  # no signal leaves the machine
    return NotifyMethod.MONITOR if ours and len(holders_of(file.identity)) < CROWD else watching_method(file)


def _is_ours_alone(file: LogFile) -> bool:
    """Whether only processes of our user write the log: those of others cannot ask us for a lock."""
    status = file.status()
    return status.st_uid == os.getuid() and not is_shared(status)


class Changes:
    """Notifications about one log for one follower; `fileno` is readable when the log should be looked at.

    Changes before its creation are not reported: create it first, then read the log.  The follower of a local log is
    visible to others by a lock or a mark on the file (see :func:`nhlog.log.locks.holders.processes_on`).  Where
    people of other users may write, also from some time on, the lock monitor becomes file events: see `method`.
    """

    def __init__(self, file: LogFile, method: NotifyMethod | None = None) -> None:
        self.method = method or watching_method(file)
        self._file = file
        with ExitStack() as undoing:
            self._bell = undoing.enter_context(closing(Bell()))
            if not file.writable and self.method is not NotifyMethod.MONITOR:  # nobody waits for an answer of ours
                undoing.enter_context(standing_back())
            self._listener = self._listen(file)
            self._ending = undoing.pop_all()

    def __enter__(self) -> "Changes":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def fileno(self) -> int:
        """The descriptor to wait for, with `select` and the like."""
        return self._bell.fileno()

    def take(self) -> bool:
        """Whether there was a notification since the last call; clears it."""
        if self.method is NotifyMethod.MONITOR and not _is_ours_alone(self._file):
            self.pause()
            self.resume()  # by another method
        return self._bell.take()

    def pause(self) -> None:
        """Stop notifying and release the lock; call it before this process is stopped, as it could not answer then."""
        self._listener.stop()

    def resume(self) -> None:
        """Continue after a pause, in which anything may have changed; without a lock if another process keeps it."""
        try:
            self._listener = self._listen(self._file)
        except LockNotObtained:
            self.method = watching_method(self._file)
            self._listener = self._listen(self._file)
        self._bell.ring()

    def close(self) -> None:
        """Stop notifying and close the descriptor."""
        self._listener.stop()
        self._ending.close()

    def _listen(self, file: LogFile) -> Listener:
        """Start the method, or one that suits the file and the system better."""
        if not is_remote(file.name):
            file.mark()  # a lock at rest would do, but for the moments in which it is released for others
        if self.method is NotifyMethod.MONITOR and not _is_ours_alone(file):
            self.method = watching_method(file)
        if self.method is NotifyMethod.EVENTS and _followers(file) > FEW:
            self.method = NotifyMethod.POLLING
        try:
            return _LISTENERS[self.method](file, self._bell)
        except OSError:
            self.method = NotifyMethod.POLLING
            return _polling(file, self._bell)


class _Monitor:
    """The lock monitor."""

    def __init__(self, file: LogFile, bell: Bell) -> None:
        self._file = file
        file.monitor(bell.ring)

    def stop(self) -> None:
        self._file.leave()


class Pace:
    """Called, the seconds to the next look at a log, by how many follow it."""

    def __init__(self, file: LogFile) -> None:
        self._file = file
        self._least = self._seconds = polling_interval(file.name)
        self._counting = -math.inf  # when they are to be counted again

    def __call__(self) -> float:
        """Those from now on; how many follow is looked up now and then."""
        if time.monotonic() > self._counting:
            followers = _followers(self._file)
            self._seconds = max(self._least, followers / LOOKS)
            self._counting = time.monotonic() + max(RECOUNT, followers / COUNTED)
        return self._seconds


def _followers(file: LogFile) -> int:
    """How many processes play or watch the log; who they are is not asked, as that takes a look at each."""
    locks = locks_on(file.identity)
    return len(locks.content.keys() | locks.marks.keys())


def _events(file: LogFile, bell: Bell) -> Listener:
    return FileListener(file.name, bell)


def _polling(file: LogFile, bell: Bell) -> Listener:
    return PollingListener(file.stamp, Pace(file), bell.ring)


_LISTENERS: dict[NotifyMethod, Callable[[LogFile, Bell], Listener]] = {
    NotifyMethod.MONITOR: _Monitor,
    NotifyMethod.EVENTS: _events,
    NotifyMethod.POLLING: _polling,
}
