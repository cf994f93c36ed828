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


@pytest.mark.parametrize("size", SIZES)
def test_bytes_behind_a_change_and_before_it_are_passed_however_many_they_are(kernel: ModuleType, size: int) -> None:
    before, after = b"old" + bytes(size), b"new" + bytes(size)
    assert kernel.replaced(crc32(before), before, [0], [3], [b"new"]) == crc32(after)
    before, after = bytes(size) + b"old", bytes(size) + b"new"
    assert kernel.replaced(crc32(before), bytearray(before), [size], [size + 3], [b"new"]) == crc32(after)


@pytest.mark.parametrize("kind", BUILDS)
@given(st.binary(max_size=2000), st.lists(st.integers(0, 2000), max_size=12), st.randoms(use_true_random=False))
def test_any_ranges_replaced(kind: str, before: bytes, cuts: list[int], chance) -> None:
    cuts = sorted(min(cut, len(before)) for cut in cuts)
    ranges = list(pairwise(cuts))[::2]
    after = bytearray(before)
    pieces = [chance.randbytes(end - start) for start, end in ranges]
    for (start, end), piece in zip(ranges, pieces, strict=True):
        after[start:end] = piece
    starts, ends = [start for start, _ in ranges], [end for _, end in ranges]
    assert kernel_of(kind).replaced(crc32(before), before, starts, ends, pieces) == crc32(after)


@pytest.mark.parametrize("piece", [b"", b"12", b"1234"])
def test_it_is_not_known_where_bytes_move(kernel: ModuleType, piece: bytes) -> None:
    assert kernel.replaced(crc32(b"abcdefgh"), b"abcdefgh", [2], [5], [piece]) == kernel.UNKNOWN


def test_nothing_replaced_is_the_same_crc(kernel: ModuleType) -> None:
    assert kernel.replaced(crc32(b"abc"), b"abc", [], [], []) == crc32(b"abc")
