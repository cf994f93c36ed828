"""System calls that a program within walls has not: memory that no limit counts, and ways into the system's kernel.

The rule is a program of the kernel's own filter (seccomp(2), classic BPF), as bubblewrap takes it.  A call that is
refused looks as if the system did not have it (ENOSYS), which programs are prepared for.  So do all calls of a 32-bit
program: their numbers are others.
"""

import errno
import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

__all__ = ["call_filter"]


class _Machine(NamedTuple):
    """A kind of processor: what the kernel calls it, and the numbers of the calls that are refused."""

    audit: int
    calls: tuple[int, ...]


_MACHINES: Final = {
    # memfd_create, memfd_secret, shmget, mq_open: memory that is nobody's address space
    # io_uring_setup, bpf, userfaultfd, perf_event_open: what most faults of the kernel were found in
    # add_key, request_key, keyctl: keys, which are the account's
    "x86_64": _Machine(0xC000003E, (319, 447, 29, 240, 425, 321, 323, 298, 248, 249, 250)),
    "aarch64": _Machine(0xC00000B7, (279, 447, 194, 180, 425, 280, 282, 241, 217, 218, 219)),
}
_OTHER_NUMBERS: Final = 0x40000000  # from which on x86_64 has its calls once more

_INSTRUCTION: Final = struct.Struct("=HBBI")  # struct sock_filter: code, jump if true, if false, operand
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _MACHINE = 0, 4  # offsets in struct seccomp_data
_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = 0x00050000 | errno.ENOSYS


def call_filter(kind: str) -> bytes:
    """The filter for a kind of machine, as `platform.machine` has it; empty if its calls are not known here."""
    machine = _MACHINES.get(kind)
    return b"".join(_instructions(machine)) if machine else b""


def _instructions(machine: _Machine) -> Iterator[bytes]:
    to_refuse = len(machine.calls) + 1  # how many come before it, counted from behind the third
    yield _INSTRUCTION.pack(_LOAD, 0, 0, _MACHINE)
    yield _INSTRUCTION.pack(_IF_EQUAL, 0, to_refuse + 2, machine.audit)
    yield _INSTRUCTION.pack(_LOAD, 0, 0, _NUMBER)
    yield _INSTRUCTION.pack(_IF_AT_LEAST, to_refuse, 0, _OTHER_NUMBERS)
    for left, number in zip(reversed(range(len(machine.calls))), machine.calls, strict=True):
        yield _INSTRUCTION.pack(_IF_EQUAL, left + 1, 0, number)
    yield _INSTRUCTION.pack(_RETURN, 0, 0, _ALLOW)
    yield _INSTRUCTION.pack(_RETURN, 0, 0, _REFUSE)
