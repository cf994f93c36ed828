"""Processes, as the system tells of them: which have a file open, which lock it, whose they are; and others of ours.

The answers are never stored: a process id may belong to another process a moment later, so it comes with its start
time.  Where the system does not tell, there are none.
"""

import fcntl
import os
import re
import signal
import struct
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Final

from nhlog.files.opening import Identity
from nhlog.values import NamedTuple, dataclass, pattern

__all__ = [
    "LAST_DESCRIPTOR",
    "Lock",
    "Locks",
    "Process",
    "all_locks",
    "end",
    "is_same_process",
    "lock_in_the_way",
    "locks_on",
    "may_end",
    "process",
    "processes_with",
    "python_command",
    "python_environment",
    "read_table",
    "started_at",
    "state_of",
    "user_name",
]

LAST_DESCRIPTOR: Final = (1 << 31) - 1
"""The highest number of an open file, for who closes all from some number on."""

_FLOCK: Final = struct.Struct("hhqqi4x")  # Linux, 64 bits: l_type, l_whence, l_start, l_len, l_pid
_STATE, _STARTED = 0, 19  # words of /proc/PID/stat after the command's parenthesis: start in clock ticks since boot
_ENDED: Final = "ZX"  # states of a process that has ended, and holds nothing, but that its parent has not asked for yet
_READINGS: Final = 3  # of a large table of locks
_MUCH: Final = 1 << 16  # bytes of it that are asked for: the system gives no more than a page at once
_BOOTED: Final = pattern(r"^btime (\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Process:
    """A process; `started` in clock ticks since boot, 0 if unknown, `user` -1 if it is gone."""

    pid: int
    command: str
    user: int
    started: int

    @property
    def user_name(self) -> str:
        """Whose process it is: a name, or a number without one; "unknown" if the process is gone."""
        return user_name(self.user) if self.user >= 0 else "unknown"

    @property
    def who(self) -> str:
        """What messages call it: its program, its process id and its user."""
        return f"{self.command}, pid {self.pid}, of {self.user_name}"


def process(pid: int) -> Process:
    """The process with this id now."""
    try:
        user = os.stat(f"/proc/{pid}").st_uid
    except OSError:
        user = -1
    return Process(pid, read_table(f"/proc/{pid}/comm").strip() or "unknown", user, _started(pid))


def user_name(user: int) -> str:
    """The name of the user with this id, as the system knows it; the number for one without a name."""
    import pwd

    try:
        return pwd.getpwuid(user).pw_name
    except (KeyError, OverflowError):
        return str(user)


class Lock(NamedTuple):
    """A lock on the content of a file, and the process that has it."""

    pid: int
    exclusive: bool


def lock_in_the_way(fd: int, *, for_writing: bool) -> Lock | None:
    """A lock that prevents ours on the open file; None if there is none."""
    if sys.platform != "linux":
        return None
    kind = fcntl.F_WRLCK if for_writing else fcntl.F_RDLCK
    try:
        answer = fcntl.fcntl(fd, fcntl.F_GETLK, _FLOCK.pack(kind, os.SEEK_SET, 0, 0, 0))
    except OSError:
        return None
    held, _, _, _, pid = _FLOCK.unpack(answer)
    return None if held == fcntl.F_UNLCK else Lock(pid, held == fcntl.F_WRLCK)


class Locks(NamedTuple):
    """The processes with a lock on a file, each with whether it is for writing: on its content, and by `flock`.

    `twice` are those with more than one lock by `flock`: the mark of who plays a log (see `nhlog.files.locking`).
    """

    content: dict[int, bool]
    marks: dict[int, bool]
    twice: set[int]


def locks_on(identity: Identity) -> Locks:
    """All locks on the file with this device and inode."""
    device, inode = identity
    place = f"{os.major(device):02x}:{os.minor(device):02x}:{inode}"
    return _locks_by_place(place).get(place, Locks({}, {}, set()))


def all_locks() -> dict[Identity, Locks]:
    """All locks on files, by the device and the inode of each file: for who asks of thousands of files at once."""
    return {_identity(place): locks for place, locks in _locks_by_place("").items()}


def _locks_by_place(within: str) -> dict[str, Locks]:
    """The system's table of locks, by files as it writes them; of the rows that have a text in them."""
    seen: dict[tuple[str, str, int, bool], list[int]] = {}
    for table in _tables_of_locks():
        rows = [row.split() for row in table.splitlines() if within in row]
        # NUMBER: POSIX|FLOCK ADVISORY WRITE|READ PID DEVICE:INODE START END
        locks = [words for words in rows if len(words) == 8 and words[1] in ("POSIX", "FLOCK")]
        counted = Counter((words[5], words[1], int(words[4]), words[3] == "WRITE") for words in locks)
        for lock, number in counted.items():
            seen.setdefault(lock, []).append(number)
    found: dict[str, Locks] = {}
    for (place, kind, pid, exclusive), numbers in seen.items():
        of_file = found.setdefault(place, Locks({}, {}, set()))
        (of_file.content if kind == "POSIX" else of_file.marks)[pid] = exclusive
        if kind == "FLOCK" and sorted(numbers)[(len(numbers) - 1) // 2] > 1:
            of_file.twice.add(pid)
    return found


def _tables_of_locks() -> Iterator[str]:
    """Some readings of the system's table of locks; one, if it is a single page.

    The system writes it in pages of 4 kB, some 60 locks each, and goes on by the number of the row: when locks come or
    go between two pages, rows are left out, or written again.  Of 80 that were held, beside 80 that changed, one at
    least was missing in an eighth of all readings, and there twice in a twentieth; in more where the reader waits for
    the processor between two pages.  So a lock is held if any reading has it.  Rejected: readings until two agree, as
    two may lack the same lock; pages that overlap, which never fitted where that many locks changed.
    """
    for _ in range(_READINGS):
        try:
            with open("/proc/locks", "rb", buffering=0) as file:
                pages = [*iter(lambda: file.read(_MUCH), b"")]
        except OSError:
            return
        yield b"".join(pages).decode(errors="replace")
        if len(pages) < 2:
            return


def _identity(place: str) -> Identity:
    major, minor, inode = place.split(":")
    return os.makedev(int(major, 16), int(minor, 16)), int(inode)


def processes_with(identity: Identity) -> Iterator[int]:
    """The ids of those that have the file with this device and inode open, as far as this user may see them."""
    for pid in sorted(int(name) for name in _names("/proc") if name.isdecimal()):
        folder = f"/proc/{pid}/fd"
        if any(_is(f"{folder}/{name}", identity) for name in _names(folder)):
            yield pid


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:  # another user's process, or one that has ended
        return []


def _is(path: str, identity: Identity) -> bool:
    try:
        status = os.stat(path)
    except OSError:  # closed meanwhile
        return False
    return (status.st_dev, status.st_ino) == identity


def is_same_process(known: Process) -> bool:
    """Whether that process still runs, and the process id was not reused."""
    return known.started > 0 and _started(known.pid) == known.started


def end(known: Process, number: signal.Signals) -> bool:
    """Send a signal to exactly that process; returns whether it still ran.

    Raises :class:`PermissionError` for another user's process.
    """
    try:
        handle = os.pidfd_open(known.pid)
    except ProcessLookupError:
        return False
    try:
        if not is_same_process(known):  # asked after the descriptor is ours: its id cannot change hands now
            return False
        signal.pidfd_send_signal(handle, number)
    except ProcessLookupError:
        return False
    finally:
        os.close(handle)
    return True


def may_end(known: Process) -> bool:
    """Whether the system lets us send signals to that process."""
    try:
        os.kill(known.pid, 0)
    except PermissionError:
        return False
    except ProcessLookupError:
        return True  # there is nothing left to do
    return True


def started_at(known: Process) -> float:
    """The start time of the process, in seconds since 1970; 0 if unknown."""
    booted = _BOOTED.search(read_table("/proc/stat"))
    return int(booted[1]) + known.started / os.sysconf("SC_CLK_TCK") if booted and known.started else 0.0


def _started(pid: int) -> int:
    words = _status(pid)
    return int(words[_STARTED]) if len(words) > _STARTED and words[_STATE] not in _ENDED else 0


def state_of(pid: int) -> str:
    """The letter of the process's state; empty if it is gone."""
    return "".join(_status(pid)[_STATE : _STATE + 1])


def _status(pid: int) -> list[str]:
    return read_table(f"/proc/{pid}/stat").rpartition(")")[2].split()


def read_table(path: str) -> str:
    """A table of the system's; empty where there is none, or not for us."""
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def python_command(*arguments: str) -> list[str]:
    """The command of another Python with arguments of its own: ``-m MODULE`` or ``-c CODE``, and what those take."""
    return [sys.executable, "-P", *arguments]  # not what happens to lie in the folder that we are in


def python_environment() -> dict[str, str]:
    """Our environment, so that it finds the modules that we find."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
