"""What the measurements of `scripts/bench` have in common: rows of times, and the list of measurements.

A measurement is a function that yields rows: the times of one thing done again and again.  Real recordings come from
the corpus beside the project where there is one, else from its part in `tests/data`, or from the samples.
"""

import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
CORPUS = next(path for path in (ROOT.parent / "shared" / "corpus", ROOT / "tests" / "data") if path.is_dir())

REPEATS = 7
LEAST_TIME = 0.02  # seconds that a repeat takes at least, so that the clock's grain does not matter
BUDGET = 4.0  # seconds that a row takes at most, or a little more


@dataclass(frozen=True, slots=True)
class Row:
    """Seconds per call, in rising order."""

    name: str
    times: list[float]
    note: str = ""

    def at(self, part: float) -> float:
        """The time that so many of the calls did not exceed."""
        return self.times[min(int(part * len(self.times)), len(self.times) - 1)] if self.times else float("nan")


MEASUREMENTS: dict[str, Callable[[], Iterator[Row]]] = {}


def recording(name: str, sample: str) -> str:
    """A recording of the corpus, or of the samples where it is not."""
    return str(next(path for path in (CORPUS / name, SAMPLES / sample) if path.exists()))


def measurement(function: Callable[[], Iterator[Row]]) -> Callable[[], Iterator[Row]]:
    """Enters the function under its own name."""
    MEASUREMENTS[function.__name__] = function
    return function


def repeated(name: str, call: Callable[[], object], size: int = 0) -> Row:
    """One call again and again; short ones several times per repeat.  It deals with `size` bytes."""
    began = time.perf_counter()
    call()
    calls = max(1, round(LEAST_TIME / max(time.perf_counter() - began, 1e-9)))
    times: list[float] = []
    while len(times) < REPEATS and time.perf_counter() - began < BUDGET:
        start = time.perf_counter()
        for _ in range(calls):
            call()
        times.append((time.perf_counter() - start) / calls)
    return Row(name, sorted(times), f"{size / statistics.median(times) / 1e6:.1f} MB/s" if size else "")


def each(name: str, calls: Iterable[Callable[[], object]], note: str = "") -> Row:
    """Different calls, each the best of three times."""
    return Row(name, sorted(min(timed(call) for _ in range(3)) for call in calls), note)


def timed(call: Callable[[], object]) -> float:
    """Seconds that it takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def rate(name: str, unit: str, count: int, call: Callable[[], object], note: str = "") -> Row:
    """One call that deals with `count` of something, a few times: how many a second."""
    times = []
    began = time.perf_counter()
    while len(times) < 3 and (not times or time.perf_counter() - began < BUDGET):
        times.append(timed(call))
    told = f"{count / min(times):,.0f} {unit}/s".replace(",", " ")
    return Row(name, sorted(times), f"{told}; {note}" if note else told)
