"""The kernel that writes diffs, on both builds: the bytes of commands, and the reference encoder over it."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.mdiff import reference
from nhlog.mdiff.table import (
    CODES,
    COORD_UNIT,
    COPYEDIT1,
    DIRECTIONS,
    EOF,
    EOF_CRC32,
    FORMS,
    ORDER,
    RLE,
    SEEK,
    WIDER,
    encode,
    size,
    to_front,
)
from tests.kernels.builds import BUILDS, build
from tests.mdiff.cases import Op, diff_of, pairs, play, scripts, vector_script, vectors, written
from tests.mdiff.second_reference import Encoder as SecondEncoder

USED = sorted(set(ORDER) - {WIDER, EOF, EOF_CRC32, RLE})
NUMBERS = st.integers(0, 40) | st.integers(0, 1 << 30) | st.builds(lambda bits: (1 << bits) - 1, st.integers(0, 30))


@cache
def kernel_of(kind: str) -> ModuleType:
    return build("mdiff_encode", kind)


@contextmanager
def encoding_with(kind: str) -> Iterator[None]:
    """The reference encoder takes its kernels of one build."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference, "kernel", kernel_of(kind))
        patch.setattr(reference, "runs", build("mdiff_align", kind).runs)
        yield


def order_of(kernel: ModuleType, places: int) -> bytes:
    """The order of the commands that a kernel's places are."""
    return bytes(sorted(range(10), key=lambda command: places >> 5 * command & 31)) + bytes((EOF_CRC32, RLE))


@pytest.mark.parametrize("kind", BUILDS)
def test_the_tables_are_those_of_the_format(kind: str) -> None:
    kernel = kernel_of(kind)
    assert list(zip(kernel.LEAST, kernel.ARG2, strict=True)) == [(form.arg1, form.arg2) for form in FORMS]
    assert list(zip(kernel.CODES, kernel.BITS, strict=True)) == list(CODES)
    assert kernel.UNIT == COORD_UNIT
    assert order_of(kernel, kernel.PLACES) == ORDER
    found = {}
    for dx in range(256):
        for dy in range(256):
            direction = kernel.step(dx, dy)
            if direction != kernel.NO_STEP:
                found[bytes((dx, dy)) if dy else bytes((dx,))] = direction
    assert found == {deltas: arg2 for arg2, deltas in enumerate(DIRECTIONS)}


@pytest.mark.parametrize("kind", BUILDS)
@given(st.lists(st.tuples(st.sampled_from(USED), NUMBERS, st.booleans(), st.integers(0, 7)), max_size=30), NUMBERS)
def test_commands_are_written_as_by_the_table(kind: str, commands: list[tuple[int, int, bool, int]], last: int) -> None:
    kernel = kernel_of(kind)
    out, places = bytearray(), kernel.PLACES
    expected, order = b"", ORDER
    for command, number, negative, choice in commands:
        arg1 = -number if command == SEEK and negative else number
        arg2 = choice & (1 << FORMS[command].arg2) - 1
        assert kernel.size(places, command, arg1) == size(order, command, arg1)
        assert order_of(kernel, kernel.first(places, command)) == to_front(order, command)
        code, order = encode(order, command, arg1, arg2)
        places = kernel.write(out, places, command, arg1, arg2)
        expected += code
        assert (bytes(out), order_of(kernel, places)) == (expected, order)
    kernel.write(out, places, EOF_CRC32, last, 0xFEDCBA98)
    assert out == expected + encode(order, EOF_CRC32, last, 0xFEDCBA98)[0]


@pytest.mark.parametrize("kind", BUILDS)
def test_every_vector_and_every_pair_encodes_as_in_c(kind: str) -> None:
    with encoding_with(kind):
        for vector in vectors("encode"):
            diff = diff_of(vector_script(vector["base_ops"]), vector_script(vector["new_ops"]))
            assert diff.hex() == vector["beta3"], vector["name"]
        for pair in pairs():
            assert reference.encode(pair.old, pair.new) == pair.diffs["beta3-nohints"], pair.name
            if pair.scripts is not None:
                assert diff_of(*pair.scripts) == pair.diffs["beta3-hints"], pair.name


def second_diff(old: list[Op], new: list[Op]) -> bytes:
    base = SecondEncoder(b"", {})
    play(base, old)
    encoder = SecondEncoder(written(old), base.tags)
    play(encoder, new)
    return encoder.finish()


@pytest.mark.parametrize("kind", BUILDS)
@given(scripts())
def test_with_any_tags_and_hints_the_diff_is_that_of_the_second_encoder(kind: str, saves: list[list[Op]]) -> None:
    with encoding_with(kind):
        assert diff_of(*saves) == second_diff(*saves)


@pytest.mark.parametrize("kind", BUILDS)
def test_a_copyedit1_is_not_charged_for_its_data(kind: str) -> None:
    """A mistake of the C code: so it is taken rather than a copyedit that is as long in all."""
    kernel = kernel_of(kind)
    out = bytearray()
    kernel.flush(out, b"_", 1, b"hello world", 6, 5, 1, 6, -2, kernel.PLACES, 0)
    assert out == encode(ORDER, COPYEDIT1, 5)[0] + b"_"


@pytest.mark.parametrize("kind", BUILDS)
def test_runs_may_be_longer_than_what_is_compared_at_once(kind: str) -> None:
    base = bytes(reference._CHUNK * 2 + 100)
    new = bytearray(base)
    new[reference._CHUNK - 9 : reference._CHUNK + 9] = b"x" * 18
    new[-103:-97] = b"yy\0\0\1\0"
    second = SecondEncoder(base, {})
    second.write(new)
    with encoding_with(kind):
        assert reference.encode(base, bytes(new)) == second.finish()
