"""The lock on a folder, with which only one process at a time changes a recording; it ends with the process."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from nhlog.files import CannotOpen, lock, open_folder, reason

__all__ = ["lock_folder", "locked"]


def lock_folder(folder: str) -> int:
    """Lock a folder; returns the file descriptor that holds the lock until it is closed.

    Raises :class:`~nhlog.errors.LockNotObtained` if another process holds the lock.
    """
    try:
        fd = open_folder(folder)
    except OSError as error:
        raise CannotOpen(reason(error), file=folder) from None
    try:
        lock(fd, folder)
    except BaseException:
        os.close(fd)
        raise
    return fd


@contextmanager
def locked(folder: str) -> Iterator[None]:
    """Hold the lock of `folder` for the length of a `with` block; raises as :func:`lock_folder` does."""
    fd = lock_folder(folder)
    try:
        yield
    finally:
        os.close(fd)
