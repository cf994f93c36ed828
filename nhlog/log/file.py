"""The only module that opens log files: whole-file POSIX locks, `pread`, `pwrite`, no buffers, no mapping.

A process has one descriptor per log: POSIX locks belong to the process and vanish when *any* descriptor of the file
is closed, so a second opening is refused.  Nothing is read without a read lock nor written without the write lock.
"""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from enum import IntEnum
from typing import Protocol

from nhlog.errors import NhlogError
from nhlog.log.keeper import KEEPER

__all__ = ["CHUNK", "CannotOpen", "Level", "LogBytes", "LogFile", "Source", "open_source", "peek"]

CHUNK = 1 << 20  # bytes read at a time where a whole file passes by


# The logs this process has open, by (device, inode): kernel locks are the process's, so this has to be, too.
_open_logs: set[tuple[int, int]] = set()
os.register_at_fork(after_in_child=_open_logs.clear)


class CannotOpen(NhlogError):
    """The file cannot be opened as a log."""


class Level(IntEnum):
    """What lock is held; each permits what the ones before it do."""

    NONE = 0
    READ = 1
    WRITE = 2


class Source(Protocol):
    """Where a log's bytes come from; sizes and offsets are in bytes."""

    @property
    def name(self) -> str:
        """What messages call it."""

    @property
    def identity(self) -> tuple[int, int] | None:
        """Device and inode, or None for bytes that are no file."""

    def reading(self) -> AbstractContextManager[None]:
        """A scope in which the bytes do not change; raises :class:`LockNotObtained`."""

    def size(self) -> int:
        """The length now."""

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`, fewer only at the end; inside :meth:`reading`."""

    def close(self) -> None:
        """Let go of it."""


class LogBytes:
    """A log in memory: what came through a pipe."""

    identity = None

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self._data = data

    def reading(self) -> AbstractContextManager[None]:
        """Nothing to wait for."""
        return nullcontext()

    def size(self) -> int:
        """The length."""
        return len(self._data)

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`."""
        return self._data[offset : offset + size]

    def close(self) -> None:
        """Nothing to give back."""


class LogFile:
    """An open log.

    Locks last as long as the `reading` and `writing` scopes; a scope inside another keeps the outer lock.
    """

    def __init__(self, path: str, *, writable: bool = False) -> None:
        KEEPER.start()
        self._owner = os.getpid()
        self.name = path
        self.writable = writable
        self._level = Level.NONE
        self._before = -1  # the descriptor of a time when we did not write
        self._fd, self.identity = _open(path, os.O_RDWR if writable else os.O_RDONLY)
        _open_logs.add(self.identity)

    @classmethod
    def create(cls, path: str) -> "LogFile":
        """A new, empty file, open for writing; no other user may write it, whatever our umask allows."""
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644))
        except OSError as error:
            raise CannotOpen(_reason(error), file=path) from None
        return cls(path, writable=True)

    def __enter__(self) -> "LogFile":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the descriptor, and with it every lock."""
        if self._fd >= 0:
            if self._owner == os.getpid():
                KEEPER.leave(self._fd)
                _open_logs.discard(self.identity)
            os.close(self._fd)
            if self._before >= 0:
                os.close(self._before)
            self._fd = self._before = -1

    def reading(self) -> AbstractContextManager[None]:
        """A scope in which no other process writes; raises :class:`LockNotObtained` after two seconds."""
        return self._locked(Level.READ)

    def writing(self) -> AbstractContextManager[None]:
        """A scope in which no other process reads or writes; raises :class:`LockNotObtained` after two seconds.

        Not to be entered inside :meth:`reading`: two readers that both wait to write would wait for each other.
        """
        if self._level == Level.READ:
            raise RuntimeError("a read lock is never turned into a write lock")
        return self._locked(Level.WRITE)

    @contextmanager
    def _locked(self, level: Level) -> Iterator[None]:
        self._check_owner()
        if self._level >= level:
            yield
            return
        scope = KEEPER.writing if level == Level.WRITE else KEEPER.reading
        with scope(self._fd, self.name):
            self._level = level
            try:
                yield
            finally:
                self._level = Level.NONE

    def monitor(self, notify: Callable[[], None]) -> None:
        """Rest in a read lock, so that NetHack 4 processes tell of each write; `notify` is called after it.

        It is called by another thread and should only wake the one that reads.  Raises :class:`LockNotObtained`.
        """
        self._check_owner()
        KEEPER.monitor(self._fd, self.name, notify)

    def allow_writing(self) -> None:
        """Be open for writing, too; raises :class:`CannotOpen` where the system does not permit it.

        The old descriptor stays open as long as this does: closing it would cost the lock in which we rest.
        """
        self._check_owner()
        if self.writable:
            return
        try:
            fd = os.open(self.name, os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError as error:
            raise CannotOpen(_reason(error), file=self.name) from None
        opened = os.fstat(fd)
        if (opened.st_dev, opened.st_ino) != self.identity:
            os.close(fd)
            raise CannotOpen("replaced meanwhile", file=self.name)
        KEEPER.move(self._fd, fd)
        self._before, self._fd, self.writable = self._fd, fd, True

    def leave(self) -> None:
        """Rest without a lock again."""
        KEEPER.leave(self._fd)

    def _check_owner(self) -> None:
        """Locks do not pass to a child process, so neither does an open log."""
        if self._owner != os.getpid():
            raise CannotOpen("opened by the process that forked this one", file=self.name)

    def size(self) -> int:
        """The file's length now."""
        return os.fstat(self._fd).st_size

    @property
    def deleted(self) -> bool:
        """Whether the file has no name any more: nobody will find what is written to it."""
        return os.fstat(self._fd).st_nlink == 0

    def modified(self) -> int:
        """When the file was last written, in nanoseconds since 1970."""
        return os.fstat(self._fd).st_mtime_ns

    def owner(self) -> int:
        """The user whose file it is."""
        return os.fstat(self._fd).st_uid

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`, fewer only at the end; inside a scope."""
        self._require(Level.READ)
        parts = []
        while size > 0 and (part := os.pread(self._fd, min(size, CHUNK), offset)):
            parts.append(part)
            size -= len(part)
            offset += len(part)
        return b"".join(parts)

    def pwrite(self, data: bytes, offset: int) -> None:
        """Write all of `data` at `offset`; inside :meth:`writing`."""
        self._require(Level.WRITE)
        view = memoryview(data)
        while view:
            written = os.pwrite(self._fd, view, offset)
            view = view[written:]
            offset += written

    def truncate(self, size: int) -> None:
        """Cut the file to `size` bytes; inside :meth:`writing`."""
        self._require(Level.WRITE)
        os.ftruncate(self._fd, size)

    def sync(self) -> None:
        """Wait until what was written is on the disk."""
        flush = getattr(os, "fdatasync", os.fsync)  # times need not be on the disk; macOS knows no difference
        flush(self._fd)

    def _require(self, level: Level) -> None:
        self._check_owner()
        if self._level < level:
            raise RuntimeError(f"{self.name}: used without its {level.name.lower()} lock")


def _open(path: str, mode: int) -> tuple[int, tuple[int, int]]:
    """A descriptor for a regular file that this process has not open, and the file's identity."""
    try:
        identity = _identity(path, os.stat(path))  # before opening: closing a second descriptor would cost the lock
        fd = os.open(path, mode | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise CannotOpen(_reason(error), file=path) from None
    opened = os.fstat(fd)
    if (opened.st_dev, opened.st_ino) != identity:
        os.close(fd)
        raise CannotOpen("replaced while being opened", file=path)
    return fd, identity


def _identity(path: str, status: os.stat_result) -> tuple[int, int]:
    if not stat.S_ISREG(status.st_mode):
        raise CannotOpen(f"not a regular file but a {_KINDS.get(stat.S_IFMT(status.st_mode), 'device')}", file=path)
    identity = (status.st_dev, status.st_ino)
    if identity in _open_logs:
        raise CannotOpen("this process has this log open already", file=path)
    return identity


_KINDS = {stat.S_IFDIR: "directory", stat.S_IFIFO: "FIFO", stat.S_IFSOCK: "socket"}


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def peek(path: str, size: int) -> bytes:
    """The first bytes of a file that may be a log, without taking part in it."""
    fd, _ = _open(path, os.O_RDONLY)
    try:
        return os.pread(fd, size, 0)
    finally:
        os.close(fd)


MAX_PIPED = 1 << 30  # bytes of a log that came through a pipe and so has to be held


def open_source(path: str) -> Source:
    """The log file `path`, open for reading, or all of standard input for ``-``."""
    if path != "-":
        return LogFile(path)
    data = sys.stdin.buffer.read(MAX_PIPED + 1)
    if len(data) > MAX_PIPED:
        raise CannotOpen(f"more than {MAX_PIPED} bytes", file="standard input")
    return LogBytes("standard input", data)
