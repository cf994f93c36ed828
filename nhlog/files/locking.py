"""Locks on open files and folders, so that one process at a time writes; a lock ends with its descriptor or process.

Not for logs, which other programs lock, too, by rules of their own (:mod:`nhlog.log.locks`).
"""

import fcntl

from nhlog.errors import LockNotObtained

__all__ = ["lock"]


def lock(fd: int, name: str) -> None:
    """Lock the open file or folder `fd` until it is closed, for the whole process and no other.

    Raises :class:`~nhlog.errors.LockNotObtained`, naming `name`, if somebody else has the lock.
    """
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise LockNotObtained("somebody records here already", file=name) from None
