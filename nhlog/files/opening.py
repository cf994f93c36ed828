"""The calls that open files: each gives a descriptor.

- A FIFO, a device, a socket or a folder is refused before anything waits for it.
- A symbolic link is followed only where it adds no rights: it is the user's own, root's, or of the owner of the file
  that it leads to.  In a folder that is shared with others no link is followed at all (`open_only_name`).
- POSIX locks belong to the process, and vanish when *any* descriptor of the locked file is closed.  So a file that is
  claimed (an open log) is not opened a second time by this process, by whatever name and for whatever purpose.
"""

import errno
import os
import stat
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from nhlog.files.refusals import CannotOpen, reason

__all__ = [
    "Identity",
    "claim",
    "create_file",
    "open_folder",
    "open_inner_folder",
    "open_only_name",
    "open_regular",
    "open_subfolder",
    "release",
    "reopen_regular",
]

_MAX_LINKS: Final = 8  # symbolic links that lead to one another
_TRIES: Final = 200
_PAUSE: Final = 0.001  # seconds

Identity = tuple[int, int]
"""Device and inode."""

# The files that this process may have only one descriptor of: kernel locks are the process's, so this has to be, too.
_claimed: set[Identity] = set()
os.register_at_fork(after_in_child=_claimed.clear)


def claim(identity: Identity) -> None:
    """Refuse to open this file again until it is released, as closing another descriptor would drop its lock."""
    _claimed.add(identity)


def release(identity: Identity) -> None:
    """Allow the file to be opened again."""
    _claimed.discard(identity)


def open_regular(path: str, flags: int = os.O_RDONLY) -> int:
    """Open the regular file `path` without blocking.

    Raises :class:`CannotOpen`, also for anything but a regular file.
    """
    try:
        return _open(path, path, flags, _MAX_LINKS)
    except OSError as error:
        raise CannotOpen(reason(error), file=path) from None
    except ValueError as error:  # a NUL in the name
        raise CannotOpen(str(error), file=path) from None


def _open(path: str, name: str, flags: int, links: int) -> int:
    status = os.lstat(path)
    if stat.S_ISLNK(status.st_mode):
        return _follow(path, name, status, flags, links)
    return _open_itself(path, name, flags, status)


def _open_itself(path: str, name: str, flags: int, status: os.stat_result, folder: int | None = None) -> int:
    """The file that was seen at `path` (in an open `folder`), and no other."""
    _check(status, name)  # before opening: closing a second descriptor would cost the lock
    fd = _open_soon(path, flags | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY, folder)
    opened = os.fstat(fd)
    if (opened.st_dev, opened.st_ino) != (status.st_dev, status.st_ino):
        if (opened.st_dev, opened.st_ino) not in _claimed:
            os.close(fd)
        raise CannotOpen("replaced while being opened", file=name)
    return fd


def _open_soon(path: str, flags: int, folder: int | None) -> int:
    """Open it as soon as nobody has a lease on it: who asks whether it is being written has one for a moment.

    Whoever keeps a lease does not keep us waiting: the system would, for three quarters of a minute.
    """
    for _ in range(_TRIES):
        with suppress(BlockingIOError):
            return os.open(path, flags, dir_fd=folder)
        time.sleep(_PAUSE)
    return os.open(path, flags, dir_fd=folder)


def _check(status: os.stat_result, name: str) -> None:
    if not stat.S_ISREG(status.st_mode):
        kind = _KINDS.get(stat.S_IFMT(status.st_mode), "device")
        raise CannotOpen(f"not a regular file but a {kind}", file=name)
    if (status.st_dev, status.st_ino) in _claimed:
        raise CannotOpen("this process already has this log open", file=name)


_KINDS: Final = {
    stat.S_IFDIR: "directory",
    stat.S_IFIFO: "FIFO",
    stat.S_IFLNK: "symbolic link",
    stat.S_IFSOCK: "socket",
}


def _follow(path: str, name: str, link: os.stat_result, flags: int, links: int) -> int:
    """Open the file that a symbolic link leads to, unless the link would grant its owner access to a foreign file."""
    if not links:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    target = os.path.join(os.path.dirname(path), os.readlink(path))
    again = os.lstat(path)
    if (again.st_ino, again.st_ctime_ns) != (link.st_ino, link.st_ctime_ns):
        raise CannotOpen("replaced while being opened", file=name)
    if link.st_uid not in (os.geteuid(), 0) and os.stat(target).st_uid != link.st_uid:
        raise CannotOpen("another user's symbolic link to a file that is not theirs", file=name)
    fd = _open(target, name, flags, links - 1)
    if link.st_uid not in (os.geteuid(), 0, os.fstat(fd).st_uid):
        os.close(fd)
        raise CannotOpen("replaced while being opened", file=name)
    return fd


def reopen_regular(path: str, flags: int, identity: Identity) -> int:
    """Open a claimed file once more; the claimer must keep the first descriptor open as long as this one.

    Raises :class:`CannotOpen`, also if the name now belongs to another file.
    """
    release(identity)
    try:
        fd = open_regular(path, flags)
    finally:
        claim(identity)
    status = os.fstat(fd)
    if (status.st_dev, status.st_ino) != identity:
        os.close(fd)
        raise CannotOpen("replaced meanwhile", file=path)
    return fd


def open_only_name(folder: int, name: str, flags: int = os.O_RDONLY) -> int:
    """A descriptor of the regular file that has this name in an open folder and no other name anywhere.

    For a folder in which others can put what they like: neither a symbolic nor a hard link makes us read or write for
    them what they cannot.  Raises :class:`CannotOpen` for anything else, and never waits.
    """
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        fd = _open_itself(name, name, flags, status, folder)
    except OSError as error:
        raise CannotOpen(reason(error), file=name) from None
    if os.fstat(fd).st_nlink == 1:
        return fd
    os.close(fd)
    raise CannotOpen("the file has other names (hard links)", file=name)


def create_file(path: str, permissions: int = 0o666, flags: int = os.O_WRONLY, folder: int | None = None) -> int:
    """A descriptor of a new, empty file; raises :class:`OSError`, and :class:`FileExistsError` where the name is taken.

    `permissions` are lessened by the user's umask; a relative `path` is that in the open `folder`.
    """
    return os.open(path, flags | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, permissions, dir_fd=folder)


def open_folder(path: str) -> int:
    """Open a folder, to sync or lock it; raises :class:`OSError`."""
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def open_subfolder(folder: int, name: str) -> int:
    """A descriptor of a folder in an open one, no link to elsewhere; raises :class:`OSError`."""
    return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)


def open_inner_folder(root: str, names: Iterable[str]) -> int:
    """A descriptor of the folder to which these names lead, one within the other, below the folder `root`.

    A link in the place of one of them is refused.  Raises :class:`OSError`.
    """
    folder = open_folder(root)
    for name in names:
        outer = folder
        try:
            folder = open_subfolder(outer, name)
        finally:
            os.close(outer)
    return folder
