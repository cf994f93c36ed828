"""Find out from the system which processes hold a lock on a file, or a mark that they have it open.

The answers are never stored: a process id may belong to another process a moment later, so it comes with its start
time.
"""

import fcntl
import os
import re
import signal
import stat
import struct
import sys
from dataclasses import dataclass, replace

from nhlog.log.locks.signals import REQUESTS

__all__ = [
    "Holder",
    "end",
    "find_holder",
    "holders_of",
    "is_same_process",
    "is_shared",
    "listens",
    "may_end",
    "processes_on",
    "started_at",
    "user_name",
    "writes",
]

_FLOCK = struct.Struct("hhqqi4x")  # Linux, 64 bits: l_type, l_whence, l_start, l_len, l_pid
_STATE, _STARTED = 0, 19  # words of /proc/PID/stat after the command's parenthesis: start in clock ticks since boot
_STOPPED = ("T", "t")  # by a signal, by a debugger
_ENDED = "ZX"  # states of a process that has ended, and holds nothing, but that its parent has not asked for yet
_MASK = re.compile(r"^(Sig(?:Blk|Cgt)):\s*([0-9a-f]+)$", re.MULTILINE)
_FLAGS = re.compile(r"^flags:\s*([0-7]+)$", re.MULTILINE)
_BOOTED = re.compile(r"^btime (\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Holder:
    """A process with a lock: `exclusive` for a write lock; `started` in clock ticks since boot, 0 if unknown.

    One with a `mark` alone has the file open and no lock on its content.
    """

    pid: int
    exclusive: bool
    command: str
    user: int
    started: int
    mark: bool = False

    @property
    def answers(self) -> bool:
        """Whether it runs, and hears who asks it to release its lock."""
        return listens(self.pid) and not self.stopped

    @property
    def stopped(self) -> bool:
        """Whether it was stopped and may be continued."""
        return _state(self.pid) in _STOPPED

    @property
    def user_name(self) -> str:
        """Whose process it is: a name, or a number without one; "unknown" if the process is gone."""
        return user_name(self.user) if self.user >= 0 else "unknown"

    @property
    def trouble(self) -> str:
        """An explanation, for error messages, of a lock that is held for long."""
        if os.getuid() not in (0, self.user):
            return "another user's, who cannot be asked for it"
        return "stuck process" if listens(self.pid) else "undergoing maintenance"

    @property
    def who(self) -> str:
        """What messages call it: its program, its process id and its user."""
        return f"{self.command}, pid {self.pid}, of {self.user_name}"

    def stuck(self, seconds: float) -> str:
        """Who keeps a log from us, and for how long by now: what matters first, as a row may be short."""
        return f"stuck: {self.who}, {seconds:.0f} s"

    @property
    def lock(self) -> str:
        """The kind of its lock: "write", "read" or "no"."""
        return "no" if self.mark else "write" if self.exclusive else "read"

    def __str__(self) -> str:
        return f"{self.lock} lock of process {self.pid} ({self.command})"


def user_name(user: int) -> str:
    """The name of the user with this id, as the system knows it; the number for one without a name."""
    import pwd

    try:
        return pwd.getpwuid(user).pw_name
    except (KeyError, OverflowError):
        return str(user)


def find_holder(fd: int, *, for_writing: bool) -> Holder | None:
    """A process whose lock prevents ours on `fd`; None if there is none or the system does not tell."""
    if sys.platform != "linux":
        return None
    kind = fcntl.F_WRLCK if for_writing else fcntl.F_RDLCK
    try:
        answer = fcntl.fcntl(fd, fcntl.F_GETLK, _FLOCK.pack(kind, os.SEEK_SET, 0, 0, 0))
    except OSError:
        return None
    held, _, _, _, pid = _FLOCK.unpack(answer)
    return None if held == fcntl.F_UNLCK else _holder(pid, exclusive=held == fcntl.F_WRLCK)


def holders_of(identity: tuple[int, int]) -> list[Holder]:
    """All processes with a POSIX lock on the file with this device and inode; empty if the system does not tell."""
    return [holder for holder in processes_on(identity) if not holder.mark]


def processes_on(identity: tuple[int, int]) -> list[Holder]:
    """All processes that play or watch the log with this device and inode: those with a lock, then those with a mark.

    Empty if the system does not tell.
    """
    device, inode = identity
    place = f"{os.major(device):02x}:{os.minor(device):02x}:{inode}"
    locks: dict[str, dict[int, bool]] = {"POSIX": {}, "FLOCK": {}}  # by kind and process: whether it is exclusive
    for row in _read("/proc/locks").splitlines():
        words = row.split()  # NUMBER: POSIX|FLOCK ADVISORY WRITE|READ PID DEVICE:INODE START END
        if len(words) == 8 and words[1] in locks and words[5] == place:
            locks[words[1]][int(words[4])] = words[3] == "WRITE"
    held, marked = locks["POSIX"], locks["FLOCK"]
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
            flags = _FLAGS.search(_read(f"/proc/{holder.pid}/fdinfo/{descriptor}"))
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
    masks = {name: int(bits, 16) for name, bits in _MASK.findall(_read(f"/proc/{pid}/status"))}
    heard = masks.get("SigBlk", 0) | masks.get("SigCgt", 0)
    return all(heard >> (number - 1) & 1 for number in REQUESTS)


def is_same_process(holder: Holder) -> bool:
    """Whether that process still runs, and the process id was not reused."""
    return holder.started > 0 and _started(holder.pid) == holder.started


def end(holder: Holder, number: signal.Signals) -> bool:
    """Send a signal to exactly that process; returns whether it still ran.

    Raises :class:`PermissionError` for another user's process.
    """
    try:
        process = os.pidfd_open(holder.pid)
    except ProcessLookupError:
        return False
    try:
        if not is_same_process(holder):  # asked after the descriptor is ours: its id cannot change hands now
            return False
        signal.pidfd_send_signal(process, number)
    except ProcessLookupError:
        return False
    finally:
        os.close(process)
    return True


def may_end(holder: Holder) -> bool:
    """Whether the system lets us send signals to that process."""
    try:
        os.kill(holder.pid, 0)
    except PermissionError:
        return False
    except ProcessLookupError:
        return True  # there is nothing left to do
    return True


def _holder(pid: int, *, exclusive: bool) -> Holder:
    try:
        user = os.stat(f"/proc/{pid}").st_uid
    except OSError:
        user = -1
    return Holder(pid, exclusive, _read(f"/proc/{pid}/comm").strip() or "unknown", user, _started(pid))


def started_at(holder: Holder) -> float:
    """The start time of the process, in seconds since 1970; 0 if unknown."""
    booted = _BOOTED.search(_read("/proc/stat"))
    return int(booted[1]) + holder.started / os.sysconf("SC_CLK_TCK") if booted and holder.started else 0.0


def _started(pid: int) -> int:
    words = _status(pid)
    return int(words[_STARTED]) if len(words) > _STARTED and words[_STATE] not in _ENDED else 0


def _state(pid: int) -> str:
    return "".join(_status(pid)[_STATE : _STATE + 1])


def _status(pid: int) -> list[str]:
    return _read(f"/proc/{pid}/stat").rpartition(")")[2].split()


def _read(path: str) -> str:
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except OSError:
        return ""
