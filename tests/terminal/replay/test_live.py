"""Watching what others write: who may mends a log whose player died within a line; others know of who watches."""

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from nhlog.files import stamp_of
from nhlog.files.processes import Locks, all_locks, locks_on
from nhlog.formats.nhgame.operations import open_replay
from nhlog.log.file import LogFile
from nhlog.log.locks.holders import processes_on, role_of
from terminal.replay.live import LiveFile, LiveLog
from terminal.replay.open import open_viewed
from terminal.replay.player import Player
from tests.builders import played
from tests.corpus import SAMPLES
from tests.processes import Child, as_user, holding
from tests.sharing.parties import needs_handshake
from tests.terminal.play.test_play import DYING, home, lines, new_game, the_log, turn
from tests.terminal.pty import NHLOG, Pty

__all__ = ["home"]

pytestmark = needs_handshake

BOB = 61002
as_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else")


MENDING = """
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
with Writer(Log(LogFile(path, writable=True))) as writer:
    writer.mend()
"""
"""Another who is quicker."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return Path(played(3).write(tmp_path / "game.nhgame"))


@pytest.fixture
def watcher(path: Path) -> Iterator[Player]:
    replay = open_replay(str(path))
    watcher = Player(replay, live=LiveLog(replay.log, mends=True))
    watcher.follow()
    watcher.message = ""
    yield watcher
    watcher.close()


def die_inside_a_line(path: Path) -> bytes:
    """Have a player die while it writes a line; returns what the log was before."""
    before = path.read_bytes()
    with Child(DYING, str(path)) as dying:
        assert dying.wait() == -signal.SIGKILL
    return before


def raised(log: bytes) -> bytes:
    """The log with a recovery count that is one higher."""
    return log.replace(b" 00000001 ", b" 00000002 ", 1)


def pass_time(player: Player, *times: float) -> None:
    for now in times:
        player.refresh()
        player.advance(now)


def test_a_part_of_a_line_that_stands_for_two_seconds_is_cut_off_without_a_word(watcher: Player, path: Path) -> None:
    before = die_inside_a_line(path)
    pass_time(watcher, 10.0, 11.9)
    assert path.read_bytes() == before + b"sear"
    pass_time(watcher, 12.0, 12.1)
    assert path.read_bytes() == raised(before)
    assert watcher.message == ""
    assert watcher.step == watcher.timeline.last


def test_afterwards_the_watcher_is_a_watcher_again(watcher: Player, path: Path) -> None:
    watcher.live.source.mark()
    die_inside_a_line(path)
    pass_time(watcher, 10.0, 12.0)
    [process] = processes_on(watcher.live.source.identity)
    assert process.pid == os.getpid()
    assert process.mark
    assert role_of(process, watcher.live.source.status()) == "watches"


def test_who_watches_a_recording_has_a_mark_on_it(tmp_path: Path) -> None:
    cast = shutil.copy(SAMPLES / "nethack.cast", tmp_path)
    identity = stamp_of(str(cast)).identity
    watcher = Player(open_viewed(str(cast)), live=LiveFile(str(cast)))
    assert locks_on(identity) == all_locks()[identity] == Locks({}, {os.getpid(): False}, set())
    watcher.close()
    assert locks_on(identity) == Locks({}, {}, set())


def test_a_part_that_grows_is_left_to_its_writer(watcher: Player, path: Path) -> None:
    before = path.read_bytes()
    for number, piece in enumerate((b"se", b"ar", b"ch")):
        with path.open("ab") as log:
            log.write(piece)
        pass_time(watcher, 10.0 + number * 1.5)
    assert path.read_bytes() == before + b"search"


def test_who_replays_a_log_leaves_it_as_it_is(path: Path) -> None:
    before = die_inside_a_line(path)
    player = Player(open_replay(str(path)))
    player.follow()
    pass_time(player, 10.0, 20.0, 30.0)
    assert path.read_bytes() == before + b"sear"
    player.close()


def test_a_game_that_is_over_is_left_as_it_is(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"NHGAME save", b"NHGAME done", 1) + b"sear")
    before = path.read_bytes()
    replay = open_replay(str(path))
    player = Player(replay, live=LiveLog(replay.log, mends=True))
    pass_time(player, 10.0, 20.0, 30.0)
    assert path.read_bytes() == before
    player.close()


def test_without_a_lock_it_is_tried_once(watcher: Player, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = []
    allow = watcher.live.source.allow_writing
    monkeypatch.setattr(watcher.live.source, "allow_writing", lambda: tries.append(1) or allow())
    before = die_inside_a_line(path)
    with holding(str(path), "LOCK_SH"):
        pass_time(watcher, 10.0, 12.0, 14.0, 16.0)
    pass_time(watcher, 18.0, 20.0)
    assert tries == [1]
    assert path.read_bytes() == before + b"sear"
    assert watcher.message == "waiting for the rest of a line at offset " + str(len(before))


def test_of_two_watchers_the_slower_one_has_nothing_to_do(watcher: Player, path: Path) -> None:
    before = die_inside_a_line(path)
    pass_time(watcher, 10.0)
    with Child(MENDING, str(path)) as other:
        assert other.wait(20) == 0
    watcher.advance(12.0)  # before it looks again
    pass_time(watcher, 12.1)
    assert path.read_bytes() == raised(before)
    assert watcher.message == ""


@as_root
@pytest.mark.parametrize(("mode", "mended"), [(0o644, False), (0o666, True)])
def test_who_may_not_write_leaves_it_as_it_is(mode: int, mended: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        path = Path(played(3).write(Path(folder) / "game.nhgame"))
        path.chmod(mode)
        before = die_inside_a_line(path)

        def watch() -> str:
            replay = open_replay(str(path))
            pass_time(watcher := Player(replay, live=LiveLog(replay.log, mends=True)), 10.0, 12.0, 14.0)
            return watcher.message

        assert as_user(BOB, watch) == ""
        assert path.read_bytes() == (raised(before) if mended else before + b"sear")


@pytest.mark.parametrize("way", ["events", "monitor", "polling"])
def test_a_watcher_in_a_terminal_mends_a_game_and_sees_it_go_on(home: dict[str, str], way: str) -> None:
    with Pty(*new_game(), **home) as player:
        player.wait(lambda rows: turn(rows) == 1)
        player.send("S")
        assert player.end() == 0
    path = Path(the_log(home))
    with Pty(*NHLOG, "watch", str(path), "--notify", way, **home) as watcher:
        watcher.wait(lambda rows: turn(rows) == 1)
        before = die_inside_a_line(path)
        watcher.wait(lambda _: path.read_bytes() == raised(before))
        with LogFile(str(path)) as file:
            [process] = processes_on(file.identity)
            assert process.pid == watcher.pid
            assert role_of(process, file.status()) == "watches"
        with Pty(*NHLOG, "play", str(path), **home) as player:
            player.wait(lambda rows: turn(rows) == 1)
            player.send("s")
            rows = watcher.wait(lambda rows: turn(rows) == 2)
            player.send("S")
            assert player.end() == 0
        assert b"recovered" not in watcher.written
        assert not any("rest of a line" in row for row in rows)
        watcher.send("q")
        assert watcher.end() == 0
    assert lines(str(path)).count("search") == 1
