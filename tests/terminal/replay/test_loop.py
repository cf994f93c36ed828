"""The loops: a person at a display, played from a script."""

import pytest

from nhlog.errors import Damaged
from nhlog.replay import Status
from nhlog.testing.fakes import FakeDisplay, FakeRecording, Happening
from terminal.replay.loop import FRAME, REFRESH, choose, watch
from terminal.replay.player import Player


def recording(**options: object) -> FakeRecording:
    happenings = [Happening(f"moves {n}", 1.0 if n else 0.0, n) for n in range(100)]
    return FakeRecording(happenings, **options)  # type: ignore[arg-type]


def watched(replay: FakeRecording, *script: str) -> FakeDisplay:
    display = FakeDisplay(script)
    watch(display, Player(replay), display.clock)
    return display


def test_every_key_is_followed_by_a_frame_that_shows_what_it_did() -> None:
    display = watched(recording(), ".", ".", ",", "q")
    current = [next(row for row in screen.text() if row.startswith("▶")) for screen in display.screens]
    assert [row.split()[-1] for row in current] == ["0", "1", "2", "1"]


def test_playing_goes_by_the_clock() -> None:
    replay = recording()
    watched(replay, " ", *[""] * round(3.1 / FRAME), "q")
    assert replay.step == 3


def test_nothing_moves_while_paused() -> None:
    replay = recording()
    watched(replay, *[""] * 100, "q")
    assert replay.step == 0


@pytest.mark.parametrize(("keys", "step"), [(["F"], 100), ([], 0)])
def test_what_grows_is_noticed_and_followed_if_wanted(keys: list[str], step: int) -> None:
    class Growing(FakeDisplay):
        def keys(self, timeout: float) -> list[str]:
            if self.clock() == 2 * REFRESH:
                replay.grow(Happening("something new", 1, 100))
            return super().keys(timeout)

    replay = recording(status=Status.LIVE)
    display = Growing([*keys, *[""] * 8, "q"])
    watch(display, Player(replay), display.clock)
    assert (replay.step, replay.timeline.last) == (step, 100)


def test_one_comes_back_to_the_list_from_a_recording() -> None:
    shown = []

    def show(file: str) -> None:
        shown.append(file)
        watch(display, Player(recording(title=f"game {file}")), display.clock)

    display = FakeDisplay(["down", "enter", "q", "up", "enter", "q", "q"])
    choose(display, ["first.nhgame", "second.nhgame"], show)
    assert shown == ["second.nhgame", "first.nhgame"]
    titles = [screen.text()[0].split(" ")[1] for screen in display.screens]
    assert titles == ["nhlog:", "nhlog:", "game", "nhlog:", "nhlog:", "game", "nhlog:"]


def test_what_cannot_be_opened_says_so_in_the_list() -> None:
    def show(file: str) -> None:
        raise Damaged("no newline at the end", file=file)

    display = FakeDisplay(["enter", "q"])
    choose(display, ["broken.nhgame"], show)
    assert "no newline at the end" in display.screens[-1].text()[2]
