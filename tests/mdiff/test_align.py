"""Where the aligner finds the bytes of an old save in a new one."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.mdiff.align import Saves, Stretch, align
from tests.mdiff.edits import edited

SEEK = 5.0
RANDOM = Random(1)
OLD = RANDOM.randbytes(4000)
FRESH = RANDOM.randbytes(300)
UNRELATED = RANDOM.randbytes(4000)


def found(base: bytes, new: bytes) -> list[Stretch]:
    return align(Saves(base, new), SEEK)


@given(edited(), st.sampled_from([1.0, SEEK, 40.0]))
def test_stretches_cover_the_new_save_and_equal_the_base_outside_of_edits(
    saves: tuple[bytes, bytes], turn: float
) -> None:
    base, new = saves
    at = 0
    for start, stop, shift, edits in align(Saves(base, new), turn):
        assert start == at
        assert start < stop or not new
        for first, last in [*edits, (stop, stop)]:
            assert at == first or base[max(at + shift, 0) : max(first + shift, 0)] == new[at:first]
            assert first < last or first == last == stop
            at = last
    assert at == len(new)


def test_a_few_edits_are_left_in_place() -> None:
    new = bytearray(OLD)
    new[100:103] = b"abc"
    new[1023:1025] = b"de"
    new[-1:] = b"f"
    assert found(OLD, bytes(new)) == [Stretch(0, 4000, 0, [(100, 103), (1023, 1025), (3999, 4000)])]


def test_an_insertion_is_found() -> None:
    assert found(OLD, OLD[:1000] + FRESH + OLD[1000:]) == [
        Stretch(0, 1300, 0, [(1000, 1300)]),
        Stretch(1300, 4300, -300, []),
    ]


def test_a_deletion_is_found() -> None:
    assert found(OLD, OLD[:1000] + OLD[1100:]) == [Stretch(0, 1000, 0, []), Stretch(1000, 3900, 100, [])]


def test_a_move_is_found() -> None:
    assert found(OLD, OLD[1000:1200] + OLD[:1000] + OLD[1200:]) == [
        Stretch(0, 200, 1000, []),
        Stretch(200, 1200, -200, []),
        Stretch(1200, 4000, 0, []),
    ]


def test_a_record_that_moved_and_changed_is_found() -> None:
    record = bytearray(OLD[1000:1085])
    record[40] ^= 1
    assert found(OLD, OLD[:3000] + record + OLD[3000:])[1] == Stretch(3000, 3085, -2000, [(3040, 3041)])


def test_what_is_of_no_base_is_one_edit() -> None:
    assert found(OLD, UNRELATED) == [Stretch(0, 4000, 0, [(0, 4000)])]
    assert found(b"", UNRELATED) == [Stretch(0, 4000, 0, [(0, 4000)])]


def test_an_empty_save_is_one_empty_stretch() -> None:
    assert found(OLD, b"") == [Stretch(0, 0, 0, [])]


def test_a_dear_turn_is_not_taken_for_a_short_match() -> None:
    new = OLD[:2000] + OLD[500:560] + OLD[2060:]
    assert [stretch.shift for stretch in align(Saves(OLD, new), SEEK)] == [0, -1500, 0]
    assert [stretch.shift for stretch in align(Saves(OLD, new), 100.0)] == [0]


def test_fresh_bytes_are_preferred_to_many_edits_if_they_are_cheap() -> None:
    piece = bytearray(OLD[500:900])
    piece[::25] = bytes(16)
    new = OLD[:2000] + piece + OLD[2000:]
    asked = []

    def cheap(block: bytes) -> float:
        asked.append(block)
        return len(block) / 32

    assert [stretch.shift for stretch in align(Saves(OLD, new), SEEK)] == [0, -1500, -400]
    assert align(Saves(OLD, new), SEEK, cheap) == [
        Stretch(0, 2400, 0, [(2000, 2400)]),
        Stretch(2400, 4400, -400, []),
    ]
    assert b"".join(asked) in new


@pytest.mark.parametrize(
    "saves",
    [
        (RANDOM.randbytes(1 << 18), RANDOM.randbytes(1 << 18)),
        (bytes(1 << 18), b"\1" * (1 << 18)),
        (bytes(RANDOM.choices(b"\0\0\0\1", k=1 << 18)), bytes(RANDOM.choices(b"\0\0\0\1", k=1 << 18))),
        (OLD * 65, OLD[::-1] * 65),
    ],
    ids=["random", "constant", "nearly constant", "periodic"],
)
def test_the_work_is_bounded_by_the_size(monkeypatch: pytest.MonkeyPatch, saves: tuple[bytes, bytes]) -> None:
    blocks = 0
    price = Saves.price

    def counted(self: Saves, start: int, stop: int, shift: int) -> float:
        nonlocal blocks
        blocks += 1
        return price(self, start, stop, shift)

    monkeypatch.setattr(Saves, "price", counted)
    align(Saves(*saves), SEEK)
    assert blocks < len(saves[1])
