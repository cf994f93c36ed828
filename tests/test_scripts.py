"""What a person runs first: it works from any folder, without a terminal, and quickly the second time."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.corpus import ROOT

pytestmark = pytest.mark.timeout(600)  # a first run installs


def run(script: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROOT / script, *arguments],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST")},
    )


def test_run_without_a_terminal_demonstrates_the_main_job(tmp_path: Path) -> None:
    done = run("scripts/run", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    verified, *screens = done.stdout.split("\n$ nhlog ")[1:]
    assert verified.startswith("verify ")
    assert [screen.split("\n")[0] for screen in screens] == [
        f"show --at {position} samples/died2.nhgame" for position in ("start", "50%", "end")
    ]
    assert len({screen.partition("\n")[2] for screen in screens}) == 3


def test_run_with_arguments_is_nhlog(tmp_path: Path) -> None:
    (tmp_path / "terminal").mkdir()  # a folder of this name must not be mistaken for ours
    done = run("scripts/run", "--version", cwd=tmp_path)
    assert (done.returncode, done.stdout.split()[0]) == (0, "nhlog")
    assert run("scripts/run", "verify", "missing", cwd=tmp_path).returncode == 1


def test_the_second_run_installs_nothing(tmp_path: Path) -> None:
    run("scripts/run", "--version", cwd=tmp_path)
    assert run("scripts/run", "--version", cwd=tmp_path).stderr == ""
