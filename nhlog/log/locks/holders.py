"""Find out from the system which processes hold a lock on a file, or a mark that they have it open.

The answers are never stored: a process id may belong to another process a moment later, so it comes with its start
time.
"""

import os
import re
import stat
from dataclasses import replace

from nhlog.files.processes import (
    Locks,
    Process,
    end,
    is_same_process,
    lock_in_the_way,
    locks_on,
    may_end,
    process,
    read_table,
    started_at,
    state_of,
)
from nhlog.log.locks.signals import REQUESTS
from nhlog.values import dataclass

__all__ = [
    "Holder",
    "end",
    "find_holder",
    "holders_in",
    "holders_of",
    "is_same_process",
    "is_shared",
    "listens",
    "may_end",
    "processes_on",
    "started_at",
    "writes",
]

_STOPPED = ("T", "t")  # by a signal, by a debugger
_MASK = re.compile(r"^(Sig(?:Blk|Cgt)):\s*([0-9a-f]+)$", re.MULTILINE)
_FLAGS = re.compile(r"^flags:\s*([0-7]+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Holder(Process):
    """A process with a lock: `exclusive` for a write lock.

    One with a `mark` alone has the file open and no lock on its content.
    """

    exclusive: bool
    mark: bool = False

    @property
    def answers(self) -> bool:
        """Whether it runs, and can receive requests to release its lock."""
        return listens(self.pid) and not self.stopped

    @property
    def stopped(self) -> bool:
        """Whether it was stopped and may be continued."""
        return state_of(self.pid) in _STOPPED

    @property
    def trouble(self) -> str:
        """An explanation, for error messages, of a lock that is held for long."""
        if os.getuid() not in (0, self.user):
            return "another user's, who cannot be asked for it"
        return "stuck process" if listens(self.pid) else "undergoing maintenance"

    def stuck(self, seconds: float) -> str:
        """Who keeps a log from us, and for how long by now: what matters first, as a row may be short."""
        return f"stuck: {self.who}, {seconds:.0f} s"

    @property
    def lock(self) -> str:
        """The kind of its lock: "write", "read" or "no"."""
        return "no" if self.mark else "write" if self.exclusive else "read"

    def __str__(self) -> str:
        return f"{self.lock} lock of process {self.pid} ({self.command})"


def find_holder(fd: int, *, for_writing: bool) -> Holder | None:
    """A process whose lock prevents ours on `fd`; None if there is none or the system does not tell."""
    lock = lock_in_the_way(fd, for_writing=for_writing)
    return None if lock is None else _holder(lock.pid, exclusive=lock.exclusive)


def holders_of(identity: tuple[int, int]) -> list[Holder]:
    """All processes with a POSIX lock on the file with this device and inode; empty if the system does not tell."""
    return [holder for holder in processes_on(identity) if not holder.mark]


def processes_on(identity: tuple[int, int]) -> list[Holder]:
    """All processes that play or watch the log with this device and inode: those with a lock, then those with a mark.

    Empty if the system does not tell.
    """
    return holders_in(locks_on(identity))


def holders_in(locks: Locks) -> list[Holder]:
    """The processes with these locks on a file: those with a lock on its content, then those with a mark alone."""
    held, marked = locks
    found = [_holder(pid, exclusive=exclusive) for pid, exclusive in held.items()]
    return found + [replace(_holder(pid, exclusive=False), mark=True) for pid in marked if pid not in held]


def writes(holder: Holder, file: os.stat_result) -> bool:
    """Whether a process has the file open for writing, that is, plays the game.

    The system does not tell for other users' processes.  Of these the owner's is assumed to play if it holds a lock; of
    a file that several users may write, all that may.
    """
    identity = (file.st_dev, file.st_ino)
    if holder.exclusive:
        return True
    folder = f"/proc/{holder.pid}/fd"
    try:
        descriptors = os.listdir(folder)
    except OSError:
        if is_shared(file):
            return _may_write(holder.user, file)
        return holder.user == file.st_uid and not holder.mark
    for descriptor in descriptors:
        try:
            status = os.stat(f"{folder}/{descriptor}")
        except OSError:
            continue  # closed meanwhile
        if (status.st_dev, status.st_ino) == identity:
            flags = _FLAGS.search(read_table(f"/proc/{holder.pid}/fdinfo/{descriptor}"))
            if flags and int(flags[1], 8) & os.O_ACCMODE:
                return True
    return False


def is_shared(file: os.stat_result) -> bool:
    """Whether the file's permissions let others than its owner write it."""
    return bool(file.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _may_write(user: int, file: os.stat_result) -> bool:
    """Whether the file's permissions let a user write it."""
    import pwd

    if user == 0 or user == file.st_uid:
        return True
    try:
        account = pwd.getpwuid(user)
        groups = os.getgrouplist(account.pw_name, account.pw_gid)
    except (KeyError, OverflowError):
        groups = []
    return bool(file.st_mode & (stat.S_IWGRP if file.st_gid in groups else stat.S_IWOTH))


def listens(pid: int) -> bool:
    """Whether a process catches or blocks the request signals; they would kill any other."""
    masks = {name: int(bits, 16) for name, bits in _MASK.findall(read_table(f"/proc/{pid}/status"))}
    heard = masks.get("SigBlk", 0) | masks.get("SigCgt", 0)
    return all(heard >> (number - 1) & 1 for number in REQUESTS)


def _holder(pid: int, *, exclusive: bool) -> Holder:
    known = process(pid)
    return Holder(known.pid, known.command, known.user, known.started, exclusive)
