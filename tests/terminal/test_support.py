"""What helps those who use it: samples, completion, the doctor, reports of crashes, the log of what is done."""

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from nhlog import __version__
from nhlog.config import Config, GameProgram
from terminal.doctor.extras import check_sandbox
from terminal.doctor.finding import Health
from terminal.doctor.folders import check_space, judge_space
from terminal.doctor.machine import check_entry_points
from terminal.doctor.sharing import check_signals
from tests.corpus import ROOT, SAMPLES
from tests.processes import as_oneself, holding
from tests.terminal.pty import NHLOG, Pty

SHELLS = ("bash", "zsh", "fish")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_samples_are_copied_and_nothing_is_replaced(nhlog, tmp_path: Path) -> None:
    (tmp_path / "died2.nhgame").write_text("mine")
    done = nhlog("samples", tmp_path)
    assert done.err == f"nhlog: {tmp_path}/died2.nhgame: the file exists (--force replaces it)\n"
    assert done.code == 1
    assert (tmp_path / "died2.nhgame").read_text() == "mine"
    assert nhlog("samples", tmp_path, "--force").code == 0
    assert {name: (tmp_path / name).read_bytes() for name in names(tmp_path)} == {
        path.name: path.read_bytes() for path in SAMPLES.iterdir()
    }


def test_an_installation_has_the_samples_in_it(tmp_path: Path) -> None:
    """The step of the build that copies what is no module."""
    shutil.copytree(SAMPLES, tmp_path / "samples")
    for read_by_setup in ("kernels", "emulator"):
        shutil.copytree(ROOT / "nhlog" / read_by_setup, tmp_path / "nhlog" / read_by_setup)
    shutil.copy(ROOT / "setup.py", tmp_path)
    build = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", "made"]
    subprocess.run(build, cwd=tmp_path, capture_output=True, check=True, env={"NHLOG_KERNELS": "plain"})
    assert names(tmp_path / "made" / "terminal" / "samples") == names(SAMPLES)


def test_bash_completes_with_what_is_printed() -> None:
    """In a shell where the program is one that this Python runs."""
    bash = shutil.which("bash") or pytest.skip("there is no bash")
    script = f"""
        nhlog() {{ {sys.executable} -m terminal.cli "$@"; }}
        eval "$(nhlog completion bash)"
        complete -p nhlog
    """
    done = subprocess.run([bash, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "complete -o nosort -F _nhlog_completion nhlog\n"


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_is_installed_where_the_shell_looks_for_it(
    nhlog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: str
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    places = {
        "bash": "data/bash-completion/completions/nhlog",
        "zsh": "data/zsh/site-functions/_nhlog",
        "fish": "config/fish/completions/nhlog.fish",
    }
    printed = nhlog("completion", shell).out
    assert f"_NHLOG_COMPLETE={shell}_complete" in printed
    done = nhlog("completion", shell, "--install")
    assert done.code == 0
    assert done.out.startswith(f"{tmp_path / places[shell]}: new shells complete nhlog\n")
    assert (tmp_path / places[shell]).read_text().strip() == printed.strip()


BUG = """
import sys, click
from terminal import cli
cli.cli.get_command = lambda context, name: click.command("ls")(lambda: 1 / 0)
sys.exit(cli.main(["ls"]))
"""


def test_a_bug_has_a_report_and_the_message_names_it(tmp_path: Path) -> None:
    def run(home: Path) -> subprocess.CompletedProcess:
        environment = {"XDG_DATA_HOME": str(home), "PATH": "", "TERM": "xterm"}
        return subprocess.run([sys.executable, "-c", BUG], cwd=ROOT, env=environment, capture_output=True, text=True)

    for _ in range(2):
        done = run(tmp_path)
        [report] = (tmp_path / "nhlog" / "crashes").iterdir()  # the same bug has the same file
        told = (
            "nhlog: ZeroDivisionError: division by zero: this is a bug; send its report, {}, to those who make nhlog\n"
        )
        assert (done.returncode, done.stderr) == (1, told.format(report))
    text = report.read_text()
    assert f"nhlog {__version__}, Python" in text
    assert "command: nhlog ls\nTERM=xterm\n" in text
    assert text.endswith("ZeroDivisionError: division by zero\n")
    done = run(report)  # a file, where no folder can be made
    assert done.stderr == "nhlog: ZeroDivisionError: division by zero: this is a bug; NHLOG_DEBUG=1 shows where\n"


def doctor(**environment: str) -> tuple[int, dict[str, tuple[str, str]]]:
    """The exit code, and the health and remedy of each check; in a process without threads that take the signals."""
    told = subprocess.run([*NHLOG, "doctor", "--json"], env=os.environ | environment, stdout=subprocess.PIPE, text=True)
    records = [json.loads(line) for line in told.stdout.splitlines()]
    return told.returncode, {record["checked"]: (record["health"], record["remedy"] or "") for record in records}


def test_the_doctor_finds_what_a_checkout_announces_and_nobody_installed(tmp_path: Path) -> None:
    project = tmp_path / "pyproject.toml"
    text = (ROOT / "pyproject.toml").read_text()
    assert [*check_entry_points(project)] == []  # no checkout
    project.write_text(text)
    assert [finding.health for finding in check_entry_points(project)] == [Health.OK]
    newer = text.replace('ttyrec = "nhlog.formats.ttyrec:FORMAT"', 'pgn = "nhlog.formats.pgn:FORMAT"')
    project.write_text(newer)
    [finding] = check_entry_points(project)
    assert finding.health is Health.LIMITED
    assert finding.found.endswith(": pgn (nhlog.formats), ttyrec (nhlog.formats)")
    assert finding.remedy is not None
    assert "scripts/run" in finding.remedy


def test_the_doctor_finds_that_processes_share_a_log_here(tmp_path: Path) -> None:
    code, found = doctor(XDG_DATA_HOME=str(tmp_path))
    assert code == 0
    assert {found[name] for name in ("configuration", "locks", "signals", "file events", "emulator")} == {("ok", "")}
    assert names(tmp_path) == []
    assert found["disk: games"][0] in ("ok", "limited")
    assert found["bubblewrap"][0] in ("ok", "limited")
    for extra, package in (("web", "starlette"), ("relay", "nats"), ("archive", "s3fs"), ("plots", "matplotlib")):
        there = find_spec(package) is not None
        assert found[f"extra: {extra}"] == (("ok", "") if there else ("limited", f"pip install 'nhlog[{extra}]'"))


@pytest.mark.parametrize(
    ("free", "files", "health"),
    [
        (10**9, 5000, "ok"),
        (10**9, None, "ok"),
        (10**8, None, "limited"),
        (10**9, 50, "limited"),
        (10**6, 5000, "broken"),
    ],
)
def test_the_doctor_tells_a_disk_that_is_nearly_full(free: int, files: int | None, health: str) -> None:
    finding = judge_space("games", Path("/games"), free, files)
    assert (finding.health, bool(finding.remedy)) == (health, health != "ok")


def test_the_doctor_looks_at_the_disk_of_the_folder_of_games(tmp_path: Path) -> None:
    [finding] = check_space(Config(games=tmp_path / "to be made", finished=tmp_path))
    assert finding.checked == "disk: games"
    assert finding.found.endswith(f" free in {tmp_path}")


def test_the_doctor_needs_a_sandbox_only_where_a_game_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GameProgram(name="x", title="x", command=("x",))
    monkeypatch.setattr("nhlog.recorder.walls._PLACES", "/nowhere")  # where no program is installed
    assert check_sandbox(Config()).health == "limited"
    assert check_sandbox(Config(programs=(game,))).health == "broken"
    assert "sh is not installed" in check_sandbox(Config()).found


def test_the_doctor_goes_on_behind_what_is_broken_and_has_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "nhlog").mkdir()
    (tmp_path / "nhlog" / "config.toml").write_text("colour = 1\n")
    code, found = doctor(XDG_CONFIG_HOME=str(tmp_path), XDG_DATA_HOME=str(tmp_path / "file"), LC_ALL="C")
    assert code == 1
    assert {name for name, (health, _) in found.items() if health == "broken"} == {
        *("configuration", "folder: games", "folder: data", "locks"),
    }
    assert found["locale"] == ("limited", "export LANG=C.UTF-8, if your terminal can show UTF-8")
    assert all(bool(remedy) is (health != "ok") for health, remedy in found.values())


def test_the_doctor_finds_a_process_that_hears_no_signal(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.touch()
    with holding(str(path), "LOCK_SH"):
        assert as_oneself(lambda: check_signals(str(path)).health) == "broken"
    assert as_oneself(lambda: check_signals(str(path)).health) == "ok"


def test_the_doctor_looks_at_the_terminal_that_it_is_run_in() -> None:
    for kind, told in (("xterm-256color", "70x30, 256 colours: too"), ("dumb", "TERM is 'dumb': nhlog cannot")):
        with Pty(*NHLOG, "doctor", "--no-pager", size=(70, 30), TERM=kind) as pty:
            pty.wait_for(told)
            assert pty.end() == 0


@pytest.mark.parametrize("before", [True, False], ids=["before the verb", "behind it"])
def test_what_is_done_is_told_where_it_is_wanted(nhlog, tmp_path: Path, before: bool) -> None:
    log, game = tmp_path / "log", SAMPLES / "scripted1.nhgame"
    options = ("--log-file", log, "-v")
    quiet = nhlog("info", game)
    done = nhlog(*options, "info", game) if before else nhlog("info", *options, game)
    assert (done.code, done.out, done.err) == (0, quiet.out, "")
    text = log.read_text()
    assert " INFO " in text
    assert f"nhlog: open ('{game}'" in text
    assert nhlog("info", tmp_path / "gone", *options).code == 1
    assert "Traceback (most recent call last)" in log.read_text()[len(text) :]


def test_what_is_done_is_told_beside_the_output(nhlog) -> None:
    done = nhlog("info", "-v", SAMPLES / "scripted1.nhgame")
    assert done.out == nhlog("info", SAMPLES / "scripted1.nhgame").out
    assert [line.rpartition(": ")[2] for line in done.err.splitlines()][-1] == "ended"
    assert nhlog("info", SAMPLES / "scripted1.nhgame").err == ""


def test_the_screen_is_not_written_over_by_what_is_told_of_it() -> None:
    """It comes when the terminal is as it was, with each file that was opened."""
    with Pty(*NHLOG, "-vv", "replay", str(SAMPLES / "scripted1.nhgame"), size=(120, 40)) as pty:
        pty.wait_for("q quit")
        assert b" DEBUG " not in pty.written.partition(b"\x1b[?1049h")[2]
        pty.send("q")
        pty.wait_for(": ended")
        assert pty.end() == 0
