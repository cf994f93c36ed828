"""What a person runs first: it works from any folder, without a terminal, and quickly the second time."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from nhlog.log.file import LogBytes
from nhlog.log.log import Log
from tests.builders import played
from tests.corpus import ROOT, SAMPLES
from tests.processes import Child

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
    demo, shown, verified, recorded, listed = re.split(r"^\$ ", done.stdout, flags=re.MULTILINE)[1:]
    lines = int(re.search(r"the log has (\d+) lines", demo)[1])
    assert f"watcher: saw {lines} lines" in demo
    assert "Demo the" in shown
    assert verified.count("  sound  ") == verified.count("\n") - 3 == 1 + len(list(SAMPLES.glob("*.nhgame")))
    assert "Dies2" in recorded
    assert "Echo VR recording" in listed


def test_run_with_arguments_is_nhlog(tmp_path: Path) -> None:
    (tmp_path / "terminal").mkdir()  # a folder of this name must not be mistaken for ours
    done = run("scripts/run", "--version", cwd=tmp_path)
    assert (done.returncode, done.stdout.split()[0]) == (0, "nhlog")
    assert run("scripts/run", "verify", "missing", cwd=tmp_path).returncode == 1


def test_the_second_run_installs_nothing(tmp_path: Path) -> None:
    run("scripts/run", "--version", cwd=tmp_path)
    assert run("scripts/run", "--version", cwd=tmp_path).stderr == ""


PYTHON = """#!/bin/sh
# A Python as far as the set-up is concerned: it notes what it is asked for.
case "$1" in
-c) ;;
--version) echo Python 3.11.0 ;;
-m) echo "$2" >>"$NOTES"
    [ "$2" != venv ] || { mkdir -p "$4/bin" && cp "$0" "$4/bin/python"; } ;;
*) echo "$@" ;;
esac
"""


def in_python() -> list[Path]:
    scripts = (path for path in (ROOT / "scripts").iterdir() if path.is_file())
    return sorted(path for path in scripts if "python" in path.read_text().partition("\n")[0])


def test_these_are_written_in_python() -> None:
    assert {"bench", "crowd", "demo", "feed", "storm"} <= {path.name for path in in_python()}


@pytest.mark.parametrize("script", in_python(), ids=lambda path: path.name)
def test_a_script_sets_itself_up_in_a_fresh_clone_and_only_once(script: Path, tmp_path: Path) -> None:
    needed = (
        "scripts/python",
        "scripts/pip",
        "scripts/setup.sh",
        "pyproject.toml",
        "setup.py",
        "nhlog/kernels/__init__.py",
    )
    for path in (script, *(ROOT / name for name in needed)):
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    python, notes, copy = tmp_path / "python", tmp_path / "notes", tmp_path / "scripts" / script.name
    python.write_text(PYTHON)
    python.chmod(0o755)
    environment = os.environ | {"PYTHON": str(python), "NOTES": str(notes)}
    for _ in range(2):
        said = subprocess.run([copy, "--count", "1"], cwd="/", env=environment, check=True, stdout=subprocess.PIPE)
        assert said.stdout.decode() == f"{copy} --count 1\n"
    assert notes.read_text().split() == ["venv", "pip"]


def test_bench_measures_what_it_is_asked_for(tmp_path: Path) -> None:
    done = run("scripts/bench", "mdiff", "--json", str(tmp_path / "figures"), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    results = json.loads((tmp_path / "figures").read_text())["results"]
    assert len(done.stdout.splitlines()) == 2 + len(results)
    assert all(0 < row["least"] <= row["median"] <= row["p99"] for row in results)
    assert {"apply", "encode, reference", "encode, compact"} <= {row["name"] for row in results}


def test_a_fed_log_is_the_recorded_one(tmp_path: Path) -> None:
    game = played(20)
    target = tmp_path / "target"
    done = run("scripts/feed", game.write(tmp_path / "source"), str(target), "--speed", "0", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    log = Log(LogBytes("target", target.read_bytes()))
    assert [log.save(number) for number in range(21)] == game.saves


APPEND = """
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.wire.lines import Command
from nhlog.log.log import Log
with LogFile(path, writable=True) as file:
    writer = Writer(Log(file))
    for _ in range(5):
        writer.append(Command("search"))
say("appended")
"""


def test_a_crowd_tells_when_it_saw_each_line(tmp_path: Path) -> None:
    path = played(2).write(tmp_path / "game")
    command = [ROOT / "scripts" / "crowd", path, "--way", "monitor", "--count", "3"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as crowd:
        assert crowd.stdout.readline() == "ready\n"
        with Child(f"sys.path.insert(0, {str(ROOT)!r})" + APPEND, path) as writer:
            assert writer.hear() == "appended"
        seen = json.loads(crowd.communicate()[0])
    assert [len(one) for one in seen] == [5, 5, 5]
    assert all(one == sorted(one) for one in seen)
