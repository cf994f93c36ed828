"""NetHack 4 on the same log: whoever keeps its rules costs it no line, and loses none to it.

The game is a stand-in that keeps the published rules, also the weak ones: whoever it asks has two seconds to answer, or
its save counts as corrupted.
"""

import os
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from nhlog.errors import LockNotObtained
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.reading import as_one
from nhlog.log.verify import Finding, verify
from nhlog.log.wire.lines import Command
from tests.builders import played
from tests.corpus import ROOT
from tests.doses import dose
from tests.processes import Child, as_user
from tests.sharing.nethack4 import NetHack4, needs_compiler
from tests.sharing.parties import Party, holders, needs_handshake, parties
from tests.waiting import eventually

pytestmark = [needs_handshake, needs_compiler]

BEGUN = 3
LINES = dose("nethack4.lines")
NOBODY = 65534


@pytest.fixture
def path(tmp_path: Path) -> str:
    return played(BEGUN).write(tmp_path / "game.nhgame")


def added(path: str) -> list[bytes]:
    """The lines since the game began; nothing is wrong with the log."""
    with LogFile(path) as file:
        log = Log(file)
        assert [found for found in verify(log) if isinstance(found, Finding) and found.fault] == []
        first = log.columns.save_lines[-1] + 1
        return [log.raw(number).data for number in range(first, len(log))]


def test_it_rests_in_a_read_lock_and_writes_alone(path: str) -> None:
    with NetHack4(path) as game:
        assert holders(path) == {game.pid: "read"}
        assert [game.append("rest") for _ in range(3)] == ["written"] * 3
        assert game.do("cancels") == "0"
    assert added(path) == [b"rest"] * 3


def test_lines_of_all_who_write_at_once_are_there_once(path: str) -> None:
    with NetHack4(path) as game, parties(path, 2) as (resting, coming):
        resting.do("monitor monitor")
        words = {game: "append rest", resting: "append search", coming: "append wait"}
        for number in range(LINES):
            left = sorted(words, key=lambda process: (process.pid + number) % 3)
            while left:  # whoever comes second has to look what the first wrote, and tries again
                for process in left:
                    process.tell(words[process])
                told = {process: process.hear() for process in left}
                left = [process for process in left if told[process] not in ("written", "appended")]
                assert all(told[late] == "dropped" or "somebody else wrote first" in told[late] for late in left)
                for party in (resting, coming):
                    party.do("refresh")
    assert Counter(added(path)) == {b"rest": LINES, b"search": LINES, b"wait": LINES}


def test_our_watchers_by_lock_monitor_answer_it_and_hear_of_each_write(path: str) -> None:
    with NetHack4(path) as game, parties(path, 3) as watchers:
        for watcher in watchers:
            assert watcher.do("monitor monitor") == "monitoring"
        begun = int(watchers[0].do("refresh").split()[0])
        for number in range(1, LINES + 1):
            assert game.append("rest") == "written"
            assert [watcher.do("heard") for watcher in watchers] == ["heard"] * 3
            assert [watcher.do("refresh") for watcher in watchers] == [f"{begun + number} lines"] * 3


def test_it_answers_our_writers_and_hears_of_each_write(path: str) -> None:
    with NetHack4(path) as game, Party(path) as writer:
        assert writer.hear() == "ready"
        writer.do("look_again 60")  # no way but by its answer
        for number in range(1, LINES + 1):
            assert writer.do("append search") == "appended"
            assert eventually(lambda: holders(path) == {game.pid: "read"})
            assert game.do("cancels") == str(number)
        assert game.append("rest") == "written"
    assert added(path) == [*[b"search"] * LINES, b"rest"]


_READER = f"""
sys.path.insert(0, {str(ROOT)!r})
import select
from nhlog.errors import LockNotObtained
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.reading import as_one
from nhlog.log.notify import Changes
from nhlog.log import NotifyMethod
file = LogFile(path)
log = Log(file)
changes = Changes(file, NotifyMethod.EVENTS)
say("ready")
while not select.select([sys.stdin], [], [], 0)[0]:
    if select.select([changes, sys.stdin], [], [])[0] == [changes]:
        changes.take()
        log.refresh()
say(f"{{len(log)}} lines")
wait()
"""


def test_watchers_of_its_own_user_by_file_events_cost_it_no_write(path: str) -> None:
    lines = 10 * LINES
    with NetHack4(path) as game, ExitStack() as stack:
        watchers = [stack.enter_context(Child(_READER, path)) for _ in range(3)]
        assert [watcher.hear() for watcher in watchers] == ["ready"] * 3
        assert Counter(game.append("rest") for _ in range(lines)) == {"written": lines}
        for watcher in watchers:
            watcher.tell()
        assert all(watcher.hear() for watcher in watchers)
    assert added(path) == [b"rest"] * lines


def test_a_watcher_that_is_stopped_breaks_its_save(path: str) -> None:
    with NetHack4(path) as game, Party(path) as watcher:
        assert watcher.hear() == "ready"
        watcher.do("monitor monitor")
        watcher.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, watcher.pid, os.WSTOPPED | os.WNOWAIT)
        assert game.append("rest") == "corrupted: Could not upgrade to write lock on logfile"
        watcher.send_signal(signal.SIGCONT)
        assert game.append("rest").startswith("corrupted")
    assert added(path) == []


def test_a_lock_of_a_program_that_knows_no_handshake_breaks_its_save_even_if_it_is_let_go_at_once(path: str) -> None:
    deaf = "for number in range(5):\n    signal.signal(signal.SIGRTMIN + number, signal.SIG_IGN)\n"
    hold = 'fd = os.open(path, os.O_RDWR)\nfcntl.lockf(fd, fcntl.LOCK_SH)\nsay("held")\nwait()\n'
    with NetHack4(path) as game:
        with Child("signal.pthread_sigmask(signal.SIG_SETMASK, [])\n" + deaf + hold, path) as holder:
            assert holder.hear() == "held"
            game.tell("append rest")
            assert eventually(lambda: game.is_waiting_or_done)
        assert holders(path) == {game.pid: "read"}, "the log is free"
        assert game.hear() == "corrupted: Could not upgrade to write lock on logfile"


@pytest.fixture
def open_path() -> Iterator[str]:
    """A log in a folder that every user may look into."""
    with tempfile.TemporaryDirectory(prefix="nhlog-nethack4-") as folder:
        Path(folder).chmod(0o755)
        yield played(BEGUN).write(Path(folder, "game.nhgame"))


def read_as_another_user(path: str) -> tuple[int, int, int]:
    """A process of another user, in the middle of reading: its id, what to hear that from, and what ends it."""
    (said, say), (wait, go_on) = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(go_on)
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
            with LogFile(path) as file:
                as_one(file, lambda moment: (os.write(say, b"reads\n"), os.read(wait, 1)))
        finally:
            os._exit(0)
    os.close(say)
    os.close(wait)
    return child, said, go_on


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_a_watcher_of_another_user_costs_it_no_write(open_path: str) -> None:
    with NetHack4(open_path) as game:
        child, said, go_on = read_as_another_user(open_path)
        assert os.read(said, 6) == b"reads\n"
        assert holders(open_path) == {game.pid: "read"}
        game.tell("append rest")
        assert eventually(lambda: game.is_waiting_or_done)
        os.close(go_on)
        os.close(said)
        os.waitpid(child, 0)
        assert game.hear() == "written"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_a_writer_of_ours_says_whose_lock_it_meets_that_it_cannot_ask_for(open_path: str) -> None:
    os.chmod(open_path, 0o666)
    with NetHack4(open_path) as game:
        told = as_user(NOBODY, lambda: refused(open_path))
        assert told.endswith(
            f"no write lock after 2 s, another user's (root), who cannot be asked for it: "
            f"found read lock of process {game.pid} (nethack4)"
        )
        assert game.append("rest") == "written"


def refused(path: str) -> str:
    """What a writer of ours says that does not get the lock."""
    with LogFile(path, writable=True) as file:
        try:
            Writer(Log(file)).append(Command("search"))
        except LockNotObtained as error:
            return str(error)
    return "written"
