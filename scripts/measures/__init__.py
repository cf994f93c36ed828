"""What the measurements of `scripts/bench` have in common: rows of times, and the list of measurements.

A measurement is a function that yields rows: the times of one thing done again and again, in processor time where
nothing else is said, as others may use the machine.  Real recordings come from the corpus beside the project where
there is one, else from its part in `tests/data`, or from the samples.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
CORPUS = next(path for path in (ROOT.parent / "shared" / "corpus", ROOT / "tests" / "data") if path.is_dir())

REPEATS = 7
LEAST_TIME = 0.02  # seconds that a repeat takes at least, so that the clock's grain does not matter
BUDGET = 4.0  # seconds that a row takes at most, or a little more
STARTER = """
import os, resource, sys
silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
_, status = os.waitpid(os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=silent), 0)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print([used.ru_utime + used.ru_stime, used.ru_maxrss << 10])
sys.exit(os.waitstatus_to_exitcode(status))
"""  # a small process between: of a program that a large one starts the system says that it was as large


class Usage(NamedTuple):
    """What a program took with those that it started: seconds of the processor, and the most memory of one of them."""

    seconds: float
    memory: int


class Cell(NamedTuple):
    """A figure in the table of docs/benchmarks.md for what grows."""

    line: str
    column: str
    figure: float


@dataclass(frozen=True, slots=True)
class Row:
    """Seconds per call, in rising order.

    `aims` are the most seconds that the least, or else the least and a later part of the calls, may take; `cells` is
    what the documents keep of it in place of its times.
    """

    name: str
    times: list[float]
    note: str = ""
    aims: tuple[tuple[float, float], ...] = ()
    cells: tuple[Cell, ...] = ()

    @property
    def meets(self) -> bool | None:
        """Whether it takes no longer than it may; None where nothing says how long that is."""
        return all(self.at(part) <= most for part, most in self.aims) if self.aims else None

    def within(self, **most: float) -> "Row":
        """The same row, with milliseconds that its `least`, `median` or `p99` may take."""
        return replace(self, aims=tuple((PARTS[name], milliseconds / 1e3) for name, milliseconds in most.items()))

    def at(self, part: float) -> float:
        """The time that so many of the calls did not exceed."""
        return self.times[min(int(part * len(self.times)), len(self.times) - 1)] if self.times else float("nan")


PARTS = {"least": 0.0, "median": 0.5, "p99": 0.99}
MEASUREMENTS: dict[str, Callable[[], Iterator[Row]]] = {}
LONG: list[str] = []  # of them those that are run only if they are named


def recording(name: str, sample: str) -> str:
    """A recording of the corpus, or of the samples where it is not."""
    return str(next(path for path in (CORPUS / name, SAMPLES / sample) if path.exists()))


def measurement(function: Callable[[], Iterator[Row]]) -> Callable[[], Iterator[Row]]:
    """Enters the function under its own name."""
    MEASUREMENTS[function.__name__] = function
    return function


def long_measurement(function: Callable[[], Iterator[Row]]) -> Callable[[], Iterator[Row]]:
    """Enters one that takes so long that it is run only if it is named."""
    LONG.append(function.__name__)
    return measurement(function)


def repeated(name: str, call: Callable[[], object], size: int = 0) -> Row:
    """One call again and again; short ones several times per repeat.  It deals with `size` bytes.

    One repeat is measured whatever the budget: on a busy machine the first call alone may take longer.
    """
    began = time.monotonic()
    calls = max(1, round(LEAST_TIME / max(timed(call), 1e-9)))
    times: list[float] = []
    while len(times) < REPEATS and (not times or time.monotonic() - began < BUDGET):
        start = time.process_time()
        for _ in range(calls):
            call()
        times.append((time.process_time() - start) / calls)
    return Row(name, sorted(times), f"{size / statistics.median(times) / 1e6:.1f} MB/s" if size else "")


def each(name: str, calls: Iterable[Callable[[], object]], note: str = "") -> Row:
    """Different calls, each the best of three times."""
    return Row(name, sorted(min(timed(call) for _ in range(3)) for call in calls), note)


def timed(call: Callable[[], object]) -> float:
    """Seconds of this process's processor time that it takes."""
    start = time.process_time()
    call()
    return time.process_time() - start


def waited(call: Callable[[], object]) -> float:
    """Seconds until it is done."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


@contextmanager
def nothing_kept() -> Iterator[None]:
    """A context in which the cache is empty."""
    before = os.environ.get("XDG_CACHE_HOME")
    with TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        try:
            yield
        finally:
            del os.environ["XDG_CACHE_HOME"]
            os.environ |= {} if before is None else {"XDG_CACHE_HOME": before}


def program(name: str, command: Sequence[str | Path], *, anew: bool = False) -> Row:
    """A program, from its start to its end, again and again: its processor time, once Python has compiled it.

    `anew` is whether nothing is in the cache each time.
    """
    times: list[float] = []
    began = time.monotonic()
    while len(times) < REPEATS and (not times or time.monotonic() - began < BUDGET):
        with nothing_kept() if anew else nullcontext():
            times.append(started(command).seconds)
    return Row(name, sorted(times))


def started(command: Sequence[str | Path]) -> Usage:
    """Runs a program to its end."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    starter = [sys.executable, "-I", "-S", "-c", STARTER, *command]
    return Usage(*json.loads(subprocess.check_output(starter, cwd=ROOT, env=environment)))


def beside(row: Row, others: Iterable[Row]) -> Iterator[Row]:
    """A row, and below it what others take for the same: peers, or what no program can be faster than."""
    yield row
    for other in others:
        note = f"{other.at(0) / row.at(0):.2f} times as long"
        yield replace(other, name=f"  {other.name}", note=f"{note}; {other.note}" if other.note else note)


def rate(name: str, unit: str, count: int, call: Callable[[], object], note: str = "") -> Row:
    """One call that deals with `count` of something, a few times: how many a second."""
    times = []
    began = time.monotonic()
    while len(times) < 3 and (not times or time.monotonic() - began < BUDGET):
        times.append(timed(call))
    told = f"{count / min(times):,.0f} {unit}/s".replace(",", " ")
    return Row(name, sorted(times), f"{told}; {note}" if note else told)
