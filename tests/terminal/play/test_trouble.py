"""A seat when things go wrong: others on the log, no lock, no disk, no file; a person is told, and can go on."""

import os
import pwd
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from nhlog.errors import LockNotObtained, NhlogError
from nhlog.log.recovery import carry_out, plan_rewind
from nhlog.log.wire.lines import Argument, Command, Line, Time
from nhlog.screen import Screen
from terminal.play.controller import PlayController
from terminal.play.drawing import draw_game
from terminal.play.loop import play
from tests.processes import Child, holding
from tests.terminal.play.test_controller import controller, first_row, other_writes, typed, written
from tests.terminal.replay.test_live import MENDING, die_inside_a_line, raised

__all__ = ["controller"]


class Hand:
    """A display that remembers what was drawn last; `acts` are keys to press, or things that happen meanwhile."""

    size = (80, 24)

    def __init__(self, *acts) -> None:
        self.acts = iter(acts)
        self.shown: list[str] = []
        self.screens: list[Screen] = []
        self.heard: list[object] = []
        self.waits: list[float] = []

    def draw(self, screen: Screen) -> None:
        self.shown = screen.text()
        self.screens.append(screen)

    def bound(self, table):
        return table

    def dress(self, appearance: object) -> None:
        pass

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
def failing(controller: PlayController, error: NhlogError, what: str = "writing") -> Iterator[None]:
    """The log's locks are not to be had, or the disk takes nothing."""

    def refuse(*_: object) -> None:
        raise error

    before = getattr(controller.seat.source, what)
    setattr(controller.seat.source, what, refuse)
    try:
        yield
    finally:
        setattr(controller.seat.source, what, before)


def rewind(controller: PlayController, save: int = 1) -> None:
    log = controller.session.log
    cut = plan_rewind(log, log.columns.save_lines[save])
    assert cut is not None
    carry_out(controller.seat.source, cut, keep=False)


# questions


@pytest.mark.parametrize(
    ("keys", "rest", "line"), [("t", "al", "throw Ia D4"), ("ta", "l", "throw Ia D4"), ("#mo", "ve<enter>", "move")]
)
def test_what_was_being_typed_stays_when_another_player_enters(
    controller: PlayController, keys: str, rest: str, line: str
) -> None:
    typed(controller, keys)
    other_writes(controller, Command("welcome"), Time(5))
    controller.refresh()
    typed(controller, rest)
    assert written(controller)[-3:] == [line, "+", "~"]


def test_a_question_that_opened_under_the_clients_own_is_asked_when_that_is_cancelled(
    controller: PlayController,
) -> None:
    typed(controller, "t")
    other_writes(controller, Command("ask"), Time(5))
    controller.refresh()
    assert "Which item?" in first_row(controller)
    typed(controller, "<escape>")
    assert "Where?" in first_row(controller)


def test_an_answer_may_have_an_s_in_it(controller: PlayController) -> None:
    typed(controller, "a" + "<escape>" * 7)
    typed(controller, "Stone<enter>")
    assert not controller.done
    assert written(controller)[-3:] == ["LU3RvbmUA", "+", "~"]


def test_a_question_asked_twice_is_asked_anew(controller: PlayController) -> None:
    typed(controller, "a" + "<escape>" * 7 + "rock")
    lines = [Command("ask"), *(line for _ in range(1) for line in cancelled())]
    rewind(controller, 1)
    other_writes(controller, *lines)
    controller.refresh()
    assert first_row(controller).strip() == "Call it what?"


def cancelled() -> Iterator[Line]:
    """The answers to all of the toy's questions but the last."""
    from tests.session.test_session import ANSWERS

    yield from ANSWERS[:-1]


# others


def test_one_who_presses_a_key_at_the_moment_when_another_enters_is_told_and_plays_on(
    controller: PlayController,
) -> None:
    other_writes(controller, Command("welcome"), Time(5))
    typed(controller, "h")
    assert "not used" in controller.seat.message
    assert controller.seat.company.did == "somebody: enters the game"
    typed(controller, "h")
    assert written(controller)[-3:] == ["move D0", "+", "~"]
    assert controller.seat.company.did == ""


def test_a_game_taken_back_at_the_moment_of_a_key_says_so_and_that_the_key_was_not_used(
    controller: PlayController,
) -> None:
    typed(controller, "hhh")
    rewind(controller)
    typed(controller, "h")
    back = "the game was taken back from turn 4 to 1; Ctrl-U puts it back"
    assert controller.seat.message == f"{back}: that key was not used"
    assert controller.session.game.turn == 1


def test_a_key_that_was_dropped_does_not_carry_on_what_another_began(controller: PlayController) -> None:
    other_writes(controller, Command("search", (Argument("L", 9),)), Time(5))
    typed(controller, "h")
    before = written(controller)
    assert not controller.advance()
    assert written(controller) == before


def test_what_the_way_back_would_lose_is_what_was_told(controller: PlayController) -> None:
    typed(controller, "hpr")
    assert "Go back to turn 2?" in first_row(controller)
    other_writes(controller, Command("move"), Time(5))
    size = controller.seat.source.size()
    typed(controller, "y")
    assert controller.seat.source.size() == size
    assert controller.session.log.header.identification.recovery_count == 1


def test_a_rewind_while_the_way_back_is_offered_takes_the_offer_away(controller: PlayController) -> None:
    typed(controller, "hhhpr")
    rewind(controller, 2)
    controller.refresh()
    typed(controller, "y")
    assert controller.session.log.header.identification.recovery_count == 2
    typed(controller, "h")
    assert written(controller)[-3:] == ["move D0", "+", "~"]


# locks, disks, files


@pytest.mark.parametrize("what", ["writing", "size"], ids=["no lock", "a log that is busy"])
def test_without_a_lock_keys_are_kept_in_their_order_until_there_is_one(controller: PlayController, what: str) -> None:
    with failing(controller, LockNotObtained("no lock after 2 s"), what):
        typed(controller, "h")
        assert controller.seat.message == "no lock after 2 s"
        assert controller.session.following.desync == ""
        typed(controller, "sh")
        controller.wait(7)
        assert controller.seat.message == "no lock after 2 s"
        assert not controller.advance()
    assert written(controller) == []
    controller.wait(8)
    commands = [line for line in written(controller) if line[0].isalpha()]
    assert commands == ["move D0", "search", "move D0"]


def test_keys_that_wait_for_a_lock_can_be_dropped(controller: PlayController) -> None:
    with failing(controller, LockNotObtained("no lock after 2 s")):
        typed(controller, "hl")
        controller.press("escape")
        assert controller.seat.message == "the waiting keys were dropped"
    controller.wait(8)
    assert written(controller) == []
    typed(controller, "h")
    assert written(controller) == ["move D0", "+", "~"]


def test_keys_that_wait_are_dropped_where_the_game_went_on_without_them(controller: PlayController) -> None:
    with failing(controller, LockNotObtained("no lock after 2 s")):
        typed(controller, "hl")
    other_writes(controller, Command("search"), Time(5))
    controller.refresh()
    assert controller.seat.message == "somebody else wrote first: that key was not used"
    lines = written(controller)
    controller.wait(8)
    assert written(controller) == lines


@pytest.mark.parametrize("lock", ["LOCK_SH", "LOCK_EX"])
def test_who_is_in_the_way_is_named_and_not_asked_again(controller: PlayController, lock: str) -> None:
    with holding(controller.seat.source.name, lock) as holder:
        typed(controller, "hs")
        controller.wait(3.0)
        controller.wait(8.2)
        told = f"stuck: python3?.*, pid {holder.pid}, of {pwd.getpwuid(os.getuid()).pw_name}, 5 s"
        assert re.fullmatch(rf"{told}; Ctrl-F frees it; 2 keys kept, Esc drops", controller.seat.message)
    controller.wait(9)
    assert controller.seat.message == ""
    assert [line for line in written(controller) if line[0].isalpha()] == ["move D0", "search"]


def test_who_would_mend_a_line_that_another_has_just_mended_is_told_nothing(controller: PlayController) -> None:
    path = Path(controller.seat.source.name)
    before = die_inside_a_line(path)
    controller.refresh()
    controller.wait(10.0)
    with Child(MENDING, str(path)) as other:
        assert other.wait(20) == 0
    controller.wait(12.0)  # before it looks again
    controller.refresh()
    assert path.read_bytes() == raised(before)
    assert controller.seat.message == ""
    typed(controller, "h")
    assert written(controller) == ["move D0", "+", "~"]


def test_no_lock_while_others_play_loses_none_of_their_lines(controller: PlayController) -> None:
    other_writes(controller, Command("move"), Time(5))
    log, line = controller.session.log, controller.session.log.line

    def refuse(number: int) -> Line:
        raise LockNotObtained("no lock after 2 s")

    log.line = refuse
    controller.refresh()
    assert "no lock" in controller.seat.message
    log.line = line
    controller.refresh()
    assert controller.session.game.turn == 2
    assert controller.session.live


def test_a_full_disk_is_told_and_ends_nothing(controller: PlayController, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int, data: bytes, offset: int) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    typed(controller, "h")
    assert "no space left on device" in controller.seat.message
    monkeypatch.undo()
    typed(controller, "h")
    assert written(controller) == ["move D0", "+", "~"]


def test_a_full_disk_after_the_command_was_written_costs_no_command(controller: PlayController, monkeypatch) -> None:
    write = os.pwrite

    def nearly_full(fd: int, data: bytes, offset: int) -> int:
        if bytes(data[:1]) in b"+~*":
            raise OSError(28, "No space left on device")
        return write(fd, data, offset)

    monkeypatch.setattr(os, "pwrite", nearly_full)
    typed(controller, "h")
    assert "no space left" in controller.seat.message
    assert "not used" not in controller.seat.message
    assert written(controller) == ["move D0"]
    monkeypatch.undo()
    typed(controller, "s")
    assert written(controller) == ["move D0", "+", "~", "search", "+", "~"]


def test_a_way_back_that_cannot_keep_what_it_cuts_does_nothing(
    controller: PlayController, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(controller, "hpr")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("nhlog.files.atomic.create", refuse)
    typed(controller, "y")
    assert "permission denied" in controller.seat.message
    assert controller.session.log.header.identification.recovery_count == 1


# the loop


def test_the_loop_outlives_a_log_that_cannot_be_read_and_shows_it_again(controller: PlayController) -> None:
    path = Path(controller.seat.source.name)
    good = path.read_bytes()
    hand = Hand("h", lambda: path.write_bytes(b"x" * 10), "h", lambda: path.write_bytes(good), "s", "S", "S")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("terminal.play.controller.PlayController.leave", lambda self: None)
        play(hand, controller)
    assert controller.done


def test_the_loop_outlives_a_rewind_between_looking_and_drawing(controller: PlayController) -> None:
    for _ in range(3):
        controller.press("h")
    hand = Hand(lambda: rewind(controller, 3), "S")
    controller.session.log._block = type(controller.session.log._block)(0, b"")
    changes = Never()
    play(hand, controller, changes=changes)
    assert controller.done
    assert hand.heard == [changes, None]


def test_the_game_is_drawn_only_when_it_shows_something_else(controller: PlayController) -> None:
    """The same screen is the same object; a key, another player, and another size make a new one."""
    nothing = [lambda: None] * 20

    def wider() -> None:
        hand.size = (100, 30)

    enters = partial(other_writes, controller, Command("welcome"), Time(5))
    hand = Hand(*nothing, "h", *nothing, enters, *nothing, wider, *nothing, "S")
    play(hand, controller)
    assert len({id(screen) for screen in hand.screens}) == 4


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


def test_while_the_game_is_watched_again_changes_are_taken_and_what_others_did_is_noticed(
    controller: PlayController,
) -> None:
    typed(controller, "h")
    changes = Always()
    counts: list[int] = []
    hand = Hand(
        "R",
        lambda: counts.append(changes.taken),
        lambda: other_writes(controller, Command("welcome"), Time(5)),
        lambda: counts.append(changes.taken),
        "q",
        "S",
    )
    play(hand, controller, changes=changes)
    assert counts[1] > counts[0]
    assert controller.seat.company.did == "somebody: enters the game"


def test_a_game_taken_back_while_it_is_watched_again_says_so(controller: PlayController) -> None:
    typed(controller, "hhhh")
    hand = Hand("R", lambda: rewind(controller), "q", lambda: None, "S")
    play(hand, controller, changes=Never())
    assert controller.session.game.turn == 1
    assert "taken back" in controller.seat.message or any("taken back" in row for row in hand.shown)


def test_long_words_do_not_push_the_keys_off_the_screen(controller: PlayController) -> None:
    typed(controller, "hp")
    told = " ".join(row.strip() for row in draw_game(controller, 40, 12).text())
    assert "r goes back, R replays it, q leaves" in told


def test_a_stuck_process_costs_two_seconds_and_no_key(controller: PlayController) -> None:
    stuck = holding(controller.seat.source.name, "LOCK_EX")
    shown: list[str] = []
    hand = Hand(
        stuck.__enter__,
        "h",
        lambda: shown.append(hand.shown[0] + hand.shown[1]),
        lambda: stuck.__exit__(None, None, None),
        "s",
        "S",
    )
    play(hand, controller, changes=Never())
    assert "stuck: python" in shown[0]
    assert [line for line in written(controller) if line[0].isalpha()][-2:] == ["move D0", "search"]
