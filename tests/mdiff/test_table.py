"""The command table, its codes and its move-to-front list (spec 4.1 to 4.3)."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.mdiff.errors import MAX_WIDER, MdiffError
from nhlog.mdiff.syntax import read
from nhlog.mdiff.table import (
    BETA3,
    CODES,
    COORD,
    COPY,
    COPYEDIT,
    COPYEDIT1,
    EDIT,
    EOF,
    EOF_CRC32,
    ERASE,
    FORMS,
    INCREMENT,
    ORDER,
    RLE,
    SEEK,
    WIDER,
    encode,
    size,
    to_front,
)

USABLE = sorted(set(ORDER) - {WIDER, EOF, EOF_CRC32, RLE})


def test_codes_by_index() -> None:
    assert " ".join(f"{code:0{bits}b}" for code, bits in CODES) == (
        "00 01 1000 1001 1010 1011 110000 110001 110010 110011 110100 110101"
    )


def test_a_command_moves_to_the_front_and_those_before_it_back() -> None:
    assert to_front(ORDER, COPYEDIT) == ORDER
    assert to_front(ORDER, SEEK) == bytes([SEEK, COPYEDIT, COPY, EDIT, *ORDER[4:]])
    assert to_front(ORDER, RLE) == bytes([RLE, *ORDER[:-1]])


@pytest.mark.parametrize(
    ("command", "largest", "length"),
    [
        (COPYEDIT, 4095, 2),
        (COPY, 63, 1),
        (EDIT, 15, 1),
        (SEEK, 2047, 2),
        (EOF, 4095, 2),
        (COORD, 127, 2),
        (ERASE, 127, 2),
        (INCREMENT, 262143, 3),
        (COPYEDIT1, 1023, 2),
        (EOF_CRC32, 262143, 7),
    ],
)
def test_the_largest_arg1_without_a_prefix(command: int, largest: int, length: int) -> None:
    assert size(ORDER, command, largest) == length
    assert size(ORDER, command, largest + 1) > length


def test_seek_never_uses_the_most_negative_number() -> None:
    assert [size(ORDER, SEEK, distance) for distance in (-2047, -2048)] == [2, 3]


@pytest.mark.parametrize(
    ("commands", "coded"),
    [
        ([(COPY, 125739, 0)], "a2 01 eb 2b"),
        ([(COPYEDIT, 125739, 0)], "a4 01 eb 2b"),
        (
            [(COPY, 23, 0), (COORD, 1479, 2), (COORD, 1, 7), (EOF_CRC32, 50, 0xA9970BF0)],
            "57 ac 15 c7 39 d2 a6 5c 2f c0 00 32",
        ),
        ([(SEEK, -10, 0), (COPY, 10, 0), (SEEK, 20, 0)], "9f f6 80 0a 40 14"),
    ],
)
def test_worked_examples(commands: list[tuple[int, int, int]], coded: str) -> None:
    order, code = ORDER, b""
    for command in commands:
        head, order = encode(order, *command)
        code += head
    assert code == bytes.fromhex(coded)


@st.composite
def lists_of_commands(draw: st.DrawFn) -> list[tuple[int, int, int]]:
    """Commands with any arg2, and an arg1 that needs up to three wider prefixes."""
    commands = []
    for command in draw(st.lists(st.sampled_from(USABLE), max_size=30)):
        arg1 = draw(st.integers(0, (1 << draw(st.integers(0, 30))) - 1))
        if command == EDIT:
            arg1 %= 100  # so many data bytes will follow
        elif command == SEEK and draw(st.booleans()):
            arg1 = -arg1
        commands.append((command, arg1, draw(st.integers(0, (1 << FORMS[command].arg2) - 1))))
    return [*commands, (EOF_CRC32, 0, 0)]


@given(lists_of_commands())
def test_what_is_encoded_is_read_again_from_every_order(commands: list[tuple[int, int, int]]) -> None:
    diff, order, offsets = BETA3, ORDER, [len(BETA3)]
    for command, arg1, arg2 in commands:
        code, after = encode(order, command, arg1, arg2)
        assert len(code) == size(order, command, arg1)
        data = {COPYEDIT: arg2 + 1, EDIT: arg1 + 1, COPYEDIT1: 1}.get(command, 0)
        diff, order = diff + code + bytes(data), after
        offsets.append(len(diff))
    words = list(read(diff))
    assert [(command, arg1, arg2) for _, _, _, command, arg1, arg2, _ in words] == commands
    assert [(offset, end) for offset, _, end, *_ in words] == list(pairwise(offsets))


@pytest.mark.parametrize("index", [12, 13])
def test_an_index_without_a_command_is_refused(index: int) -> None:
    with pytest.raises(MdiffError, match="offset 2: diff contains an unknown command"):
        list(read(BETA3 + bytes([0b11000000 | index - 6 << 2, 0, 0])))


def test_a_code_of_three_ones_is_refused() -> None:
    with pytest.raises(MdiffError, match="unknown command"):
        list(read(BETA3 + b"\xe0\0\0"))


@pytest.mark.parametrize("prefixes", range(1, MAX_WIDER + 1))
def test_wider_prefixes_may_be_more_than_needed(prefixes: int) -> None:
    bits = "1010" + "00" * (prefixes - 1) + "1000"  # wider ..., copy, now one place further back
    bits += "0" * (6 + 8 * prefixes)
    bits = bits[:-2] + "0" * (-len(bits) % 8) + "10"
    (_, body, _, command, arg1, _, (code_bits, _, _)), *_ = read(
        BETA3 + int(bits, 2).to_bytes(len(bits) // 8) + b"\xd0" + bytes(6)
    )
    assert (body, command, arg1, code_bits) == (2 + len(bits) // 8, COPY, 2, 6 + 2 * prefixes)


def test_one_prefix_too_many_is_refused() -> None:
    with pytest.raises(MdiffError, match="more than 8 wider prefixes"):
        list(read(BETA3 + b"\xa0" + bytes(100)))
