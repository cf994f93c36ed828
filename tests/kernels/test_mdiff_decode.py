"""The kernel that reads diffs, on both builds: what it makes of a diff is what the reader of commands makes of it."""

from functools import cache
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.mdiff import MAX_SAVE, MdiffError
from nhlog.mdiff.compact import encode as compact
from nhlog.mdiff.errors import MAX_COMMANDS
from nhlog.mdiff.segments import Segments, beginning, resolve
from nhlog.mdiff.syntax import read as words
from nhlog.mdiff.table import (
    BETA2,
    BETA3,
    CODES,
    COORD,
    COPY,
    COPYEDIT,
    COPYEDIT1,
    DIRECTIONS,
    EOF,
    EOF_CRC32,
    ERASE,
    FORMS,
    INCREMENT,
    ORDER,
    SEEK,
    encode,
)
from tests.changed import replaced
from tests.kernels.builds import BUILDS, build
from tests.mdiff.cases import Op, diff_of, mutated, pairs, scripts, written
from tests.mdiff.edits import edited

FEW_BYTES = 60
BASE = b"0123456789" * 40

Save = tuple[bytes, int]


@cache
def kernel_of(kind: str) -> ModuleType:
    return build("mdiff_decode", kind)


@pytest.fixture(params=BUILDS)
def kernel(request: pytest.FixtureRequest) -> ModuleType:
    return kernel_of(request.param)


def read(kernel: ModuleType, diff: bytes, base: bytes) -> Save | None:
    """The save and its CRC (-1: none), made in two ways; None if the kernel leaves the diff to the other reader."""
    found = kernel.splices(diff, base, MAX_SAVE, MAX_COMMANDS)
    assert found == kernel.splices(diff, bytearray(base), MAX_SAVE, MAX_COMMANDS)
    if found is None:
        return None
    starts, ends, pieces, crc = found
    in_place = bytearray(base)
    for start, end, piece in zip(reversed(starts), reversed(ends), reversed(pieces), strict=True):
        in_place[start:end] = piece
    save = kernel.spliced(base, starts, ends, pieces)
    assert in_place == save
    assert [0, *sorted([*starts, *ends]), len(base)] == [
        0,
        *(at for pair in zip(starts, ends, strict=True) for at in pair),
        len(base),
    ]
    check_joined(kernel, base, found, save)
    return save, crc


def check_joined(
    kernel: ModuleType, base: bytes, found: tuple[list[int], list[int], list[bytes], int], save: bytes
) -> None:
    """The same save where one splice at most moves bytes, and what is not between those that do is as it was."""
    starts, ends, pieces = list(found[0]), list(found[1]), list(found[2])
    moving = [nth for nth, piece in enumerate(pieces) if len(piece) != ends[nth] - starts[nth]]
    kernel.join_moved(bytearray(base), starts, ends, pieces)
    assert kernel.spliced(base, starts, ends, pieces) == save
    assert len(pieces) == len(found[2]) - (moving[-1] - moving[0] if moving else 0)
    assert sum(len(piece) != end - start for start, end, piece in zip(starts, ends, pieces, strict=True)) <= 1


def read_by_words(diff: bytes, base: bytes) -> Save | None:
    """The same by the reader of commands; None if it finds damage."""
    segments = Segments(diff)
    try:
        pieces = list(resolve(segments, base))
    except MdiffError:
        return None
    save = b"".join(part for start, end, data in pieces for part in (base[start:end], data))
    return save, -1 if segments.crc is None else segments.crc


def check_heads(kernel: ModuleType, diff: bytes, base: bytes) -> None:
    """What is known of the first bytes of the save where only the first bytes of the base are, by both readers."""
    for known in 0, 1, 3, 9, 10, 40, len(base):
        for size in 0, 1, 4, 40, len(base) + 1:
            head = kernel.head(diff, base[:known], size, MAX_SAVE, MAX_COMMANDS)
            try:
                expected = beginning(Segments(diff), base[:known], size)
            except MdiffError:
                assert head is None, (diff.hex(), known, size)
            else:
                assert head == expected or (head is None and is_wide(diff)), (diff.hex(), known, size)


def test_the_tables_are_those_of_the_format(kernel: ModuleType) -> None:
    assert list(zip(kernel.LEAST, kernel.ARG2, strict=True)) == [(form.arg1, form.arg2) for form in FORMS]
    assert list(zip(kernel.CODES, kernel.BITS, strict=True)) == list(CODES)
    assert [bytes([dx, dy]) if dy else bytes([dx]) for dx, dy in zip(kernel.DX, kernel.DY, strict=True)] == [
        *DIRECTIONS
    ]


@cache
def crcs() -> dict[tuple[str, str], int]:
    """What the reader of commands finds in the diffs of all pairs beside their saves: once for both builds."""
    found = {}
    for pair in pairs():
        for variant, diff in pair.diffs.items():
            by_words = read_by_words(diff, pair.old)
            assert by_words is not None, (pair.name, variant)
            save, crc = by_words
            assert save == pair.new, (pair.name, variant)
            assert (pair.name, variant) not in found
            found[pair.name, variant] = crc
    return found


def test_every_diff_of_every_pair(kernel: ModuleType) -> None:
    for pair in pairs():
        for variant, diff in pair.diffs.items():
            found = read(kernel, diff, pair.old)
            assert found == (pair.new, crcs()[pair.name, variant]), (pair.name, variant)
            check_heads(kernel, diff, pair.old)


def test_every_damaged_diff(kernel: ModuleType) -> None:
    for _, diff, base in mutated():
        assert read(kernel, diff, base) == read_by_words(diff, base), diff.hex()
        check_heads(kernel, diff, base)


def short_diffs() -> list[tuple[bytes, bytes]]:
    """Diffs of each format with their bases, one for each pair of sizes."""
    found = {}
    for pair in pairs():
        for variant, diff in pair.diffs.items():
            if len(diff) <= FEW_BYTES:
                found.setdefault((variant, len(diff)), (diff, pair.old[:3000]))
    return list(found.values())


def test_every_prefix_and_every_other_byte_of_short_diffs(kernel: ModuleType) -> None:
    for diff, base in short_diffs():
        for at in range(len(diff)):
            assert read(kernel, diff[:at], base) == read_by_words(diff[:at], base), (diff.hex(), at)
            for byte in {0, 1, 255, *(diff[at] ^ 1 << bit for bit in range(8))}:
                changed = replaced(diff, at, byte)
                found = read(kernel, changed, base)
                assert found == read_by_words(changed, base) or (found is None and is_wide(changed)), changed.hex()


def is_wide(diff: bytes) -> bool:
    """Whether it has so long a command that the kernel leaves it to the other reader."""
    return any(fields[2] > 32 or sum(fields) > 64 for *_, fields in words(diff))


@pytest.mark.parametrize("kind", BUILDS)
@given(st.sampled_from([b"", BETA2, BETA3]), st.binary(max_size=60))
def test_random_diffs(kind: str, start: bytes, rest: bytes) -> None:
    diff = start + rest
    found = read(kernel_of(kind), diff, BASE)
    assert found == read_by_words(diff, BASE) or (found is None and is_wide(diff))
    check_heads(kernel_of(kind), diff, BASE)


@pytest.mark.parametrize("kind", BUILDS)
@given(scripts(), st.data())
def test_diffs_of_tags_and_hints_and_what_damage_makes_of_them(
    kind: str, saves: list[list[Op]], data: st.DataObject
) -> None:
    old, new = saves
    diff = diff_of(old, new)
    found = read(kernel_of(kind), diff, written(old))
    assert found is not None
    assert found[0] == written(new)
    at = data.draw(st.integers(0, len(diff) - 1))
    damaged = diff[:at] + data.draw(st.binary(max_size=3)) + diff[at + 1 :]
    found = read(kernel_of(kind), damaged, written(old))
    assert found == read_by_words(damaged, written(old)) or (found is None and is_wide(damaged))
    check_heads(kernel_of(kind), diff, written(old))
    check_heads(kernel_of(kind), damaged, written(old))


@pytest.mark.parametrize("kind", BUILDS)
@given(edited())
def test_diffs_that_insert_delete_and_move(kind: str, saves: tuple[bytes, bytes]) -> None:
    base, new = saves
    found = read(kernel_of(kind), compact(base, new), base)
    assert found is not None
    assert found[0] == new


@pytest.mark.parametrize(("size", "left"), [(1 << 17, False), (1 << 18, False), (1 << 24, False), (1 << 30, True)])
def test_long_copies_are_read_as_far_as_saves_go(kernel: ModuleType, size: int, left: bool) -> None:
    base = bytes(1 << 24 if left else size)
    seek, order = encode(ORDER, SEEK, -size)
    back, order = encode(order, SEEK, size)
    copy, order = encode(order, COPY, len(base))
    end, _ = encode(order, EOF_CRC32, 0, 0xFEDCBA98)
    assert read(kernel, BETA3 + seek + back + copy + end, base) == (base, 0xFEDCBA98)


def test_a_command_longer_than_any_save_needs_is_left_to_the_other_reader(kernel: ModuleType) -> None:
    seek, order = encode(ORDER, SEEK, -(1 << 45))
    back, order = encode(order, SEEK, 1 << 45)
    diff = BETA3 + seek + back + encode(order, EOF, 4)[0]
    assert read(kernel, diff, BASE) is None
    assert read_by_words(diff, BASE) == (BASE[:4], -1)


@pytest.mark.parametrize("command", [COPY, COPYEDIT, COORD, ERASE, INCREMENT, COPYEDIT1])
@pytest.mark.parametrize("arg2", range(8))
def test_what_reads_at_either_end_of_the_base(kernel: ModuleType, command: int, arg2: int) -> None:
    for back in range(-12, 4):
        seek, order = encode(ORDER, SEEK, back)
        for arg1 in range(4):
            code, after = encode(order, command, arg1, arg2 & (1 << FORMS[command].arg2) - 1)
            diff = BETA3 + seek + code + bytes(4 if command == COPYEDIT else command == COPYEDIT1)
            if command == COPYEDIT:
                diff = diff[: len(diff) - 3 + (arg2 & 3)]
            diff += encode(after, EOF, 0)[0]
            assert read(kernel, diff, BASE[:10]) == read_by_words(diff, BASE[:10]), diff.hex()
            check_heads(kernel, diff, BASE[:10])


@pytest.mark.parametrize("more", [0, 1])
def test_the_bounds(kernel: ModuleType, more: int) -> None:
    copies, order = BETA3, ORDER
    for command, arg1 in [(COPY, 10), (SEEK, 10)] * 2 + [(EOF, 0)]:
        code, order = encode(order, command, arg1)
        copies += code
    assert (kernel.splices(copies, BASE, 20 - more, MAX_COMMANDS) is None) is bool(more)
    assert (kernel.splices(copies, BASE, MAX_SAVE, 5 - more) is None) is bool(more)
