"""The storm in small: some hundred deaths, and a log that still has all it acknowledged."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

from tests.corpus import ROOT
from tests.doses import SIZE, dose
from tests.scripts import script
from tests.sharing.parties import needs_handshake

LINES = dose("kills.storm.lines")
SEED = "7"


@needs_handshake
def test_kills_cost_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    seed = [] if os.environ.get(SIZE) == "soak" else ["--seed", SEED]
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "storm", "--lines", str(LINES), *seed],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    told = re.fullmatch(r"seed \d+\n\d+ kills, .* (\d+) lines acknowledged, .* all rules hold\n", done.stdout)
    assert told
    assert int(told[1]) >= LINES


@pytest.fixture
def storm() -> ModuleType:
    return script("storm")


@needs_handshake
def test_a_storm_in_which_nobody_writes_is_an_error_and_ends(
    storm: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storm, "write", lambda *_: time.sleep(60))
    monkeypatch.setattr(storm, "WRITER_LIFE", 0.001)
    monkeypatch.setattr(storm, "UNBORN", 0.001)
    monkeypatch.setattr(storm, "WATCHER_LIFE", 0.001)
    proof = storm.Storm(tmp_path, 1)
    with pytest.raises(storm.Broken, match="no line was acknowledged in 100 kills"):
        proof.round(1)


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (["1-0", "1-1", "2-0"], None),
        (["1-0", "1-1", "2-0", "2-1"], None),
        (["1-0", "2-0"], "acknowledged and lost"),
        (["1-0", "1-1", "1-1", "2-0"], "there twice"),
        (["1-0", "torn", "1-1", "2-0"], "a broken line"),
    ],
    ids=["all", "one more than acknowledged", "lost", "twice", "torn"],
)
def test_the_storm_knows_a_broken_log(storm: ModuleType, tmp_path: Path, lines: list[str], fault: str | None) -> None:
    proof = storm.Storm(tmp_path, 1)
    proof.acknowledged = {b"1-0", b"1-1", b"2-0"}
    texts = [b"search L1;9-9;xx" if name == "torn" else storm.line(*map(int, name.split("-")), 10) for name in lines]
    if fault is None:
        proof.prove(texts)
    else:
        with pytest.raises(storm.Broken, match=fault):
            proof.prove(texts)
