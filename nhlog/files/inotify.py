"""Changes of one file, wherever it is moved, as Linux's inotify reports them.

For files that a game waits for: watchdog (`nhlog.files.events`) watches folders, passes an event through three threads
before it tells, 0.2 ms, and is woken for every other game in the folder.  Here who waits for the bell waits for the
system itself: a thread between the two took 0.1 ms.
"""

import os
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from nhlog.files.changes import Bell

__all__ = ["FileListener"]

_MODIFY, _ATTRIBUTES, _MOVED = 0x2, 0x4, 0x800  # linux/inotify.h
_TOLD: Final = _MODIFY | _ATTRIBUTES | _MOVED  # a file that loses its name has other attributes


class FileListener:
    """Has a bell ring when the file that has this name now is written, moved or removed.

    Raises :class:`OSError` if the system does not tell of it.
    """

    def __init__(self, path: str, bell: Bell) -> None:
        self._bell = bell
        self._fd = _call("inotify_init1", os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            _call("inotify_add_watch", self._fd, os.fsencode(path), _TOLD)
        except OSError:
            os.close(self._fd)
            raise
        bell.hear(self._fd)

    def stop(self) -> None:
        """Tell of nothing any more."""
        self._bell.ignore(self._fd)
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
