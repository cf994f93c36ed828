"""Where a library calls the functions of others is found in it, or an error says that it is not."""

import struct
from contextlib import suppress

import pytest

from nhlog.engines.nethack.machine.slots import slots_of
from nhlog.errors import Damaged
from tests.changed import replaced
from tests.doses import spread

X86_64, AARCH64 = (62, 7), (183, 1026)  # the numbers of a machine, and of its kind of relocation


def library(machine: int, kind: int, *functions: str) -> bytes:
    """The least library that calls these functions; the slot of the first is at 0x5000, of the next 8 behind it."""
    names = b"\0" + b"\0".join(name.encode() for name in functions) + b"\0"
    places = [names.index(b"\0" + name.encode() + b"\0") + 1 for name in functions]
    symbols = bytes(24) + b"".join(struct.pack("<I20x", place) for place in places)
    slots = b"".join(struct.pack("<QQq", 0x5000 + 8 * at, (at + 1) << 32 | kind, 0) for at in range(len(functions)))
    start, base = 64 + 2 * 56, 0x1000
    at = [start + sum(map(len, (names, symbols, slots)[:number])) for number in range(4)]
    dynamic = b"".join(
        struct.pack("<QQ", tag, value)
        for tag, value in ((5, base + at[0]), (6, base + at[1]), (23, base + at[2]), (2, len(slots)), (0, 0))
    )
    size = at[3] + len(dynamic)
    head = struct.pack("<6s10xHHIQQQIHHHHHH", b"\x7fELF\x02\x01", 3, machine, 1, 0, 64, 0, 0, 64, 56, 2, 0, 0, 0)
    loaded = struct.pack("<IIQQQQQQ", 1, 5, 0, base, base, size, size, 0x1000)
    table = struct.pack("<IIQQQQQQ", 2, 6, at[3], base + at[3], 0, len(dynamic), len(dynamic), 8)
    return head + loaded + table + names + symbols + slots + dynamic


@pytest.mark.parametrize("kind", [X86_64, AARCH64])
def test_the_slot_of_each_function_is_found(kind: tuple[int, int]) -> None:
    assert slots_of(library(*kind, "open", "time", "localtime"), ("localtime", "time")) == {
        "time": 0x5008,
        "localtime": 0x5010,
    }


def test_a_function_that_is_not_called_is_named() -> None:
    with pytest.raises(Damaged, match="what has to be replaced") as caught:
        slots_of(library(*X86_64, "open", "times"), ("time",))
    assert caught.value.expected == "time"


@pytest.mark.parametrize("data", [b"", b"\x7fELF", b"\0" * 500, library(3, 7, "time"), library(62, 6, "time")])
def test_what_is_no_such_library_is_damaged(data: bytes) -> None:
    with pytest.raises(Damaged):
        slots_of(data, ("time",))


def test_a_library_that_was_cut_short_or_changed_never_fails_otherwise() -> None:
    whole = library(*X86_64, "open", "time")
    for place in spread(range(len(whole))):
        for bad in (whole[:place], replaced(whole, place, 0xFF)):
            with suppress(Damaged):
                slots_of(bad, ("time",))
