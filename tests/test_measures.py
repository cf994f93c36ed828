"""Measurements still call what there is: each is run once with little to do; how fast it was is nobody's business."""

import pkgutil
import re
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest

import scripts.measures
from scripts.measures import (
    MEASUREMENTS,
    Cell,
    Row,
    games,
    growth,
    lobby,
    play,
    rate,
    relay,
    repeated,
    sharing,
    tables,
    walks,
    web,
)
from tests.corpus import ROOT, SAMPLES

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
    growth: {
        "REPEATS": 1,
        "MEGABYTE": 30_000,
        "SIZES": (1, 2),
        "GAMES": (1, 3),
        "WATCHERS": (1, 2),
        "PACE": 0.05,
        "LOG_VERBS": ("verify",),
        "TTYREC_VERBS": ("info",),
    },
    sharing: {"BUDGET": 0.0, "FEWEST": 3},
    walks: {},
    play: {"PRESSED": 5, "IN_A_TERMINAL": 3, "IDLE": 0.1},
}


@pytest.mark.parametrize(
    "name", ["startup", "log", "screens", "frames", "lobby", "play", "clients", "walks", *scripts.measures.LONG]
)
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


def test_where_the_disk_has_no_room_a_size_is_left_out_and_a_row_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "SIZES", (10**12,))
    [row] = growth.growing_log()
    assert (row.times, row.cells) == ([], ())
    assert row.note.startswith("left out: 2e+09 GB are not free in ")


def filled(name: str, rows: Sequence[Row]) -> str:
    """The document with the table of a measurement; what is told of the machine is left out."""
    return tables.filled(DOCUMENT, {name: rows}).replace(tables.machine(), "MEASURED\n")


DOCUMENT = """\
# Figures

<!-- table: growing_log -->
old
<!-- end -->
<!-- table: growing_list -->
the day before
<!-- end -->
"""


def test_a_table_of_the_document_is_replaced_and_what_was_not_measured_stays() -> None:
    line = "`nhlog info`: ms a MB"
    sizes = {"1 MB": 1234.5, "10 MB": 1543.125}
    rows = [Row("", [], cells=(Cell(line, size, each),)) for size, each in sizes.items()]
    assert filled("growing_log", rows) == DOCUMENT.replace(
        "old\n",
        "|  | 1 MB | 10 MB | 10 MB : 1 MB |\n"
        "| --- | --- | --- | --- |\n"
        "| `nhlog info`: ms a MB | 1,234 | 1,543 | 1.25 |\n"
        "\nMEASURED\n\n",
    )


def test_a_table_that_the_document_has_no_place_for_is_an_error() -> None:
    with pytest.raises(ValueError, match="no table <!-- table: growing_crowd -->"):
        tables.filled(DOCUMENT, {"growing_crowd": [Row("", [], cells=(Cell("a line", "1", 2.0),))]})


def test_times_are_told_in_milliseconds_with_what_was_aimed_at_and_what_others_take_below() -> None:
    quick, slow = (Row("a call", [seconds, 0.25], "2 MB").within(least=2, p99=300) for seconds in (0.001234, 0.5))
    other = Row("  another program", [], "5 MB/s")
    assert filled("growing_log", [quick, slow, other]) == DOCUMENT.replace(
        "old\n",
        "|  | least | median | p99 | aim |  |\n"
        "| --- | ---: | ---: | ---: | --- | --- |\n"
        "| a call | 1.23 | 250 | 250 | least 2, p99 300: met | 2 MB |\n"
        "| a call | 500 | 250 | 250 | least 2, p99 300: **not met** | 2 MB |\n"
        "| … another program |  |  |  |  | 5 MB/s |\n"
        "\nMEASURED\n\n",
    )


def test_all_that_is_measured_has_a_place_in_the_document() -> None:
    for module in pkgutil.iter_modules(scripts.measures.__path__):  # each enters its measurements
        import_module(f"scripts.measures.{module.name}")
    document = (ROOT / "docs" / "benchmarks.md").read_text()
    found = re.findall(r"^<!-- table: (\w+) -->$", document, re.MULTILINE)
    assert sorted(found) == sorted({*MEASUREMENTS, sharing.crowd.__name__, web.web.__name__, relay.relay.__name__})
