"""What runs without end: in which order, with which seeds, and what is told of what fails."""

import os
import random
import shlex
import signal
import subprocess
import sys
from itertools import islice
from pathlib import Path
from threading import Event
from types import ModuleType

import pytest

from tests.corpus import ROOT
from tests.doses import SEED, SIZE, dose, seeded
from tests.scripts import script


@pytest.fixture
def soak() -> ModuleType:
    return script("soak")


def test_a_seed_says_what_is_done_and_with_which_seeds(soak: ModuleType) -> None:
    chosen = {name: soak.Task((name,)) for name in "abcdef"}
    drawn = [list(islice(soak.drawn(chosen, random.Random(seed)), 12)) for seed in (7, 7, 8)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert sorted(name for name, _, _ in drawn[0]) == sorted("aabbccddeeff")
    assert len({seed for _, _, seed in drawn[0]}) == 12


def test_what_fails_is_told_with_the_command_that_does_it_again(
    soak: ModuleType, capfd: pytest.CaptureFixture[str]
) -> None:
    fails = "import os, sys; print('the cause', os.environ['NHLOG_DOSES']); sys.exit(SEED % 5 + 1)"
    bad = soak.Task(("PYTHON", "-c", fails))
    assert soak.soak({"bad": bad}, 7, 0.005, 1, Event()) >= 1
    told = capfd.readouterr().out
    assert "FAILED" in told
    assert "the cause soak" in told
    again = next(line for line in told.splitlines() if line.startswith("again: "))
    assert shlex.split(again)[1] == "NHLOG_DOSES=soak"


def test_a_storm_that_fails_is_made_shorter_as_long_as_it_fails(
    soak: ModuleType, capfd: pytest.CaptureFixture[str]
) -> None:
    storm = soak.Task(("PYTHON", "-c", "import sys; sys.exit(int(sys.argv[1]) > 9)", "COUNT", "SEED"), count=80)
    told = Event()
    tell = soak.tell

    def tell_until_it_passes(one: object) -> bool:
        if not (failed := tell(one)):
            told.set()
        return bool(failed)

    soak.tell = tell_until_it_passes
    assert soak.soak({"storm": storm}, 7, 10, 1, told) == 1, "one of which parts failed, too"
    lines = capfd.readouterr().out.splitlines()
    counts = [shlex.split(line)[-2] for line in lines if line.startswith("again: ")]
    assert counts == ["80", "40", "20", "10"]
    (shortest,) = (line for line in lines if line.startswith("the shortest that failed: "))
    assert shlex.split(shortest)[-2] == "10"


def test_what_takes_longer_is_ended_with_all_that_it_began(
    soak: ModuleType, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pipe = tmp_path / "open"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    endless = soak.Task(("sh", "-c", f"sleep 1000 >{pipe} & sleep 1000 >{pipe}"))
    assert soak.soak({"endless": endless}, 1, 0.01, 1, Event()) == 0
    assert "0 passed, 0 failed, 1 not finished" in capfd.readouterr().out
    os.set_blocking(reading, True)
    assert os.read(reading, 1) == b"", "somebody has it open still"
    os.close(reading)


def test_who_ends_it_ends_what_it_began(tmp_path: Path) -> None:
    began = tmp_path / "began"
    os.mkfifo(began)
    code = (
        "import runpy, sys; soak = runpy.run_path('scripts/soak', run_name='soak');"
        f"task = soak['Task'](('sh', '-c', 'echo > {began}; exec sleep 1000 >{began}'));"
        "soak['main'].__globals__['tasks'] = lambda: {'endless': task}; sys.argv = ['soak', '1'];"
        "sys.exit(soak['main']())"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as process, began.open("rb", 0) as reading:
        assert reading.read(1) == b"\n"
        process.terminate()
        assert process.wait(60) == 128 + signal.SIGTERM
        assert reading.read() in (b"", b"\n"), "nobody has it open any more"


def test_there_is_something_to_do_for_everything_that_repeats(soak: ModuleType) -> None:
    there = soak.tasks()
    assert {"storm", "storm of recorders", "fuzz nhgame", "fuzz emulator", "test tests/vt/test_terminal.py"} <= set(
        there
    )
    assert not {"test tests/sharing/test_storm.py", "test tests/recorder/test_storm.py"} & set(there)  # they have tasks
    for task in there.values():
        first = task.words(1)[0]
        assert first == sys.executable or (ROOT / first).exists(), first


def test_a_name_that_begins_nothing_is_refused() -> None:
    done = subprocess.run([ROOT / "scripts" / "soak", "1", "nosuch"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "nothing begins with nosuch" in done.stderr


def test_what_is_drawn_differs_by_seed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SEED, raising=False)
    usual = [seeded(1).random(), seeded(1).random()]
    assert usual[0] == usual[1] == random.Random(1).random() != seeded(2).random()
    monkeypatch.setenv(SEED, "3")
    assert seeded(1).random() != usual[0]


def test_a_soak_gives_larger_doses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SIZE, "soak")
    larger = dose("hypothesis")
    monkeypatch.delenv(SIZE)
    assert dose("hypothesis") < larger
