"""`nhlog watchers`: who is on a log, who is stuck, and ending them one step at a time."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from nhlog.log.locks.holders import holders_of
from terminal.commands.watchers import _stuck, _who_can_end
from tests.builders import played
from tests.corpus import ROOT
from tests.processes import Child, as_user, holding
from tests.sharing.parties import Party, needs_handshake, parties

pytestmark = needs_handshake


@pytest.fixture
def path(tmp_path: Path) -> str:
    return played(3).write(tmp_path / "game.nhgame")


def watchers(path: str, *options: str, answers: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "terminal.cli", "watchers", path, *options],
        cwd=ROOT,
        input=answers,
        capture_output=True,
        text=True,
        check=False,
    )


def test_those_with_a_lock_are_listed(path: str) -> None:
    with parties(path, 3) as (first, second, _):
        first.do("monitor")
        second.do("monitor")
        done = watchers(path, "--json")
    records = [json.loads(row) for row in done.stdout.splitlines()]
    assert {record["pid"]: (record["lock"], record["trouble"]) for record in records} == {
        first.pid: ("read", None),
        second.pid: ("read", None),
    }


_ON_IT = """
sys.path.insert(0, arguments[0])
from nhlog.log.file import LogFile
file = LogFile(path, writable=arguments[1] == "plays")
file.mark()
say("here")
wait()
"""


def test_a_table_with_headings_tells_what_each_is_here_for(path: str) -> None:
    with Child(_ON_IT, path, str(ROOT), "watches") as watcher, Child(_ON_IT, path, str(ROOT), "plays") as player:
        assert [watcher.hear(), player.hear()] == ["here", "here"]
        head, *rows = watchers(path).stdout.splitlines()
    assert head.split() == ["pid", "command", "user", "role", "lock", "start"]
    told = [(int(words[0]), *words[3:5]) for words in map(str.split, rows)]
    assert told == [(player.pid, "plays", "no"), (watcher.pid, "watches", "no")], "who plays comes first"


_OF_USER = """
signal.pthread_sigmask(signal.SIG_SETMASK, [])  # no NetHack process: it hears no requests
fd = os.open(path, os.O_RDONLY)
os.setuid(int(arguments[0]))
ctypes.CDLL(None).prctl(4, 1)  # PR_SET_DUMPABLE: else the system calls it root's, as that began it
fcntl.lockf(fd, fcntl.LOCK_SH)
say("held")
wait()
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize(("user", "who"), [(61001, "61001 or root"), (0, "root")])
def test_who_can_end_a_process_is_told_before_it_is_tried(path: str, user: int, who: str) -> None:
    status = os.stat(path)
    with Child(_OF_USER, path, str(user)) as holder:
        assert holder.hear() == "held"
        [found] = holders_of((status.st_dev, status.st_ino))
        assert as_user(61002, lambda: _who_can_end(found)).endswith(f"): {who} can end it")
        assert _who_can_end(found).endswith("): you can end it")
        done = watchers(path, "--free", answers="n\n")
        assert done.stderr.index("you can end it") < done.stderr.index("Send SIGHUP")


_BUSY = """
import time
fd = os.open(path, os.O_RDWR)
say("busy")
while True:
    fcntl.lockf(fd, fcntl.LOCK_EX)
    time.sleep(0.008)
    fcntl.lockf(fd, fcntl.LOCK_UN)
    time.sleep(0.0005)
"""


def test_a_busy_writer_is_not_stuck(path: str) -> None:
    status = os.stat(path)
    with Child(_BUSY, path) as busy:
        assert busy.hear() == "busy"
        found = [_stuck((status.st_dev, status.st_ino)) for _ in range(3)]
        busy.kill()
    assert found == [[]] * 3


def test_a_stuck_process_is_ended_step_by_step_as_the_user_agrees(path: str) -> None:
    deaf = "signal.pthread_sigmask(signal.SIG_SETMASK, [])\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
    code = deaf + 'fd = os.open(path, os.O_RDWR)\nfcntl.lockf(fd, fcntl.LOCK_EX)\nsay("held")\nwait()'
    with Child(code, path) as stuck:
        assert stuck.hear() == "held"
        assert "no game" in watchers(path).stdout
        done = watchers(path, "--free", answers="n\n")
        assert (done.returncode, stuck.poll()) == (1, None)
        done = watchers(path, "--free", answers="y\ny\n")
        assert done.returncode == 0
        assert "SIGHUP" in done.stderr
        assert "SIGTERM" in done.stderr
        assert stuck.wait(5) == -signal.SIGTERM


def test_a_reader_that_answers_is_not_in_the_way(path: str) -> None:
    with Party(path) as party:
        assert party.hear() == "ready"
        assert party.do("monitor") == "monitoring"
        done = watchers(path, "--free")
        assert (done.returncode, "stuck" in done.stdout, party.poll()) == (0, False, None)


def test_a_reader_that_does_not_hear_is_in_the_way(path: str) -> None:
    with holding(path, "LOCK_SH"):
        done = watchers(path, "--free", answers="y\n")
        assert (done.returncode, "no game" in done.stdout, "SIGHUP" in done.stderr) == (0, True, True)


def test_a_reader_that_was_stopped_only_has_to_go_on(path: str) -> None:
    with Party(path) as party:
        assert party.hear() == "ready"
        assert party.do("monitor") == "monitoring"
        party.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, party.pid, os.WSTOPPED | os.WNOWAIT)
        done = watchers(path, "--free", answers="y\n")
        assert (done.returncode, "stuck process" in done.stdout) == (0, True)
        assert "SIGCONT" in done.stderr
        assert "SIGHUP" not in done.stderr
        assert party.do("state") == "monitor"
