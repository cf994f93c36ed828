"""What is drawn: whole screens as text, and what text alone does not show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.testing.fakes import FakeRecording, Happening
from nhlog.timeline import Marker
from terminal.replay.controls import KEYS, Controls
from terminal.replay.drawing.bar import draw_bar, draw_scale
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.drawing.help import draw_help
from terminal.replay.menu import MENU_KEYS, Menu
from terminal.replay.player import Player
from terminal.screen import theme
from terminal.views import view_of
from tests.terminal.replay.drawn import CASES, FOLDER, HOSTILE, FakeLog, drawn_frame


@pytest.mark.parametrize("name", CASES)
def test_a_screen_looks_as_it_was_drawn(name: str) -> None:
    assert CASES[name]().text() == (FOLDER / f"{name}.txt").read_text().removesuffix("\n").split("\n")


def test_every_drawing_has_a_case() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(CASES)


def rows(count: int = 30) -> FakeLog:
    return FakeLog([Happening(f"moves {n}", 1.0, n) for n in range(count)])


def test_the_row_where_one_stands_differs_from_what_was_and_what_will_be() -> None:
    screen = drawn_frame(rows(5), "...", 80, 24)
    styles = {screen.text()[y][30:37]: screen.style_at(30, y) for y in range(2, 7)}
    assert styles["moves 1"].fg is None
    assert styles["moves 2"] == theme.HERE
    assert styles["moves 3"] == styles["moves 4"] == theme.FUTURE


def test_every_style_of_a_meaning_survives_the_loss_of_colour() -> None:
    for style in (theme.HERE, theme.TITLE, theme.CURSOR):
        assert style.reduced(0).reverse
    for style in (theme.ALARM, theme.KEY, theme.GOOD, theme.PLAYED):
        assert style.reduced(0).bold


@given(st.integers(0, 210), st.integers(0, 70), st.text("h. o?/5G%Flt{r", max_size=4), st.integers(1, 4))
def test_no_size_is_too_strange(width: int, height: int, keys: str, count: int) -> None:
    for replay in (rows(count), FakeRecording([Happening(HOSTILE, 9e12, 10**30)] * count, title=HOSTILE)):
        screen = drawn_frame(replay, keys, width, height)
        assert (screen.width, screen.height) == (width, height)


def test_nothing_at_all_can_be_shown() -> None:
    class Empty(FakeRecording):
        def events(self, first: int, last: int):  # type: ignore[no-untyped-def]
            return iter(())

    assert "nothing has happened yet" in drawn_frame(Empty([Happening("")]), "", 80, 24).text()[2]


def test_moments_outside_the_calendar_are_shown_as_such() -> None:
    assert "not a date" in drawn_frame(FakeLog([Happening("late", 1e13)]), "", 120, 24).text()[22]


@given(st.integers(1, 400), st.integers(0, 500), st.lists(st.integers(0, 399), max_size=5))
def test_the_bar_always_shows_where_one_stands(count: int, step: int, marked: list[int]) -> None:
    replay = FakeRecording(
        [Happening("x")] * count,
        keyframes=sorted(marked),
        markers=[Marker(at, "x", "x") for at in sorted(marked)],
    )
    replay.seek(step)
    bar = draw_bar(Player(replay), 80).text()[0]
    assert bar.count("●") == 1
    assert bar.index("●") == replay.step * 79 // max(count - 1, 1)


def test_crowded_keyframes_are_not_drawn() -> None:
    replay = FakeRecording([Happening("x")] * 100, keyframes=range(100))
    assert set(draw_bar(Player(replay), 80).text()[0]) == {"●", "─"}


def test_the_scale_says_each_number_once() -> None:
    replay = FakeRecording([Happening("x", turn=n // 30) for n in range(100)])
    assert draw_scale(Player(replay), 80).text()[0].split() == ["turn", "0", "1", "2", "3"]


def test_the_help_tells_every_key() -> None:
    told = "\n".join(draw_help(40, 80, 0).text())
    assert all(key.label in told and key.does in told for key in KEYS)


def test_the_help_can_be_scrolled_to_its_end_and_no_further() -> None:
    assert draw_help(40, 5, 1000).text()[-1] == " q           quit"


def test_a_repeated_event_is_still_one_row() -> None:
    text = drawn_frame(FakeLog([Happening("goes on")] * 5), "...", 80, 24).text()
    assert [row[:1] for row in text[2:7]] == [" ", " ", "▶", " ", " "]


def test_a_format_without_a_view_is_a_list_of_events() -> None:
    assert view_of("no such format") == view_of("nor this one") != view_of("nhgame")


def test_events_far_apart_are_found() -> None:
    class Sparse(FakeRecording):
        """A recording with many steps of which few are events."""

        def events(self, first: int, last: int):  # type: ignore[no-untyped-def]
            return (event for event in super().events(first, last) if event.step % 500 == 0)

    replay = Sparse([Happening(f"at {n}", turn=n) for n in range(3000)])
    replay.seek(1499)
    told = "\n".join(draw_frame(Controls(Player(replay), view_of("fake")), 80, 24).text())
    assert all(f"at {n}" in told for n in range(0, 3000, 500))


@pytest.mark.parametrize(
    ("keys", "index"),
    [
        (["down"], 1),
        (["down", "down", "up"], 1),
        (["up"], 0),
        (["end"], 24),
        (["G", "page-up"], 14),
        (["page-down", "page-down", "page-down"], 24),
        (["G", "g"], 0),
        (["x"], 0),
    ],
)
def test_choosing_from_the_list(keys: list[str], index: int) -> None:
    menu = Menu([f"{n}.nhgame" for n in range(25)])
    for key in keys:
        menu.press(key)
    assert menu.file == f"{index}.nhgame"


def test_opening_and_leaving_the_list() -> None:
    menu = Menu(["a", "b"])
    menu.press("enter")
    assert menu.opened
    assert not menu.done
    menu.press("q")
    assert menu.done


def test_every_key_of_the_list_does_one_thing() -> None:
    names = [name for key in MENU_KEYS for name in key.names]
    assert len(names) == len(set(names))
