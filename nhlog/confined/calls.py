"""Which system calls a process has: rules as programs of the kernel's own filter (seccomp(2), classic BPF).

`call_filter` is for programs of others, within walls: all calls but memory that no limit counts, and ways into the
system's kernel.  `few_filter` is for a process of ours that only computes, and takes it by `keep_few_calls`: it reads
and writes what is open, has memory and a clock, and can end.  `files_filter` is for one that has files, too, and takes
it by `keep_calls_for_files`: which files, another rule tells (:mod:`nhlog.confined.folders`).

A call that is refused looks as if the system did not have it (ENOSYS), which programs are prepared for.  So do all
calls of a 32-bit program: their numbers are others.
"""

import errno
import os
import struct
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

__all__ = ["call_filter", "few_filter", "files_filter", "keep_calls_for_files", "keep_few_calls"]


class _Machine(NamedTuple):
    """A kind of processor: what the kernel calls it, and the numbers of the calls `refused`, the `few`, `files`."""

    audit: int
    refused: tuple[int, ...]
    few: tuple[int, ...]
    files: tuple[int, ...]


_MACHINES: Final = {
    # Refused: memfd_create, memfd_secret, shmget, mq_open: memory that is nobody's address space
    # io_uring_setup, bpf, userfaultfd, perf_event_open: what most faults of the kernel were found in
    # add_key, request_key, keyctl: keys, which are the account's
    # Few: read, write, close, mmap, mprotect, munmap, brk, rt_sigaction, rt_sigprocmask, rt_sigreturn, sched_yield,
    # mremap, madvise, setitimer, getpid, exit, getrusage, sigaltstack, gettid, futex, restart_syscall, clock_gettime,
    # exit_group, tgkill, getrandom
    # Files: open, stat, fstat, lstat, lseek, ioctl, pread64, pwrite64, readv, writev, access, dup, uname, fcntl, flock,
    # truncate, ftruncate, getcwd, chdir, rename, mkdir, rmdir, creat, unlink, chmod, umask, getuid, getgid, geteuid,
    # getegid, getdents64, openat, newfstatat, unlinkat, renameat, faccessat, prlimit64, renameat2, faccessat2
    "x86_64": _Machine(
        0xC000003E,
        (319, 447, 29, 240, 425, 321, 323, 298, 248, 249, 250),
        (0, 1, 3, 9, 10, 11, 12, 13, 14, 15, 24, 25, 28, 38, 39, 60, 98, 131, 186, 202, 219, 228, 231, 234, 318),
        (
            *(2, 4, 5, 6, 8, 16, 17, 18, 19, 20, 21, 32, 63, 72, 73, 76, 77, 79, 80, 82, 83, 84, 85, 87, 90, 95, 102),
            *(104, 107, 108, 217, 257, 262, 263, 264, 269, 302, 316, 439),
        ),
    ),
    "aarch64": _Machine(
        0xC00000B7,
        (279, 447, 194, 180, 425, 280, 282, 241, 217, 218, 219),
        (
            *(63, 64, 57, 222, 226, 215, 214, 134, 135, 139, 124, 216, 233, 103, 172, 93, 165, 132, 178, 98, 128, 113),
            *(94, 131, 278),
        ),
        (
            *(17, 23, 25, 29, 32, 34, 35, 38, 45, 46, 48, 49, 53, 56, 61, 62, 65, 66, 67, 68, 79, 80, 160, 166, 174),
            *(175, 176, 177, 261, 276, 439),
        ),
    ),
}
_OTHER_NUMBERS: Final = 0x40000000  # from which on x86_64 has its calls once more

_INSTRUCTION: Final = struct.Struct("=HBBI")  # struct sock_filter: code, jump if true, if false, operand
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _MACHINE = 0, 4  # offsets in struct seccomp_data
_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = 0x00050000 | errno.ENOSYS


_NO_NEW_PRIVILEGES, _SET_FILTER, _BY_PROGRAM = 38, 22, 2  # prctl(2)


def call_filter(kind: str) -> bytes:
    """The filter for a kind of machine, as `platform.machine` has it; empty if its calls are not known here."""
    machine = _MACHINES.get(kind)
    return b"".join(_instructions(machine.audit, machine.refused, _REFUSE, _ALLOW)) if machine else b""


def few_filter(kind: str) -> bytes:
    """The filter that leaves a few calls, for a kind of machine; empty if its calls are not known here."""
    machine = _MACHINES.get(kind)
    return b"".join(_instructions(machine.audit, machine.few, _ALLOW, _REFUSE)) if machine else b""


def files_filter(kind: str) -> bytes:
    """The filter that leaves those and the calls that open, write, name and remove files; empty as `few_filter`."""
    machine = _MACHINES.get(kind)
    return b"".join(_instructions(machine.audit, machine.few + machine.files, _ALLOW, _REFUSE)) if machine else b""


def keep_few_calls() -> bool:
    """Take from this process, for ever, all calls but a few; returns False where that is not possible."""
    return _keep(few_filter)


def keep_calls_for_files() -> bool:
    """The same, but that it keeps the calls for files, too."""
    return _keep(files_filter)


def _keep(filter_of: Callable[[str], bytes]) -> bool:
    system = os.uname()
    rule = filter_of(system.machine) if system.sysname == "Linux" else b""
    if not rule:
        return False
    import ctypes

    class _Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))

    program = _Program(len(rule) // _INSTRUCTION.size, rule)
    call = ctypes.CDLL(None).prctl
    call.argtypes = (ctypes.c_int, *(ctypes.c_ulong,) * 4)
    if call(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return False
    return int(call(_SET_FILTER, _BY_PROGRAM, ctypes.addressof(program), 0, 0)) == 0


def _instructions(audit: int, calls: tuple[int, ...], of_these: int, of_others: int) -> Iterator[bytes]:
    """What is done with these calls, and with all others; those of other programs than this machine's are refused."""
    to_refuse = len(calls) + 2  # how many come before it, counted from behind the fourth
    yield _INSTRUCTION.pack(_LOAD, 0, 0, _MACHINE)
    yield _INSTRUCTION.pack(_IF_EQUAL, 0, to_refuse + 2, audit)
    yield _INSTRUCTION.pack(_LOAD, 0, 0, _NUMBER)
    yield _INSTRUCTION.pack(_IF_AT_LEAST, to_refuse, 0, _OTHER_NUMBERS)
    for left, number in zip(reversed(range(len(calls))), calls, strict=True):
        yield _INSTRUCTION.pack(_IF_EQUAL, left + 1, 0, number)
    yield _INSTRUCTION.pack(_RETURN, 0, 0, of_others)
    yield _INSTRUCTION.pack(_RETURN, 0, 0, of_these)
    yield _INSTRUCTION.pack(_RETURN, 0, 0, _REFUSE)
