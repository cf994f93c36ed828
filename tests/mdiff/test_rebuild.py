"""Saves from diffs: the verdicts of the C code, and the agreement of the three ways to decode."""

import hashlib
from itertools import pairwise
from zlib import crc32

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nhlog.mdiff import MdiffError, Rebuild, apply, head
from nhlog.mdiff.compact import encode as compact
from nhlog.mdiff.explain import commands
from tests.doses import dose, seeded
from tests.mdiff.cases import Op, diff_of, mutated, pairs, scripts, vectors, written

BASE = b"0123456789"

WHAT = {
    "diff ends in command header": "diff ends in a command",
    "diff ends inside flexible argument": "diff ends in a command",
    "new-style binary diff ends unexpectedly: parsing 4 bytes": "diff ends in a command",
    "diff ends during edit/copyedit data": "diff ends during edit data",
    "binary diff ends unexpectedly": "diff ends during edit data",
    "new-style binary diff ends unexpectedly: edit data": "diff ends during edit data",
    "diff contains unknown command": "diff contains an unknown command",
    "unknown command in binary diff": "diff contains an unknown command",
    "TODO: mdiff_rle unimplemented": "diff contains an unknown command",
    "diff copies from before the start of file": "diff reads outside the base",
    "diff copies from after the end of file": "diff reads outside the base",
    "diff adjustment after the end of file": "diff reads outside the base",
    "binary diff reads past EOF": "diff reads outside the base",
    "new-style binary diff reads past EOF": "diff reads outside the base",
    "binary diff seeks past start of file": "diff seeks before the start of the base",
    "diff produced output with wrong checksum": "save has the wrong CRC-32",
}
"""Our word for each of C's."""

READS_OTHER_MEMORY = bytes.fromhex("014021a9e9ffe9ff20a8f9e180000459")
"""The one damaged beta2 diff that makes C read before the base, which it does not notice (spec 3)."""


def rebuilt(diff: bytes, base: bytes) -> bytes:
    rebuild = Rebuild(base)
    rebuild.apply(diff)
    return rebuild.save()


def test_every_vector_decodes_as_in_c() -> None:
    for vector in vectors("encode"):
        base, new = bytes.fromhex(vector["base"]), bytes.fromhex(vector["new"])
        for variant in {"beta1", "beta2", "beta3"} & vector.keys():
            diff = bytes.fromhex(vector[variant])
            assert (apply(diff, base), rebuilt(diff, base)) == (new, new), (vector["name"], variant)


def test_every_vector_of_an_error_is_that_error() -> None:
    for vector in vectors("decode"):
        base, diff = bytes.fromhex(vector["base"]), bytes.fromhex(vector["diff"])
        verdict, _, rest = vector["result"].partition(" ")
        for decode in apply, rebuilt:
            if verdict == "OK":
                assert decode(diff, base).hex() == rest, vector["name"]
                continue
            with pytest.raises(MdiffError) as caught:
                decode(diff, base)
            if vector["name"] != "all ones prefix":  # C reads on to the end, we stop at the third
                assert caught.value.what == WHAT[rest], vector["name"]


def test_every_diff_of_every_pair_makes_the_new_save() -> None:
    for pair in pairs():
        for variant, diff in pair.diffs.items():
            assert apply(diff, pair.old) == pair.new, (pair.name, variant)
            assert rebuilt(diff, pair.old) == pair.new, (pair.name, variant)
            for size in 0, 1, 85, 1024, len(pair.new) + 1:
                assert head(diff, pair.old, size) == pair.new[:size], (pair.name, variant)


def test_every_damaged_diff_has_the_verdict_of_c() -> None:
    for verdict, diff, base in mutated():
        for decode in apply, rebuilt:
            try:
                save = decode(diff, base)
            except MdiffError:
                assert verdict["result"] == "error" or diff == READS_OTHER_MEMORY, verdict
            else:
                assert (len(save), hashlib.sha256(save).hexdigest()) == (verdict["len"], verdict["sha256"]), verdict


@pytest.mark.parametrize(
    ("diff", "save"),
    [
        ("", b""),
        ("05c0", b"01234"),
        ("05c0 00", b"01234"),  # one zero behind the data is an end as well
        ("05c0 0000 ffff", b"01234"),
        ("05c0 02", b"01234"),  # a seek by 2: its second byte is the reader's zero
        ("0140", b""),
        ("0140 80000005", b"01234"),
        ("0140 80000005 00", b"01234"),
        ("0140 80000005 0000 ff", b"01234"),
        ("0140 a0000001 58 80000002", b"X12"),  # as 0000 is the end
        ("0143 b005", b"01234"),  # eof, which has no CRC
        ("0143 b005 ff", b"01234"),
    ],
)
def test_ends(diff: str, save: bytes) -> None:
    assert apply(bytes.fromhex(diff), BASE) == save


@pytest.mark.parametrize(
    ("diff", "what"),
    [
        ("01", "diff seeks before the start of the base"),  # beta1, and a seek by 1
        ("0140 80000005 05", "diff ends in a command"),
        ("0140 80000005 80", "diff ends in a command"),
        ("0140 0005", "diff ends during edit data"),
        ("0143", "diff ends in a command"),
        ("0143 a0", "diff ends in a command"),  # a wider alone
    ],
)
def test_cut_diffs(diff: str, what: str) -> None:
    with pytest.raises(MdiffError) as caught:
        apply(bytes.fromhex(diff), BASE)
    assert caught.value.what == what


def test_an_error_tells_where_in_the_diff() -> None:
    with pytest.raises(MdiffError, match=r"^offset 4: diff reads outside the base: expected 0 to 10, found -1 to 0$"):
        apply(bytes.fromhex("0143 9001 8001"), BASE)


def test_edits_move_on_in_the_base_even_past_its_end() -> None:
    assert apply(bytes.fromhex("0143 200a 78797a b000"), BASE) == BASE + b"xyz"
    assert apply(bytes.fromhex("0ac0 0380 78797a 0500 02c0"), BASE) == BASE + b"xyz89"


@given(scripts())
@example([[("write", b"")], []])
def test_a_diff_makes_the_save_that_was_written_whatever_the_tags_and_hints(saves: list[list[Op]]) -> None:
    old, new = saves
    assert apply(diff_of(old, new), written(old)) == written(new)


@given(scripts(least=2, most=6))
def test_a_rebuild_along_a_chain_is_one_diff_after_the_other(saves: list[list[Op]]) -> None:
    rebuild = Rebuild(written(saves[0]))
    for old, new in pairwise(saves):
        rebuild.apply(diff_of(old, new))
    assert rebuild.save() == written(saves[-1])


@given(scripts(), st.integers(0, 1000))
def test_a_head_is_the_start_of_the_save(saves: list[list[Op]], size: int) -> None:
    old, new = saves
    assert head(diff_of(old, new), written(old), size) == written(new)[:size]


@given(scripts(), st.integers(0, 500), st.integers(0, 500))
def test_a_head_is_shorter_where_the_base_is_not_known(saves: list[list[Op]], known: int, size: int) -> None:
    old, new = saves
    found = head(diff_of(old, new), written(old)[:known], size)
    assert written(new)[:size].startswith(found)


@given(scripts(least=1, most=1), st.integers(0, 500), st.integers(0, 500))
def test_of_an_unchanged_save_whose_tags_are_all_different_the_head_is_as_long_as_what_is_known(
    script: list[list[Op]], known: int, size: int
) -> None:
    save = [op for number, op in enumerate(script[0]) if op[0] != "tag" or op not in script[0][:number]]
    assert head(diff_of(save, save), written(save)[:known], size) == written(save)[: min(known, size)]


def test_a_tag_that_is_there_twice_is_sought_where_it_was_last() -> None:
    """So an unchanged save begins with bytes that are farther on in the base, which may not be known."""
    half = ("write", b"1234567")
    save = [("tag", 1, 1), half, ("tag", 1, 1), half]
    diff = diff_of(save, save)
    assert [(command.name, command.arg1) for command in commands(diff)][:2] == [("seek", -7), ("copy", 7)]
    assert [head(diff, written(save)[:known], 99) for known in (7, 10, 14)] == [b"", b"123", b"12345671234567"]


def test_a_head_does_not_read_on() -> None:
    cut = bytes.fromhex("0140 80000005 ff")
    assert head(cut, BASE, 5) == b"01234"
    with pytest.raises(MdiffError):
        head(cut, BASE, 6)


@pytest.mark.parametrize(
    "command",
    ["41", "42", "c80000", "c80001", "c200"],  # copy 1, copy 2, increment, copy 1 and increment, coord
)
def test_a_head_ends_where_bytes_before_the_base_would_be_copied_or_changed(command: str) -> None:
    diff = bytes.fromhex(f"0143 43 9005 {command} c00000")  # copy 3, seek 5
    assert head(diff, BASE, 9) == b"012"
    with pytest.raises(MdiffError, match="reads outside the base"):
        apply(diff, BASE)


def test_a_head_has_what_is_written_before_the_base() -> None:
    diff = bytes.fromhex("0143 43 9005 92616263 b000")  # copy 3, seek 5, edit 3
    assert head(diff, BASE, 9) == apply(diff, BASE) == b"012abc"


class TestRebuild:
    def test_without_a_diff_is_the_base(self) -> None:
        assert Rebuild(BASE).save() == BASE

    def test_a_diff_that_fails_leaves_the_save(self) -> None:
        rebuild = Rebuild(BASE)
        rebuild.apply(bytes.fromhex("03c0 0180 58 06c0"))
        with pytest.raises(MdiffError):
            rebuild.apply(bytes.fromhex("0180 59 0dc0"))
        assert rebuild.save() == b"012X456789"

    def test_the_last_crc_is_checked_by_save(self) -> None:
        rebuild = Rebuild(BASE)
        rebuild.apply(bytes.fromhex("0143 d0000000000004"))
        for _ in range(2):
            with pytest.raises(MdiffError, match="wrong CRC-32: expected 00000000, found"):
                rebuild.save()

    def test_a_crc_is_checked_when_no_other_follows(self) -> None:
        rebuild = Rebuild(BASE)
        rebuild.apply(bytes.fromhex("0143 d0000000000004"))
        with pytest.raises(MdiffError, match="wrong CRC-32"):
            rebuild.apply(bytes.fromhex("04c0"))

    def test_a_save_of_real_size_is_checked_at_each_diff_of_a_chain(self) -> None:
        """Its bytes change, move and change back, between checks and without them; each CRC is that of zlib."""
        chance, save = seeded(1), bytearray(seeded(2).randbytes(50_000))
        rebuild = Rebuild(bytes(save))
        for number in range(dose("mdiff.chain")):
            before = bytes(save)
            at = chance.randrange(40_000)
            save[at : at + 3] = chance.randbytes(3)
            if number % 5 == 0:
                save[at + 50 : at + 50] = b"new"
            if number % 5 in (0, 2):
                del save[at + 900 : at + 903]
            rebuild.apply(compact(before, bytes(save)))
            if number % 7:
                rebuild.check()
                assert rebuild.head(at + 1) == save[: at + 1]
        assert rebuild.save() == save

    def test_a_wrong_crc_is_noticed_behind_one_that_was_right(self) -> None:
        base, new = bytes(50_000), bytes(20_000) + b"new" + bytes(29_997)
        rebuild = Rebuild(base)
        for old, made in (base, new), (new, base):
            rebuild.apply(compact(old, made))
            rebuild.check()
        other = new.replace(b"new", b"old")
        rebuild.apply(compact(base, new).replace(b"new", b"old"))
        for _ in range(2):
            with pytest.raises(MdiffError, match=f"wrong CRC-32: expected {crc32(new):08x}, found {crc32(other):08x}"):
                rebuild.check()

    def test_bytes_may_be_inserted_removed_repeated_and_swapped(self) -> None:
        rebuild = Rebuild(BASE)
        for diff, save in [
            ("05c0 0280 5859 0200 05c0", b"01234XY56789"),
            ("05c0 fe3f 05c0", BASE),
            ("fb3f 05c0 0a00 05c0", b"5678901234"),
            ("03c0 0300 03c0", b"567567"),
            ("01c0 0180 41 04c0 0180 42", b"5A7567B"),
            ("".join(f"01c0 0180 {ord('a') + i:x} 0100" for i in range(7)), b"5aAb7c5d6e7fBg"),
            ("00c0", b""),
            ("0180 41", b"A"),
        ]:
            rebuild.apply(bytes.fromhex(diff))
            assert rebuild.save() == save

    def test_bytes_of_the_base_may_be_copied_twice_whatever_part_of_them(self) -> None:
        """Copies that overlap in the base by some bytes or by all."""

        def word(kind: int, number: int) -> bytes:
            return (kind | number & 0x3FFF).to_bytes(2, "little")

        size = len(BASE)
        for first in range(1, size + 1):
            for back in range(1, first + 1):
                for again in range(size - first + back + 1):
                    diff = word(0xC000, first) + word(0, back) + word(0xC000, again)
                    start = first - back
                    new = BASE[:first] + BASE[start : start + again]
                    assert (apply(diff, BASE), rebuilt(diff, BASE)) == (new, new), (first, back, again)


def test_a_byte_that_changed_unnoticed_is_noticed_in_the_whole_save() -> None:
    base = bytes(50_000)
    saves = [base, *(bytes((number,)) + base[1:] for number in range(1, 4))]
    rebuild = Rebuild(base)
    for before, after in pairwise(saves):
        rebuild.apply(compact(before, after))
        rebuild.check()
    assert rebuild.save() == saves[-1]
    rebuild._save[7] ^= 1  # as a fault of the memory may
    with pytest.raises(MdiffError, match="wrong CRC-32"):
        rebuild.save()


def test_a_diff_vouches_for_its_save_until_the_two_were_compared() -> None:
    rebuild = Rebuild(BASE)
    told = [rebuild.vouched]
    for compare in (rebuild.check, rebuild.save):
        rebuild.apply(compact(bytes(rebuild.head(99)), bytes(reversed(rebuild.head(99))), len))
        told.append(rebuild.vouched)
        compare()
        told.append(rebuild.vouched)
    assert told == [False, True, False, True, False]
