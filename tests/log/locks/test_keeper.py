"""Processes of ours that share a log: who gets the lock, who is told, and that nobody is stuck for another's sake."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nhlog.errors import NhlogError
from nhlog.log.file import LogFile
from nhlog.log.locks import keeper
from nhlog.log.locks.keeper import RELOCK_PATIENCE, Keeper
from tests.builders import played
from tests.corpus import ROOT
from tests.processes import Child, holding
from tests.sharing.parties import Party, holders, needs_handshake, parties
from tests.waiting import eventually

pytestmark = needs_handshake

UNHURRIED = "patience 100"
"""For who waits for something that others do: on a busy machine, too, no time-out comes before it."""


@pytest.fixture
def path(tmp_path: Path) -> str:
    return played(3).write(tmp_path / "game.nhgame")


def stop(process: Child) -> None:
    """Suspend it with all its threads, and know that it is."""
    process.send_signal(signal.SIGSTOP)
    threads = list(Path(f"/proc/{process.pid}/task").iterdir())
    assert eventually(lambda: {(one / "stat").read_text().rpartition(") ")[2][0] for one in threads} == {"T"})


# telling


@pytest.mark.parametrize("writer_at", [0, 1, 2], ids=["writer lowest", "writer between", "writer highest"])
def test_whoever_monitors_hears_of_every_write_after_it(path: str, writer_at: int) -> None:
    with parties(path, 3) as all_:
        writer = all_[writer_at]
        watchers = [party for party in all_ if party is not writer]
        for party in all_:
            assert party.do("monitor") == "monitoring"
        for lines in (11, 12, 13):
            assert writer.do("append search") == "appended"
            for watcher in watchers:
                assert watcher.do("heard") == "heard"
                assert watcher.do("refresh") == f"{lines} lines"
        assert writer.do("heard 0") == "nothing"


def test_a_write_lock_means_that_every_watcher_has_let_go_and_knows(path: str) -> None:
    with parties(path, 3) as (first, writer, last):
        for party in (first, writer, last):
            party.do("monitor")
        assert set(holders(path).values()) == {"read"}
        assert writer.do("enter") == "in the scope"
        assert holders(path) == {writer.pid: "write"}
        assert [first.do("state"), last.do("state")] == ["yielded", "yielded"]
        assert first.do("heard 0") == "nothing", "told before the end of the write"
        writer.do("done")
        assert [first.do("heard"), last.do("heard")] == ["heard", "heard"]
        assert holders(path) == {party.pid: "read" for party in (first, writer, last)}


def test_one_that_left_is_not_asked_and_not_told(path: str) -> None:
    with parties(path, 2) as (watcher, writer):
        watcher.do("monitor")
        assert watcher.do("leave") == "left"
        assert holders(path) == {}
        assert writer.do("append search") == "appended"
        assert watcher.do("state") == "none"


def test_a_writer_need_not_monitor(path: str) -> None:
    with parties(path, 2) as (watcher, writer):
        watcher.do("monitor")
        assert writer.do("append search") == "appended"
        assert holders(path).get(writer.pid) is None
        assert watcher.do("heard") == "heard"


# getting the lock


def test_a_writer_waits_for_one_who_writes_and_no_longer(path: str) -> None:
    with parties(path, 2) as (first, writer):
        writer.do(UNHURRIED)
        first.do("monitor")
        first.do("enter")
        writer.tell("enter")
        assert eventually(lambda: first.do("deferred") == "1")
        assert holders(path) == {first.pid: "write"}
        first.do("done")
        assert writer.hear() == "in the scope"


def test_of_two_who_want_to_write_the_lower_goes_first_though_it_came_last(path: str) -> None:
    with holding(path, "LOCK_SH") as foreign, parties(path, 2) as (lower, higher):
        for party in (higher, lower):
            party.do(UNHURRIED)
            party.do("monitor")
            assert party.do("seek") == "seeking"
        foreign.tell()
        assert lower.hear() == "in the scope"
        assert holders(path) == {lower.pid: "write"}
        lower.tell("done")
        assert higher.hear() == "in the scope"


def writer_of(path: str) -> int:
    """Who has the write lock, as soon as somebody has."""
    found: list[int] = []

    def look() -> bool:
        found.extend(pid for pid, lock in holders(path).items() if lock == "write")
        return bool(found)

    assert eventually(look)
    return found[0]


@pytest.mark.parametrize("count", [2, 3, 8])
@pytest.mark.parametrize("monitoring", [True, False])
def test_racing_writers_are_all_served(path: str, count: int, monitoring: bool) -> None:
    with parties(path, count) as racers:
        for racer in racers:
            racer.do(UNHURRIED)  # the last waits for all the others
            if monitoring:
                racer.do("monitor")
        for _ in range(5):
            for racer in racers:
                racer.tell("enter")
            waiting = list(racers)
            while waiting:
                writer = writer_of(path)
                (first,) = [racer for racer in waiting if racer.pid == writer]
                waiting.remove(first)
                assert first.hear() == "in the scope"
                first.tell("done")
                assert first.hear() == "done"
        for racer in racers:
            assert racer.do(f"until {'monitor' if monitoring else 'none'}") == ("monitor" if monitoring else "none")


# those who do not answer


def test_a_stopped_watcher_is_named_after_two_seconds_and_nothing_is_written(path: str) -> None:
    before = Path(path).read_bytes()
    with parties(path, 2) as (stopped, writer), asking(path) as asker:
        stopped.do("monitor")
        writer.do("monitor")
        stop(stopped)
        began = time.monotonic()
        answer = writer.do("append search")
        assert time.monotonic() - began >= 2
        assert answer.startswith("LockNotObtained: no write lock after 2 s, stuck process: found read lock of process")
        assert str(stopped.pid) in answer
        assert Path(path).read_bytes() == before
        assert order(asker, f"queue 0 {writer.pid}") == "answered", "after a failure it answers no requests"
        order(asker, f"queue 2 {writer.pid}")
        stopped.send_signal(signal.SIGCONT)
        assert [writer.do("until monitor"), stopped.do("until monitor")] == ["monitor", "monitor"]
        assert writer.do("append search") == "appended"


def test_one_who_dies_instead_of_answering_is_not_waited_for(path: str) -> None:
    with parties(path, 2) as (watcher, writer):
        writer.do(UNHURRIED)
        watcher.do("monitor")
        stop(watcher)
        writer.tell("enter")
        assert eventually(lambda: pending(watcher.pid))
        watcher.kill()
        assert writer.hear() == "in the scope", "it waits for the answer, and says in the end that none came"


def test_one_who_leaves_instead_of_answering_is_not_waited_for(path: str) -> None:
    with parties(path, 2) as (watcher, writer):
        writer.do(UNHURRIED)
        watcher.do("monitor")
        stop(watcher)
        watcher.tell("leave")
        writer.tell("enter")
        assert eventually(lambda: pending(watcher.pid))
        watcher.send_signal(signal.SIGCONT)
        assert writer.hear() == "in the scope"


def test_one_who_ends_answers_before_who_had_just_seen_its_lock(path: str) -> None:
    """NetHack 4 would wait for the answer in vain, and refuse to write; the farewell is long, as for a busy machine."""
    with asking(path) as asker, Party(path) as watcher:
        assert watcher.hear() == "ready"
        watcher.do("monitor")
        watcher.tell("go 30")
        assert eventually(lambda: holders(path) == {})
        assert order(asker, f"queue 0 {watcher.pid}") == "answered"
        watcher.kill()


def test_a_program_that_knows_no_handshake_is_waited_for_and_not_killed(path: str) -> None:
    with holding(path, "LOCK_SH") as foreign, parties(path, 1) as (writer,):
        writer.tell("enter")
        assert writer.hear().startswith("LockNotObtained: no write lock after 2 s, no game: it cannot be asked for it")
        assert foreign.poll() is None
        writer.do(UNHURRIED)
        writer.tell("enter")
        foreign.tell()
        assert writer.hear() == "in the scope"


def pending(pid: int) -> bool:
    """Whether a request waits for the process."""
    status = Path(f"/proc/{pid}/status").read_text()
    bits = int(status.split("ShdPnd:")[1].split()[0], 16)
    return bool(bits >> (signal.SIGRTMIN - 1) & 3)


ASKER = """
signal.pthread_sigmask(signal.SIG_BLOCK, range(signal.SIGRTMIN, signal.SIGRTMIN + 5))
say("ready")
while True:
    what, number, pid = wait().split()
    {"queue": queue, "send": queue, "kill": os.kill}[what](int(pid), signal.SIGRTMIN + int(number))
    if int(number) < 2 and what == "queue":
        answer = signal.sigtimedwait([signal.SIGRTMIN + 4], 10)
        say("answered" if answer and answer.si_pid == int(pid) else "nothing")
    else:
        say("sent")
"""


@contextmanager
def asking(path: str) -> Iterator[Child]:
    """A process that sends signals as it is told: WAY NUMBER PID; ``queue`` waits for the answer to a request."""
    with Child(ASKER, path) as asker:
        assert asker.hear() == "ready"
        yield asker


def order(asker: Child, what: str) -> str:
    asker.tell(what)
    return asker.hear()


def test_an_asker_that_died_costs_three_seconds_and_no_failure(path: str) -> None:
    with Party(path) as watcher:
        assert watcher.hear() == "ready"
        watcher.do("monitor")
        with asking(path) as asker:
            before = time.monotonic()  # it is asked later, however slow the machine is
            assert order(asker, f"queue 1 {watcher.pid}") == "answered"
        assert watcher.do("enter") == "in the scope", "the file is free, and yet there was no lock"
        assert time.monotonic() - before >= RELOCK_PATIENCE, "it locked again without leave"
        watcher.do("done")
        assert watcher.do("heard") == "heard"
        assert holders(path) == {watcher.pid: "read"}


def test_a_writer_that_dies_with_the_lock_frees_it_and_its_watchers(path: str) -> None:
    with parties(path, 2) as (watcher, writer):
        watcher.do(UNHURRIED)
        watcher.do("monitor")
        writer.do("enter")
        assert watcher.do("state") == "yielded"
        writer.kill()
        assert watcher.do("heard") == "heard"
        assert holders(path) == {watcher.pid: "read"}


def test_a_writer_that_hangs_with_the_lock_kills_no_watcher(path: str) -> None:
    with parties(path, 2) as (watcher, writer):
        watcher.do("monitor")
        writer.do("enter")
        stop(writer)
        answer = watcher.do("enter")
        assert answer.startswith("LockNotObtained: no read lock after 2 s, stuck process: found write lock of process")
        time.sleep(1.2)  # the patience of NetHack 4's watchers, which abort then
        assert watcher.do("state") == "yielded"
        writer.send_signal(signal.SIGCONT)
        writer.do("done")
        assert watcher.do("heard") == "heard"
        assert watcher.do("enter") == "in the scope"


def test_one_that_let_go_for_two_locks_again_when_both_are_done(path: str) -> None:
    with asking(path) as first, asking(path) as second, Party(path) as watcher:
        assert watcher.hear() == "ready"
        watcher.do(UNHURRIED)
        watcher.do("monitor")
        for asker in (first, second):
            assert order(asker, f"queue 1 {watcher.pid}") == "answered"
        order(first, f"queue 3 {watcher.pid}")
        assert watcher.do("heard 0.2") == "nothing"
        assert (watcher.do("state"), holders(path)) == ("yielded", {})
        order(second, f"queue 3 {watcher.pid}")
        assert watcher.do("heard") == "heard"
        assert holders(path) == {watcher.pid: "read"}


def test_for_one_that_gave_up_before_it_was_answered_nobody_waits(path: str) -> None:
    with asking(path) as asker, Party(path) as watcher:
        assert watcher.hear() == "ready"
        watcher.do(UNHURRIED)
        watcher.do("monitor")
        watcher.do("enter")
        order(asker, f"send 1 {watcher.pid}")
        assert eventually(lambda: watcher.do("deferred") == "1")
        order(asker, f"send 3 {watcher.pid}")
        assert eventually(lambda: watcher.do("deferred") == "2")
        watcher.do("done")
        assert watcher.do("heard") == "heard"
        assert holders(path) == {watcher.pid: "read"}


# what went wrong once


def test_one_who_seeks_without_a_lock_of_rest_lets_go_and_goes_on(path: str) -> None:
    """It has nothing to take again when it may lock."""
    with asking(path) as asker, holding(path, "LOCK_SH") as foreign, Party(path) as writer:
        assert asker.pid < writer.pid
        assert writer.hear() == "ready"
        writer.do(UNHURRIED)
        writer.tell("enter")
        assert order(asker, f"queue 1 {writer.pid}") == "answered"
        order(asker, f"queue 3 {writer.pid}")
        foreign.tell()
        assert writer.hear() == "in the scope"
        writer.do("done")
        assert order(asker, f"queue 1 {writer.pid}") == "answered", "it answers nobody any more"


def test_one_who_leaves_while_it_waits_to_lock_again_holds_nothing_afterwards(path: str) -> None:
    with parties(path, 2) as (watcher, writer):
        watcher.do("monitor")
        writer.do("enter")
        assert watcher.do("until yielded") == "yielded"
        assert eventually(lambda: blocked_in_a_lock(watcher.pid))
        assert watcher.do("leave") == "left"
        writer.do("done")
        assert eventually(lambda: holders(path) == {})
        assert watcher.do("enter") == "in the scope"


def blocked_in_a_lock(pid: int) -> bool:
    """Whether a thread of the process waits for a lock."""
    rows = (row.split() for row in Path("/proc/locks").read_text().splitlines())
    return any(row[1] == "->" and row[5] == str(pid) for row in rows)


def test_a_request_that_was_put_off_for_long_is_not_taken_back_at_once(path: str) -> None:
    """Three seconds are counted from when we let go, not from when we were asked."""
    with asking(path) as asker, Party(path) as watcher:
        assert watcher.hear() == "ready"
        watcher.do("monitor")
        watcher.do("enter")
        asker.tell(f"queue 1 {watcher.pid}")
        assert eventually(lambda: watcher.do("deferred") == "1")
        time.sleep(keeper.RELOCK_PATIENCE + 0.1)
        watcher.do("done")
        assert asker.hear() == "answered"
        assert holders(path) == {}
        assert watcher.do("heard 0.2") == "nothing"
        assert watcher.do("state") == "yielded"


# stray signals


@pytest.mark.parametrize("number", range(5))
def test_a_stray_signal_by_kill_changes_nothing(path: str, number: int) -> None:
    with asking(path) as asker, Party(path) as watcher:
        assert watcher.hear() == "ready"
        watcher.do(UNHURRIED)
        watcher.do("monitor")
        order(asker, f"kill {number} {watcher.pid}")
        assert watcher.do("heard 0.1") == "nothing"
        assert holders(path) == {watcher.pid: "read"}
        assert order(asker, f"queue 1 {watcher.pid}") == "answered"
        assert holders(path) == {}
        order(asker, f"queue 3 {watcher.pid}")
        assert watcher.do("heard") == "heard"


@pytest.mark.parametrize("number", [2, 3, 4])
def test_a_leave_or_an_answer_that_nobody_waits_for_changes_nothing(path: str, number: int) -> None:
    with asking(path) as asker, parties(path, 2) as (watcher, writer):
        watcher.do("monitor")
        for party in (watcher, writer):
            order(asker, f"queue {number} {party.pid}")
        assert watcher.do("state") == "monitor"
        assert holders(path) == {watcher.pid: "read"}
        assert writer.do("append search") == "appended"
        assert watcher.do("heard") == "heard"


def test_the_signals_are_blocked_in_all_threads_at_every_level(path: str) -> None:
    """But in the keeper's while it waits for them: there they are open, all at once."""
    wanted = sum(1 << (signal.SIGRTMIN + number - 1) for number in range(5))
    with parties(path, 2) as (party, writer):

        def check(step: str) -> None:
            keeping, *others = (int(mask, 16) & wanted for mask in party.do("masks").split())
            assert keeping in (0, wanted), step
            assert set(others) == {wanted}, step

        assert int(party.do("masks"), 16) & wanted == wanted, "before there is a keeper"
        for step in ("monitor", "enter", "done", "enter", "done", "enter"):
            party.do(step)
            check(step)
        assert writer.do("append search").startswith("LockNotObtained")
        party.do("done")
        check("after having been asked")


# ends


LAST = """
import time
from nhlog.log.file import LogFile
from nhlog.log.locks.keeper import KEEPER

class Last:
    "What is thrown away when all else has ended; it writes by what it holds itself."

    def __init__(self):
        self.keeper, self.threads, self.look_again, self.write = KEEPER, os.listdir, time.sleep, os.write

    def __del__(self):
        for _ in range(500):  # a thread that has ended is in the system's table a moment longer
            if len(self.threads("/proc/self/task")) > 1:
                self.look_again(0.01)
        self.write(1, f"{self.keeper.state} {len(self.threads('/proc/self/task'))}".encode())

last = Last()
file = LogFile(path, writable=True)
file.monitor(int)  # nothing that would keep `last`
scope = file.writing() if arguments else None
if scope:
    scope.__enter__()
say(KEEPER.state)
"""


@pytest.mark.parametrize(("scope", "state", "ended"), [("", "monitor", "none 1"), ("in a scope", "write", "write 1")])
def test_when_a_process_is_cleared_away_no_thread_has_what_its_scopes_wait_for(
    path: str, scope: str, state: str, ended: str
) -> None:
    with Child(f"sys.path.insert(0, {str(ROOT)!r})\n{LAST}", path, *filter(None, [scope])) as child:
        assert child.hear() == state
        assert child.hear() == ended


# forks


def test_a_child_process_never_believes_that_it_holds_a_lock(path: str) -> None:
    with Party(path) as party:
        assert party.hear() == "ready"
        party.do("monitor")
        party.do("enter")
        before = Path(path).read_bytes()
        for attempt in ("write x", "enter", "append search", "refresh"):
            said = party.do(f"fork {attempt}")
            assert said.startswith("CannotOpen: opened by the parent process, before the fork")
        assert party.do("fork state") == "none"
        assert party.do("fork done") == "done"
        assert holders(path) == {party.pid: "write"}, "the child's end cost the parent its lock"
        assert Path(path).read_bytes() == before
        party.do("done")
        assert holders(path) == {party.pid: "read"}


# one process


@pytest.fixture
def file(path: str) -> Iterator[LogFile]:
    with LogFile(path, writable=True) as file:
        yield file


def test_a_process_monitors_one_log(file: LogFile, tmp_path: Path) -> None:
    with LogFile(played(1).write(tmp_path / "other.nhgame")) as other:
        file.monitor(lambda: None)
        with pytest.raises(NhlogError, match="monitors a log already"):
            other.monitor(lambda: None)
        assert (holders(file.name), holders(other.name)) == ({os.getpid(): "read"}, {})
        file.leave()
        other.monitor(lambda: None)
        assert (holders(file.name), holders(other.name)) == ({}, {os.getpid(): "read"})


def test_a_scope_inside_that_of_another_log_is_refused(file: LogFile, tmp_path: Path) -> None:
    with LogFile(played(1).write(tmp_path / "other.nhgame"), writable=True) as other, file.writing():
        with pytest.raises(RuntimeError, match="a lock scope inside that of another log"), other.writing():
            pass
        assert holders(file.name) == {os.getpid(): "write"}


def test_a_scope_that_is_interrupted_goes_to_rest(file: LogFile) -> None:
    for monitored in (False, True):
        if monitored:
            file.monitor(lambda: None)
        with pytest.raises(KeyboardInterrupt), file.writing():
            raise KeyboardInterrupt
        assert holders(file.name) == ({os.getpid(): "read"} if monitored else {})


@pytest.mark.parametrize("interrupted", ["_try", "_wait_for_rest"])
def test_who_is_interrupted_on_the_way_to_rest_has_no_lock(
    file: LogFile, monkeypatch: pytest.MonkeyPatch, interrupted: str
) -> None:
    """Also just after the system gave it."""
    where = keeper if interrupted == "_try" else keeper.KEEPER
    real = getattr(where, interrupted)

    def interrupt(*arguments: object) -> None:
        real(*arguments)
        raise KeyboardInterrupt

    with monkeypatch.context() as patches:
        patches.setattr(where, interrupted, interrupt)
        with pytest.raises(KeyboardInterrupt):
            file.monitor(lambda: None)
    assert (keeper.KEEPER.state, holders(file.name)) == ("none", {})
    file.monitor(lambda: None)
    assert (keeper.KEEPER.state, holders(file.name)) == ("monitor", {os.getpid(): "read"})


def test_scopes_of_two_threads_come_one_after_the_other(file: LogFile) -> None:
    inside = threading.Event()

    def write() -> None:
        with keeper.KEEPER.writing(file._fd, file.name):
            inside.set()

    thread = threading.Thread(target=write)
    with file.writing():
        thread.start()
        assert not inside.wait(0.1)
    thread.join(5)
    assert inside.is_set()


def test_a_new_keeper_rests_without_a_lock() -> None:
    new = Keeper()
    assert (new.state, new._monitored, new._thread) == ("none", -1, None)
