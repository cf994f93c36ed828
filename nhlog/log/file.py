"""An open log file: whole-file POSIX locks, `pread`, `pwrite`, no buffers, no mapping.

A process has one descriptor per log: POSIX locks belong to the process and vanish when *any* descriptor of the file
is closed, so an open log is claimed (see `nhlog.files`) and a second opening is refused.  Nothing is read without a
read lock nor written without the write lock.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from enum import IntEnum
from typing import Protocol

from nhlog.files import (
    CannotOpen,
    Fate,
    Memory,
    Stamp,
    claim,
    create_file,
    fate_of,
    fate_told,
    mark,
    naming,
    open_file,
    open_regular,
    open_source,
    read_at,
    reason,
    release,
    reopen_regular,
    stamp_at,
)
from nhlog.log.locks.holders import Holder, holders_of, may_end
from nhlog.log.locks.keeper import KEEPER

__all__ = ["Level", "LogBytes", "LogCopy", "LogFile", "Source", "open_log_file", "open_log_source"]


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


class LogBytes(Memory):
    """A log in memory: what came through a pipe."""

    identity = None

    def reading(self) -> AbstractContextManager[None]:
        """Nothing to wait for."""
        return nullcontext()


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
        self._fd = self._first = open_regular(path, os.O_RDWR if writable else os.O_RDONLY)
        self._second = -1  # of one who plays, for the second mark
        self.identity = stamp_at(self._fd).identity
        claim(self.identity)

    @classmethod
    def create(cls, path: str) -> "LogFile":
        """Create a new, empty file, open for writing; only its owner may write it, whatever the umask allows."""
        try:
            os.close(create_file(path, 0o644))
        except OSError as error:
            raise CannotOpen(reason(error), file=path) from None
        return cls(path, writable=True)

    def __enter__(self) -> "LogFile":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the descriptor, which releases every lock."""
        if self._fd >= 0:
            if self._owner == os.getpid():
                KEEPER.leave(self._fd)
                release(self.identity)
            for fd in (self._fd, self._second):
                if fd >= 0:
                    os.close(fd)
            self._fd = self._first = self._second = -1

    def reading(self) -> AbstractContextManager[None]:
        """A scope in which no other process writes; raises :class:`LockNotObtained` after two seconds."""
        return self._locked(Level.READ)

    def writing(self) -> AbstractContextManager[None]:
        """A scope in which no other process reads or writes; raises :class:`LockNotObtained` after two seconds.

        Not to be entered inside :meth:`reading`: two readers that both wait to write would wait for each other.
        """
        if self._level == Level.READ:
            raise RuntimeError("a read lock cannot become a write lock")
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

    def mark(self) -> None:
        """Show other processes that this one has the log open, without a lock on its content, and whether it plays.

        One that was opened for writing is played, and marked twice; the second descriptor lasts as long as the first.
        """
        self._check_owner()
        mark(self._first)
        if self.writable and self._fd == self._first and self._second < 0:
            with suppress(CannotOpen):  # its name has gone: then it is taken for watched
                self._second = reopen_regular(self.name, os.O_RDONLY, self.identity)
                mark(self._second)

    @contextmanager
    def allow_writing(self) -> Iterator[None]:
        """A scope in which it is open for writing, too; raises :class:`CannotOpen` where the system does not permit it.

        It ends, as others take whoever has a log open for writing for a player.  The first descriptor stays open: our
        mark is on it.
        """
        self._check_owner()
        if self.writable:
            yield
            return
        fd = reopen_regular(self.name, os.O_RDWR, self.identity)
        KEEPER.move(self._first, fd)
        self._fd, self.writable = fd, True
        try:
            yield
        finally:
            self._fd, self.writable = self._first, False
            KEEPER.close(fd, self._first)

    def kept_by(self) -> list[Holder]:
        """The processes that hold a lock and do not answer: stopped ones, those of other users, and other programs."""
        others = (holder for holder in holders_of(self.identity) if holder.pid != os.getpid())
        return [holder for holder in others if not (holder.answers and may_end(holder))]

    def leave(self) -> None:
        """Rest without a lock again."""
        KEEPER.leave(self._fd)

    def _check_owner(self) -> None:
        """Locks do not pass to a child process, so neither does an open log."""
        if self._owner != os.getpid():
            raise CannotOpen("opened by the parent process, before the fork", file=self.name)

    def size(self) -> int:
        """The file's length now."""
        return os.fstat(self._fd).st_size

    @property
    def deleted(self) -> bool:
        """Whether the file was deleted: nobody will find what is written to it."""
        return os.fstat(self._fd).st_nlink == 0

    @property
    def fate(self) -> Fate:
        """What happened to its name, found with one look at it if nothing did."""
        return fate_of(self.name, self._fd)

    @property
    def fate_told(self) -> str:
        """Its fate in words, with the new name where the system knows it."""
        return fate_told(self.name, self._fd)

    def stamp(self) -> Stamp:
        """Which file it is, and its time of change; other threads may call this."""
        return stamp_at(self._first)

    def status(self) -> os.stat_result:
        """The file's status: who owns it, and who may write it."""
        return os.fstat(self._fd)

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`, fewer only at the end; inside a scope."""
        self._require(Level.READ)
        return read_at(self._fd, size, offset, self.name)

    def pwrite(self, data: bytes, offset: int) -> None:
        """Write all of `data` at `offset`; inside :meth:`writing`."""
        self._require(Level.WRITE)
        view = memoryview(data)
        with naming(self.name):
            while view:
                written = os.pwrite(self._fd, view, offset)
                view = view[written:]
                offset += written

    def truncate(self, size: int) -> None:
        """Shorten the file to `size` bytes; inside :meth:`writing`."""
        self._require(Level.WRITE)
        with naming(self.name):
            os.ftruncate(self._fd, size)

    def sync(self) -> None:
        """Wait until what was written is on the disk."""
        flush = getattr(os, "fdatasync", os.fsync)  # times need not be on the disk; macOS knows no difference
        with naming(self.name):
            flush(self._fd)

    def _require(self, level: Level) -> None:
        self._check_owner()
        if self._level < level:
            raise RuntimeError(f"{self.name}: used without its {level.name.lower()} lock")


class LogCopy:
    """A log that is archived at an address, so nobody writes it."""

    def __init__(self, path: str) -> None:
        self._file = open_file(path)
        self.name = path
        self.identity = self._file.stamp().identity
        self.size, self.pread, self.stamp, self.close = (
            self._file.size,
            self._file.pread,
            self._file.stamp,
            self._file.close,
        )

    def reading(self) -> AbstractContextManager[None]:
        """Nothing to wait for."""
        return nullcontext()

    def __enter__(self) -> "LogCopy":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_log_file(path: str) -> "LogFile | LogCopy":
    """The log file `path`, or the copy at an address; raises :class:`CannotOpen`."""
    return LogCopy(path) if "://" in path else LogFile(path)


def open_log_source(path: str) -> Source:
    """The log file `path`, open for reading, or all of standard input for ``-``; raises :class:`CannotOpen`."""
    if path != "-":
        return open_log_file(path)
    piped = open_source(path)
    return LogBytes(piped.name, piped.pread(piped.size(), 0))
