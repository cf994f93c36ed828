"""What is started by a server of ready interpreters is what a started program is."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.corpus import ROOT
from tests.starter import Started
from tests.terminal.pty import Pty

TELL = """
import os, signal, sys
print(sys.argv, os.getcwd(), os.getppid(), os.environ.get("WORD"), __name__, sorted(os.listdir("/proc/self/fd"))[:4])
print([signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD)])
print(sys.stdin.encoding.lower(), sys.stdout.line_buffering, sys.stdin.read(), os.isatty(0))
sys.exit(7)
"""


@pytest.mark.parametrize("session", [False, True])
def test_it_is_as_if_it_had_been_started(tmp_path: Path, session: bool) -> None:
    told = []
    for kind in (subprocess.Popen, Started):
        files = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        command = [sys.executable, "-c", TELL, "an argument"]
        environment = {**os.environ, "WORD": "wörd"}
        with kind(command, cwd=tmp_path, env=environment, text=True, start_new_session=session, **files) as process:
            told.append((*process.communicate("read"), process.returncode))
    assert told[0] == told[1], told
    assert told[0][2] == 7


def test_who_kills_it_knows_of_what_it_died() -> None:
    process = Started([sys.executable, "-c", "import signal; signal.pause()"])
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL


def test_it_is_the_leader_of_its_terminal() -> None:
    tell = "import os; print(os.getsid(0) == os.getpid() == os.tcgetpgrp(0), os.get_terminal_size(), os.ttyname(0)[:9])"
    with Pty(sys.executable, "-c", tell, size=(60, 20)) as pty:
        pty.wait_for("True os.terminal_size(columns=60, lines=20) /dev/pts/")
        assert pty.end() == 0


def test_an_exception_is_a_traceback_and_a_failure() -> None:
    process = Started([sys.executable, "-c", "print(1); raise ValueError('so')"], stdout=-1, stderr=-1, text=True)
    out, err = process.communicate()
    assert (out, err.splitlines()[-1], process.returncode) == ("1\n", "ValueError: so", 1)


def test_a_module_is_run_as_one() -> None:
    process = Started([sys.executable, "-m", "terminal.cli", "--version"], cwd=ROOT, stdout=-1, text=True)
    assert process.communicate()[0].startswith("nhlog ")
    assert process.returncode == 0


def test_what_is_no_code_for_our_interpreter_is_started_as_ever() -> None:
    assert Started(["sh", "-c", "exit 3"]).wait() == 3


def test_in_an_environment_in_which_it_would_begin_otherwise_it_is_started_as_ever(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('begun')")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    process = Started([sys.executable, "-c", "print('done')"], env=environment, stdout=-1, text=True)
    assert process.communicate()[0] == "begun\ndone\n"
