"""A clock that stands tells one second for ever, and whoever is asked for, there is one user."""

import ctypes
import os

import pytest

from nhlog.engines.nethack.machine.clock import OneUser, StandingClock
from nhlog.errors import Unsupported

KNOWN = os.uname().machine in ("x86_64", "aarch64")


@pytest.mark.skipif(not KNOWN, reason="no clock for this machine")
@pytest.mark.parametrize("second", [0, 1, 1_700_000_000, 1 << 40, -1])
def test_it_tells_its_second_and_puts_it_where_one_wants_it(second: int) -> None:
    clock = StandingClock(os.uname().machine, second)
    tell = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(clock.address)
    put = ctypes.c_int64(7)
    assert tell(None) == second
    assert tell(ctypes.addressof(put)) == second == put.value


@pytest.mark.skipif(not KNOWN, reason="no such function for this machine")
def test_each_number_is_the_same_user_s() -> None:
    user = OneUser(os.uname().machine)
    ask = ctypes.CFUNCTYPE(ctypes.POINTER(ctypes.c_char_p), ctypes.c_uint)(user.address)
    assert [ask(number)[0] for number in (0, 7, (1 << 32) - 1)] == [b"player"] * 3


def test_a_machine_whose_instructions_are_not_known_has_none() -> None:
    with pytest.raises(Unsupported):
        StandingClock("riscv64", 0)
