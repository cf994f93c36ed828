"""The loops: a person at a display, played from a script."""

from collections.abc import Iterator

import pytest

from nhlog.errors import Damaged
from nhlog.replay import Event, Status
from nhlog.testing.fakes import FakeDisplay, FakeRecording, Happening
from nhlog.timeline import Marker
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


def test_a_frame_is_drawn_only_when_it_shows_something_else() -> None:
    """The same screen is the same object: whoever shows it need not compare it."""
    paused = watched(recording(), *[""] * 100, "q").screens
    assert len({id(screen) for screen in paused}) == 1
    playing = watched(recording(), " ", *[""] * round(3.1 / FRAME), "q").screens
    assert len({id(screen) for screen in playing}) == 2 + 3  # before and after the key, and one for each second


def test_what_is_told_for_some_seconds_goes_away_by_itself() -> None:
    replay = recording(status=Status.LIVE)
    player = Player(replay)
    player.tell("something happened")
    display = FakeDisplay([*[""] * 40, "q"])
    watch(display, player, display.clock)
    told = ["something happened" in screen.text()[-1] for screen in display.screens]
    assert told == sorted(told, reverse=True)
    assert set(told) == {True, False}


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


class Endless(FakeRecording):
    """A recording in which a search never ends, and that is explored a step at a time."""

    searched = explored = 0

    def search(self, pattern: object, first: int, last: int, *, backwards: bool = False) -> Iterator[Event | int]:
        while True:
            self.searched += 1
            yield first + self.searched % 50

    def explore(self) -> bool:
        self.explored = min(self.explored + 1, self.timeline.last + 1)
        return self.explored <= self.timeline.last

    def is_explored_for(self, position: object) -> bool:
        return self.explored > self.timeline.last


def endless() -> Endless:
    return Endless([Happening(f"moves {n}", 1.0, n) for n in range(100)], markers=[Marker(70, "place", "far away")])


def looked_through(display: FakeDisplay) -> list[bool]:
    return ["looked through, any key ends it" in screen.text()[-1] for screen in display.screens]


class Slow(FakeDisplay):
    """One on which time passes whenever one looks at the clock."""

    def clock(self) -> float:
        self.now = getattr(self, "now", 0.0) + FRAME / 4
        return self.now


def test_what_takes_long_is_told_and_a_key_ends_it() -> None:
    replay, display = endless(), Slow(["/", "x", "enter", "", "", "j", "q"])
    watch(display, Player(replay), display.clock)
    told = looked_through(display)
    assert told.count(True) == 3
    assert not told[-1]
    assert "cancelled" in display.screens[-1].text()[-1]
    assert replay.step == 0


def test_an_interrupt_ends_what_takes_long_and_then_the_player() -> None:
    class Interrupted(Slow):
        def keys(self, timeout: float) -> list[str]:
            found = super().keys(timeout)
            if found == ["^C"]:
                raise KeyboardInterrupt
            return found

    display = Interrupted(["/", "x", "enter", "", "^C", "", "^C", "q"])
    with pytest.raises(KeyboardInterrupt):
        watch(display, Player(endless()), display.clock)
    assert looked_through(display)[-3:] == [True, False, False]


def test_a_recording_is_explored_while_nobody_presses_a_key() -> None:
    replay, display = endless(), Slow([""] * 60 + ["q"])
    watch(display, Player(replay), display.clock)
    assert replay.explored == replay.timeline.last + 1


def test_an_explored_recording_is_prepared_while_nobody_presses_a_key() -> None:
    class Prepared(Endless):
        left = 20

        def prepare(self) -> bool:
            assert self.explored > self.timeline.last
            self.left -= 1
            return self.left > 0

    replay = Prepared([Happening(f"moves {n}", 1.0, n) for n in range(10)])
    display = Slow([""] * 60 + ["q"])
    watch(display, Player(replay), display.clock)
    assert replay.left <= 0


def test_a_marker_is_gone_to_when_all_before_it_are_known() -> None:
    replay, display = endless(), Slow(["]", *[""] * 60, "q"])
    watch(display, Player(replay), display.clock)
    assert replay.step == 70
    assert replay.explored > 70
    assert "far away" in display.screens[-1].text()[-1]
