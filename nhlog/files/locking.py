"""Locks on open files and folders, so that one process at a time writes; a lock ends with its descriptor or process.

`lock` is for folders and files that are only ours.  `lock_whole` is the lock that other programs look for, too; the
system drops it when the process closes *any* descriptor of the file, so such a file is claimed (see `opening`).

`mark` keeps nobody from anything: it tells that a process has a file open to watch it.  Who plays a log marks it twice,
by two descriptors that were opened each for itself.  The system's table of locks has a row for each, which every user
may read; of how a file was opened it tells nobody but its user and root.

The other two are not for logs, which other programs lock, too, by rules of their own (:mod:`nhlog.log.locks`).
"""

import fcntl
from collections.abc import Callable
from contextlib import suppress

from nhlog.errors import LockNotObtained

__all__ = ["lock", "lock_whole", "mark"]


def lock(fd: int, name: str) -> None:
    """Lock the open file or folder `fd` until it is closed, for the whole process and no other.

    Raises :class:`~nhlog.errors.LockNotObtained`, naming `name`, if somebody else has the lock.
    """
    _lock(fcntl.flock, fd, name)


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
