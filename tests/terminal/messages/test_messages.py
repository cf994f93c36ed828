"""Messages on the screen: none is lost, whatever their length and the screen's; the list goes back to the first."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.replay import Told
from nhlog.screen import width_of
from terminal.messages.history import History, draw_history
from terminal.messages.rows import MORE, packed, pages

WORDS = st.lists(st.text(st.sampled_from("ab世é"), min_size=1, max_size=30), min_size=1, max_size=12).map(" ".join)
TOLD = [Told(3 * number, 1 + number // 2, f"message {number}") for number in range(500)]


@given(st.lists(WORDS, max_size=9), st.integers(2, 90))
def test_rows_have_every_word_and_are_not_too_wide(told: list[str], width: int) -> None:
    rows = packed(told, width)
    assert all(width_of(row) <= width for row in rows)
    assert "".join(rows).replace(" ", "") == "".join(told).replace(" ", "")


@given(st.lists(WORDS, max_size=30), st.integers(20, 90))
def test_pages_have_every_word_and_all_but_the_last_say_that_there_is_more(told: list[str], width: int) -> None:
    found = pages(told, width)
    assert all(page[-1].endswith(f" {MORE}") for page in found[:-1])
    assert not any(MORE in row for row in found[-1])
    assert all(len(page) <= 3 and width_of(row) <= width for page in found for row in page)
    words = "".join(row.removesuffix(f" {MORE}") for page in found for row in page)
    assert words.replace(" ", "") == "".join(told).replace(" ", "")


def test_few_words_are_one_page_and_none_are_an_empty_one() -> None:
    assert pages(["You see here an apple.", "It is red."], 80) == [["You see here an apple.  It is red."]]
    assert pages([], 80) == [[]]


def pieces(count: int = 500, each: int = 7) -> Iterator[Sequence[Told]]:
    """So many messages, the latest pieces first."""
    told = TOLD[:count]
    for last in range(count, 0, -each):
        yield told[max(last - each, 0) : last]
        yield []


def opened(count: int = 500) -> History:
    history = History(pieces(count))
    while history.work():
        pass
    return history


def rows(history: History, width: int = 60, height: int = 12) -> list[str]:
    return draw_history(history, width, height).text()


def typed(history: History, *keys: str) -> None:
    for key in keys:
        history.press(key)
        while history.work():
            pass


def test_the_latest_message_stands_at_the_bottom_beside_its_turn() -> None:
    shown = rows(opened(), height=5)
    assert [row.split() for row in shown[:4]] == [
        ["T:249", "message", "496"],
        ["message", "497"],
        ["T:250", "message", "498"],
        ["message", "499"],
    ]
    assert "Esc leaves" in rows(opened(), width=90)[-1]


def test_only_what_a_screen_needs_is_read_before_somebody_scrolls() -> None:
    history = opened()
    assert 100 <= len(history.told) < 120
    typed(history, "page-up", "up")
    assert history.below == 11
    assert "message 488" in rows(history)[-2]
    typed(history, "end")
    assert history.below == 0


def test_home_is_the_first_message_of_all() -> None:
    history = opened()
    typed(history, "g")
    assert len(history.told) == 500
    assert rows(history)[-2].split() == ["T:1", "message", "0"]
    typed(history, "down", "G")
    assert "message 499" in rows(history)[-2]


def test_a_search_goes_back_to_the_next_match_and_on_again() -> None:
    history = opened()
    typed(history, "/", *"AGE 1", "enter")
    assert "not found" in history.note
    typed(history, "/", *"age .00", "enter")
    assert "message 400" in rows(history)[-2]
    typed(history, "n", "n")
    assert "message 200" in rows(history)[-2]
    typed(history, "N")
    assert "message 300" in rows(history)[-2]
    typed(history, "/", "(", "enter")
    assert "not a regular expression" in history.note


def test_any_key_ends_a_search_that_takes_long() -> None:
    history = opened()
    history.press("/")
    history.press("Q")
    history.press("enter")
    assert "any key" in rows(history)[-1]
    history.press("down")
    assert not history.work()
    assert len(history.told) < 200


@pytest.mark.parametrize("key", ["escape", "q", "enter", " ", "ctrl-p"])
def test_it_is_left_with_each_key_that_says_so(key: str) -> None:
    history = opened()
    history.press(key)
    assert history.done


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (20, 5), (80, 24), (200, 60)])
@pytest.mark.parametrize("count", [0, 1, 500])
def test_every_size_can_be_drawn(size: tuple[int, int], count: int) -> None:
    screen = draw_history(opened(count), *size)
    assert (screen.width, screen.height) == size


@pytest.mark.parametrize("width", [30, 40, 60, 80, 120])
def test_the_hints_are_whole_and_the_way_out_is_among_them(width: int) -> None:
    (last,) = rows(opened(), width)[-1:]
    assert last.startswith(" Esc leaves")
    assert set(last.strip().split(", ")) <= {
        "Esc leaves",
        "Up Down PgUp PgDn scroll",
        "/ searches",
        "n N again",
        "g G first and last",
    }
