"""How much is looked for: fewer ways where there are more edits, and never a diff of more commands than are read."""

import pytest

from nhlog.mdiff.align import Stretch
from nhlog.mdiff.choose import bounded, most_states, zeros_apart

MOST = 1 << 15  # edits, and stretches, of a diff


def edited(*starts: int, size: int = 1 << 20) -> list[Stretch]:
    """One stretch, with an edit of one byte at each of these places."""
    return [Stretch(0, size, 0, [(start, start + 1) for start in starts])]


@pytest.mark.parametrize(
    ("edits", "expected"), [(0, 8), (1, 8), (149, 8), (150, 7), (599, 2), (600, 1), (1200, 1), (5000, 1)]
)
def test_the_more_edits_the_fewer_states_are_continued_but_always_one(edits: int, expected: int) -> None:
    assert most_states(edited(*range(0, 2 * edits, 2))) == expected
    assert most_states([*edited(*range(edits)), Stretch(1 << 20, 1 << 21, 0, [])]) == expected, "over all stretches"


def test_as_many_edits_and_stretches_as_a_decoder_reads_are_left_as_they_are() -> None:
    edits = edited(*range(0, 2 * MOST, 2))
    assert bounded(edits, 1 << 20) == edits
    stretches = [Stretch(at, at + 1, 0, []) for at in range(MOST)]
    assert bounded(stretches, MOST) == stretches


def test_of_more_edits_those_are_joined_that_are_close_and_no_others() -> None:
    far, close = range(0, 600, 6), range(605, 605 + 4 * MOST, 4)  # five bytes between them, and three
    assert bounded(edited(*far, *close), 1 << 20) == [
        Stretch(0, 1 << 20, 0, [*((at, at + 1) for at in far), (605, close[-1] + 1)])
    ]


def test_edits_that_touch_are_joined_before_any_that_do_not() -> None:
    touching, apart = range(100), range(200, 200 + 2 * MOST - 2, 2)
    (stretch,) = bounded(edited(*touching, *apart), 1 << 20)
    assert stretch.edits == [(0, 100), *((at, at + 1) for at in apart)]


def test_more_stretches_are_one_edit_of_everything() -> None:
    assert bounded([Stretch(at, at + 1, 0, []) for at in range(MOST + 1)], 1 << 20) == [
        Stretch(0, 1 << 20, 0, [(0, 1 << 20)])
    ]


def test_zeros_in_an_edit_are_edits_of_their_own_where_they_are_worth_it() -> None:
    new = b"a" + bytes(4) + b"b" + bytes(5) + b"c" + bytes(7)
    (stretch,) = zeros_apart(new, [Stretch(0, len(new), 0, [(0, 12), (12, len(new))])])
    assert stretch.edits == [(0, 6), (6, 11), (11, 12), (12, 19)]
