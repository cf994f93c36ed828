"""How long the client waits for somebody, by a clock of the test's."""

import os
import signal
from collections.abc import Iterator

import pytest

from terminal.screen import console
from terminal.screen.console import Console
from terminal.screen.preferences import Preferences

ZERO = 1000  # minutes


class Clock:
    """Stands still until it is told; as with the system's clock, nobody knows what its zero is."""

    def __init__(self) -> None:
        self.minutes = 0.0

    def __call__(self) -> float:
        return (self.minutes + ZERO) * 60


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The other end of the terminal in which the console is."""
    ours, terminal = os.openpty()
    for name in ("INPUT", "OUTPUT"):
        monkeypatch.setattr(console, name, terminal)
    monkeypatch.setenv("TERM", "xterm")
    yield ours
    os.close(ours)
    os.close(terminal)


def used(clock: Clock, limit: float | None, *minutes: float) -> None:
    """A console that somebody looks for keys on at each of these times."""
    with Console("never", Preferences(idle_minutes=limit), clock) as display:
        for clock.minutes in minutes:
            display.keys(0)


def test_after_so_many_minutes_without_a_key_it_ends_and_says_so(
    keyboard: int, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    used(clock, 30, 0, 29.9)
    assert capsys.readouterr().out == ""
    clock.minutes = 0
    with pytest.raises(SystemExit) as ended:
        used(clock, 30, 0, 29.9, 30)
    assert ended.value.code == 0
    assert capsys.readouterr().out == "ended after 30 minutes without a key\n"


def test_each_key_begins_the_time_anew(keyboard: int, clock: Clock) -> None:
    with Console("never", Preferences(idle_minutes=30), clock) as display:
        for clock.minutes in (29, 58, 90):  # the last one comes too late, but before anybody looked
            os.write(keyboard, b"x")
            assert [*display.keys(1)] == ["x"]
        clock.minutes = 119
        assert [*display.keys(0)] == []
        clock.minutes = 120
        with pytest.raises(SystemExit):
            display.keys(0)


def test_a_process_that_was_stopped_has_its_time_anew(keyboard: int, clock: Clock) -> None:
    with Console("never", Preferences(idle_minutes=30), clock) as display:
        clock.minutes = 500
        os.kill(os.getpid(), signal.SIGCONT)
        assert [*display.keys(1)] == []
        clock.minutes = 529
        assert [*display.keys(0)] == []


def test_without_a_limit_it_waits_for_ever(keyboard: int, clock: Clock) -> None:
    used(clock, None, 0, 1e9)


@pytest.mark.parametrize(("minutes", "words"), [(1, "1 minute"), (0.5, "0.5 minutes"), (90, "90 minutes")])
def test_the_time_is_told_in_words(
    keyboard: int, clock: Clock, capsys: pytest.CaptureFixture[str], minutes: float, words: str
) -> None:
    with pytest.raises(SystemExit):
        used(clock, minutes, minutes)
    assert capsys.readouterr().out == f"ended after {words} without a key\n"


def test_any_other_end_says_nothing_of_it(keyboard: int, clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with Console("never", Preferences(idle_minutes=30), clock) as display:
        os.kill(os.getpid(), signal.SIGTERM)
        with pytest.raises(SystemExit):
            display.keys(1)
    assert capsys.readouterr().out == ""
