"""Whether a file is the one that it was, and still has its name."""

import os
from enum import StrEnum

from nhlog.files.opening import Identity
from nhlog.values import NamedTuple

__all__ = ["Fate", "Stamp", "fate_of", "fate_told", "may_come", "place_of", "stamp_at", "stamp_of"]


class Stamp(NamedTuple):
    """The identity and state of a file: two equal stamps mean that nothing was written in between.

    `modified` and `changed` are nanoseconds since 1970; users can set the first of them, but not the second.
    """

    device: int
    inode: int
    size: int
    modified: int
    changed: int

    @classmethod
    def of(cls, status: os.stat_result) -> "Stamp":
        """The stamp of a file that has this status."""
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)

    @property
    def identity(self) -> Identity:
        """Device and inode."""
        return self.device, self.inode


def stamp_of(path: str) -> Stamp | None:
    """The stamp of the file that has this name now; None if it cannot be found."""
    try:
        return Stamp.of(os.stat(path))
    except (OSError, ValueError):
        return None


def may_come(path: str) -> bool:
    """Whether there is no such file, but the folder for it, so that somebody may make it yet."""
    return not os.path.lexists(path) and os.path.isdir(os.path.dirname(os.path.abspath(path)))


def stamp_at(fd: int) -> Stamp:
    """The stamp of the open file `fd`; raises :class:`OSError`."""
    return Stamp.of(os.fstat(fd))


class Fate(StrEnum):
    """What became of the name by which a file was opened, in words; empty while it is the file's."""

    KEPT = ""
    DELETED = "the file was deleted"
    MOVED = "the file was moved to another name"
    REPLACED = "another file has its name now"


def fate_of(path: str, fd: int) -> Fate:
    """What became of the name of the file that was opened as `fd`; where nothing did, that is one look at it."""
    opened = os.fstat(fd)
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return Fate.MOVED if opened.st_nlink else Fate.DELETED
    except OSError:  # a folder that we may not enter any more: nobody knows
        return Fate.KEPT
    return Fate.KEPT if os.path.samestat(status, opened) else Fate.REPLACED


def fate_told(path: str, fd: int) -> str:
    """What became of the name, in words, with the new one where the system knows it."""
    fate = fate_of(path, fd)
    name = _name_now(fd) if fate is Fate.MOVED else None
    return f"the file was moved to {name}" if name else fate


def place_of(path: str, fd: int) -> str | None:
    """The name by which the file that was opened as `fd` is found now: its own, or the one it was moved to.

    None if it has none any more, or none that the system knows.
    """
    fate = fate_of(path, fd)
    return path if fate is Fate.KEPT else _name_now(fd) if fate is Fate.MOVED else None


def _name_now(fd: int) -> str | None:
    """The name that the system knows of an open file; None if it knows none that is there."""
    try:
        name = os.readlink(f"/proc/self/fd/{fd}")
        return name if os.path.samestat(os.stat(name), os.fstat(fd)) else None
    except OSError:  # another system, or one of two names was removed
        return None
