"""A seat when things go wrong: others on the log, no lock, no disk, no file; a person is told, and can go on."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nhlog.errors import LockNotObtained, NhlogError
from nhlog.log.recovery import carry_out, plan_rewind
from nhlog.log.wire.lines import Argument, Command, Line, Time
from nhlog.screen import Screen
from terminal.seat import Seat
from terminal.table import play
from terminal.views.seat import draw_seat
from tests.processes import holding
from tests.terminal.test_seat import first_row, other_writes, seat, typed, written

__all__ = ["seat"]


class Hand:
    """A display that remembers what was drawn last; `acts` are keys to press, or things that happen meanwhile."""

    size = (80, 24)

    def __init__(self, *acts) -> None:
        self.acts = iter(acts)
        self.shown: list[str] = []
        self.heard: list[object] = []
        self.waits: list[float] = []

    def draw(self, screen: Screen) -> None:
        self.shown = screen.text()

    def listen(self, source: object) -> None:
        self.heard.append(source)

    def keys(self, timeout: float) -> list[str]:
        self.waits.append(timeout)
        act = next(self.acts)
        if isinstance(act, str):
            return [act]
        act()
        return []


@contextmanager
def failing(seat: Seat, error: NhlogError, what: str = "writing") -> Iterator[None]:
    """The log's locks are not to be had, or the disk takes nothing."""

    def refuse(*_: object) -> None:
        raise error

    before = getattr(seat.source, what)
    setattr(seat.source, what, refuse)
    try:
        yield
    finally:
        setattr(seat.source, what, before)


def rewind(seat: Seat, save: int = 1) -> None:
    log = seat.session.log
    cut = plan_rewind(log, log.columns.save_lines[save])
    assert cut is not None
    carry_out(seat.source, cut, keep=False)


# questions


@pytest.mark.parametrize("keys", ["t", "ta", "_", "C", "#mo", "20"])
def test_what_was_being_typed_is_forgotten_when_the_game_goes_on_elsewhere(seat: Seat, keys: str) -> None:
    typed(seat, keys)
    other_writes(seat, Command("welcome"), Time(5))
    seat.refresh()
    assert "another terminal" in first_row(seat)
    typed(seat, "<enter>h")
    assert written(seat)[-3:] == ["move D0", "+", "~"]


def test_a_question_that_opened_under_the_clients_own_is_asked_when_that_is_cancelled(seat: Seat) -> None:
    typed(seat, "t")
    other_writes(seat, Command("ask"), Time(5))
    seat.refresh()
    assert "Which item?" in first_row(seat)
    typed(seat, "<escape>")
    assert "Where?" in first_row(seat)


def test_an_answer_may_have_an_s_in_it(seat: Seat) -> None:
    typed(seat, "a" + "<escape>" * 7)
    typed(seat, "Stone<enter>")
    assert not seat.done
    assert written(seat)[-3:] == ["LU3RvbmUA", "+", "~"]


def test_a_question_asked_twice_is_asked_anew(seat: Seat) -> None:
    typed(seat, "a" + "<escape>" * 7 + "rock")
    lines = [Command("ask"), *(line for _ in range(1) for line in cancelled())]
    rewind(seat, 1)
    other_writes(seat, *lines)
    seat.refresh()
    assert first_row(seat).strip() == "Call it what?"


def cancelled() -> Iterator[Line]:
    """The answers to all of the toy's questions but the last."""
    from tests.session.test_session import ANSWERS

    yield from ANSWERS[:-1]


# others


def test_one_who_presses_a_key_at_the_moment_when_another_enters_is_away(seat: Seat) -> None:
    other_writes(seat, Command("welcome"), Time(5))
    typed(seat, "h")
    assert "not used" in seat.message
    assert seat.away


def test_a_game_taken_back_at_the_moment_of_a_key_says_so_and_that_the_key_was_not_used(seat: Seat) -> None:
    typed(seat, "hhh")
    rewind(seat)
    typed(seat, "h")
    assert seat.message == "the game was taken back to turn 1: that key was not used"
    assert seat.session.game.turn == 1


def test_a_key_that_was_dropped_does_not_carry_on_what_another_began(seat: Seat) -> None:
    other_writes(seat, Command("search", (Argument("L", 9),)), Time(5))
    typed(seat, "h")
    before = written(seat)
    assert not seat.advance()
    assert written(seat) == before


def test_what_the_way_back_would_lose_is_what_was_told(seat: Seat) -> None:
    typed(seat, "hpr")
    assert "Go back to turn 2?" in first_row(seat)
    other_writes(seat, Command("move"), Time(5))
    size = seat.source.size()
    typed(seat, "y")
    assert seat.source.size() == size
    assert seat.session.log.header.identification.recovery_count == 1


def test_a_rewind_while_the_way_back_is_offered_takes_the_offer_away(seat: Seat) -> None:
    typed(seat, "hhhpr")
    rewind(seat, 2)
    seat.refresh()
    typed(seat, "y")
    assert seat.session.log.header.identification.recovery_count == 2
    typed(seat, "h")
    assert written(seat)[-3:] == ["move D0", "+", "~"]


# locks, disks, files


@pytest.mark.parametrize("what", ["writing", "reading"])
def test_no_lock_is_told_and_the_key_can_be_pressed_again(seat: Seat, what: str) -> None:
    with failing(seat, LockNotObtained("no lock after 2 s"), what):
        typed(seat, "h")
        assert seat.message == "no lock after 2 s: that key was not used"
        assert seat.session.desync == ""
    typed(seat, "h")
    assert written(seat) == ["move D0", "+", "~"]


def test_no_lock_while_others_play_loses_none_of_their_lines(seat: Seat) -> None:
    other_writes(seat, Command("move"), Time(5))
    log, line = seat.session.log, seat.session.log.line

    def refuse(number: int) -> Line:
        raise LockNotObtained("no lock after 2 s")

    log.line = refuse
    seat.refresh()
    assert "no lock" in seat.message
    log.line = line
    seat.refresh()
    assert seat.session.game.turn == 2
    assert seat.session.live


def test_a_full_disk_is_told_and_ends_nothing(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int, data: bytes, offset: int) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    typed(seat, "h")
    assert "no space left on device" in seat.message
    monkeypatch.undo()
    typed(seat, "h")
    assert written(seat) == ["move D0", "+", "~"]


def test_a_full_disk_after_the_command_was_written_costs_no_command(seat: Seat, monkeypatch) -> None:
    write = os.pwrite

    def nearly_full(fd: int, data: bytes, offset: int) -> int:
        if bytes(data[:1]) in b"+~*":
            raise OSError(28, "No space left on device")
        return write(fd, data, offset)

    monkeypatch.setattr(os, "pwrite", nearly_full)
    typed(seat, "h")
    assert "no space left" in seat.message
    assert "not used" not in seat.message
    assert written(seat) == ["move D0"]
    monkeypatch.undo()
    typed(seat, "s")
    assert written(seat) == ["move D0", "+", "~", "search", "+", "~"]


def test_a_deleted_game_is_told_of_and_nothing_goes_to_a_file_without_a_name(seat: Seat) -> None:
    os.unlink(seat.source.name)
    size = seat.source.size()
    typed(seat, "h")
    assert "deleted" in seat.message
    assert seat.source.size() == size
    typed(seat, "S")
    assert seat.done


def test_a_way_back_that_cannot_keep_what_it_cuts_does_nothing(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(seat, "hpr")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("nhlog.log.recovery.create", refuse)
    typed(seat, "y")
    assert "permission denied" in seat.message
    assert seat.session.log.header.identification.recovery_count == 1


# the loop


def test_the_loop_outlives_a_log_that_cannot_be_read_and_shows_it_again(seat: Seat) -> None:
    path = Path(seat.source.name)
    good = path.read_bytes()
    hand = Hand("h", lambda: path.write_bytes(b"x" * 10), "h", lambda: path.write_bytes(good), "s", "S", "S")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("terminal.seat.Seat.leave", lambda self: None)
        play(hand, seat)
    assert seat.done


def test_the_loop_outlives_a_rewind_between_looking_and_drawing(seat: Seat) -> None:
    for _ in range(3):
        seat.press("h")
    hand = Hand(lambda: rewind(seat, 3), "S")
    seat.session.log._block = type(seat.session.log._block)(0, b"")
    changes = Never()
    play(hand, seat, changes=changes)
    assert seat.done
    assert hand.heard == [changes, None]


class Never:
    """Changes that nobody is told of."""

    def fileno(self) -> int:
        return 0

    def take(self) -> bool:
        return False


class Always(Never):
    """Changes, all the time; `taken` is how often they were asked for."""

    taken = 0

    def take(self) -> bool:
        self.taken += 1
        return True


def test_while_the_game_is_watched_again_changes_are_taken_and_what_others_did_is_noticed(seat: Seat) -> None:
    typed(seat, "h")
    changes = Always()
    counts: list[int] = []
    hand = Hand(
        "R",
        lambda: counts.append(changes.taken),
        lambda: other_writes(seat, Command("welcome"), Time(5)),
        lambda: counts.append(changes.taken),
        "q",
        "S",
    )
    play(hand, seat, changes=changes)
    assert counts[1] > counts[0]
    assert seat.away


def test_a_game_taken_back_while_it_is_watched_again_says_so(seat: Seat) -> None:
    typed(seat, "hhhh")
    hand = Hand("R", lambda: rewind(seat), "q", lambda: None, "S")
    play(hand, seat, changes=Never())
    assert seat.session.game.turn == 1
    assert "taken back" in seat.message or any("taken back" in row for row in hand.shown)


def test_long_words_do_not_push_the_keys_off_the_screen(seat: Seat) -> None:
    typed(seat, "hp")
    told = " ".join(row.strip() for row in draw_seat(seat, 40, 12).text())
    assert "r goes back, R watches it, q leaves" in told
    typed(seat, "ry")
    other_writes(seat, Command("welcome"), Time(5))
    seat.refresh()
    told = " ".join(row.strip() for row in draw_seat(seat, 40, 12).text())
    assert "Enter goes on with it here, R watches it, S leaves" in told


def test_a_stuck_process_costs_seconds_and_no_key_untold(seat: Seat) -> None:
    stuck = holding(seat.source.name, "LOCK_EX")
    took: list[float] = []
    shown: list[str] = []
    hand = Hand(
        stuck.__enter__,
        lambda: took.append(time.monotonic()),
        "h",
        lambda: (took.append(time.monotonic()), shown.append(hand.shown[0] + hand.shown[1])),
        lambda: stuck.__exit__(None, None, None),
        "s",
        "S",
    )
    play(hand, seat, changes=Never())
    assert "no read lock after 2 s" in shown[0]
    assert "that key was not used" in shown[0]
    assert took[1] - took[0] < 5
    assert written(seat)[-3:] == ["search", "+", "~"]
    assert "move D0" not in written(seat)
