"""The tiers of the suite: which tests are quick, which a change can reach, and how long each one takes.

A test is quick that starts no process and takes less than `QUICK` seconds: `slow.tsv` lists all others, as they were
measured by `scripts/durations`; what is not listed there, as it is new, is quick. `scripts/test` runs the quick ones,
`scripts/test --all` everything, `scripts/test --changed` what a change can reach by the imports (`imports.py`).

A test that takes much longer than it was measured to hangs, and is ended (`patience`): on a busy machine, too, as that
is a multiple, and a large one.

What a test takes is told without the time in which others had the processor, and without fixtures that are shared by
more than one test: so it is much the same on a busy machine, and whichever test is first.
"""

import os
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.corpus import ROOT
from tests.imports import reached_by

__all__ = ["PLACE", "QUICK", "Cost", "changed_since", "cost_of", "grouped", "patience", "read", "written"]

PLACE = Path(__file__).with_name("slow.tsv")
QUICK = 0.05
"""Seconds that a quick test takes at most."""
TOLD = 1.0
"""Seconds from which on it is told that a test which should be quick is not: several times what noise makes of it."""
LEAST = 180.0
"""Seconds after which the quickest test hangs: its session's fixtures are made on a busy machine, too."""
BUSY = 20
"""How much longer a test may take there than it was measured to."""
STARTING = ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.system", "tests.starter")
"""Audit events of a process that begins another one."""
HEAD = """\
# Tests that are not quick: seconds, whether they start processes, and the test, or the function or file of them.
# Made by scripts/durations; what is not listed is quick.
"""


class Cost(NamedTuple):
    """What a test takes: seconds, and whether it starts processes."""

    seconds: float
    starts: bool

    @property
    def quick(self) -> bool:
        return self.seconds < QUICK and not self.starts


def read(text: str) -> dict[str, Cost]:
    """The listed tests, functions and files."""
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return {name: Cost(float(seconds), starts == "starts") for seconds, starts, name in rows}


def cost_of(test: str, listed: dict[str, Cost]) -> Cost | None:
    """What stands in the list for a test, or for its function, or its file; None if it is quick."""
    rows = (test, test.partition("[")[0], test.partition("::")[0])
    return next((listed[row] for row in rows if row in listed), None)


def patience(cost: Cost | None, longest: float) -> float:
    """Seconds after which a test that costs so much hangs: `longest` for what takes long in any case."""
    return min(longest, LEAST + BUSY * (cost.seconds if cost else QUICK))


def grouped(costs: dict[str, Cost]) -> dict[str, Cost]:
    """What is not quick of all tests that were measured.

    A function or a file of which nothing is quick is one row, with what all of it takes.
    """
    rows = dict(costs)
    for up in ("[", "::"):
        groups: dict[str, list[str]] = {}
        for test in rows:
            groups.setdefault(test.partition(up)[0], []).append(test)
        for whole, parts in groups.items():
            if len(parts) > 1 and not any(rows[test].quick for test in parts):
                taken = [rows.pop(test) for test in parts]
                rows[whole] = Cost(sum(cost.seconds for cost in taken), any(cost.starts for cost in taken))
    return {test: cost for test, cost in rows.items() if not cost.quick}


def written(rows: dict[str, Cost]) -> str:
    """The list, as `read` takes it."""
    lines = [f"{cost.seconds:.2f}\t{'starts' if cost.starts else '-'}\t{test}\n" for test, cost in sorted(rows.items())]
    return HEAD + "".join(lines)


# what pytest calls


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tiers")
    group.addoption("--quick", action="store_true", help="only tests that are quick, as scripts/test does")
    group.addoption("--changed", metavar="REV", help="only tests that the changes since REV can reach")
    group.addoption(
        "--durations-to", metavar="FILE", type=Path, help="keep what each test takes, for scripts/durations"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.option.changed is not None and not hasattr(config, "workerinput"):
        config.option.reached = [str(path) for path in reached_by(changed_since(config.option.changed))]
    config.pluginmanager.register(_Measure(config.option.durations_to, hasattr(config, "workerinput")))


def changed_since(revision: str) -> list[Path]:
    """The files that differ from what stood there, those included that git does not know yet."""
    found: list[Path] = []
    for command in (
        ["diff", "--name-only", "-z", revision, "--"],
        ["ls-files", "--others", "--exclude-standard", "-z"],
    ):
        done = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise pytest.UsageError(f"--changed {revision}: {done.stderr.strip()}")
        found += [Path(name) for name in done.stdout.split("\0") if name]
    return found


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file of which nothing will run is not imported."""
    if collection_path.suffix != ".py" or not collection_path.name.startswith("test_"):
        return None
    if config.option.changed is not None and str(collection_path) not in config.option.reached:
        return True  # found out once: the processes of xdist have the options of the first
    return (config.option.quick and str(collection_path.relative_to(ROOT)) in _listed()) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    longest = float(config.getini("timeout"))
    left: dict[bool, list[pytest.Item]] = {True: [], False: []}
    for item in items:
        cost = cost_of(item.nodeid, _listed())
        left[cost is None or not config.option.quick].append(item)
        if item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(patience(cost, longest)))
    config.hook.pytest_deselected(items=left[False])
    items[:] = left[True]


@cache
def _listed() -> dict[str, Cost]:
    return read(PLACE.read_text())


class _Measure:
    """What each test takes: measured where it runs, collected where it is reported."""

    def __init__(self, target: Path | None, worker: bool) -> None:
        self._target = None if worker else target
        self._costs: dict[str, Cost] = {}
        self._begun = 0
        self._shared = 0.0
        self._worker = worker
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: Any) -> None:
        if event in STARTING:
            self._begun += 1

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, Any]:
        if fixturedef.scope == "function":
            return (yield)
        began, begun = _taken(), self._begun
        try:
            return (yield)
        finally:
            self._shared += _taken() - began
            self._begun = begun

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        self._begun, self._shared, self._start = 0, 0.0, _taken()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: Any) -> Generator[None, Any, Any]:
        report = yield
        if call.when == "teardown":
            report.cost = (_taken() - self._start - self._shared, bool(self._begun))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "teardown" and not self._worker:
            self._costs[report.nodeid] = Cost(*report.cost)

    def pytest_sessionfinish(self) -> None:
        if self._target:
            rows = (f"{cost.seconds}\t{cost.starts}\t{test}\n" for test, cost in self._costs.items())
            self._target.write_text("".join(rows))

    def pytest_terminal_summary(self, terminalreporter: Any, config: pytest.Config) -> None:
        if not config.option.quick:
            return
        left = len(terminalreporter.stats.get("deselected", ()))
        terminalreporter.write_line(
            f"Only the quick tests{f' ({left} others were collected)' if left else ''}. All: scripts/test --all; those "
            "that what you changed can reach: scripts/test --changed; without end, at random: scripts/soak"
        )
        for test in self._not_quick():
            terminalreporter.write_line(f"not quick, though it counts as that (scripts/durations measures it): {test}")

    def _not_quick(self) -> Iterator[str]:
        for test, cost in self._costs.items():
            if cost.starts or cost.seconds > TOLD:
                yield f"{test}: {cost.seconds:.2f} s{', starts processes' * cost.starts}"


def _taken() -> float:
    """Seconds that went by without those in which this thread could have run and others did."""
    return time.monotonic() - _waited()


def _waited() -> float:
    try:
        descriptor = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
    except OSError:
        return 0.0
    try:
        return int(os.read(descriptor, 100).split()[1]) / 1e9
    finally:
        os.close(descriptor)
