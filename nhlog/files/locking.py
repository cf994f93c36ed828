"""Locks on open files and folders, so that one process at a time writes; a lock ends with its descriptor or process.

`lock` is for folders and files that are only ours; `lock_within` waits for those that others have for a moment.
`lock_whole` is the lock that other programs look for, too; the system drops it when the process closes *any* descriptor
of the file, so such a file is claimed (see `opening`).

`mark` keeps nobody from anything: it tells that a process has a file open to watch it.  Who plays a log marks it twice,
by two descriptors that were opened each for itself.  The system's table of locks has a row for each, which every user
may read; of how a file was opened it tells nobody but its user and root.

The other two are not for logs, which other programs lock, too, by rules of their own (:mod:`nhlog.log.locks`).
"""

import fcntl
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from nhlog.errors import LockNotObtained
from nhlog.files.opening import open_regular
from nhlog.files.processes import lock_in_the_way

__all__ = ["is_being_written", "lock", "lock_whole", "lock_within", "mark"]

_PAUSE: Final = 0.02  # seconds between two attempts


def lock(fd: int, name: str) -> None:
    """Lock the open file or folder `fd` until it is closed, for the whole process and no other.

    Raises :class:`~nhlog.errors.LockNotObtained`, naming `name`, if somebody else has the lock.
    """
    _lock(fcntl.flock, fd, name)


def lock_within(fd: int, patience: float) -> bool:
    """Lock the open file or folder `fd` as `lock` does, waiting for it; whether it came within so many seconds."""
    until = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() > until:
                return False
            time.sleep(_PAUSE)


def lock_whole(fd: int, name: str) -> None:
    """Lock all of the file `fd`, which is open for writing, against everybody else who locks it; raises as `lock`."""
    _lock(fcntl.lockf, fd, name)


def mark(fd: int) -> None:
    """Tell other processes that this one has the file open, without a lock on its content.

    The mark is a shared `flock` lock, which neither NetHack 4 nor we heed; it goes with the descriptor.  On file
    systems of other machines it would be a lock on the content.
    """
    with suppress(OSError):  # somebody made the mark their own: then others do not know of us
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)


def _lock(call: Callable[[int, int], None], fd: int, name: str) -> None:
    try:
        call(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise LockNotObtained("another recorder is recording here", file=name) from None


# Whether somebody writes a file, as the system knows it: has it open for writing, or has a write lock on it.


def is_being_written(path: str) -> bool:
    """Whether any process has the file open for writing; False, too, where the system does not tell us.

    It tells the file's owner and root, of local files; of a write lock it tells everybody.  Raises :class:`CannotOpen`.
    """
    if "://" in path:  # what is archived is finished
        return False
    fd = open_regular(path)
    try:
        if lock_in_the_way(fd, for_writing=False):
            return True
        with suppress(OSError):  # not our file, or not a local one
            fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGURG)  # who opens it just now would end us by SIGIO
            return not _can_be_leased(fd)
        return False
    finally:
        os.close(fd)


def _can_be_leased(fd: int) -> bool:
    """A lease for reading is refused as long as anybody has the file open for writing (fcntl(2))."""
    try:
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except BlockingIOError:
        return False
    fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return True
