"""Which system calls the filter refuses, as the kernel would read it."""

import errno
import struct

import pytest

from nhlog.confined.calls import call_filter

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


@pytest.mark.parametrize(
    ("kind", "machine", "shmget", "memfd_create", "keyctl", "others"),
    [
        ("x86_64", X86_64, 29, 319, 250, (0, 1, 28, 30, 318, 320, 446)),
        ("aarch64", AARCH64, 194, 279, 219, (0, 63, 195)),
    ],
)
def test_some_calls_are_refused_and_all_others_are_not(
    kind: str, machine: int, shmget: int, memfd_create: int, keyctl: int, others: tuple[int, ...]
) -> None:
    rules = call_filter(kind)
    assert {answer(rules, machine, number) for number in (shmget, memfd_create, keyctl)} == {REFUSED}
    assert {answer(rules, machine, number) for number in others} == {ALLOWED}


@pytest.mark.parametrize("number", [0, 29, 319])
def test_calls_by_other_numbers_are_refused(number: int) -> None:
    rules = call_filter("x86_64")
    assert answer(rules, X86_64, 0x40000000 + number) == REFUSED
    assert answer(rules, I386, number) == REFUSED


def test_a_machine_whose_calls_are_not_known_has_no_filter() -> None:
    assert call_filter("riscv64") == b""
