"""What a watcher is told beside the recording, what matters first, and until when."""

import os
import pwd
import re
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from nhlog.errors import Damaged, LockNotObtained, NhlogError
from nhlog.log.locks.holders import Holder
from nhlog.replay import Change, Event, Status
from nhlog.testing.fakes import FakeDisplay, FakeRecording, Happening
from terminal.replay.controls import Controls
from terminal.replay.drawing.frame import draw_frame
from terminal.replay.loop import watch
from terminal.replay.player import EVENT_SHOWN, Player
from terminal.views import view_of
from tests.corpus import SAMPLES
from tests.processes import holding
from tests.sharing.parties import needs_handshake
from tests.terminal.pty import NHLOG, Pty

PATH = "/var/games/nhlog/1795305857_Hone.nhgame"
ANN = Holder(4711, exclusive=True, command="nethack4", user=1000, started=1)
KEPT = LockNotObtained("no read lock after 2 s, stuck process", file=PATH, found=ANN)


class Hindered(FakeRecording):
    """A recording that may not be read: `error` is raised by whatever reads it."""

    error: NhlogError | None = None

    def _may(self) -> None:
        if self.error is not None:
            raise self.error

    @property
    def state(self) -> tuple[int, str]:
        self._may()
        return super().state

    def events(self, first: int, last: int) -> Iterator[Event]:
        self._may()
        return super().events(first, last)

    def refresh(self) -> Change:
        self._may()
        return super().refresh()


@pytest.fixture(autouse=True)
def _ann(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Holder, "user_name", "ann")


@pytest.fixture
def recording() -> Hindered:
    return Hindered([Happening(f"moves {number}", turn=number) for number in range(10)], status=Status.LIVE)


@pytest.fixture
def player(recording: Hindered) -> Player:
    player = Player(recording)
    player.advance(100.0)
    return player


def last_row(player: Player) -> str:
    return draw_frame(Controls(player, view_of("fake")), 80, 24).text()[-1]


def hinder(player: Player, recording: Hindered, error: NhlogError | None) -> None:
    recording.error = error
    player.refresh()
    recording.error = None


# what is wrong, as long as it is


def test_who_keeps_the_log_is_told_first_and_for_how_long(player: Player, recording: Hindered) -> None:
    for now, told in ((100.0, "0 s"), (103.4, "3 s"), (112.0, "12 s")):
        player.advance(now)
        hinder(player, recording, KEPT)
        assert player.news.trouble == f"stuck: nethack4, pid 4711, of ann, {told}"
    assert last_row(player).startswith(" stuck: nethack4, pid 4711, of ann, 12 s ")


def test_other_errors_are_told_without_the_path(player: Player, recording: Hindered) -> None:
    hinder(player, recording, Damaged("no header", file=PATH, offset=7))
    assert last_row(player).startswith(" offset 7: no header ")


def test_what_is_wrong_is_told_whatever_is_pressed_until_it_is_right_again(player: Player, recording: Hindered) -> None:
    hinder(player, recording, KEPT)
    Controls(player, view_of("fake")).press("r")
    assert last_row(player).startswith(" stuck: nethack4, pid 4711, of ann, 0 s; backwards ")
    hinder(player, recording, None)
    assert player.news.trouble == ""
    assert last_row(player).startswith(" backwards ")
    player.advance(200.0)
    hinder(player, recording, KEPT)
    assert player.news.trouble.endswith(" 0 s")


# what happened, for some seconds


@pytest.mark.parametrize("later", [EVENT_SHOWN, "."])
def test_what_happened_is_told_for_some_seconds_or_until_the_next_key(
    player: Player, recording: Hindered, later: float | str
) -> None:
    recording.take_back(4)
    player.refresh()
    player.advance(100.0 + EVENT_SHOWN / 2)
    assert player.message == "recovered: 4 lines lost"
    if isinstance(later, str):
        Controls(player, view_of("fake")).press(later)
    else:
        player.advance(100.0 + later)
    assert player.message == ""


def test_an_answer_to_a_key_stays_until_the_next_key(player: Player, recording: Hindered) -> None:
    recording.take_back(4)
    player.refresh()
    player.say(player.tempo.reverse())
    player.advance(100.0 + 2 * EVENT_SHOWN)
    assert player.message == "backwards"


def test_who_waits_for_more_is_told_so_until_there_is_more(player: Player, recording: Hindered) -> None:
    player.toggle()
    for second in range(20):
        player.advance(100.0 + second)
    assert player.message == "waiting for more"
    player.refresh()
    assert player.message == "waiting for more"
    recording.grow(Happening("goes on", turn=10))
    player.refresh()
    assert player.message == ""


# the loop


class Meanwhile(FakeDisplay):
    """A display; of the keys, those that are names of errors set one, or none."""

    def __init__(self, recording: Hindered, *script: str) -> None:
        super().__init__(script)
        self._recording = recording

    def keys(self, timeout: float) -> list[str]:
        keys = super().keys(timeout)
        if keys in (["kept"], ["free"]):
            self._recording.error = KEPT if keys == ["kept"] else None
            return []
        return keys


def test_a_log_that_is_kept_leaves_the_picture_and_ends_nothing(recording: Hindered) -> None:
    display = Meanwhile(recording, "", "kept", ".", "/", "m", "enter", "n", "free", "", *[""] * 9, "q")
    watch(display, Player(recording), display.clock)
    shown = [screen.text() for screen in display.screens]
    for before, after in pairwise(shown[1:8]):
        assert after[:-1] == before[:-1]
        assert after[-1].startswith(" stuck: nethack4, pid 4711, of ann")
    assert not any("stuck" in row for row in shown[-1])


# a real log


@needs_handshake
def test_a_watcher_is_told_of_a_process_that_is_stuck_in_a_line_as_long_as_it_is(tmp_path: Path) -> None:
    path = shutil.copy(SAMPLES / "scripted1.nhgame", tmp_path)
    with Pty(*NHLOG, "watch", path, size=(80, 24)) as pty:
        pty.wait_for("help")
        with holding(path, "LOCK_EX") as holder:
            with open(path, "ab") as log:
                log.write(b"sear")
            who = f"pid {holder.pid}, of {pwd.getpwuid(os.getuid()).pw_name}"
            told = re.compile(f" stuck: python[^,]*, {who}, ([0-9]+) s ")
            first = told.match(pty.wait(lambda rows: told.match(rows[0]) is not None)[0])
            pty.wait(lambda rows: (found := told.match(rows[0])) is not None and found[1] != first[1])
        pty.wait(lambda rows: "stuck" not in rows[0])
        pty.send("q")
        assert pty.end() == 0


ALL_THAT_IS_LEFT = "the file was deleted: what is shown is all that is left"


@pytest.mark.parametrize("size", [(80, 24), (80, 28)], ids=["whole map", "with a title"])
def test_a_watcher_is_told_what_becomes_of_the_files_name(tmp_path: Path, size: tuple[int, int]) -> None:
    path, other = tmp_path / "game.nhgame", tmp_path / "other"
    shutil.copy(SAMPLES / "scripted1.nhgame", path)
    with Pty(*NHLOG, "watch", str(path), size=size) as pty:
        pty.wait_for("help")
        path.rename(other)
        pty.wait_for("the file was moved to")
        path.touch()
        replaced = "another file has its name now"
        pty.wait_for(replaced)
        other.rename(path)
        pty.wait(lambda rows: not any(replaced in row for row in rows))
        path.unlink()
        pty.wait_for(ALL_THAT_IS_LEFT)
        pty.send("gq")
        assert pty.end() == 0


def test_a_watcher_sees_how_a_game_ended_that_is_moved_in_the_moment_of_its_end(tmp_path: Path) -> None:
    """NetHack 4 writes the end, marks it in the header, and moves the log from its folder of saves at once."""
    whole = (SAMPLES / "died2.nhgame").read_bytes()
    before, (save, log) = whole.rindex(b"\n~") + 1, (tmp_path / "save", tmp_path / "log")
    path = save / "game.nhgame"
    for folder in (save, log):
        folder.mkdir()
    path.write_bytes(b"NHGAME save" + whole[11:before])
    with Pty(*NHLOG, "watch", str(path), size=(80, 24)) as pty:
        pty.wait_for("live")
        with path.open("r+b") as file:
            file.seek(before)
            file.write(whole[before:])
            file.seek(0)
            file.write(whole[:11])
            path.rename(log / path.name)
        rows = pty.wait_for("; the file was moved to")
        assert "killed by" in rows[0]
        assert " over " in rows[-1]
        pty.send("e")
        pty.wait_for("killed by")
        pty.send("qq")
        assert pty.end() == 0


def test_the_title_tells_of_a_deleted_game_as_long_as_it_is_watched(tmp_path: Path) -> None:
    path = shutil.copy(SAMPLES / "scripted1.nhgame", tmp_path)
    with Pty(*NHLOG, "watch", path, size=(80, 28)) as pty:
        pty.wait_for("help")
        os.unlink(path)
        pty.wait(lambda rows: ALL_THAT_IS_LEFT in rows[-1])
        pty.send("r")
        pty.wait_for("backwards")
        assert ALL_THAT_IS_LEFT in pty.rows[0]
