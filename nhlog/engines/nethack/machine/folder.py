"""The folder of a machine: NetHack keeps the levels of its game there, as long as it runs.

Nothing in it is needed again, as a game is in its log.  Who uses the machine makes it and removes it; if that one is
gone, the machine does; where both were killed at once, who makes the next one.  So each of them holds a lock on the
folder, and one that nobody has locked is nobody's.
"""

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from typing import Final

from nhlog.errors import NhlogError
from nhlog.files import open_folder, reason

__all__ = ["Folder"]

_PREFIX: Final = "nhlog-nethack-"


class Folder:
    """A new folder, empty; `path` is its place, `lock` the descriptor that holds its lock."""

    def __init__(self) -> None:
        try:
            self.path, self.lock = _locked()
        except OSError as error:
            raise NhlogError(f"there is no place for NetHack's levels: {reason(error)}") from None
        _remove_left()

    def remove(self) -> None:
        """Remove it, with all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self.lock)

    def leave(self) -> None:
        """Leave it to who else has its lock."""
        os.close(self.lock)


def _locked() -> tuple[str, int]:
    while True:
        path = tempfile.mkdtemp(prefix=_PREFIX)
        try:
            lock = open_folder(path)
        except FileNotFoundError:  # it was taken for one that was left, before it had its lock,
            continue
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.exists(path):  # or just now
            return path, lock
        os.close(lock)


def _remove_left() -> None:
    """Remove the folders that nobody has any more."""
    place = tempfile.gettempdir()
    for name in os.listdir(place):
        path = os.path.join(place, name)
        with suppress(OSError, NhlogError):
            if not name.startswith(_PREFIX) or os.lstat(path).st_uid != os.geteuid():
                continue
            folder = open_folder(path)
            try:
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(folder)
