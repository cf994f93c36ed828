"""The kernel that compares saves, on both builds: it agrees with the comparison of blocks as numbers."""

from functools import cache
from itertools import groupby
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.mdiff import reference
from nhlog.mdiff.align import Saves, Shift
from nhlog.mdiff.prices import Deflated
from tests.kernels.builds import BUILDS, build
from tests.mdiff.cases import pairs
from tests.mdiff.edits import edited

SHIFTS = st.integers(-20, 20) | st.integers(-4000, 4000) | st.none()


@cache
def kernel_of(kind: str) -> ModuleType:
    return build("mdiff_align", kind)


def number(kernel: ModuleType, shift: Shift) -> int:
    fresh: int = kernel.FRESH
    return fresh if shift is None else shift


def runs_one_by_one(new: bytes, old: bytes) -> list[int]:
    equal = [at < len(old) and byte == old[at] for at, byte in enumerate(new)]
    lengths = [len(list(group)) for _, group in groupby(equal)]
    return [0, *lengths] if equal and not equal[0] else lengths


def stripped(lengths: list[int]) -> list[int]:
    """Without the run of no bytes that a list may end with, or consist of."""
    return lengths if lengths != [0] else []


@pytest.mark.parametrize("kind", BUILDS)
@given(edited(), st.integers(0, 100))
def test_runs_are_of_equal_and_of_different_bytes(kind: str, saves: tuple[bytes, bytes], cut: int) -> None:
    old, new = saves
    old = old[: max(len(new) - cut, 0)]
    expected = runs_one_by_one(new, old)
    assert stripped(kernel_of(kind).runs(new, old)) == expected
    assert stripped(reference._runs(new, old)) == expected


@pytest.mark.parametrize("kind", BUILDS)
@given(edited(), st.integers(0, 3000), st.integers(0, 3000), SHIFTS)
def test_edits_and_prices(kind: str, saves: tuple[bytes, bytes], start: int, size: int, shift: Shift) -> None:
    kernel = kernel_of(kind)
    base, new = saves
    start = min(start, len(new))
    stop = min(start + size, len(new))
    plain = Saves(base, new)
    edits = kernel.edits(base, new, start, stop, number(kernel, shift))
    assert edits == list(plain.edits(start, stop, shift))
    price = kernel.price(base, new, start, stop, number(kernel, shift))
    assert price == sum(last - first + kernel.EDIT for first, last in edits)
    if shift is not None:
        assert price == plain.price(start, stop, shift)


@pytest.mark.parametrize("kind", BUILDS)
@given(edited(), st.integers(0, 3000), st.integers(0, 64), SHIFTS, SHIFTS)
def test_cuts(kind: str, saves: tuple[bytes, bytes], low: int, size: int, before: Shift, after: Shift) -> None:
    kernel = kernel_of(kind)
    base, new = saves
    low = min(low, len(new))
    high = min(low + size, len(new))
    found = kernel.cut(base, new, low, high, number(kernel, before), number(kernel, after))
    assert found == Saves(base, new).cut(low, high, before, after)


def turns(kernel: ModuleType, base: bytes, new: bytes, turn: float, deflated: bool) -> list[tuple[int, Shift]]:
    found = kernel.turns(base, new, turn, Deflated() if deflated else len, {})
    return [(at, None if shift == kernel.FRESH else shift) for at, shift in found]


@pytest.mark.parametrize("kind", BUILDS)
@given(edited(), st.sampled_from([1.0, 5.0, 40.0]), st.booleans())
def test_turns(kind: str, saves: tuple[bytes, bytes], turn: float, deflated: bool) -> None:
    expected = Saves(*saves).turns(turn, Deflated() if deflated else len)
    assert turns(kernel_of(kind), *saves, turn, deflated) == expected


@pytest.mark.parametrize("kind", BUILDS)
def test_turns_of_every_pair(kind: str) -> None:
    for pair in pairs():
        expected = Saves(pair.old, pair.new).turns(40.0, Deflated())
        assert turns(kernel_of(kind), pair.old, pair.new, 40.0, True) == expected, pair.name


@pytest.mark.parametrize("kind", BUILDS)
def test_the_index_is_filled_once_and_has_the_first_place_of_a_key(kind: str) -> None:
    kernel = kernel_of(kind)
    base = bytes(range(64)) * 3
    index: dict[bytes, int] = {}
    assert kernel.places(base, b"x" + base[:31], 0, index) == [-1, -1]  # two keys
    assert index[base[:16]] == 0
    assert len(index) == 8
    index.clear()
    index[base[:16]] = 7
    assert kernel.places(base, base[:32], 0, index) == [7]
