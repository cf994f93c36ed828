"""Diffs shown command by command."""

import pytest
from hypothesis import given

from nhlog.mdiff import MdiffError
from nhlog.mdiff.explain import Command, commands
from tests.mdiff.cases import Op, diff_of, scripts, vectors


def shown(diff: str) -> list[Command]:
    return list(commands(bytes.fromhex(diff)))


def test_a_real_line() -> None:
    assert shown("0143 2010 342c90 cc19 53 41fa 01 d317afabe49844") == [
        Command("copyedit", 2, "00 10 000000010000", 16, 2, b"\x34\x2c\x90"),
        Command("copyedit1", 7, "110011 0000011001", 25, 0, b"\x53"),
        Command("copyedit", 10, "01 00 000111111010", 506, 0, b"\x01"),
        Command("eof_crc32", 13, "110100 11000101111010111110101011111001 001001100001000100", 38980, 0xC5EBEAF9, b""),
    ]


def test_prefixes_are_codes_of_their_own() -> None:
    assert shown("0143 57 ac15c7 39 c00000") == [
        Command("copy", 2, "01 010111", 23, 0, b""),
        Command("coord", 3, "1010 110000 010 10111000111", 1479, 2, b""),
        Command("coord", 6, "00 111 001", 1, 7, b""),
        Command("eof", 7, "110000 000000000000000000", 0, 0, b""),
    ]
    assert shown("0143 a201eb2b b000")[0].bits == "1010 00 1000 0000011110101100101011"


def test_seeks_are_signed() -> None:
    assert [(command.name, command.arg1) for command in shown("0143 9ff6 800a 4014 d2ed33f44c000a")] == [
        ("seek", -10),
        ("copy", 10),
        ("seek", 20),
        ("eof_crc32", 10),
    ]


def test_beta1() -> None:
    assert shown("03c0 0280 7879 f63f 0000 ffff") == [
        Command("copy", 0, "11 00000000000011", 3, 0, b""),
        Command("edit", 2, "10 00000000000010", 2, 0, b"xy"),
        Command("seek", 6, "00 11111111110110", -10, 0, b""),
        Command("eof", 8, "00 00000000000000", 0, 0, b""),
    ]


def test_beta2() -> None:
    assert shown("0140 4003 787978 8400000a 7879 a0000001 78 fff6 dffffff6 0000 ff") == [
        Command("copyedit", 2, "0 10 0000000000011", 3, 2, b"xyx"),
        Command("copyedit", 7, "100 0010 0000000000000000000001010", 10, 2, b"xy"),
        Command("edit", 13, "101 00000000000000000000000000001", 1, 0, b"x"),
        Command("seek", 18, "111 1111111110110", -10, 0, b""),
        Command("seek", 20, "110 11111111111111111111111110110", -10, 0, b""),
        Command("eof", 24, "0000000000000000", 0, 0, b""),
    ]


def test_commands_before_the_damage_are_shown() -> None:
    damaged = commands(bytes.fromhex("0143 45 82 4142"))
    assert next(damaged).name == "copy"
    with pytest.raises(MdiffError, match="offset 3: diff ends during edit data"):
        next(damaged)


def test_every_vector_has_the_commands_of_c() -> None:
    for vector in vectors("encode"):
        found = [
            [command.name, command.arg1, f"{command.arg2:08x}" if command.name == "eof_crc32" else command.arg2]
            for command in commands(bytes.fromhex(vector["beta3"]))
        ]
        assert found == [command[:3] for command in vector["beta3_commands"]], vector["name"]


@given(scripts())
def test_the_commands_are_the_whole_diff(saves: list[list[Op]]) -> None:
    old, new = saves
    diff = diff_of(old, new)
    rebuilt = b"\x01\x43"
    for command in commands(diff):
        assert command.offset == len(rebuilt)
        bits = command.bits.replace(" ", "")
        rebuilt += int(bits, 2).to_bytes(len(bits) // 8) + command.data
    assert rebuilt == diff
