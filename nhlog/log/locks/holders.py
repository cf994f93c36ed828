"""Find out from the system which processes hold a lock on a file, or a mark that they have it open.

The answers are never stored: a process id may belong to another process a moment later, so it comes with its start
time.
"""

import os
import re
import stat
from enum import StrEnum

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
from nhlog.values import dataclass, pattern

__all__ = [
    "Holder",
    "Role",
    "end",
    "find_holder",
    "holders_in",
    "holders_of",
    "is_same_process",
    "is_shared",
    "listens",
    "may_end",
    "processes_on",
    "role_of",
    "started_at",
]

_STOPPED = ("T", "t")  # by a signal, by a debugger
_MASK = pattern(r"^(Sig(?:Blk|Cgt)):\s*([0-9a-f]+)$", re.MULTILINE)
_FLAGS = pattern(r"^flags:\s*([0-7]+)$", re.MULTILINE)


class Role(StrEnum):
    """What a process is on a log for."""

    PLAYS = "plays"
    WATCHES = "watches"


@dataclass(frozen=True, slots=True)
class Holder(Process):
    """A process with a lock: `exclusive` for a write lock.

    One with a `mark` alone has the file open and no lock on its content.  `marked` is the role that its marks stand
    for; None without marks: no process of ours, or none that stays.
    """

    exclusive: bool
    mark: bool = False
    marked: Role | None = None

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
            return f"another user's ({self.user_name}), who cannot be asked for it"
        return "stuck process" if listens(self.pid) else "no game: it cannot be asked for it"

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
    """A process whose lock prevents ours on `fd`; None if there is none or the system does not say."""
    lock = lock_in_the_way(fd, for_writing=for_writing)
    return None if lock is None else _holder(lock.pid, lock.exclusive)


def holders_of(identity: tuple[int, int]) -> list[Holder]:
    """All processes with a POSIX lock on the file with this device and inode; empty if the system does not say."""
    return [holder for holder in processes_on(identity) if not holder.mark]


def processes_on(identity: tuple[int, int]) -> list[Holder]:
    """All processes that play or watch the log with this device and inode: those with a lock, then those with a mark.

    Empty if the system does not say.
    """
    return holders_in(locks_on(identity))


def holders_in(locks: Locks) -> list[Holder]:
    """The processes with these locks on a file: those with a lock on its content, then those with a mark alone."""
    alone = [pid for pid in locks.marks if pid not in locks.content]
    held = [_holder(pid, exclusive, False, _marked(pid, locks)) for pid, exclusive in locks.content.items()]
    return held + [_holder(pid, False, True, _marked(pid, locks)) for pid in alone]


def _marked(pid: int, locks: Locks) -> Role | None:
    """The role that the marks of this process stand for."""
    return None if pid not in locks.marks else Role.PLAYS if pid in locks.twice else Role.WATCHES


def role_of(holder: Holder, file: os.stat_result) -> Role | None:
    """Whether a process plays the log with this status or watches it; None if that cannot be found out.

    Its marks decide.  A process without marks (NetHack 4 has none) plays if it has the file open for writing.  The
    system does not say that of other users' processes.  Then a user who may not write the file watches it, and the
    owner of a file that nobody else may write plays it; if several may write it, the answer is None.
    """
    if holder.marked is not None:
        return holder.marked  # also of a watcher who just mends the log, with a write lock
    if holder.exclusive:
        return Role.PLAYS
    open_to_write = _has_open_to_write(holder.pid, (file.st_dev, file.st_ino))
    if open_to_write is None and is_shared(file) and _may_write(holder.user, file):
        return None
    plays = holder.user == file.st_uid if open_to_write is None else open_to_write
    return Role.PLAYS if plays else Role.WATCHES


def _has_open_to_write(pid: int, identity: tuple[int, int]) -> bool | None:
    """Whether the process has this file open for writing; None if the system does not say."""
    folder = f"/proc/{pid}/fd"
    try:
        descriptors = os.listdir(folder)
    except OSError:
        return None
    for descriptor in descriptors:
        try:
            status = os.stat(f"{folder}/{descriptor}")
        except OSError:
            continue  # closed meanwhile
        if (status.st_dev, status.st_ino) == identity:
            flags = _FLAGS.search(read_table(f"/proc/{pid}/fdinfo/{descriptor}"))
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


def _holder(pid: int, exclusive: bool, mark: bool = False, marked: Role | None = None) -> Holder:
    known = process(pid)
    return Holder(known.pid, known.command, known.user, known.started, exclusive, mark, marked)
