"""Which system calls the filter refuses, as the kernel would read it."""

import errno
import struct

import pytest

from nhlog.confined.calls import call_filter, few_filter

ALLOWED, REFUSED = 0x7FFF0000, 0x00050000 | errno.ENOSYS
X86_64, AARCH64, I386 = 0xC000003E, 0xC00000B7, 0x40000003


def answer(rules: bytes, machine: int, number: int) -> int:
    """What the filter says of a call: classic BPF, as far as it needs that."""
    program = [*struct.iter_unpack("=HBBI", rules)]
    data = struct.pack("=II", number, machine)
    at = value = 0
    while True:
        code, yes, no, operand = program[at]
        at += 1
        match code:
            case 0x20:
                (value,) = struct.unpack_from("=I", data, operand)
            case 0x15:
                at += yes if value == operand else no
            case 0x35:
                at += yes if value >= operand else no
            case 0x06:
                return operand


REFUSED_TO_PROGRAMS = {  # as the kernel's tables have them: arch/x86/entry/syscalls, include/uapi/asm-generic/unistd.h
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "mq_open": (240, 180),
    "io_uring_setup": (425, 425),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "perf_event_open": (298, 241),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
}
LEFT_TO_OURS = {
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sched_yield": (24, 124),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "setitimer": (38, 103),
    "getpid": (39, 172),
    "exit": (60, 93),
    "getrusage": (98, 165),
    "sigaltstack": (131, 132),
    "gettid": (186, 178),
    "futex": (202, 98),
    "restart_syscall": (219, 128),
    "clock_gettime": (228, 113),
    "exit_group": (231, 94),
    "tgkill": (234, 131),
    "getrandom": (318, 278),
}
KINDS = pytest.mark.parametrize(("nth", "kind", "machine"), [(0, "x86_64", X86_64), (1, "aarch64", AARCH64)])
CALLS = range(1024)  # more than there are


@KINDS
def test_these_calls_are_refused_to_programs_and_all_others_are_not(nth: int, kind: str, machine: int) -> None:
    rules = call_filter(kind)
    found = {number: answer(rules, machine, number) for number in CALLS}
    refused = {numbers[nth] for numbers in REFUSED_TO_PROGRAMS.values()}
    assert found == {number: REFUSED if number in refused else ALLOWED for number in CALLS}


@KINDS
def test_a_process_of_ours_has_these_calls_left_and_no_others(nth: int, kind: str, machine: int) -> None:
    rules = few_filter(kind)
    found = {number: answer(rules, machine, number) for number in CALLS}
    left = {numbers[nth] for numbers in LEFT_TO_OURS.values()}
    assert found == {number: ALLOWED if number in left else REFUSED for number in CALLS}


@pytest.mark.parametrize("number", [0, 29, 319])
def test_calls_by_other_numbers_are_refused(number: int) -> None:
    rules = call_filter("x86_64")
    assert answer(rules, X86_64, 0x40000000 + number) == REFUSED
    assert answer(rules, I386, number) == REFUSED


def test_a_machine_whose_calls_are_not_known_has_no_filter() -> None:
    assert call_filter("riscv64") == few_filter("riscv64") == b""
