"""Recordings on this machine: a lone file, or a folder of segments."""

import os
import stat

from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.formats.hollowcube.reading.source import Missing

__all__ = ["File", "Folder"]


class File:
    """A recording in one file."""

    folder = False
    local = True

    def __init__(self, path: str) -> None:
        self.path = path
        self._fd = _open(path)

    def read(self, name: str, offset: int, length: int) -> bytes:
        """That range of the file."""
        return _pread(self._fd, length, offset)

    def size(self, name: str) -> int:
        """Its length."""
        return os.fstat(self._fd).st_size

    def names(self) -> tuple[str, ...]:
        """There is no folder."""
        return ()

    def stamp(self, name: str) -> object:
        """Which file it is, and when it changed."""
        return _stamp(self.path)

    def reopen(self) -> None:
        """The file of that name now."""
        fd, self._fd = self._fd, _open(self.path)
        os.close(fd)

    def close(self) -> None:
        """Close it."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


class Folder:
    """A recording in segments; no file stays open, since any may be replaced at any moment."""

    folder = True
    local = True

    def __init__(self, path: str, root: str) -> None:
        self.path, self._root = path, root

    def read(self, name: str, offset: int, length: int) -> bytes:
        """That range of one of its files."""
        try:
            fd = _open(os.path.join(self._root, name))
        except NhlogError as error:
            raise Missing(f"{name}: {error.what}", file=self.path) from None
        try:
            return _pread(fd, length, offset)
        finally:
            os.close(fd)

    def size(self, name: str) -> int | None:
        """The length of one of its files."""
        try:
            return os.stat(os.path.join(self._root, name)).st_size
        except OSError:
            return None

    def names(self) -> tuple[str, ...]:
        """Its files."""
        try:
            return tuple(sorted(os.listdir(self._root or os.curdir)))
        except OSError:
            return ()

    def stamp(self, name: str) -> object:
        """Which file has that name, and when it changed."""
        return _stamp(os.path.join(self._root, name))

    def reopen(self) -> None:
        """Nothing is open."""

    def close(self) -> None:
        """Nothing is open."""


def _stamp(path: str) -> object:
    try:
        there = os.stat(path)
    except OSError:
        return None
    return there.st_ino, there.st_size, there.st_mtime_ns


def _pread(fd: int, length: int, offset: int) -> bytes:
    try:
        return os.pread(fd, length, offset)
    except OSError as error:  # of the disk, or of an offset that no file reaches
        raise Damaged(f"cannot be read: {error.strerror or error}", offset=offset) from None


def _open(path: str) -> int:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a pipe without a writer would hold us
    except OSError as error:
        raise NhlogError(f"cannot open: {error.strerror or error}", file=path) from None
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise Unsupported("not a file", file=path)
    return fd
