"""The kernel that reads a chain of diffs as one, on both builds: what it makes of it is what they make one by one."""

from functools import cache
from itertools import pairwise
from types import ModuleType
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.errors import Damaged
from nhlog.log.file import LogBytes
from nhlog.log.log import Log
from nhlog.mdiff import MAX_SAVE, apply
from nhlog.mdiff.compact import encode as compact
from nhlog.mdiff.errors import MAX_COMMANDS
from nhlog.mdiff.table import BETA3, COORD, COPY, COPYEDIT1, EOF_CRC32, ERASE, INCREMENT, ORDER, SEEK, encode
from tests.kernels.builds import BUILDS, build
from tests.logs import SAMPLE_LOGS
from tests.mdiff.cases import Op, diff_of, mutated, pairs, scripts, written
from tests.mdiff.edits import edited

BASE = bytes(range(40))

Word = tuple[int, int, int, bytes]
"""A command, its arguments, and the data behind it."""

WORDS = st.one_of(
    st.tuples(st.sampled_from([COPY, ERASE, INCREMENT]), st.integers(0, 50), st.integers(0, 7), st.just(b"")),
    st.tuples(st.just(COORD), st.integers(0, 1), st.integers(0, 7), st.just(b"")),
    st.tuples(st.just(SEEK), st.integers(-50, 50), st.just(0), st.just(b"")),
    st.tuples(st.just(COPYEDIT1), st.integers(0, 9), st.just(0), st.binary(min_size=1, max_size=1)),
)


@cache
def kernel_of(kind: str) -> ModuleType:
    return build("mdiff_chain", kind)


@pytest.fixture(params=BUILDS)
def kernel(request: pytest.FixtureRequest) -> ModuleType:
    return kernel_of(request.param)


def diff_with(words: list[Word]) -> bytes:
    """A diff with these commands, which ends with a CRC, though of nothing."""
    diff, order = BETA3, ORDER
    for command, arg1, arg2, data in words:
        code, order = encode(order, command, arg1, arg2 if command in (COORD, ERASE) else 0)
        diff += code + data
    return diff + encode(order, EOF_CRC32, 0, 0xFEDCBA98)[0]


def one_by_one(diffs: list[bytes], base: bytes) -> list[bytes]:
    """The saves that the diffs make, up to the first that cannot be read."""
    decode, saves = build("mdiff_decode", "plain"), [base]
    for diff in diffs:
        found = decode.splices(diff, saves[-1], MAX_SAVE, MAX_COMMANDS)
        if found is None or found[3] < 0:
            break
        saves.append(decode.spliced(saves[-1], *found[:3]))
    return saves


def check(kernel: ModuleType, diffs: list[bytes], base: bytes) -> None:
    """It reads all that can be read one by one, and makes the same of it; the CRC is that of the last one's end."""
    saves = one_by_one(diffs, base)
    number, save, crc = kernel.composed(diffs, base, MAX_SAVE, MAX_COMMANDS)
    if not number and 3 * sum(map(len, diffs)) >= kernel.MOST:
        return  # which may make too many ranges
    assert (number, save) == (len(saves) - 1, saves[-1])
    if number:
        *_, expected = build("mdiff_decode", "plain").splices(diffs[number - 1], saves[-2], MAX_SAVE, MAX_COMMANDS)
        assert crc == expected


@pytest.mark.parametrize("kind", BUILDS)
@given(st.lists(st.lists(WORDS, max_size=12), min_size=1, max_size=8))
def test_chains_of_any_commands(kind: str, chain: list[list[Word]]) -> None:
    check(kernel_of(kind), [diff_with(words) for words in chain], BASE)


@pytest.mark.parametrize("kind", BUILDS)
@given(scripts(least=2, most=6))
def test_chains_of_tags_and_hints(kind: str, saves: list[list[Op]]) -> None:
    check(kernel_of(kind), [diff_of(old, new) for old, new in pairwise(saves)], written(saves[0]))


@pytest.mark.parametrize("kind", BUILDS)
@given(st.lists(edited(), min_size=1, max_size=5), st.binary(max_size=2), st.integers(0, 10_000))
def test_chains_that_insert_delete_and_move(
    kind: str, saves: list[tuple[bytes, bytes]], damage: bytes, place: int
) -> None:
    """Forth and back; also with one of them damaged."""
    chain = [save for pair in saves for save in pair]
    diffs = [compact(old, new) for old, new in pairwise(chain)]
    assert kernel_of(kind).composed(diffs, chain[0], MAX_SAVE, MAX_COMMANDS) == (
        len(diffs),
        chain[-1],
        crc32(chain[-1]),
    )
    nth = place % len(diffs)
    at = place % len(diffs[nth])
    diffs[nth] = diffs[nth][:at] + damage + diffs[nth][at + 1 :]
    check(kernel_of(kind), diffs, chain[0])


def test_every_diff_of_every_pair(kernel: ModuleType) -> None:
    for pair in pairs():
        for diff in pair.diffs.values():
            check(kernel, [diff], pair.old)


def test_every_damaged_diff(kernel: ModuleType) -> None:
    for _, diff, base in mutated():
        check(kernel, [diff], base)


@pytest.mark.parametrize("path", SAMPLE_LOGS, ids=lambda path: path.stem)
def test_the_saves_of_real_games(kernel: ModuleType, path) -> None:
    log = Log(LogBytes(path.name, path.read_bytes()))
    backups = [*log.columns.backups, len(log.columns.save_lines)]
    for first, after in pairwise(backups):
        try:
            base, diffs = log.save(first), [log.payload(number) for number in range(first + 1, after)]
        except Damaged:
            continue
        while diffs:
            number, save, _ = kernel.composed(diffs, base, MAX_SAVE, 2000)
            base = save if number else apply(diffs[0], base)
            del diffs[: number or 1]
        assert base == log.save(after - 1)


def test_the_bounds(kernel: ModuleType) -> None:
    diffs = [diff_with([(COPY, 10, 0, b""), (SEEK, 10, 0, b""), (COPY, 10, 0, b"")])] * 3
    assert [kernel.composed(diffs, BASE, MAX_SAVE, commands)[0] for commands in (3, 4, 8, 11, 12)] == [0, 1, 2, 2, 3]
    assert [kernel.composed(diffs, BASE, most, MAX_COMMANDS)[0] for most in (19, 20)] == [0, 3]


def test_a_save_that_is_copied_twice_again_and_again_is_left_to_others(kernel: ModuleType) -> None:
    """Its first byte has more and more places in the last one."""
    chain = [bytes((7,)) * (1 << number) for number in range(kernel.MOST.bit_length() + 1)]
    diffs = [
        diff_with([(COPY, len(save), 0, b""), (SEEK, len(save), 0, b""), (COPY, len(save), 0, b"")]) for save in chain
    ]
    assert kernel.composed(diffs[:4], chain[0], MAX_SAVE, MAX_COMMANDS)[:2] == (4, bytes((7,)) * 16)
    assert kernel.composed(diffs, chain[0], MAX_SAVE, MAX_COMMANDS)[0] == 0
