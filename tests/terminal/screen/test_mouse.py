"""The mouse: what is drawn is what is clicked."""

import pytest

from nhlog.screen import Screen
from terminal.screen.console import known_terminal, painter
from terminal.screen.keys import about
from terminal.screen.preferences import Preferences
from terminal.screen.tty.mouse import OFF, ON, Mouse

LEFT, MIDDLE, RIGHT, MOVED = 0, 1, 2, 32


def drawn() -> Screen:
    screen = Screen(10, 4)
    screen.aim(0, 0, 10, "row a")
    screen.aim(0, 1, 10, "row b")
    for x in range(10):
        screen.aim(x, 2, 1, f"go {x}")
    screen.put(0, 3, "h help")
    screen.aim(0, 3, 6, "h")
    return screen


def clicked(*reports: tuple[int, int, int, str]) -> list[str]:
    mouse = Mouse(drawn().target_at)
    return [mouse.press(f"\x1b[<{button};{x + 1};{y + 1}{end}") for button, x, y, end in reports]


def test_a_click_presses_what_is_drawn_there_when_the_button_goes_down() -> None:
    assert clicked((LEFT, 4, 1, "M"), (LEFT, 4, 1, "m"), (LEFT, 0, 3, "M"), (LEFT, 7, 3, "M")) == ["row b", "", "h", ""]


def test_other_buttons_and_places_outside_press_nothing() -> None:
    assert (
        clicked((MIDDLE, 0, 0, "M"), (RIGHT, 0, 0, "M"), (128, 0, 0, "M"), (LEFT, 10, 0, "M"), (LEFT, 0, 4, "M"))
        == [""] * 5
    )


def test_shift_and_ctrl_make_no_other_button_of_it() -> None:
    assert clicked((LEFT + 4, 0, 0, "M"), (LEFT + 16, 0, 0, "M"), (64 + 16, 0, 0, "M")) == [
        "row a",
        "row a",
        "wheel-up",
    ]


def test_the_wheel_is_two_keys_wherever_it_is_turned() -> None:
    assert clicked((64, 9, 3, "M"), (65, 99, 99, "M"), (66, 0, 0, "M"), (67, 0, 0, "M")) == [
        "wheel-up",
        "wheel-down",
        "",
        "",
    ]


def test_a_button_that_is_held_draws_along_what_it_began_with() -> None:
    drag = LEFT + MOVED
    told = clicked((LEFT, 2, 2, "M"), (drag, 2, 2, "M"), (drag, 3, 2, "M"), (drag, 3, 1, "M"), (drag, 9, 2, "M"))
    assert told == ["go 2", "", "go 3", "", "go 9"]


def test_a_button_that_began_on_nothing_or_on_a_key_draws_nothing_along() -> None:
    drag = LEFT + MOVED
    assert clicked((LEFT, 9, 3, "M"), (drag, 3, 2, "M")) == ["", ""]
    assert clicked((LEFT, 0, 3, "M"), (drag, 3, 2, "M"), (drag, 0, 3, "M")) == ["h", "", ""]
    assert clicked((LEFT, 2, 2, "M"), (LEFT, 2, 2, "m"), (drag, 5, 2, "M")) == ["go 2", "", ""]


@pytest.mark.parametrize("report", ["", "\x1b[<M", "\x1b[<0;1M", "\x1b[<0;0;0M", "\x1b[<-1;1;1M", "\x1b[<99999;1;1M"])
def test_noise_presses_nothing(report: str) -> None:
    assert Mouse(drawn().target_at).press(report) == ""


def test_a_target_is_a_word_and_what_it_is_about() -> None:
    assert about("row /a file.nhgame", "row") == "/a file.nhgame"
    assert [about(target, "row") for target in ("go 3", "row", "r", " ", "rows 3", "")] == [""] * 6


# the screen


def test_what_is_drawn_over_a_target_hides_it() -> None:
    screen = drawn()
    screen.put(3, 1, "page")
    assert [screen.target_at(x, 1) for x in (2, 3, 6, 7)] == ["row b", "", "", "row b"]


def test_copies_of_a_screen_have_its_targets() -> None:
    part = drawn().crop(1, 2, 5, 2)
    assert [part.target_at(x, y) for x, y in ((0, 0), (4, 0), (0, 1), (5, 0), (0, 2))] == ["go 1", "go 5", "h", "", ""]
    whole, beside = Screen(10, 6), Screen(14, 6)
    whole.aim(0, 1, 10, "covered")
    whole.paste(0, 1, drawn())
    beside.paste(8, -2, drawn())
    assert [whole.target_at(0, y) for y in range(6)] == ["", "row a", "row b", "go 0", "h", ""]
    assert [beside.target_at(x, 0) for x in (7, 8, 13)] == ["", "go 0", "go 5"]


def test_a_screen_without_targets_covers_those_below_it() -> None:
    screen = drawn()
    screen.paste(0, 0, Screen(10, 2))
    assert [screen.target_at(0, y) for y in range(3)] == ["", "", "go 0"]


@pytest.mark.parametrize("wanted", [True, False])
def test_it_is_asked_for_where_it_is_wanted(wanted: bool) -> None:
    chosen = painter(known_terminal("xterm-256color"), "auto", utf8=True, preferences=Preferences(mouse=wanted))
    assert chosen.mouse == wanted
    assert (ON in chosen.enter, OFF in chosen.leave) == (wanted, wanted)


def test_a_copy_keeps_its_targets_whatever_is_drawn_on_the_original() -> None:
    screen, copy = drawn(), Screen(20, 6)
    copy.paste(0, 1, screen)
    screen.put(0, 1, "x" * 20)
    screen.aim(0, 0, 20, "other")
    assert [copy.target_at(0, y) for y in range(6)] == ["", "row a", "row b", "go 0", "h", ""]


def test_rows_are_picked_with_their_targets() -> None:
    picked = drawn().pick([3, 1, 1])
    assert picked.text() == [drawn().text()[y] for y in (3, 1, 1)]
    assert [picked.target_at(0, y) for y in range(-1, 4)] == ["", "h", "row b", "row b", ""]
