"""Cases in processes of their own, each with so much memory and CPU; a process that dies names the case it died of.

A process is forked with all modules loaded, does a batch of cases, and ends.  It says what it is doing in memory that
it shares with us, so that this is known of a dead one, too.
"""

import json
import mmap
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final, NoReturn

from nhlog.guard import DEBUG
from scripts.fuzzing.look import Broken, look
from scripts.fuzzing.mutants import MUTANTS, Mutant

__all__ = ["CPU", "MEMORY", "Case", "Failure", "attempt", "made", "run"]

MEMORY: Final = 256 << 20  # bytes that a case may take besides what the program takes itself
CPU: Final = 3  # seconds of CPU for one operation; the system counts whole ones, so up to one more
_MERCY: Final = 4  # seconds of CPU after which a process that does not hear of it is killed
_BATCH: Final = 200  # cases of a process
_OUR_BUG: Final = 70  # what a process ends with whose trouble is not the program's
_NOTE: Final = 512  # bytes of shared memory: what a process is doing
_ROOT: Final = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Case:
    """A mutant by its name: the same one is made again, and looked at in the same way."""

    format: str
    seed: int
    number: int

    def __str__(self) -> str:
        return f"{self.format}-{self.seed}-{self.number}"


@dataclass(frozen=True)
class Failure:
    """What did not hold, `doing` what; `kind` is the same for failures that have one cause.

    `slow` is whether it was the CPU that did not suffice.
    """

    case: Case
    doing: str
    kind: str
    trace: str
    slow: bool = False


class OutOfTime(BaseException):
    """An operation took more CPU than it may."""


def made(case: Case) -> Mutant:
    """The mutant of a case."""
    return MUTANTS[case.format](Random(f"{case}: make"))


def run(cases: Sequence[Case], processes: int, found: Callable[[Failure], None]) -> float:
    """Look at all cases, so many at a time; each failure is told as it is found.  Gives the seconds of CPU it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    left = iter(cases)
    workers = [worker for _ in range(processes) if (worker := _Worker.next(left))]
    while workers:
        ready, _, _ = select.select(workers, [], [])
        for worker in ready:
            if worker.hear(found):
                continue
            workers.remove(worker)
            again = worker.rest or list(islice(left, _BATCH))
            workers += [_Worker(again, None)] if again else []
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def attempt(case: Case, mutant: Mutant) -> Failure | None:
    """Look at a mutant as that of `case` is looked at."""
    failures: list[Failure] = []
    worker = _Worker([case], mutant)
    while worker.hear(failures.append):
        pass
    return failures[0] if failures else None


class _Worker:
    """A process with a batch of cases; `rest` are those that it left because it died."""

    def __init__(self, cases: Sequence[Case], mutant: Mutant | None) -> None:
        self.cases = cases
        self.rest: list[Case] = []
        self._note = mmap.mmap(-1, _NOTE)
        self._text = b""
        self._reports, report = os.pipe()
        sys.stdout.flush()
        self._pid = os.fork()
        if not self._pid:
            os.close(self._reports)
            _work(cases, mutant, report, self._note)
        os.close(report)

    @classmethod
    def next(cls, left: Iterator[Case]) -> "_Worker | None":
        """One with the next batch, None where nothing is left."""
        cases = list(islice(left, _BATCH))
        return cls(cases, None) if cases else None

    def fileno(self) -> int:
        """What is readable when there is something to hear."""
        return self._reports

    def hear(self, found: Callable[[Failure], None]) -> bool:
        """Take what it reports; False when it has ended."""
        if block := os.read(self._reports, 1 << 16):
            *lines, self._text = (self._text + block).split(b"\n")
            for line in lines:
                told = json.loads(line)
                found(Failure(**told | {"case": Case(**told["case"])}))
            return True
        os.close(self._reports)
        _, status = os.waitpid(self._pid, 0)
        number, _, doing = self._note[:].rstrip(b"\0").decode().partition(" ")
        self._note.close()
        if status:
            at = next(place for place, case in enumerate(self.cases) if case.number == int(number))
            end = os.waitstatus_to_exitcode(status)
            if end == _OUR_BUG:
                raise AssertionError(f"the fuzzer itself failed with {self.cases[at]}")
            what = f"died of {signal.Signals(-end).name}" if end < 0 else f"ended with {end}"
            found(
                Failure(self.cases[at], doing, f"{what}: {doing.split(' ')[0].rstrip(':')}", "", end == -signal.SIGPROF)
            )
            self.rest = list(self.cases[at + 1 :])
        return False


def _work(cases: Sequence[Case], mutant: Mutant | None, report: int, note: mmap.mmap) -> NoReturn:
    """What the process does."""
    try:
        signal.signal(signal.SIGXCPU, _out_of_time)
        os.environ[DEBUG] = "1"  # what would be turned into an error of ours in the end is what we look for
        for case in cases:
            _write_down(note, case, "make")
            failure = _try(case, made(case) if mutant is None else mutant, note)
            if failure:
                data = json.dumps(asdict(failure)).encode() + b"\n"
                while data:
                    data = data[os.write(report, data) :]
    except BaseException:
        traceback.print_exc()
        os._exit(_OUR_BUG)
    os._exit(0)


def _write_down(note: mmap.mmap, case: Case, doing: str) -> None:
    note[:] = f"{case.number} {doing}".encode(errors="replace")[:_NOTE].ljust(_NOTE, b"\0")


def _out_of_time(number: int, frame: object) -> NoReturn:
    raise OutOfTime


def _try(case: Case, mutant: Mutant, note: mmap.mmap) -> Failure | None:
    doing = ""

    def begin(what: str) -> None:
        nonlocal doing
        doing = what
        _write_down(note, case, what)
        soft = int(time.process_time()) + 1 + CPU
        resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.RLIM_INFINITY))
        signal.setitimer(signal.ITIMER_PROF, CPU + 1 + _MERCY)  # SIGPROF kills also who hears of nothing

    with tempfile.TemporaryDirectory(prefix="nhlog-fuzz-", ignore_cleanup_errors=True) as folder:
        os.environ["XDG_CACHE_HOME"] = f"{folder}/cache"
        place = Path(folder) / "files"
        for name, data in mutant.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(data)
        recording = place / next(iter(mutant)).partition("/")[0]
        begin("open")
        try:
            with _limits():
                look(recording, Random(f"{case}: look"), begin)
        except (Exception, OutOfTime) as error:
            trace = "".join(traceback.format_exception(error, limit=-30, chain=True)).replace(f"{place}/", "")
            return Failure(case, doing, _kind(error, doing), trace[-8000:], isinstance(error, OutOfTime))
        finally:
            shutil.rmtree(place)
    return None


@contextmanager
def _limits() -> Iterator[None]:
    """So much address space besides what there is already; afterwards no limit, of CPU neither."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        for limit in (resource.RLIMIT_AS, resource.RLIMIT_CPU):
            resource.setrlimit(limit, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        signal.setitimer(signal.ITIMER_PROF, 0)


def _kind(error: BaseException, doing: str) -> str:
    """What tells one cause from another: the error, and the innermost place of ours."""
    verb = doing.split(" ")[0].rstrip(":")
    if isinstance(error, Broken):
        text = "".join("#" if char.isdigit() else char for char in str(error))
        return f"{verb}: {text[:70]}"
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith((f"{_ROOT}/nhlog", f"{_ROOT}/terminal"))]
    place = f"{Path(ours[-1].filename).relative_to(_ROOT)}:{ours[-1].name}" if ours else "the fuzzer"
    return f"{type(error).__name__} in {place}" if not isinstance(error, OutOfTime) else f"{verb}: more than {CPU} s"
