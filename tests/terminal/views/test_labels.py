"""Names beside their owners: none over another, none over a sign; the nearest to the middle keep theirs."""

from hypothesis import given
from hypothesis import strategies as st

from nhlog.screen import PLAIN, Screen
from terminal.views.labels import BESIDE, OVER, Label, draw_labels

MIDDLE = (20, 8)


def drawn(labels: list[Label], corners=OVER, size: tuple[int, int] = (40, 16)) -> list[str]:  # type: ignore[no-untyped-def]
    screen = Screen(*size)
    draw_labels(screen, labels, corners, MIDDLE)
    return screen.text()


def names(*places: tuple[int, int], text: str = "name") -> list[Label]:
    """Names of letters of their own, so that each is found again."""
    return [Label(x, y, chr(ord("a") + n) * len(text), PLAIN) for n, (x, y) in enumerate(places)]


@given(st.lists(st.tuples(st.integers(-3, 43), st.integers(-3, 18)), max_size=20), st.sampled_from([OVER, BESIDE]))
def test_no_name_is_over_another_or_over_a_sign(places: list[tuple[int, int]], corners: object) -> None:
    rows = drawn(names(*places, text="a longer name"), corners)
    for x, y in places:
        assert not (0 <= x < 40 and 0 <= y < 16) or rows[y][x : x + 1] in ("", " ")
    for row in rows:
        for word in row.split():
            assert set(word.rstrip("…")) == {word[0]}  # of one name, with a blank before the next


def test_a_name_is_above_its_owner_else_below_and_short_before_it_is_left_out() -> None:
    assert drawn(names((20, 8)))[6].strip() == "aaaa"
    two = drawn(names((20, 8), (21, 8)))
    assert two[6].strip() == "aaaa"
    assert two[10].strip() == "bbbb"
    crowd = drawn(names(*((20 + n % 3, 7 + n // 3) for n in range(9))))
    assert sum("a" <= word[0] <= "i" for row in crowd for word in row.split()) >= 6


def test_the_farthest_is_left_out() -> None:
    rows = drawn(names((20, 8), (10, 8), (39, 8)), size=(40, 9), corners=OVER[:1])
    assert [word for row in rows for word in row.split()] == ["bbbb", "aaaa", "cccc"]
    crowded = drawn(names((22, 8), (20, 8)), corners=OVER[:1])
    assert [word for row in crowded for word in row.split()] == ["bbbb"]


def test_what_stands_beside_a_sign_is_not_covered() -> None:
    assert drawn([Label(20, 8, "name", PLAIN, beside=3)], BESIDE)[8] == " " * 25 + "name"
    assert drawn([Label(38, 8, "name", PLAIN, beside=1)], BESIDE)[8] == " " * 33 + "name"
