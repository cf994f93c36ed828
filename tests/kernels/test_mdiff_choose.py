"""The kernel that chooses commands, on both builds: its diffs are byte for byte those of the search in plain Python."""

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.mdiff import apply, compact
from nhlog.mdiff.align import Saves, Stretch, align
from nhlog.mdiff.choose import choose, zeros_apart
from nhlog.mdiff.explain import commands
from nhlog.mdiff.prices import BYTES, Frequencies, Tariff
from nhlog.mdiff.table import COORD_UNIT
from tests.kernels.builds import BUILDS, build
from tests.mdiff.cases import pairs
from tests.mdiff.edits import edited


def kernel_of(kind: str) -> ModuleType:
    return build("mdiff_choose", kind)


def chosen(kind: str, base: bytes, new: bytes, stretches: list[Stretch], tariff: Tariff) -> bytes:
    """The diff by the kernel of one build."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compact, "mdiff_choose", kernel_of(kind))
        return compact.choose_by_kernel(base, new, stretches, tariff)


@pytest.mark.parametrize("kind", BUILDS)
@given(edited(), st.sampled_from([1.0, 5.0, 40.0]))
def test_the_diff_is_that_of_the_other_search(kind: str, saves: tuple[bytes, bytes], turn: float) -> None:
    base, new = saves
    stretches = align(Saves(base, new), turn)
    apart = zeros_apart(new, stretches)
    diff = chosen(kind, base, new, apart, BYTES)
    assert diff == choose(base, new, apart, BYTES)
    assert apply(diff, base) == new
    frequent = chosen(kind, base, new, stretches, Frequencies(diff))
    assert frequent == choose(base, new, stretches, Frequencies(diff))
    assert apply(frequent, base) == new


@pytest.mark.parametrize("kind", BUILDS)
def test_every_pair(kind: str) -> None:
    for pair in pairs():
        stretches = align(compact.KernelSaves(pair.old, pair.new), 5.0)
        diff = chosen(kind, pair.old, pair.new, stretches, BYTES)
        assert diff == choose(pair.old, pair.new, stretches, BYTES), pair.name
        frequencies = Frequencies(diff)
        assert chosen(kind, pair.old, pair.new, stretches, frequencies) == choose(
            pair.old, pair.new, stretches, frequencies
        ), pair.name


@pytest.mark.parametrize("kind", BUILDS)
def test_a_coordinate_may_be_counted_from_the_beginning(kind: str) -> None:
    base = b"\7" * 400
    new = base[: 2 * COORD_UNIT] + b"\6\6" + base[2 * COORD_UNIT + 2 :]
    stretches = align(Saves(base, new), 5.0)
    diff = chosen(kind, base, new, stretches, BYTES)
    assert diff == choose(base, new, stretches, BYTES)
    assert [command.name for command in commands(diff)] == ["coord", "eof_crc32"]


@pytest.mark.parametrize("kind", BUILDS)
def test_long_copies_have_wider_prefixes_at_the_same_price(kind: str) -> None:
    base = bytes(300_000)
    new = base[:290_000] + b"\1\2\3" + base[290_003:]
    for size in 290_000, 600_000:
        base, new = base + bytes(size), new + bytes(size)
        stretches = align(Saves(base, new), 5.0)
        diff = chosen(kind, base, new, stretches, BYTES)
        assert diff == choose(base, new, stretches, BYTES)
        assert apply(diff, base) == new
