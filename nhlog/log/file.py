"""An open log file: `pread`, `pwrite`, the lock of who writes; no buffers, no mapping.

Reading takes no lock (:mod:`nhlog.log.reading` says why that is enough); nothing is written without the write lock.

A process has one descriptor per log, whether or not it writes: POSIX locks belong to the process and vanish when *any*
descriptor of the file is closed.  So a spectator in the process of a player (the lobby's list, a ghost, an export) that
opened the player's log once more and closed it would take the player's lock away, and nobody would notice.  An open log
is therefore claimed (see `nhlog.files`), and a second opening is refused.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING

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
from nhlog.files.processes import lock_in_the_way
from nhlog.log.locks.holders import Holder, find_holder, holders_of, may_end
from nhlog.log.locks.signals import block
from nhlog.log.reading import Source

if TYPE_CHECKING:
    from nhlog.log.locks.keeper import Keeper

__all__ = ["LogBytes", "LogCopy", "LogFile", "open_log_file", "open_log_source"]


class LogBytes(Memory):
    """A log in memory: what came through a pipe."""

    identity = None
    written = False

    def writer(self) -> None:
        """Nobody writes it."""


class LogFile:
    """An open log; what is written is written in a `writing` scope, and a scope inside another keeps the lock."""

    def __init__(self, path: str, *, writable: bool = False) -> None:
        block()  # also for who only reads: the threads that it starts must outlive a signal, should it come to write
        self._owner = os.getpid()
        self.name = path
        self.writable = writable
        self._writing = self._rests = False
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
                self.leave()
                release(self.identity)
            for fd in (self._fd, self._second):
                if fd >= 0:
                    os.close(fd)
            self._fd = self._first = self._second = -1

    @property
    def written(self) -> bool:
        """Whether another process has the write lock now; asking takes nothing."""
        return lock_in_the_way(self._fd, for_writing=False) is not None

    def writer(self) -> Holder | None:
        """The process that has the write lock now."""
        return find_holder(self._fd, for_writing=False)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A scope in which no other process writes, nor rests in a lock.

        Raises :class:`LockNotObtained` after two seconds.  Nothing but what has to be done before anybody else writes
        belongs into it: a moment is checked, and bytes are written.
        """
        self._check_owner()
        if self._writing:
            yield
            return
        with _keeper().writing(self._fd, self.name):
            self._writing = True
            try:
                yield
            finally:
                self._writing = False

    def monitor(self, notify: Callable[[], None]) -> None:
        """Rest in a read lock, so that NetHack 4 processes announce each write; `notify` is called after it.

        It is called by another thread and should only wake the one that reads.  Raises :class:`LockNotObtained`.
        """
        self._check_owner()
        _keeper().monitor(self._fd, self.name, notify)
        self._rests = True

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
        _keeper().move(self._first, fd)
        self._fd, self.writable = fd, True
        try:
            yield
        finally:
            self._fd, self.writable = self._first, False
            _keeper().close(fd, self._first)

    def kept_by(self) -> list[Holder]:
        """The processes that hold a lock and do not answer: stopped ones, those of other users, and other programs."""
        others = (holder for holder in holders_of(self.identity) if holder.pid != os.getpid())
        return [holder for holder in others if not (holder.answers and may_end(holder))]

    def leave(self) -> None:
        """Rest without a lock again."""
        if self._rests:
            _keeper().leave(self._fd)
            self._rests = False

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
        """Its fate in words, with the new name if the system has one."""
        return fate_told(self.name, self._fd)

    def stamp(self) -> Stamp:
        """Which file it is, and its time of change; other threads may call this."""
        return stamp_at(self._first)

    def status(self) -> os.stat_result:
        """The file's status: who owns it, and who may write it."""
        return os.fstat(self._fd)

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`, fewer only at the end."""
        self._check_owner()
        return read_at(self._fd, size, offset, self.name)

    def pwrite(self, data: bytes, offset: int) -> None:
        """Write all of `data` at `offset`; inside :meth:`writing`."""
        self._require_lock()
        view = memoryview(data)
        with naming(self.name):
            while view:
                written = os.pwrite(self._fd, view, offset)
                view = view[written:]
                offset += written

    def truncate(self, size: int) -> None:
        """Shorten the file to `size` bytes; inside :meth:`writing`."""
        self._require_lock()
        with naming(self.name):
            os.ftruncate(self._fd, size)

    def date(self, written: int) -> None:
        """Set when it was written, in nanoseconds since 1970, as far as the system permits; inside :meth:`writing`."""
        from nhlog.files import cuts  # who only reads has no need of it

        self._require_lock()
        cuts.date(self._fd, written)

    def date_as_cut(self, before: os.stat_result) -> None:
        """Have it look as a recording that was cut (`nhlog.files.cuts`); inside :meth:`writing`."""
        from nhlog.files import cuts

        self._require_lock()
        cuts.date_as_cut(self._fd, before)

    def sync(self) -> None:
        """Wait until what was written is on the disk."""
        flush = getattr(os, "fdatasync", os.fsync)  # times need not be on the disk; macOS knows no difference
        with naming(self.name):
            flush(self._fd)

    def _require_lock(self) -> None:
        self._check_owner()
        if not self._writing:
            raise RuntimeError(f"{self.name}: written without its lock")


@cache
def _keeper() -> "Keeper":
    """The owner of this process's locks: who only reads needs none."""
    from nhlog.log.locks.keeper import KEEPER

    return KEEPER


class LogCopy:
    """A log that is archived at an address, so nobody writes it."""

    written = False

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

    def writer(self) -> None:
        """Nobody writes it."""

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
