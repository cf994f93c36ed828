"""Ctrl-F: who keeps the log from a player is continued or ended, a signal at a time, each only after it was told."""

import os
import pwd
import signal
import subprocess
from pathlib import Path

import pytest

from nhlog.log.locks.holders import Holder, holders_of
from terminal.play.controller import PlayController
from terminal.play.drawing import draw_game
from terminal.play.kept import KeptInput
from tests.processes import Child, as_user, holding
from tests.sharing.parties import Party, needs_handshake
from tests.terminal.play.test_controller import controller, typed, written
from tests.terminal.play.test_play import home, new_game, the_log, turn
from tests.terminal.pty import Pty

__all__ = ["controller", "home"]

pytestmark = needs_handshake

FREE = "ctrl-f"
ANN, BOB = 61001, 61002
NHLOG_OF_ANN = Holder(4711, exclusive=False, command="nhlog", user=ANN, started=1)
as_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else")


def stop(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)


def told(controller: PlayController, now: float) -> str:
    """What the player is told at this time, without the name of the process."""
    controller.wait(now)
    [holder] = controller.seat.source.kept_by()
    return controller.seat.message.replace(holder.who, "WHO")


def test_a_stopped_reader_is_first_continued_and_ended_if_that_does_not_help(controller: PlayController) -> None:
    with holding(controller.seat.source.name, "LOCK_SH") as reader:
        stop(reader)
        typed(controller, "h")
        assert told(controller, 10.0) == "stuck: WHO, 0 s; Ctrl-F frees it; 1 key kept, Esc drops"
        controller.press(FREE)
        assert told(controller, 11.0) == "Ctrl-F again sends SIGCONT to WHO"
        assert controller.seat.source.kept_by()[0].stopped
        controller.press(FREE)
        assert told(controller, 12.0) == "stuck: WHO, 2 s; SIGCONT is sent; 1 key kept, Esc drops"
        assert not controller.seat.source.kept_by()[0].stopped
        assert told(controller, 13.5) == "stuck: WHO, 4 s; Ctrl-F frees it; 1 key kept, Esc drops"
        controller.press(FREE)
        assert told(controller, 14.0) == "Ctrl-F again sends SIGHUP to WHO"
        controller.press(FREE)
        assert reader.wait(20) == -signal.SIGHUP
    controller.wait(15.0)
    assert written(controller) == ["move D0", "+", "~"]
    assert controller.seat.message == ""


_STUBBORN = """
signal.pthread_sigmask(signal.SIG_SETMASK, [])
for number in (signal.SIGHUP, signal.SIGTERM):
    signal.signal(number, signal.SIG_IGN)
fcntl.lockf(os.open(path, os.O_RDWR), fcntl.LOCK_EX)
say("held")
wait()
"""
"""A program that is no game, and obeys SIGKILL alone."""


def test_each_step_is_offered_only_after_the_one_before_had_its_time(controller: PlayController) -> None:
    with Child(_STUBBORN, controller.seat.source.name) as stubborn:
        assert stubborn.hear() == "held"
        typed(controller, "h")
        seen = []
        for now in (10.0, 20.0, 30.0):
            controller.wait(now)
            controller.press(FREE)
            seen.append(told(controller, now))
            assert stubborn.poll() is None
            controller.press(FREE)
            if now < 30:
                controller.press(FREE)  # too early
                seen.append(told(controller, now + 1).split("; ")[1])
        assert stubborn.wait(20) == -signal.SIGKILL
    assert seen == [
        "Ctrl-F again sends SIGHUP to WHO",
        "SIGHUP is sent",
        "Ctrl-F again sends SIGTERM to WHO",
        "SIGTERM is sent",
        "Ctrl-F again sends SIGKILL to WHO",
    ]
    controller.wait(40.0)
    assert written(controller) == ["move D0", "+", "~"]


def test_any_other_key_takes_the_offer_back_and_is_kept(controller: PlayController) -> None:
    with holding(controller.seat.source.name, "LOCK_SH") as reader:
        typed(controller, "h")
        controller.wait(1.0)
        controller.press(FREE)
        typed(controller, "s")
        assert told(controller, 2.0) == "stuck: WHO, 1 s; Ctrl-F frees it; 2 keys kept, Esc drops"
        controller.press(FREE)
        assert told(controller, 3.0) == "Ctrl-F again sends SIGHUP to WHO"
        controller.press("escape")
        assert controller.seat.message == "the waiting keys were dropped"
        assert reader.poll() is None


def test_an_offer_is_for_one_process_and_another_one_gets_its_own(controller: PlayController) -> None:
    with (
        holding(controller.seat.source.name, "LOCK_SH") as first,
        holding(controller.seat.source.name, "LOCK_SH") as second,
    ):
        typed(controller, "h")
        controller.wait(1.0)
        controller.press(FREE)
        controller.wait(2.0)
        gone, left = (first, second) if f"pid {first.pid}," in controller.seat.message else (second, first)
        gone.tell()
        assert gone.wait(20) == 0
        controller.wait(3.0)
        controller.press(FREE)
        controller.wait(4.0)
        assert f"Ctrl-F again sends SIGHUP to {controller.seat.source.kept_by()[0].who}" == controller.seat.message
        assert f"pid {left.pid}," in controller.seat.message
        assert left.poll() is None
        controller.press("escape")


def test_only_what_was_offered_is_sent(controller: PlayController) -> None:
    with holding(controller.seat.source.name, "LOCK_SH") as reader:
        stop(reader)
        typed(controller, "h")
        controller.wait(1.0)
        controller.press(FREE)
        assert told(controller, 2.0) == "Ctrl-F again sends SIGCONT to WHO"
        reader.send_signal(signal.SIGCONT)
        os.waitid(os.P_PID, reader.pid, os.WCONTINUED | os.WNOWAIT)
        controller.press(FREE)
        assert told(controller, 3.0) == "Ctrl-F again sends SIGHUP to WHO"
        assert reader.poll() is None
        controller.press("escape")


_OF_USER = """
signal.pthread_sigmask(signal.SIG_SETMASK, [])
fd = os.open(path, os.O_RDONLY)
os.setuid(int(arguments[0]))
ctypes.CDLL(None).prctl(4, 1)  # PR_SET_DUMPABLE: else the system calls it root's, as that began it
fcntl.lockf(fd, fcntl.LOCK_SH)
say("held")
wait()
"""


@as_root
@pytest.mark.parametrize(("user", "name", "who"), [(ANN, str(ANN), f"{ANN} or root"), (0, "root", "root")])
def test_without_rights_one_is_told_who_can_end_it_and_nothing_is_sent(
    tmp_path: Path, user: int, name: str, who: str
) -> None:
    path = tmp_path / "game"
    path.touch()
    identity = (path.stat().st_dev, path.stat().st_ino)

    def ask() -> str:
        kept = KeptInput(identity)
        kept.blame(holders_of(identity))
        kept.free(1.0)
        first = kept.words(1.0)
        kept.free(1.0)
        return first if kept.words(1.0) == first else "not the same"

    with Child(_OF_USER, str(path), str(user)) as reader:
        assert reader.hear() == "held"
        told = as_user(BOB, ask).split("; ")
        assert told[0].endswith(f", pid {reader.pid}, of {name}, 0 s")
        assert told[1] == f"{who} can end it"
        assert reader.poll() is None


def test_in_80_columns_the_row_has_who_it_is_since_when_and_the_key(
    controller: PlayController, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Holder, "user_name", "ann")
    monkeypatch.setattr("nhlog.log.locks.freeing.is_in_the_way", lambda *_: True)
    monkeypatch.setattr("terminal.play.kept.may_end", lambda _: True)
    kept = KeptInput((0, 0))
    kept.blame([NHLOG_OF_ANN])
    kept.words(0.0)
    kept.keys.extend("hj")
    controller.seat.message = kept.words(12.0)
    row = draw_game(controller, 80, 24).text()[0]
    assert row.rstrip() == "stuck: nhlog, pid 4711, of ann, 12 s; Ctrl-F frees it; 3 keys kept, Esc drops"
    controller.seat.message = controller.seat.message.replace("ann", "a-name-of-many-letters")
    row = draw_game(controller, 80, 24).text()[0]
    assert row.startswith("stuck: nhlog, pid 4711, of a-name-of-many-letters, 12 s; Ctrl-F frees it; ")


def test_the_help_has_the_key(controller: PlayController) -> None:
    controller.press("?")
    assert any("Ctrl-F" in row and "stuck process" in row for row in draw_game(controller, 80, 60).text())


def test_a_player_in_a_terminal_lets_a_stopped_watcher_go_on(home: dict[str, str]) -> None:
    with Pty(*new_game(), **home) as pty:
        pty.wait(lambda rows: turn(rows) == 1)
        with Party(the_log(home)) as reader:
            assert reader.hear() == "ready"
            assert reader.do("monitor") == "monitoring"
            stop(reader)
            pty.send("s")
            pty.wait_for(f"pid {reader.pid}, of {pwd.getpwuid(os.getuid()).pw_name}")
            pty.wait_for("Ctrl-F frees it")
            pty.send("\x06")
            pty.wait_for("Ctrl-F again sends SIGCONT")
            pty.send("\x06")
            rows = pty.wait(lambda rows: turn(rows) == 2)
            assert not any("stuck" in row or "Ctrl-F" in row for row in rows)
            assert reader.do("state") == "monitor"
        pty.send("S")
        assert pty.end() == 0
