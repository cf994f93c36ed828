"""One at a time changes a recording that is made: who does holds the folder's lock, and a death lets it go."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from nhlog.errors import LockNotObtained, NhlogError

__all__ = ["hold", "recording"]


def hold(folder: str) -> int:
    """A descriptor that keeps others out until it is closed; raises :class:`LockNotObtained` where one is out."""
    try:
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise NhlogError(f"cannot open: {error.strerror or error}", file=folder) from None
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        raise LockNotObtained("somebody records here already", file=folder) from None
    return fd


@contextmanager
def recording(folder: str) -> Iterator[None]:
    """A scope in which nobody else changes the recording in `folder`."""
    fd = hold(folder)
    try:
        yield
    finally:
        os.close(fd)
