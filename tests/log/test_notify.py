"""Hearing of changes in each of three ways, and which is chosen."""

import math
import os
import queue
import select
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from nhlog.files import Stamp, events
from nhlog.files import changes as files
from nhlog.log import NotifyMethod, notify
from nhlog.log.file import LogFile
from nhlog.log.locks import keeper
from nhlog.log.locks.holders import holders_of, processes_on
from nhlog.log.notify import CROWD, Changes, Pace, playing_method, watching_method
from tests.builders import played
from tests.corpus import ROOT
from tests.processes import holding
from tests.sharing.parties import Party, holders, needs_handshake, parties
from tests.waiting import PATIENCE


@pytest.fixture
def path(tmp_path: Path) -> str:
    return played(3).write(tmp_path / "game.nhgame")


@pytest.fixture
def file(path: str) -> Iterator[LogFile]:
    with LogFile(path) as file:
        yield file


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "REMOTE_INTERVAL", 0.05)


def heard(changes: Changes, patience: float = 60) -> bool:
    select.select([changes], [], [], patience)
    return changes.take()


@needs_handshake
@pytest.mark.parametrize("way", NotifyMethod)
def test_every_write_is_heard_and_nothing_else(path: str, way: NotifyMethod) -> None:
    with parties(path, 2) as (follower, writer):
        assert follower.do(f"monitor {way}") == "monitoring"
        for lines in (11, 12, 13):
            assert writer.do("append search") == "appended"
            assert follower.do("heard") == "heard"
            assert follower.do("refresh") == f"{lines} lines"
            follower.do("heard 0.1")  # file events come in pairs: what was read already may be told once more
            assert follower.do("heard 0.3") == "nothing"
        assert follower.do("leave") == "left"


@needs_handshake
@pytest.mark.parametrize("way", [NotifyMethod.EVENTS, NotifyMethod.POLLING])
def test_no_writer_waits_for_one_who_holds_no_lock(path: str, way: NotifyMethod) -> None:
    with parties(path, 2) as (follower, writer):
        follower.do(f"monitor {way}")
        assert holders(path) == {}
        assert writer.do("append search") == "appended"
        assert follower.do("state") == "none"


@pytest.mark.parametrize("way", [NotifyMethod.EVENTS, NotifyMethod.POLLING])
@pytest.mark.parametrize("what", ["growing", "rewriting", "shortening"])
def test_whatever_changes_is_heard(file: LogFile, way: NotifyMethod, what: str) -> None:
    act = {
        "growing": 'echo >> "$0"',
        "rewriting": 'printf x | dd of="$0" conv=notrunc',
        "shortening": 'truncate -s -1 "$0"',
    }
    with Changes(file, way) as changes:
        subprocess.run(["sh", "-c", act[what], file.name], check=True, capture_output=True)
        assert heard(changes)


def test_a_change_right_after_the_beginning_is_heard_by_polling_too(file: LogFile) -> None:
    """What is compared with is what was there when it began, not at its first look."""
    with Changes(file, NotifyMethod.POLLING) as changes:
        os.utime(file.name, ns=(1, 1))
        assert heard(changes, 1)


def test_events_of_other_files_in_the_folder_are_not_ours(file: LogFile, tmp_path: Path) -> None:
    with Changes(file, NotifyMethod.EVENTS) as changes:
        (tmp_path / "game.nhgame2").write_bytes(b"x")
        (tmp_path / "other").write_bytes(b"x")
        assert not heard(changes, 0.3)


def test_a_log_is_heard_of_wherever_it_is_moved_and_when_it_is_removed(path: str, tmp_path: Path) -> None:
    moved = tmp_path / "finished" / "game.nhgame"
    moved.parent.mkdir()
    acts = (
        lambda: os.rename(path, moved),
        lambda: os.truncate(moved, 10),
        lambda: moved.unlink(),
    )
    with LogFile(path) as file, Changes(file, NotifyMethod.EVENTS) as changes:
        for act in acts:
            act()
            assert heard(changes)
            assert not heard(changes, 0.1)


def test_events_reach_a_log_known_by_a_link_or_a_relative_name(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sub").mkdir()
    os.symlink(path, tmp_path / "sub" / "link")
    monkeypatch.chdir(tmp_path / "sub")
    with LogFile("link") as file, Changes(file, NotifyMethod.EVENTS) as changes:
        with open(path, "ab") as other:
            other.write(b"x")
        assert heard(changes)


@pytest.mark.parametrize("way", NotifyMethod)
def test_closing_leaves_nothing_behind(file: LogFile, way: NotifyMethod) -> None:
    before = sorted(os.listdir("/proc/self/fd"))
    for _ in range(3):
        Changes(file, way).close()
    assert sorted(os.listdir("/proc/self/fd")) == before
    assert holders(file.name) == {}


def test_a_beginning_that_fails_leaves_nothing_behind(file: LogFile, monkeypatch: pytest.MonkeyPatch) -> None:
    before = sorted(os.listdir("/proc/self/fd"))

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setitem(notify._LISTENERS, NotifyMethod.EVENTS, fail)
    with pytest.raises(ZeroDivisionError):
        Changes(file, NotifyMethod.EVENTS)
    assert sorted(os.listdir("/proc/self/fd")) == before


def test_many_changes_are_one_and_fill_nothing(file: LogFile) -> None:
    with Changes(file, NotifyMethod.POLLING) as changes:
        for _ in range(100_000):
            changes._bell.ring()
        assert changes.take()
        while changes.take():
            pass
        assert not heard(changes, 0)


def test_a_burst_of_writes_between_two_looks_is_told_once(file: LogFile, monkeypatch: pytest.MonkeyPatch) -> None:
    stamp, may_look, looks, told = file.stamp, threading.Semaphore(1), queue.Queue[Stamp](), list[Stamp]()

    def look() -> Stamp:
        may_look.acquire(timeout=PATIENCE)
        looks.put(found := stamp())
        return found

    monkeypatch.setattr(file, "stamp", look)
    polling = files.PollingListener(file.stamp, lambda: files.POLLING_INTERVAL, lambda: told.append(stamp()))
    with open(file.name, "ab", buffering=0) as other:
        for _ in range(100):
            other.write(b"x")
    may_look.release(3)
    for _ in range(1 + 3):
        looks.get(timeout=PATIENCE)
    may_look.release()  # for a look that it may be in
    polling.stop()
    assert told == [stamp()]


@needs_handshake
def test_the_more_there_are_the_more_rarely_each_of_them_looks(
    path: str, file: LogFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notify, "RECOUNT", 0)
    monkeypatch.setattr(notify, "COUNTED", math.inf)
    pace = Pace(file)
    with parties(path, 3) as others:
        for other in others:
            assert other.do("monitor polling") == "monitoring"
        assert pace() == files.POLLING_INTERVAL
        monkeypatch.setattr(notify, "LOOKS", 10)
        assert pace() == 3 / 10
        file.mark()
        assert pace() == 4 / 10
    assert pace() == 1 / 10


@needs_handshake
def test_the_more_there_are_the_more_rarely_each_of_them_counts_the_others(
    path: str, file: LogFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notify, "RECOUNT", 0)
    monkeypatch.setattr(notify, "LOOKS", 10)
    monkeypatch.setattr(notify, "COUNTED", 1 / 1000)  # each counts three others after 3000 seconds
    pace = Pace(file)
    assert pace() == files.POLLING_INTERVAL
    with parties(path, 3) as others:
        for other in others:
            assert other.do("monitor polling") == "monitoring"
        assert pace() == 3 / 10
    assert pace() == 3 / 10


# choosing


@needs_handshake
def test_who_watches_holds_no_lock_and_is_known(file: LogFile) -> None:
    assert watching_method(file) == NotifyMethod.EVENTS
    with Changes(file) as changes:
        assert changes.method == NotifyMethod.EVENTS
        assert holders_of(file.identity) == []
        assert [(holder.pid, holder.lock) for holder in processes_on(file.identity)] == [(os.getpid(), "no")]
    file.close()
    assert processes_on(file.identity) == []


@needs_handshake
def test_who_plays_and_watches_is_one_process(file: LogFile) -> None:
    file.mark()
    with Changes(file, NotifyMethod.MONITOR):
        assert [(holder.pid, holder.lock) for holder in processes_on(file.identity)] == [(os.getpid(), "read")]


@needs_handshake
@pytest.mark.parametrize("way", NotifyMethod)
def test_a_pause_holds_no_lock_and_ends_with_a_look_at_the_log(file: LogFile, way: NotifyMethod) -> None:
    with Changes(file, way) as changes:
        changes.pause()
        assert holders_of(file.identity) == []
        assert not changes.take()
        changes.resume()
        assert changes.take()
        assert bool(holders_of(file.identity)) is (way is NotifyMethod.MONITOR)


@needs_handshake
def test_a_pause_ends_without_a_lock_where_somebody_keeps_it(file: LogFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "PATIENCE", 0.05)
    with Changes(file, NotifyMethod.MONITOR) as changes:
        changes.pause()
        with holding(file.name, "LOCK_EX"):
            changes.resume()
            assert changes.method == NotifyMethod.EVENTS
            assert changes.take()


@needs_handshake
def test_among_a_few_processes_of_one_user_it_is_the_lock_monitor(file: LogFile) -> None:
    assert playing_method(file) == NotifyMethod.MONITOR


@needs_handshake
def test_in_a_crowd_it_is_file_events(file: LogFile) -> None:
    with ExitStack() as stack:
        for _ in range(CROWD - 1):
            stack.enter_context(holding(file.name, "LOCK_SH"))
        assert playing_method(file) == NotifyMethod.MONITOR
        stack.enter_context(holding(file.name, "LOCK_SH"))
        assert playing_method(file) == NotifyMethod.EVENTS


@needs_handshake
@pytest.mark.parametrize("way", NotifyMethod)
def test_a_writer_wakes_a_few_and_nobody_who_comes_later(path: str, file: LogFile, way: NotifyMethod) -> None:
    """Whether the few play or watch."""
    with parties(path, files.FEW) as others:
        for party in others[1:]:
            assert party.do(f"monitor {way}") == "monitoring"
        assert told_by(file) == (NotifyMethod.EVENTS, True)
        assert others[0].do(f"monitor {way}") == "monitoring"
        assert told_by(file) == (NotifyMethod.POLLING, False)


def told_by(file: LogFile) -> tuple[NotifyMethod, bool]:
    """The method that a spectator gets, and whether the system wakes it."""
    with Changes(file) as changes:
        links = [os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")]
        return changes.method, any("inotify" in link for link in links)


@needs_handshake
@pytest.mark.parametrize("way", NotifyMethod)
@pytest.mark.parametrize("writable", [False, True])
def test_who_watches_takes_the_processor_from_no_writer_and_who_has_to_answer_is_quick(
    path: str, way: NotifyMethod, writable: bool
) -> None:
    with LogFile(path, writable=writable) as file:
        with Changes(file, way):
            stands_back = os.sched_getscheduler(0) == os.SCHED_BATCH
            assert stands_back is (not writable and way is not NotifyMethod.MONITOR)
        assert os.sched_getscheduler(0) == os.SCHED_OTHER


@pytest.mark.parametrize("policy", [os.SCHED_BATCH, os.SCHED_IDLE])
def test_who_stands_back_already_stays_so(file: LogFile, policy: int) -> None:
    def watch() -> None:
        os.sched_setscheduler(0, policy, os.sched_param(0))
        for _ in range(2):
            with Changes(file, NotifyMethod.EVENTS):
                found.append(os.sched_getscheduler(0))
            found.append(os.sched_getscheduler(0))

    found = list[int]()
    watching = threading.Thread(target=watch)  # a policy is a thread's own
    watching.start()
    watching.join()
    assert found == [policy] * 4


def test_for_anothers_game_it_is_file_events(file: LogFile, monkeypatch: pytest.MonkeyPatch) -> None:
    us = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: us + 1)
    assert playing_method(file) == NotifyMethod.EVENTS


@pytest.mark.parametrize("mode", [0o664, 0o646, 0o666])
def test_for_a_game_that_others_may_play_too_it_is_file_events(file: LogFile, mode: int) -> None:
    """They could not ask for a lock at rest: no signal goes from one user to another."""
    os.chmod(file.name, mode)
    assert playing_method(file) == NotifyMethod.EVENTS


@needs_handshake
def test_a_game_that_others_may_play_from_now_on_is_left_to_file_events(file: LogFile) -> None:
    with Changes(file, NotifyMethod.MONITOR) as changes:
        assert not changes.take()
        os.chmod(file.name, 0o664)
        assert changes.take()
        assert changes.method == NotifyMethod.EVENTS
        assert [(holder.pid, holder.lock) for holder in processes_on(file.identity)] == [(os.getpid(), "no")]


@needs_handshake
def test_nobody_rests_in_a_lock_on_anothers_game(file: LogFile, monkeypatch: pytest.MonkeyPatch) -> None:
    us = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: us + 1)
    with Changes(file, NotifyMethod.MONITOR) as changes:
        assert changes.method == NotifyMethod.EVENTS
        assert holders_of(file.identity) == []


@pytest.mark.parametrize("missing", ["platform", "signals"])
def test_without_a_handshake_it_is_file_events(file: LogFile, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    if missing == "platform":
        monkeypatch.setattr("sys.platform", "darwin")
    else:
        monkeypatch.setattr(notify, "SIGNALS", frozenset())
    assert playing_method(file) == NotifyMethod.EVENTS


@pytest.mark.parametrize("kind", ["nfs", "nfs4", "cifs", "fuse.sshfs"])
def test_on_another_machines_files_it_is_polling(file: LogFile, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(events, "_file_system", lambda _: kind)
    assert playing_method(file) == watching_method(file) == NotifyMethod.POLLING
    with Changes(file) as changes:
        assert changes.method == NotifyMethod.POLLING


def test_the_file_system_is_that_of_the_nearest_mount() -> None:
    assert events._file_system("/proc/self/status") == "proc"
    assert events._file_system("/dev/null") != "proc"


@needs_handshake
def test_a_party_says_which_way_it_was_told(path: str) -> None:
    with Party(path) as party:
        assert party.hear() == "ready"
        assert party.do("monitor polling") == "monitoring"
        assert party.do("leave") == "left"


FOLLOWERS_FULL = """
import ctypes, os, resource, sys
from nhlog.log.file import LogFile
from nhlog.log.notify import Changes
from nhlog.log import NotifyMethod
with LogFile(sys.argv[1]) as log:
    lowest = os.dup(0)
    os.close(lowest)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest + 3, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    with Changes(log, NotifyMethod.EVENTS) as changes:
        print(changes.method.name)
"""


def test_where_the_system_gives_no_more_file_events_it_is_polled(tmp_path: Path) -> None:
    path = played(3).write(tmp_path / "game.nhgame")
    done = subprocess.run([sys.executable, "-c", FOLLOWERS_FULL, path], capture_output=True, text=True, cwd=ROOT)
    assert (done.stdout.strip(), done.returncode) == ("POLLING", 0), done.stderr
