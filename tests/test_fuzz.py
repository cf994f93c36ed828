"""The fuzzer in small: some hostile recordings of each format; and a fuzzer that sees what it looks for."""

import hashlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from scripts.fuzzing import workers
from scripts.fuzzing.cases import minimised, read_case
from scripts.fuzzing.look import look
from scripts.fuzzing.mutants import MUTANTS
from scripts.fuzzing.rules import Broken, check_text
from scripts.fuzzing.targets import TARGETS, known
from scripts.fuzzing.workers import MEMORY, Case, Failure, attempt, made
from tests.corpus import ROOT
from tests.doses import dose, seeded

COUNT = dose("fuzz.test")
"""Cases of a target; .ci/run gives the doses of the targets, docs/reliability.md tells of the long runs."""
LOOKED = dose("fuzz.opened")
"""Mutants of which many can be played."""


@pytest.mark.timeout(900)  # on a machine that is busy with other things
def test_what_must_hold_holds_for_hostile_recordings(tmp_path: Path) -> None:
    done = fuzz(tmp_path, "all", "--count", COUNT, "--seed", 13)
    assert done.returncode == 0, done.stdout + done.stderr
    told = [line.partition(";")[0] for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert told == [f"{target}: {COUNT} cases, seed 13: 0 failed" for target in TARGETS]


def fuzz(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """`scripts/fuzz`, run from another folder; one process, as pytest has the other cores busy."""
    command = [ROOT / "scripts" / "fuzz", *map(str, arguments), "--jobs", "1"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("format_id", TARGETS)
def test_a_seed_makes_the_same_mutants_each_time(format_id: str) -> None:
    cases = [Case(format_id, 5, number) for number in range(20)]
    mutants = [made(case) for case in cases]
    assert mutants == [made(case) for case in cases]
    assert len({str(mutant) for mutant in mutants}) > len(mutants) / 2
    assert mutants != [made(Case(format_id, 6, number)) for number in range(20)]


PRINTED = """
import hashlib
from scripts.fuzzing.targets import TARGETS
from scripts.fuzzing.workers import Case, made
for target in TARGETS:
    print(target, hashlib.sha256(repr([made(Case(target, 5, number)) for number in range(20)]).encode()).hexdigest())
"""


def test_a_seed_makes_the_same_mutants_in_another_process() -> None:
    """With other seeds of what is random there: a case that failed is made again by its number."""
    printed = subprocess.run([sys.executable, "-c", PRINTED], cwd=ROOT, capture_output=True, text=True, check=True)
    digests = dict(line.split() for line in printed.stdout.splitlines())
    for target in TARGETS:
        mutants = [made(Case(target, 5, number)) for number in range(20)]
        assert digests[target] == hashlib.sha256(repr(mutants).encode()).hexdigest(), target


@pytest.mark.parametrize("format_id", MUTANTS)
def test_many_mutants_are_sound_enough_to_be_played(format_id: str, tmp_path: Path) -> None:
    """What nobody can open reaches no decoder."""
    opened = 0
    for number in range(LOOKED):
        done: list[str] = []
        folder = tmp_path / str(number)
        mutant = made(Case(format_id, 5, number))
        for name, data in mutant.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        look(folder / next(iter(mutant)).partition("/")[0], seeded(1), done.append)
        opened += done[-1] != "walk: open"
    assert opened > LOOKED / 4


def test_any_case_may_be_the_first(tmp_path: Path) -> None:
    """Over this one the emulator falls, as is known of it; those behind it hold, and have another emulator."""
    done = fuzz(tmp_path, "emulator", "--seed", 3001, "--first", 31680, "--count", COUNT)
    first, second = done.stdout.splitlines()
    assert first.startswith(f"emulator: {COUNT} cases from 31680, seed 3001: 0 failed; ")
    assert second.startswith("  1 x EmulatorFailed in nhlog/vt/terminal.py:_do: known, ")


def test_a_crash_of_the_emulator_is_known_where_graphemes_are_turned_on_and_nowhere_else() -> None:
    kind = "EmulatorFailed in nhlog/vt/terminal.py:_do"
    assert known("emulator", kind, {"case.output": b"\x1b[?2027h"})
    assert not known("emulator", kind, {"case.output": b"\x1b[?7h"})
    assert not known("cache", kind, {"case.output": b"\x1b[?2027h"})


# A fuzzer that finds nothing must be one that would have found something.


def looked(act: Callable[[], object]) -> Failure | None:
    """What comes of a case that is looked at in this way."""

    def instead(recording: Path, chance: Random, begin: Callable[[str], None]) -> None:
        begin("act: now")
        act()

    return attempt(Case("datafile", 1, 7), {"case.map": b"DATA"}, instead)


def test_what_holds_is_no_failure() -> None:
    assert looked(lambda: None) is None


def test_an_exception_that_is_not_ours_is_a_failure() -> None:
    failure = looked(lambda: {}["missing"])
    assert (failure.doing, failure.kind) == ("act: now", "KeyError in no code of ours")
    assert "KeyError: 'missing'" in failure.trace


def test_too_much_memory_is_a_failure() -> None:
    assert looked(lambda: bytes(range(256)) * (MEMORY >> 7)).kind == "MemoryError in no code of ours"


@pytest.fixture
def a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Less patience than the fuzzer has otherwise."""
    monkeypatch.setattr(workers, "CPU", 1)
    monkeypatch.setattr(workers, "MERCY", 2)


@pytest.mark.timeout(300)
@pytest.mark.usefixtures("a_second")
def test_an_endless_loop_is_a_failure() -> None:
    failure = looked(lambda: all(iter(lambda: 1, 0)))
    assert (failure.kind, failure.slow) == ("act: more than 1 s", True)


@pytest.mark.timeout(300)
@pytest.mark.usefixtures("a_second")
def test_an_endless_loop_that_hears_no_signal_is_a_failure() -> None:
    failure = looked(lambda: re.match("(a*)*b", "a" * 60))
    assert (failure.kind, failure.slow) in (("act: more than 1 s", True), ("died of SIGPROF: act", True))


def test_time_that_the_system_counts_and_nobody_took_is_no_failure() -> None:
    assert looked(lambda: os.kill(os.getpid(), signal.SIGXCPU)) is None


def test_a_death_is_a_failure_that_names_the_case() -> None:
    failure = looked(lambda: os.kill(os.getpid(), signal.SIGKILL))
    assert (failure.case.number, failure.kind) == (7, "died of SIGKILL: act")


def test_what_is_left_open_is_a_failure(tmp_path: Path) -> None:
    assert looked(lambda: os.open(tmp_path, os.O_RDONLY)).kind == "act: something was left open"


@pytest.mark.parametrize("text", ["\x1b[2J", "\x9b", "\u202e", "\u200d", "\x7f", "\r"])
def test_a_control_character_is_a_failure(text: str) -> None:
    with pytest.raises(Broken):
        check_text(f"name {text}")


def test_a_failing_case_becomes_smaller() -> None:
    def fails(recording: Path, chance: Random, begin: Callable[[str], None]) -> None:
        if b"bad" in recording.read_bytes():
            raise Broken("it is bad")

    case, mutant = Case("nhgame", 1, 1), {"case.nhgame": b"x" * 500 + b"bad" + b"y" * 500}
    assert minimised(attempt(case, mutant, fails), mutant, fails) == {"case.nhgame": b"bad"}


def test_a_case_can_be_looked_at_again_by_its_number_and_as_a_file(tmp_path: Path) -> None:
    case = Case("datafile", 13, 4)
    for name, data in made(case).items():
        (tmp_path / name).write_bytes(data)
    assert read_case(tmp_path / "case.map") == made(case)
    again = ("datafile", "--seed", 13, "--case", 4)
    assert [fuzz(tmp_path, *again, *more).stdout for more in ((), ("--file", "case.map"))] == [
        "datafile-13-4: all rules hold\n"
    ] * 2
