"""What is typed before a key, and the rows of help and pages: nothing that can be pressed leads out of them."""

import sys
from contextlib import closing
from dataclasses import replace

import pytest

from nhlog.beside.mail import MailRefused
from nhlog.testing.fakes import FakeRecording, Happening
from terminal.replay.controls import KEYS, Controls, Help
from terminal.replay.open import open_viewed
from terminal.replay.player import Player
from terminal.views import view_of
from tests.corpus import SAMPLES

SIDES = ("top", "front", "left", "right", "back")
NO_SUCH_KEY = "no such key: h lists the keys"


@pytest.fixture
def controls() -> Controls:
    recording = FakeRecording([Happening(f"moves {number}", wait=1.0) for number in range(20)])
    return Controls(Player(recording), replace(view_of("fake"), sides=lambda replay: SIDES))


@pytest.mark.parametrize("key", ["%", "\u00b2", "x"])
def test_a_number_begins_with_a_digit(controls: Controls, key: str) -> None:
    controls.press(key)
    assert (controls.typed, controls.player.message) == ("", NO_SUCH_KEY)
    for later in ("1", ":", "3", "0"):
        controls.press(later)
    assert controls.typed == "1:30"


def test_what_is_no_digit_ends_a_number(controls: Controls) -> None:
    for key in ("1", "2", "\u00b2"):
        controls.press(key)
    assert (controls.typed, controls.player.message) == ("", NO_SUCH_KEY)


@pytest.mark.parametrize(
    ("typed", "side"),
    [("", 1), ("0", 0), ("3", 3), ("7", 2), ("1003", 3), ("9" * 5000, 999 % 5), ("1:", 1), ("1:30", 1), ("50%", 1)],
)
def test_a_number_before_v_is_a_side_and_a_place_is_none(controls: Controls, typed: str, side: int) -> None:
    for key in (*typed, "v"):
        controls.press(key)
    assert controls.viewpoint.side == side
    assert controls.player.message == f"showing {SIDES[side]}"


def test_no_number_is_too_long_to_go_to(controls: Controls) -> None:
    for key in (*"9" * 5000, "G"):
        controls.press(key)
    assert "not a position" in controls.player.message


@pytest.mark.parametrize(("taken", "told"), [((), "e tells more"), (("e",), "")])
def test_the_end_of_a_game_names_the_key_that_tells_more(taken: tuple[str, ...], told: str) -> None:
    with closing(open_viewed(str(SAMPLES / "died2.nhgame"))) as replay:
        controls = Controls(Player(replay), view_of(replay.info.id), lambda table: table.without(taken))
    assert controls.player.tells_more == told


def test_a_line_for_the_player_is_sent_where_there_is_one(controls: Controls) -> None:
    controls.press("M")
    assert (controls.opened.mode == "text", controls.player.message) == (
        False,
        "nobody plays this: one writes and talks while one watches a game",
    )
    sent: list[str] = []
    controls.player.beside.write = sent.append
    for key in ("M", *"hi Ann", "enter"):
        controls.press(key)
    assert (sent, controls.player.message, controls.opened.mode) == (["hi Ann"], "sent: hi Ann", "")

    def refuse(text: str) -> None:
        raise MailRefused("the player does not accept mail", file="ann.nhgame")

    controls.player.beside.write = refuse
    for key in ("M", "a", "enter"):
        controls.press(key)
    assert controls.player.message == "the player does not accept mail"
    for key in ("M", " ", "enter"):
        controls.press(key)
    assert controls.player.message == ""


def test_a_page_begins_with_its_first_row(controls: Controls) -> None:
    rows = []
    for key in ("<", ">", ">", "<", "<", "<", ">"):
        controls.press(key)
        rows.append(controls.page_row)
    assert rows == [0, 10, 20, 10, 0, 0, 10]


def test_help_is_scrolled_between_its_first_row_and_its_last(controls: Controls) -> None:
    controls.press("h")
    rows = []
    for key in ("up", "page-up", "down", "up", "up", *["page-down"] * 20, "down", "up"):
        controls.press(key)
        rows.append(controls.opened.find(Help).row)
    assert controls.opened.mode == "help"
    assert rows[:5] == [0, 0, 1, 0, 0]
    assert rows[-3:] == [len(KEYS), len(KEYS), len(KEYS) - 1]


def test_plots_that_were_taken_away_are_told_and_no_other_module_that_is_missing(
    controls: Controls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "terminal.plots.plotting", raising=False)
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "terminal.plots.axes", None)
        controls.show_plots()
        assert controls.player.message == "plots are not installed"
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "bisect", None)
        with pytest.raises(ModuleNotFoundError, match="bisect"):
            controls.show_plots()
