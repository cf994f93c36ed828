"""Hostile diffs: one kind of error, soon, and little memory."""

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.mdiff import MAX_SAVE, MdiffError, Rebuild, apply, head
from nhlog.mdiff.errors import MAX_COMMANDS
from nhlog.mdiff.explain import commands
from nhlog.mdiff.table import BETA2, BETA3, COORD, COPY, COPYEDIT, EDIT, EOF, ERASE, ORDER, SEEK, encode
from tests.mdiff.cases import Op, diff_of, scripts, written

BASE = bytes(range(256)) * 4
BEHIND = bytes(1000)
"""What follows a command, as if it were its data."""


@contextmanager
def little_memory() -> Iterator[None]:
    """Fails if more than a megabyte is in use at a time."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def apply_in_place(diff: bytes, base: bytes) -> bytes:
    rebuild = Rebuild(base)
    rebuild.apply(diff)
    return rebuild.save()


@pytest.mark.parametrize("decode", [apply, apply_in_place])
@pytest.mark.parametrize(
    "diff",
    [
        BETA3 + encode(ORDER, COPY, 1 << 40)[0] + BEHIND,
        BETA3 + encode(ORDER, COPYEDIT, 1 << 31)[0] + BEHIND,
        BETA3 + encode(ORDER, COORD, 1 << 40)[0] + BEHIND,
        BETA3 + encode(ORDER, ERASE, 1 << 50, 7)[0] + BEHIND,
        BETA3 + encode(ORDER, EDIT, 1 << 50)[0] + BEHIND,
        BETA2 + b"\x81\xff\xff\xff" * 1000,  # copy 32 MB
        BETA2 + b"\xbf\xff\xff\xff" + BEHIND,  # edit 512 MB
        b"\xff\xff" * 1000,  # copy 16 kB
    ],
)
def test_what_is_not_there_is_not_allocated(diff: bytes, decode: Callable[[bytes, bytes], bytes]) -> None:
    with little_memory(), pytest.raises(MdiffError):
        decode(diff, BASE)


def repeated(times: int, size: int) -> bytes:
    """A diff that copies the first `size` bytes of its base so many times."""
    diff, order = BETA3, ORDER
    for _ in range(times):
        for command, arg1 in (COPY, size), (SEEK, size):
            code, order = encode(order, command, arg1)
            diff += code
    return diff + encode(order, EOF, 0)[0]


@pytest.mark.parametrize("decode", [apply, apply_in_place])
def test_no_save_is_larger_than_the_bound(decode: Callable[[bytes, bytes], bytes]) -> None:
    base = BASE * 1024
    assert len(decode(repeated(MAX_SAVE // len(base), len(base)), base)) == MAX_SAVE
    with pytest.raises(MdiffError, match=f"too large a save: expected at most {MAX_SAVE} bytes"):
        decode(repeated(MAX_SAVE // len(base) + 1, len(base)), base)


@pytest.mark.parametrize(
    ("start", "command"),
    [
        (b"", b"\0\xc0"),  # beta1: copy 0
        (BETA2, b"\xe0\x01"),  # seek 1
        (BETA3 + b"\x90\x01", b"\x08\0"),  # seek 1, then copyedit 0 of one byte
    ],
)
def test_more_commands_than_the_bound_are_refused(start: bytes, command: bytes) -> None:
    diff = start + command * (MAX_COMMANDS + 1)
    with pytest.raises(MdiffError, match=f"more than {MAX_COMMANDS} commands"):
        for _ in commands(diff):
            pass


def test_a_megabyte_of_wider_prefixes_is_refused_at_once() -> None:
    diff = BETA3 + b"\xa0" + bytes(1 << 20)
    with little_memory(), pytest.raises(MdiffError, match="offset 2: diff has more than 8 wider prefixes"):
        apply(diff, BASE)


def check(diff: bytes, base: bytes) -> None:
    """All ways to read a diff agree on it; none fails but with MdiffError, and then nothing has changed."""
    try:
        save = apply(diff, base)
    except MdiffError:
        with suppress(MdiffError):
            head(diff, base, 100)
        with suppress(MdiffError):
            list(commands(diff))
        rebuild = Rebuild(base)
        try:
            rebuild.apply(diff)
        except MdiffError:
            assert rebuild.save() == base
        else:
            with pytest.raises(MdiffError, match="wrong CRC-32"):
                rebuild.save()
    else:
        assert apply_in_place(diff, base) == save
        assert head(diff, base, 100) == save[:100]
        list(commands(diff))


@given(st.sampled_from([b"", BETA2, BETA3]), st.binary(max_size=60))
def test_random_diffs(start: bytes, rest: bytes) -> None:
    check(start + rest, BASE)


@given(scripts(), st.data())
def test_damaged_diffs(saves: list[list[Op]], data: st.DataObject) -> None:
    old, new = saves
    diff = bytearray(diff_of(old, new))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(diff)))
        diff[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2))
    check(bytes(diff), written(old))


@given(scripts(), st.integers(0, 400))
def test_a_cut_beta3_diff_is_never_taken_for_a_whole_one(saves: list[list[Op]], at: int) -> None:
    old, new = saves
    diff = diff_of(old, new)
    if len(BETA3) <= at < len(diff):
        with pytest.raises(MdiffError):
            apply(diff[:at], written(old))
