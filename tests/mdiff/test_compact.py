"""The encoder for small diffs, measured by those of the C code, which was given tags and hints."""

from collections.abc import Callable
from functools import cache
from random import Random
from typing import NamedTuple
from zlib import compress, crc32

import pytest
from hypothesis import given

from nhlog.mdiff import apply
from nhlog.mdiff.compact import encode
from nhlog.mdiff.explain import commands
from tests.corpus import WHOLE
from tests.mdiff.cases import pairs
from tests.mdiff.edits import edited

RANDOM = Random(2)
OLD = RANDOM.randbytes(2000)
MB = 1 << 20


def line(diff: bytes) -> int:
    """The length of the `~` line that a diff makes in a log (spec log 5.2, 6.13)."""
    prefix = f"~${len(diff)}$"
    packed = compress(diff, 9)
    if len(prefix) - 1 + len(packed) < len(diff):
        return len(prefix) + -(-len(packed) // 3) * 4
    return 1 + -(-len(diff) // 3) * 4


class Sizes(NamedTuple):
    """Of one pair: bytes of the smallest diff, and characters of the shortest line; those of C, and ours."""

    name: str
    c_bytes: int
    our_bytes: int
    c_line: int
    our_line: int


@cache
def sizes() -> list[Sizes]:
    found = []
    for pair in pairs():
        c = pair.diffs.get("beta3-hints") or pair.diffs["beta3-nohints"]
        smallest, shortest = encode(pair.old, pair.new), encode(pair.old, pair.new, line)
        assert apply(smallest, pair.old) == apply(shortest, pair.old) == pair.new, pair.name
        found.append(Sizes(pair.name, len(c), len(smallest), line(c), line(shortest)))
    return found


def test_no_pair_takes_more_than_in_c() -> None:
    assert [pair for pair in sizes() if pair.our_bytes > pair.c_bytes or pair.our_line > pair.c_line] == []


@pytest.mark.parametrize(
    ("kind", "most"),
    [
        pytest.param(lambda name: True, 0.56 if WHOLE else 0.72, id="all pairs"),
        pytest.param(lambda name: not name.startswith("syn:"), 0.475, id="pairs from real logs"),
    ],
)
def test_the_lines_of_all_pairs_are_about_half_as_long_as_in_c(kind: Callable[[str], bool], most: float) -> None:
    ours = sum(pair.our_line for pair in sizes() if kind(pair.name))
    assert ours < most * sum(pair.c_line for pair in sizes() if kind(pair.name))


@given(edited())
def test_every_diff_makes_the_new_save_and_proves_it(saves: tuple[bytes, bytes]) -> None:
    base, new = saves
    for cost in (len, line):
        diff = encode(base, new, cost)
        assert apply(diff, base) == new
        *_, last = commands(diff)
        assert (last.name, last.arg2) == ("eof_crc32", crc32(new))
        assert last.offset + len(last.bits.replace(" ", "")) // 8 == len(diff)


@given(edited())
def test_the_same_saves_make_the_same_diff(saves: tuple[bytes, bytes]) -> None:
    assert encode(*saves) == encode(*saves)


def changed(save: bytes, changes: dict[int, bytes]) -> bytes:
    new = bytearray(save)
    for offset, data in changes.items():
        new[offset : offset + len(data)] = data
    return bytes(new)


ZEROS = bytes(9000)
SEVENS = b"\7" * 400


@pytest.mark.parametrize(
    ("used", "base", "new"),
    [
        ("", OLD, OLD),
        ("copyedit1 copyedit1 copyedit1", ZEROS, changed(ZEROS, {60: b"7", 80: b"8", 90: b"9"})),
        ("copyedit", ZEROS, changed(ZEROS, {2500: b"789"})),
        ("copy edit", ZEROS, changed(ZEROS, {60: b"x" * 30})),
        ("copy edit", ZEROS, changed(ZEROS, {9: b"xyz", 14: b"xyz"})),
        ("erase", SEVENS, changed(SEVENS, {50: bytes(10)})),
        ("increment", ZEROS, changed(ZEROS, {8001: b"\1"})),
        ("coord coord", SEVENS, changed(SEVENS, {85: b"\7\6", 170: b"\6\6"})),
        ("copy seek", OLD, OLD[:30] + OLD[90:]),
        ("seek copy seek", OLD, OLD[1000:] + OLD[:1000]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_command_is_used_where_it_is_shortest(used: str, base: bytes, new: bytes) -> None:
    *names, last = (command.name for command in commands(encode(base, new)))
    assert (" ".join(names), last) == (used, "eof_crc32")


def test_the_diff_is_the_cheapest_of_those_asked_about() -> None:
    asked: dict[bytes, int] = {}

    def cost(diff: bytes) -> int:
        return asked.setdefault(diff, line(diff))

    level = bytes(Random(3).choices(b"\0\0\0\0\0\7\x16", k=4000))
    diff = encode(OLD, OLD[:500] + level + OLD[500:], cost)
    assert len(asked) > 1
    assert asked[diff] == min(asked.values())


def test_a_new_level_is_left_to_the_compression() -> None:
    [pair] = [pair for pair in pairs() if pair.name == "mid1:000897-114688"]
    smallest, shortest = encode(pair.old, pair.new), encode(pair.old, pair.new, line)
    assert len(smallest) < 0.5 * len(shortest)
    assert line(shortest) < 0.8 * line(smallest)


@pytest.mark.parametrize(
    ("base", "new"),
    [
        (RANDOM.randbytes(MB), RANDOM.randbytes(MB)),
        (bytes(MB), b"\1" * MB),
        (b"\1" * MB, bytes(MB)),
        (bytes(MB + 99), b"\0\0\0\1" * (MB // 4)),
        (OLD * 524, b"".join(OLD[at : at + 24] for at in RANDOM.choices(range(1976), k=MB // 24))),
    ],
    ids=["unrelated", "zeros to ones", "ones to zeros", "every fourth byte", "shuffled"],
)
@pytest.mark.timeout(60)
def test_a_megabyte_of_any_kind_is_encoded_soon_and_can_be_read(base: bytes, new: bytes) -> None:
    assert apply(encode(base, new), base) == new
