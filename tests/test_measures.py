"""Measurements still call what there is: each is run once with little to do; how fast it was is nobody's business."""

import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest

import scripts.measures
from scripts.measures import MEASUREMENTS, Row, games, lobby, play, rate, repeated, walks
from tests.corpus import SAMPLES

LITTLE = {
    scripts.measures: {"REPEATS": 1, "LEAST_TIME": 0.0},
    games: {
        "INSTALLED": lambda: nullcontext(Path(sys.executable).parent),
        "LISTED": ((12, 1, 1),),
        "SEEKS": 3,
        "NETHACK4": SAMPLES,
        "LARGE": 100_000,
    },
    lobby: {"GAMES": 12, "TICKS": 2},
    walks: {},
    play: {"PRESSED": 5, "IN_A_TERMINAL": 3, "IDLE": 0.1},
}


@pytest.mark.parametrize("name", ["startup", "log", "screens", "frames", "lobby", "play", "clients", "walks"])
def test_a_measurement_runs(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(scripts.measures, "CORPUS", tmp_path)
    for module, constants in LITTLE.items():
        for constant, value in constants.items():
            monkeypatch.setattr(module, constant, value)
    rows = [*MEASUREMENTS[name]()]
    assert rows
    assert all(isinstance(row, Row) and (row.times or row.note) for row in rows)


def test_on_a_machine_so_busy_that_one_call_takes_too_long_one_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripts.measures, "BUDGET", 0.0)
    call = partial(sum, range(1000))
    for row in (repeated("a call", call, size=1000), rate("calls", "calls", 1, call)):
        assert len(row.times) == 1
        assert row.note
