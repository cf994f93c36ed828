"""The reference encoder: the bytes of the C code for the same save, tags and hints."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.mdiff import apply
from nhlog.mdiff.explain import commands
from nhlog.mdiff.reference import Encoder, encode
from tests.mdiff.cases import Op, diff_of, pairs, scripts, vector_script, vectors


def test_every_vector_encodes_as_in_c() -> None:
    for vector in vectors("encode"):
        diff = diff_of(vector_script(vector["base_ops"]), vector_script(vector["new_ops"]))
        assert diff.hex() == vector["beta3"], vector["name"]


def test_every_pair_encodes_as_in_c() -> None:
    for pair in pairs():
        assert encode(pair.old, pair.new) == pair.diffs["beta3-nohints"], pair.name
        if pair.scripts is not None:
            assert diff_of(*pair.scripts) == pair.diffs["beta3-hints"], pair.name


def changed(save: bytes, changes: dict[int, int]) -> bytes:
    """The save with so much added to the bytes at these offsets."""
    new = bytearray(save)
    for offset, delta in changes.items():
        new[offset] = (new[offset] + delta) & 0xFF
    return bytes(new)


COUNT = bytes(range(1, 21))
SEVENS = b"\x07" * 400
THREES = b"\x03" * 5200


@pytest.mark.parametrize(
    ("base", "new", "diff"),
    [
        (bytes(range(10)), bytes(range(10)), "d115b35d18000a"),
        (b"hello world", b"hello_world", "cc055f d3dcfaba440005"),
        (b"A", b"", "d0000000000000"),
        (bytes(10), b"\0\0\0ABCD\0\0\0", "3003 41424344 d1210d40bc0003"),
        (bytes(12), b"\0\0\0ABCDEF\0\0\0", "43 85 414243444546 d05b0b8ff40003"),
        (COUNT, COUNT[:5] + bytes(5) + COUNT[10:], "c505 d0d6ec42c8000a"),
        (SEVENS, changed(SEVENS, {0: 1, 1: -1}), "c180 d36541830c018e"),
        (SEVENS, changed(SEVENS, {85: 1, 86: 1}), "c281 d355869b900139"),
        (SEVENS, changed(SEVENS, {10: -1}), "cc0a06 d1660e07b40185"),
        (THREES, changed(THREES, {5000: 1}), "c81388 d157f3af4400c7"),
        (THREES, changed(THREES, {5000: 2}), "acd38805 d1a6661cf000c7"),
        (b"0123456789", b"0123456789xyz", "200a 78797a d043095a0c0000"),
        (bytes(262143), bytes(262143), "d2e7e91bbfffff"),
        (bytes(262144), bytes(262144), "ad3883ba88840000"),
        (bytes(300000), bytes(300000), "ad3dacb8bec493e0"),
    ],
)
def test_small_examples(base: bytes, new: bytes, diff: str) -> None:
    assert encode(base, new) == bytes.fromhex("0143" + diff)


@pytest.mark.parametrize(
    ("offset", "diff"),
    [(10, "4a c000 d1660e07b40185"), (11, "4a c100 d0e5bc76040184")],
)
def test_a_hint_makes_a_coord_of_one_changed_coordinate(offset: int, diff: str) -> None:
    new = changed(SEVENS, {offset: -1})
    script: list[Op] = [("write", new[:10]), ("hint",), ("write", new[10:])]
    assert diff_of([("write", SEVENS)], script) == bytes.fromhex("0143" + diff)


def test_a_tag_moves_to_where_the_base_had_it() -> None:
    digits, letters = ("write", b"0123456789"), ("write", b"ABCDEFGHIJ")
    old: list[Op] = [("tag", 1, 0), digits, ("tag", 1, 1), letters]
    shorter: list[Op] = [("tag", 1, 0), ("write", b"01234"), ("tag", 1, 1), letters]
    swapped: list[Op] = [("tag", 1, 1), letters, ("tag", 1, 0), digits]
    assert diff_of(old, shorter) == bytes.fromhex("0143 45 9ffb d180621a24000a")
    assert diff_of(old, swapped) == bytes.fromhex("0143 9ff6 800a 4014 d2ed33f44c000a")


def test_tags_are_the_offsets_in_the_save() -> None:
    encoder = Encoder(b"", {})
    encoder.tag(1, 7)
    encoder.write(b"abc")
    encoder.tag(2, 7)
    encoder.write(b"d")
    encoder.tag(1, 7)
    assert encoder.tags == {(1, 7): 4, (2, 7): 3}


@pytest.mark.parametrize(
    ("base", "new"),
    [
        (b"", b"\1"),
        (b"", b"\1\1"),
        (b"\7", b"\7\1"),
        (b"\7", b"\x08\1"),
        (bytes(85), bytes(85) + b"\1"),
        (bytes(85), bytes(84) + b"\1\1"),
    ],
)
def test_edits_past_the_end_of_the_base_are_never_adjustments(base: bytes, new: bytes) -> None:
    diff = encode(base, new)
    assert apply(diff, base) == new
    assert {"coord", "increment"}.isdisjoint(command.name for command in commands(diff))


@given(scripts(), st.integers(1, 50))
def test_the_size_of_the_writes_does_not_matter(saves: list[list[Op]], size: int) -> None:
    old, new = saves
    bytewise = [
        part
        for op in new
        for part in (
            [("write", op[1][at : at + size]) for at in range(0, len(op[1]), size)] if op[0] == "write" else [op]
        )
    ]
    assert diff_of(old, bytewise) == diff_of(old, new)


@given(st.binary(max_size=5000), st.dictionaries(st.integers(0, 4999), st.integers(1, 255), max_size=9))
def test_saves_of_several_blocks(base: bytes, changes: dict[int, int]) -> None:
    new = changed(base, {offset: delta for offset, delta in changes.items() if offset < len(base)})
    for shorter in new, new[:-1]:
        assert apply(encode(base, shorter), base) == shorter
        assert apply(encode(shorter, base), shorter) == base
