"""The one way to open files for reading: only regular files, without blocking, and without following foreign links.

- A FIFO, a device, a socket or a folder is refused before anything waits for it.
- A symbolic link is followed only where it adds no rights: it is the user's own, root's, or of the owner of the file
  that it leads to.  In a folder that is shared with others no link is followed at all (`open_only_name`).
- POSIX locks belong to the process, and vanish when *any* descriptor of the locked file is closed.  So a file that is
  claimed (an open log) is not opened a second time by this process, by whatever name and for whatever purpose.

Sizes and offsets are bytes.
"""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple, Protocol, Self

from nhlog.errors import NhlogError

__all__ = [
    "CHUNK",
    "STDIN",
    "STDOUT",
    "CannotOpen",
    "CannotWrite",
    "File",
    "Identity",
    "Memory",
    "Source",
    "Stamp",
    "claim",
    "create_file",
    "first_bytes",
    "naming",
    "open_folder",
    "open_only_name",
    "open_regular",
    "open_source",
    "open_subfolder",
    "read_at",
    "read_pieces",
    "read_whole",
    "reason",
    "refusals",
    "release",
    "reopen_regular",
    "stamp_at",
    "stamp_of",
]

CHUNK: Final = 1 << 20  # bytes asked of the system at a time
PIECE: Final = 1 << 16  # bytes given at a time of what is read from start to end
STDIN: Final = "standard input"
STDOUT: Final = "standard output"
MAX_PIPED: Final = 1 << 30  # bytes of what came through a pipe and has to be held
_MAX_LINKS: Final = 8  # symbolic links that lead to one another

Identity = tuple[int, int]
"""Device and inode."""


class CannotOpen(NhlogError):
    """The file cannot be opened, for the reason in the message."""


class CannotWrite(NhlogError):
    """The system refuses to write the file: the disk is full, or it is not ours."""


class Stamp(NamedTuple):
    """The identity and state of a file: two equal stamps mean that nothing was written in between.

    `modified` and `changed` are nanoseconds since 1970; users can set the first of them, but not the second.
    """

    device: int
    inode: int
    size: int
    modified: int
    changed: int

    @property
    def identity(self) -> Identity:
        """Device and inode."""
        return self.device, self.inode


# The files that this process may have only one descriptor of: kernel locks are the process's, so this has to be, too.
_claimed: set[Identity] = set()
os.register_at_fork(after_in_child=_claimed.clear)


def claim(identity: Identity) -> None:
    """Refuse to open this file again until it is released, as closing another descriptor would drop its lock."""
    _claimed.add(identity)


def release(identity: Identity) -> None:
    """Allow the file to be opened again."""
    _claimed.discard(identity)


def reason(error: OSError) -> str:
    """The system's error message in lower case."""
    return (error.strerror or str(error)).lower()


@contextmanager
def naming(path: str, draft: str | None = None) -> Iterator[None]:
    """A scope in which an :class:`OSError` names the file `path`, if it names none or the draft of that file.

    A write, a sync and a truncation are refused without saying what was written.
    """
    try:
        yield
    except OSError as error:
        if error.filename in (None, draft):
            error.filename, error.filename2 = path, None
        raise


@contextmanager
def refusals(path: str) -> Iterator[None]:
    """A scope in which an :class:`OSError` becomes a :class:`CannotWrite` of the file that it names, else of `path`."""
    try:
        with naming(path):
            yield
    except OSError as error:
        raise CannotWrite(reason(error), file=os.fsdecode(error.filename)) from None


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
    fd = os.open(path, flags | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY, dir_fd=folder)
    opened = os.fstat(fd)
    if (opened.st_dev, opened.st_ino) != (status.st_dev, status.st_ino):
        if (opened.st_dev, opened.st_ino) not in _claimed:
            os.close(fd)
        raise CannotOpen("replaced while being opened", file=name)
    return fd


def _check(status: os.stat_result, name: str) -> None:
    if not stat.S_ISREG(status.st_mode):
        kind = _KINDS.get(stat.S_IFMT(status.st_mode), "device")
        raise CannotOpen(f"not a regular file but a {kind}", file=name)
    if (status.st_dev, status.st_ino) in _claimed:
        raise CannotOpen("this process has this log open already", file=name)


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
        raise CannotOpen("a symbolic link of another user to a file that is not theirs", file=name)
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


def open_only_name(folder: int, name: str) -> int:
    """A descriptor, for reading, of the regular file that has this name in an open folder and no other name anywhere.

    For a folder in which others can put what they like: neither a symbolic nor a hard link makes us read for them what
    they cannot.  Raises :class:`CannotOpen` for anything else, and never waits.
    """
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        fd = _open_itself(name, name, os.O_RDONLY, status, folder)
    except OSError as error:
        raise CannotOpen(reason(error), file=name) from None
    if os.fstat(fd).st_nlink == 1:
        return fd
    os.close(fd)
    raise CannotOpen("the file has other names", file=name)


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


def stamp_of(path: str) -> Stamp | None:
    """The stamp of the file that has this name now; None if it cannot be found."""
    try:
        return _stamp(os.stat(path))
    except (OSError, ValueError):
        return None


def stamp_at(fd: int) -> Stamp:
    """The stamp of the open file `fd`; raises :class:`OSError`."""
    return _stamp(os.fstat(fd))


def _stamp(status: os.stat_result) -> Stamp:
    return Stamp(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


class Source(Protocol):
    """Bytes with random access; `name` is used in messages."""

    name: str

    def size(self) -> int:
        """The current size."""

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`, fewer only at the end; raises :class:`NhlogError` on a read error."""

    def stamp(self) -> Stamp | None:
        """The stamp of the file; None for a source that is not a file."""

    def close(self) -> None:
        """Close the source; may be called again."""


class File:
    """A regular file opened for reading; the constructor raises :class:`CannotOpen`."""

    def __init__(self, path: str) -> None:
        self.name = path
        self._fd = open_regular(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def size(self) -> int:
        """The file's current size."""
        return os.fstat(self._fd).st_size

    def stamp(self) -> Stamp:
        """The file's stamp."""
        return stamp_at(self._fd)

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`, fewer only at the end; raises :class:`NhlogError` on a read error."""
        return read_at(self._fd, size, offset, self.name)

    def close(self) -> None:
        """Close the file; may be called again."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


class Memory:
    """Bytes in memory, such as those read from standard input."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self._data = data

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def size(self) -> int:
        """The number of bytes."""
        return len(self._data)

    def stamp(self) -> None:
        """None: it is not a file."""

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`."""
        return self._data[offset : offset + size]

    def close(self) -> None:
        """Does nothing."""


def open_source(path: str) -> File | Memory:
    """Open the file `path`, or read all of standard input for ``-``.

    Raises :class:`CannotOpen`, and :class:`NhlogError` for more than 1 GiB of standard input.
    """
    return Memory(STDIN, _read_stdin(MAX_PIPED)) if path == "-" else File(path)


def read_whole(path: str, most: int) -> bytes:
    """All bytes of the file `path`, or of standard input for ``-``.

    Raises :class:`CannotOpen`, and :class:`NhlogError` on a read error or for more than `most` bytes.
    """
    if path == "-":
        return _read_stdin(most)
    with File(path) as file:
        return _bounded(file.pread(most + 1, 0), most, path)


def read_pieces(path: str, size: int = PIECE) -> Iterator[bytes]:
    """The bytes of the file `path`, or of standard input for ``-``, in pieces of at most `size`.

    For input of any length that is read once from start to end.  Raises :class:`CannotOpen`, and :class:`NhlogError` on
    a read error.
    """
    if path == "-":
        yield from iter(lambda: sys.stdin.buffer.read(size), b"")
        return
    with File(path) as file:
        offset = 0
        while piece := file.pread(size, offset):
            yield piece
            offset += len(piece)


def first_bytes(path: str, size: int) -> bytes:
    """Up to `size` bytes from the start of a file, for recognising its format.

    Raises :class:`CannotOpen`, and :class:`NhlogError` on a read error.
    """
    with File(path) as file:
        return file.pread(size, 0)


def read_at(fd: int, size: int, offset: int, name: str) -> bytes:
    """Up to `size` bytes of the open file `fd` at `offset`, fewer only at its end.

    Raises :class:`NhlogError` on a read error; `name` is used in its message.
    """
    parts = []
    try:
        while size > 0 and (part := os.pread(fd, min(size, CHUNK), offset)):  # which may give less than it was asked
            parts.append(part)
            size -= len(part)
            offset += len(part)
    except (OSError, OverflowError) as error:  # of the disk, or of an offset that no file reaches
        why = reason(error) if isinstance(error, OSError) else "no file is that long"
        raise NhlogError(f"cannot be read: {why}", file=name, offset=offset) from None
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _read_stdin(most: int) -> bytes:
    return _bounded(sys.stdin.buffer.read(most + 1), most, STDIN)


def _bounded(data: bytes, most: int, name: str) -> bytes:
    if len(data) > most:
        raise NhlogError("file is too large", file=name, expected=f"at most {most} bytes")
    return data
