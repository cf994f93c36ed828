"""The kernel that makes a CRC-32 from that of the bytes before a change, on both builds: zlib is the second opinion."""

from functools import cache
from itertools import pairwise
from types import ModuleType
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.builds import BUILDS, build

SIZES = [0, 1, 2, 15, 16, 23, 24, 25, 26, 255, 256, 257, 4095, 4096, 65535, 65536, 65537, 1 << 20, (1 << 20) + 1]


@cache
def kernel_of(kind: str) -> ModuleType:
    return build("checksum", kind)


@pytest.fixture(params=BUILDS)
def kernel(request: pytest.FixtureRequest) -> ModuleType:
    return kernel_of(request.param)


def after(kernel: ModuleType, before: bytes, data: bytes, ranges: list[tuple[int, int]]) -> int:
    """The CRC-32 of `data`, from that of the bytes before, which differ in these ranges only."""
    changed = at = 0
    for start, end in ranges:
        changed = kernel.differing(kernel.passing(changed, start - at), before, data, start, end)
        at = end
    return crc32(before) ^ kernel.passing(changed, len(data) - at)


@pytest.mark.parametrize("size", SIZES)
def test_bytes_behind_a_change_and_before_it_are_passed_however_many_they_are(kernel: ModuleType, size: int) -> None:
    before, data = b"old" + bytes(size), b"new" + bytes(size)
    assert after(kernel, before, data, [(0, 3)]) == crc32(data)
    before, data = bytes(size) + b"old", bytes(size) + b"new"
    assert after(kernel, before, data, [(size, size + 3)]) == crc32(data)


@pytest.mark.parametrize("kind", BUILDS)
@given(st.binary(max_size=2000), st.lists(st.integers(0, 2000), max_size=12), st.randoms(use_true_random=False))
def test_any_ranges_that_differ(kind: str, before: bytes, cuts: list[int], chance) -> None:
    cuts = sorted(min(cut, len(before)) for cut in cuts)
    ranges = list(pairwise(cuts))[::2]
    data = bytearray(before)
    for start, end in ranges:
        data[start:end] = chance.randbytes(end - start)
    assert after(kernel_of(kind), before, bytes(data), ranges) == crc32(data)


def test_where_nothing_differs_the_crc_is_the_same(kernel: ModuleType) -> None:
    assert after(kernel, b"abc", b"abc", []) == crc32(b"abc")
