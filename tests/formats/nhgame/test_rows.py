"""Where rows end: what one pass over the kinds of all lines tells, however long the log and whatever is asked for."""

import random
import re
from bisect import bisect_left
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.formats.nhgame import rows
from nhlog.formats.nhgame.rows import HighestTurns, RowEnds

# A row is the end of the game, a save, or a line with those after it up to a save or the line before a command or end.
ROW = re.compile(rb"Q|[*~]|[^Q*~][^a-zQ*~]*[*~]?", re.DOTALL)

KINDS = st.lists(st.sampled_from(b"az+DQ*~\0\n"), max_size=60).map(bytes)


def ends_of(kinds: bytes) -> list[int]:
    return [row.end() - 1 for row in ROW.finditer(kinds)]


@pytest.fixture(autouse=True, scope="module")
def small_chunks() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "_CHUNK", 8)
        patch.setattr(rows, "_KEPT", 2)
        yield


@given(KINDS)
def test_rows_end_where_one_pass_tells(kinds: bytes) -> None:
    ends = RowEnds(bytearray(kinds))
    assert list(ends) == ends_of(kinds)
    assert len(ends) == len(ends_of(kinds))


@given(st.lists(KINDS, max_size=6))
def test_what_was_known_stays_as_it_was_while_the_log_grows(parts: list[bytes]) -> None:
    kinds = bytearray()
    known = [RowEnds(kinds)]
    for part in parts:
        kinds += part
        known.append(RowEnds(kinds, known[-1]))
    for ends, whole in zip(known, accumulate(parts, initial=b""), strict=True):
        assert list(ends) == ends_of(whole)


def test_any_row_can_be_asked_for() -> None:
    kinds = bytes(random.Random(1).choices(b"a+D~*Q", k=500))
    ends, expected = RowEnds(bytearray(kinds)), ends_of(kinds)
    assert [ends[row] for row in (-1, 0, 3, -len(expected))] == [expected[row] for row in (-1, 0, 3, 0)]
    assert ends[5:40:7] == expected[5:40:7]
    assert all([*ends.onwards(row)] == expected[row:] for row in range(len(expected) + 1))
    assert [bisect_left(ends, line) for line in range(500)] == [bisect_left(expected, line) for line in range(500)]
    assert [ends.before(line) for line in range(-2, 502)] == [bisect_left(expected, line) for line in range(-2, 502)]
    for row in (len(expected), -len(expected) - 1):
        with pytest.raises(IndexError):
            ends[row]


def test_the_highest_turn_of_a_long_log_may_be_its_first() -> None:
    turns = [9000, *range(2000), 9500, *range(3000)]
    expected = list(accumulate(turns, max))
    for saves in (range(len(turns)), reversed(range(len(turns))), (len(turns) - 1, 0, 256, 255, 2500)):
        highest = HighestTurns(turns)
        for save in saves:
            assert highest.upto(save) == expected[save]
    growing: list[int] = []
    highest = HighestTurns(growing)
    assert highest.upto(-1) == 0
    for save, turn in enumerate(turns):
        growing.append(turn)
        assert highest.upto(save) == expected[save]


@given(st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=2000), st.randoms())
def test_the_highest_turn_never_falls(turns: list[int], chance: random.Random) -> None:
    known: list[int] = []
    highest = HighestTurns(known)
    expected = list(accumulate(turns, max))
    assert highest.upto(-1) == 0
    while len(known) < len(turns):
        known += turns[len(known) : len(known) + chance.randrange(1, 600)]
        save = chance.randrange(len(known))
        assert highest.upto(save) == expected[save]
