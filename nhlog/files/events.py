"""What the system tells of the files in some folders: which of them were written, came or went.

Nothing is told of what is written on another machine, through a link or in a folder inside, nor how often: whoever has
to know looks at such files, too.
"""

import logging
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent
    from watchdog.observers.api import ObservedWatch

__all__ = ["FolderEvents", "is_remote", "unheard"]

_REMOTE = frozenset({"nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "afs", "ceph", "glusterfs"})


class FolderEvents:
    """Calls `tell`, in another thread, with the path of each file that something happened to."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        from watchdog.observers import Observer

        logging.getLogger("watchdog").addHandler(logging.NullHandler())  # what it mutters on leaving is for nobody
        self._tell = tell
        self._watches: dict[str, ObservedWatch] = {}
        self._observer = Observer()
        with unheard():
            self._observer.start()

    def watch(self, folder: str) -> None:
        """Tell of the files in `folder` from now on; again where another folder has this name now.

        Raises :class:`OSError` if the system does not tell of them.
        """
        from watchdog import events

        if (earlier := self._watches.pop(folder, None)) is not None:
            with suppress(KeyError):  # it ended with its folder
                self._observer.unschedule(earlier)
        told = [  # not that a file is read
            getattr(events, "FileAttribEvent", events.FileModifiedEvent),  # times and permissions; before 7.0 the same
            events.FileCreatedEvent,
            events.FileDeletedEvent,
            events.FileModifiedEvent,
            events.FileMovedEvent,
        ]
        handler = _Handler(folder, self._tell)
        place = os.path.realpath(folder)
        with unheard():
            watch = self._observer.schedule(handler, place, event_filter=told)  # type: ignore[arg-type]
        self._watches[folder] = watch

    def stop(self) -> None:
        """Tell nothing any more."""
        self._observer.stop()
        self._observer.join()


@contextmanager
def unheard() -> Iterator[None]:
    """A scope in which threads are started that take no signal from those who wait for it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Handler:
    """What happens in one folder, under the name that its watcher gave it."""

    def __init__(self, folder: str, tell: Callable[[str], None]) -> None:
        self._folder = folder
        self._tell = tell

    def dispatch(self, event: "FileSystemEvent") -> None:
        """What watchdog calls."""
        for path in (event.src_path, event.dest_path):
            if path:
                self._tell(os.path.join(self._folder, os.path.basename(os.fsdecode(path))))


def is_remote(path: str) -> bool:
    """Whether the file system that holds `path` is another machine's: it tells nothing of what is written there."""
    return _file_system(path) in _REMOTE


def _file_system(path: str) -> str:
    """The type of the file system that holds the file; empty if the system does not tell."""
    place = os.path.realpath(path)
    best, kind = "", ""
    with suppress(OSError), open("/proc/self/mountinfo", errors="replace") as table:
        for row in table:
            words = row.split()  # ID PARENT DEVICE ROOT MOUNTPOINT OPTIONS ... - TYPE SOURCE OPTIONS
            point = words[4]
            inside = place == point or place.startswith(point.rstrip("/") + "/")
            if inside and len(point) >= len(best):
                best, kind = point, words[words.index("-") + 1]
    return kind
