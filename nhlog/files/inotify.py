"""Changes of one file, wherever it is moved, as Linux's inotify reports them.

For files that a game waits for: watchdog (`nhlog.files.events`) watches folders, passes an event through three threads
before it tells, 0.2 ms, and is woken for every other game in the folder.  Here one thread waits for the one file.
"""

import os
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, Final

from nhlog.files.events import unheard

__all__ = ["FileListener"]

_MODIFY, _ATTRIBUTES, _MOVED, _IGNORED = 0x2, 0x4, 0x800, 0x8000  # linux/inotify.h
_TOLD: Final = _MODIFY | _ATTRIBUTES | _MOVED  # a file that loses its name has other attributes
_EVENT: Final = struct.Struct("iIII")  # wd, mask, cookie, length of a name, which only events of folders have
_MOST: Final = 4096  # bytes that are read at once


class FileListener:
    """Calls `tell`, in another thread, when the file that has this name now is written, moved or removed.

    Raises :class:`OSError` if the system does not tell of it.
    """

    def __init__(self, path: str, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._fd = _call("inotify_init1", os.O_CLOEXEC)
        try:
            self._watch = _call("inotify_add_watch", self._fd, os.fsencode(path), _TOLD)
        except OSError:
            os.close(self._fd)
            raise
        self._thread = threading.Thread(target=self._wait, name="nhlog file events", daemon=True)
        with unheard():
            self._thread.start()

    def _wait(self) -> None:
        """Tell of each event, until the watch has ended."""
        while not any(mask & _IGNORED for _, mask, _, _ in _EVENT.iter_unpack(os.read(self._fd, _MOST))):
            self._tell()

    def stop(self) -> None:
        """Tell of nothing any more."""
        with suppress(OSError):  # its file system is gone, and the watch with it
            _call("inotify_rm_watch", self._fd, self._watch)
        self._thread.join()
        os.close(self._fd)


def _call(name: str, *arguments: Any) -> int:
    """What a function of the C library returns; raises :class:`OSError` where it failed."""
    library, error = _library()
    found = int(getattr(library, name)(*arguments))
    if found < 0:
        raise OSError(number := error(), os.strerror(number))
    return found


@cache
def _library() -> tuple[Any, Callable[[], int]]:
    """The C library, and what tells the number of its last error."""
    import ctypes  # most processes watch nothing

    return ctypes.CDLL(None, use_errno=True), ctypes.get_errno
