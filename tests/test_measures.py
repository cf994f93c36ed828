"""Measurements still call what there is: each is run once with little to do; how fast it was is nobody's business."""

from pathlib import Path

import pytest

import scripts.measures
from scripts.measures import MEASUREMENTS, Row, games, lobby, play
from tests.corpus import SAMPLES

LITTLE = {
    scripts.measures: {"REPEATS": 1, "LEAST_TIME": 0.0},
    games: {"SEEKS": 3, "NETHACK4": SAMPLES, "LARGE": 100_000},
    lobby: {"GAMES": 12, "TICKS": 2},
    play: {"PRESSED": 5, "IN_A_TERMINAL": 3, "IDLE": 0.1},
}


@pytest.mark.parametrize("name", ["startup", "log", "screens", "frames", "lobby", "play", "clients"])
def test_a_measurement_runs(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(scripts.measures, "CORPUS", tmp_path)
    for module, constants in LITTLE.items():
        for constant, value in constants.items():
            monkeypatch.setattr(module, constant, value)
    rows = [*MEASUREMENTS[name]()]
    assert rows
    assert all(isinstance(row, Row) and (row.times or row.note) for row in rows)
