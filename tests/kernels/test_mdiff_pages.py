"""The kernel that changes a save in pages, on both builds: it makes of diffs what the reader of commands makes."""

from functools import cache
from types import ModuleType
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.mdiff import MdiffError, apply
from nhlog.mdiff.compact import encode as compact
from nhlog.mdiff.segments import Segments, resolve
from nhlog.mdiff.table import BETA3, COORD, COPY, COPYEDIT1, EDIT, EOF_CRC32, ERASE, INCREMENT, ORDER, SEEK, encode
from tests.kernels.builds import BUILDS, build
from tests.kernels.test_log_lines import rules
from tests.mdiff.cases import Op, diff_of, mutated, pairs, scripts, written
from tests.mdiff.edits import edited

BASE = bytes(range(251)) * 3

Word = tuple[int, int, int, bytes]
"""A command, its arguments, and the data behind it."""

WORDS = st.one_of(
    st.tuples(st.just(COPY), st.sampled_from([0, 1, 5, 255, 256, 257, 700]), st.just(0), st.just(b"")),
    st.tuples(st.sampled_from([ERASE, INCREMENT]), st.integers(0, 300), st.integers(0, 7), st.just(b"")),
    st.tuples(st.just(COORD), st.integers(0, 1), st.integers(0, 7), st.just(b"")),
    st.tuples(st.just(SEEK), st.integers(-300, 300), st.just(0), st.just(b"")),
    st.tuples(st.just(COPYEDIT1), st.integers(0, 300), st.just(0), st.binary(min_size=1, max_size=1)),
    st.integers(0, 600).map(lambda size: (EDIT, size, 0, bytes(size + 1))),
)


@cache
def kernel_of(kind: str) -> ModuleType:
    return build("mdiff_pages", kind)


def diff_with(words: list[Word], crc: int) -> bytes:
    """A diff with these commands, which ends with a CRC."""
    diff, order = BETA3, ORDER
    for command, arg1, arg2, data in words:
        code, order = encode(order, command, arg1, arg2 if command in (COORD, ERASE) else 0)
        diff += code + data
    return diff + encode(order, EOF_CRC32, 0, crc)[0]


def expected(diff: bytes, base: bytes) -> bytes | None:
    """The save that the diff makes; None where it is not sound, or has no CRC."""
    segments = Segments(diff)
    try:
        list(segments)
        return apply(diff, base) if segments.crc is not None else None
    except MdiffError:
        return None


def check(kind: str, diff: bytes, base: bytes, *, rare: bool = False) -> None:
    """In pages it makes the same, and where it makes none, or the CRC before is another one, nothing is changed."""
    kernel, known = kernel_of(kind), rules(kind)
    save, pages = expected(diff, base), kernel.paged(base)
    crc = kernel.applied(pages, crc32(base), diff, known)
    if save is None or (rare and crc < 0):
        assert (crc, pages) == (-1, kernel.paged(base)), diff.hex()
        return
    assert (crc, pages) == (crc32(save), kernel.paged(save)), diff.hex()
    if len(save) == len(base):
        pages = kernel.paged(base)
        assert kernel.applied(pages, crc32(base) ^ 1, diff, known) == -1
        assert pages == kernel.paged(base)


@pytest.mark.parametrize("kind", BUILDS)
@pytest.mark.parametrize("size", [0, 1, 255, 256, 257, 512, 700])
def test_a_save_is_its_pages(kind: str, size: int) -> None:
    pages = kernel_of(kind).paged(BASE[:size])
    assert b"".join(pages) == BASE[:size]
    assert [len(page) for page in pages[:-1]] == [256] * ((size - 1) // 256)


@pytest.mark.parametrize("kind", BUILDS)
def test_every_diff_of_every_pair(kind: str) -> None:
    for pair in pairs():
        for diff in pair.diffs.values():
            check(kind, diff, pair.old)


@pytest.mark.parametrize("kind", BUILDS)
def test_every_damaged_diff(kind: str) -> None:
    for _, diff, base in mutated():
        check(kind, diff, base)


@pytest.mark.parametrize("kind", BUILDS)
@given(st.lists(WORDS, max_size=12), st.sampled_from([0, 1, 255, 256, 257, 512, len(BASE)]))
def test_any_commands(kind: str, words: list[Word], size: int) -> None:
    base, diff = BASE[:size], diff_with(words, 0)
    check(kind, diff, base)
    try:
        save = b"".join(part for start, end, data in resolve(Segments(diff), base) for part in (base[start:end], data))
    except MdiffError:
        return
    check(kind, diff_with(words, crc32(save)), base)


@pytest.mark.parametrize("kind", BUILDS)
@given(scripts(), st.data())
def test_diffs_of_tags_and_hints_and_what_damage_makes_of_them(
    kind: str, saves: list[list[Op]], data: st.DataObject
) -> None:
    old, new = saves
    diff = diff_of(old, new)
    check(kind, diff, written(old))
    at = data.draw(st.integers(0, len(diff) - 1))
    check(kind, diff[:at] + data.draw(st.binary(max_size=3)) + diff[at + 1 :], written(old), rare=True)


@pytest.mark.parametrize("kind", BUILDS)
@given(edited())
def test_diffs_that_insert_delete_and_move(kind: str, saves: tuple[bytes, bytes]) -> None:
    base, new = saves
    check(kind, compact(base, new), base)


@pytest.mark.parametrize("kind", BUILDS)
@given(st.lists(edited(), min_size=2, max_size=5))
def test_saves_that_follow_one_another(kind: str, saves: list[tuple[bytes, bytes]]) -> None:
    kernel, known = kernel_of(kind), rules(kind)
    save = saves[0][0]
    pages = kernel.paged(save)
    for new in [save for pair in saves for save in pair]:
        assert kernel.applied(pages, crc32(save), compact(save, new), known) == crc32(new)
        assert pages == kernel.paged(new)
        save = new


@pytest.mark.parametrize("kind", BUILDS)
@pytest.mark.parametrize("more", [0, 1])
def test_the_bounds(kind: str, more: int) -> None:
    kernel, known = kernel_of(kind), rules(kind)
    diff = diff_with([(COPY, 10, 0, b""), (SEEK, 10, 0, b""), (COPY, 10, 0, b"")], crc32(BASE[:10] * 2))
    base = BASE[:30]
    known.most = 20 - more
    assert (kernel.applied(kernel.paged(base), crc32(base), diff, known) == -1) is bool(more)
    known.most, known.most_commands = 20, 4 - more
    assert (kernel.applied(kernel.paged(base), crc32(base), diff, known) == -1) is bool(more)
