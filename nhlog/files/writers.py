"""Whether somebody writes a file, as the system knows it: has it open for writing, or has a write lock on it."""

import fcntl
import os
import signal
from contextlib import suppress

from nhlog.files.opening import open_regular
from nhlog.files.processes import lock_in_the_way

__all__ = ["is_being_written"]


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
