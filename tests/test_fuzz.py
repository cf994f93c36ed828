"""The fuzzer in small: some hundred hostile recordings of each format, and a fuzzer that sees what it looks for."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from scripts.fuzzing import look, workers
from scripts.fuzzing.cases import minimised
from scripts.fuzzing.mutants import MUTANTS
from scripts.fuzzing.workers import Case, Failure, attempt, made
from tests.corpus import ROOT, SAMPLES

COUNT = 400
"""Cases of a format; docs/reliability.md tells of the long runs."""


@pytest.mark.timeout(900)  # on a machine that is busy with other things
@pytest.mark.parametrize("format_id", MUTANTS)
def test_what_must_hold_holds_for_hostile_recordings(format_id: str, tmp_path: Path) -> None:
    command = [ROOT / "scripts" / "fuzz", format_id, "--count", str(COUNT), "--jobs", "1", "--seed", "13"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(f"{format_id}: {COUNT} cases, seed 13: 0 failed; ")


@pytest.mark.parametrize("format_id", MUTANTS)
def test_a_seed_makes_the_same_mutants_each_time(format_id: str) -> None:
    cases = [Case(format_id, 5, number) for number in range(20)]
    mutants = [made(case) for case in cases]
    assert mutants == [made(case) for case in cases]
    assert len({str(mutant) for mutant in mutants}) > 10
    assert mutants != [made(Case(format_id, 6, number)) for number in range(20)]


# A fuzzer that finds nothing must be one that would have found something.


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[], object]], Failure | None]]:
    """What comes of a case where looking at it is something else."""

    def attempted(act: Callable[[], object]) -> Failure | None:
        def act_instead(recording: Path, chance: Random, begin: Callable[[str], None]) -> None:
            begin("act")
            act()

        monkeypatch.setattr(workers, "look", act_instead)
        return attempt(Case("datafile", 1, 1), {"case.map": b"DATA"})

    return attempted


def test_what_holds_is_no_failure(looked) -> None:
    assert looked(lambda: None) is None


def test_an_exception_that_is_not_ours_is_one(looked) -> None:
    failure = looked(lambda: {}["missing"])
    assert (failure.doing, failure.kind) == ("act", "KeyError in the fuzzer")
    assert "KeyError: 'missing'" in failure.trace


def test_too_much_memory_is_one(looked) -> None:
    assert "MemoryError" in looked(lambda: bytearray(workers.MEMORY)).kind


@pytest.mark.timeout(300)
def test_an_endless_loop_is_one(looked) -> None:
    failure = looked(lambda: all(iter(lambda: 1, 0)))
    assert failure.kind == "act: more than 3 s"
    assert failure.slow


def test_a_death_is_one_and_names_the_case(looked) -> None:
    import os
    import signal

    failure = looked(lambda: os.kill(os.getpid(), signal.SIGSEGV))
    assert (failure.case.number, failure.kind) == (1, "died of SIGSEGV: act")


@pytest.mark.parametrize("text", ["\x1b[2J", "\x9b", "\u202e", "\u200d", "\x7f"])
def test_control_characters_are_seen(text: str) -> None:
    with pytest.raises(look.Broken):
        look._check_text(f"name {text}")


def test_what_is_left_open_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "case.map").write_bytes((SAMPLES / "dm1.map").read_bytes())
    kept = []
    monkeypatch.setattr(look._Look, "all", lambda self: kept.append(open(self._path, "rb")))
    with pytest.raises(look.Broken, match="left open"):
        look.look(tmp_path / "case.map", Random(1), lambda what: None)
    kept.pop().close()


def test_a_file_that_a_verb_cannot_read_is_not_sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "case.map").write_bytes((SAMPLES / "dm1.map").read_bytes()[:-9])
    monkeypatch.setattr(look._Look, "_verify", lambda self, path: True)
    with pytest.raises(look.Broken, match="verify says sound"):
        for number in range(9):  # each does half of what there is
            look.look(tmp_path / "case.map", Random(number), lambda what: None)


def test_a_failing_case_becomes_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(recording: Path, chance: Random, begin: Callable[[str], None]) -> None:
        if b"bad" in recording.read_bytes():
            raise look.Broken("it is bad")

    monkeypatch.setattr(workers, "look", fails)
    case, mutant = Case("nhgame", 1, 1), {"case.nhgame": b"x" * 500 + b"bad" + b"y" * 500}
    assert minimised(attempt(case, mutant), mutant) == {"case.nhgame": b"bad"}
