"""Cases in processes of their own, each with so much memory and CPU; a process that dies names the case it died of.

A process is forked with all modules loaded, does a batch of cases, and ends.  It says what it is doing in memory that
it shares with us, so that this is known of a dead one, too.
"""

import gc
import json
import mmap
import os
import resource
import select
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
from nhlog.vt import USUAL_SIZE, Terminal
from scripts.fuzzing.mutants import Mutant
from scripts.fuzzing.rules import Act, Broken
from scripts.fuzzing.targets import TARGETS

__all__ = ["CPU", "MEMORY", "Case", "Failure", "attempt", "made", "run"]

MEMORY: Final = 256 << 20  # bytes that a case may take besides what the program takes itself
CPU: Final = 3  # seconds of CPU for one operation; the system looks once in a second, so up to one more
MERCY: Final = 4  # seconds of CPU after which a process that does not hear of it is killed
_IN_MEMORY: Final = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # where files are synced in no time
_BATCH: Final = 200  # cases of a process
_NOTE: Final = 512  # bytes of shared memory: what a process is doing
_TRACE: Final = 8000  # characters of a traceback that are kept
_OUR_BUG: Final = 70  # what a process ends with whose trouble is not the program's
_ROOT: Final = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Case:
    """A mutant by its name: the same one is made again, and looked at in the same way."""

    target: str
    seed: int
    number: int

    def __str__(self) -> str:
        return f"{self.target}-{self.seed}-{self.number}"


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
    return TARGETS[case.target].mutant(Random(f"{case}: make"))


def run(cases: Sequence[Case], processes: int, found: Callable[[Failure], None]) -> float:
    """Look at all cases, so many at a time; each failure is told as it is found.  Gives the seconds of CPU it took."""
    began = _cpu_of_children()
    left = iter(cases)
    workers: list[_Worker] = []
    while True:
        while len(workers) < processes and (batch := list(islice(left, _BATCH))):
            workers.append(_Worker(batch))
        if not workers:
            return _cpu_of_children() - began
        ready, _, _ = select.select(workers, [], [])
        for worker in ready:
            if not worker.hear(found):
                workers.remove(worker)
                workers += [_Worker(worker.rest)] if worker.rest else []


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def attempt(case: Case, mutant: Mutant, act: Act | None = None) -> Failure | None:
    """Do with a mutant what is done with that of `case`, or another `act`."""
    failures: list[Failure] = []
    worker = _Worker([case], mutant, act)
    while worker.hear(failures.append):
        pass
    return failures[0] if failures else None


class _Worker:
    """A process with a batch of cases; `rest` are those that it left because it died."""

    def __init__(self, cases: Sequence[Case], mutant: Mutant | None = None, act: Act | None = None) -> None:
        self.rest: list[Case] = []
        self._cases = cases
        self._note = mmap.mmap(-1, _NOTE)
        self._text = b""
        self._reports, report = os.pipe()
        sys.stdout.flush()
        self._pid = os.fork()
        if not self._pid:
            os.close(self._reports)
            _work(cases, mutant, act, report, self._note)
        os.close(report)

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
        if status:
            self._bury(os.waitstatus_to_exitcode(status), found)
        self._note.close()
        return False

    def _bury(self, code: int, found: Callable[[Failure], None]) -> None:
        """What a process that died died of."""
        number, _, doing = self._note[:].rstrip(b"\0").decode().partition(" ")
        at = next(place for place, case in enumerate(self._cases) if case.number == int(number))
        if code == _OUR_BUG:
            raise AssertionError(f"the fuzzer itself failed with {self._cases[at]}")
        what = f"died of {signal.Signals(-code).name}" if code < 0 else f"ended with {code}"
        found(Failure(self._cases[at], doing, f"{what}: {_verb(doing)}", "", slow=code == -signal.SIGPROF))
        self.rest = list(self._cases[at + 1 :])


# In the process.


def _work(cases: Sequence[Case], mutant: Mutant | None, act: Act | None, report: int, note: mmap.mmap) -> NoReturn:
    """All cases of a batch; each failure is a line of JSON."""
    gc.freeze()  # files that were open before the fork are not closed in the middle of a case
    try:
        os.environ[DEBUG] = "1"  # what would be turned into an error of ours in the end is what we look for
        for case in cases:
            Terminal(USUAL_SIZE).grid()  # what emulates runs, even if the last case ended it: nothing is opened for it
            _write_down(note, case, "make")
            failure = _try(case, made(case) if mutant is None else mutant, act or TARGETS[case.target].act, note)
            if failure:
                data = json.dumps(asdict(failure)).encode() + b"\n"
                while data:
                    data = data[os.write(report, data) :]
    except BaseException:
        traceback.print_exc()
        os._exit(_OUR_BUG)
    os._exit(0)


def _write_down(note: mmap.mmap, case: Case, doing: str) -> None:
    note[:] = f"{case.number} {doing}".encode("ascii", "replace")[:_NOTE].ljust(_NOTE, b"\0")


def _try(case: Case, mutant: Mutant, act: Act, note: mmap.mmap) -> Failure | None:
    doing = "begin"

    def begin(what: str) -> None:
        nonlocal doing
        doing = what
        _write_down(note, case, what)
        _allow_cpu()

    with tempfile.TemporaryDirectory(dir=_IN_MEMORY, prefix="nhlog-fuzz-", ignore_cleanup_errors=True) as folder:
        os.environ["XDG_CACHE_HOME"] = f"{folder}/cache"
        place = Path(folder) / "files"
        for name, data in mutant.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(data)
        recording = place / next(iter(mutant)).partition("/")[0]
        try:
            with _limits(), _nothing_left_open():
                act(recording, Random(f"{case}: look"), begin)
        except (Exception, OutOfTime) as error:
            trace = "".join(traceback.format_exception(error)).replace(f"{place}/", "")
            return Failure(case, doing, _kind(error, doing), trace[-_TRACE:], slow=isinstance(error, OutOfTime))
    return None


def _allow_cpu() -> None:
    """As much as one operation may take; then `OutOfTime`, and a little later SIGPROF for who hears of nothing.

    The limit gives a whole tick to whoever runs at its end.  Where a machine is itself a guest whose processors are
    taken away, it was seconds ahead of what a process of many operations had really used, and sixteen sound cases in a
    row were too slow.  So its signal, which from then on comes each second, is only the time to look at the clock.
    """
    end = time.process_time() + CPU

    def look(number: int, frame: object) -> None:
        if time.process_time() >= end:
            raise OutOfTime

    signal.signal(signal.SIGXCPU, look)
    resource.setrlimit(resource.RLIMIT_CPU, (int(end) + 1, resource.RLIM_INFINITY))
    signal.setitimer(signal.ITIMER_PROF, CPU + 1 + MERCY)


@contextmanager
def _limits() -> Iterator[None]:
    """So much address space besides what there is already; afterwards no limit, of CPU neither."""
    gc.collect()  # what would be freed meanwhile were more room
    gc.freeze()  # what is left are modules: searched again for each case, they took a quarter of the time
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        for limit in (resource.RLIMIT_AS, resource.RLIMIT_CPU):
            resource.setrlimit(limit, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        signal.setitimer(signal.ITIMER_PROF, 0)


@contextmanager
def _nothing_left_open() -> Iterator[None]:
    """Raises :class:`Broken` where a file was opened and is still open."""
    before = len(os.listdir("/proc/self/fd"))
    yield
    if len(os.listdir("/proc/self/fd")) > before:
        gc.collect()  # of what failed the frames may live on
    if len(os.listdir("/proc/self/fd")) > before:
        raise Broken("something was left open")


def _verb(doing: str) -> str:
    return doing.partition(" ")[0].rstrip(":")


def _kind(error: BaseException, doing: str) -> str:
    """What tells one cause from another: the error, and the innermost place of ours."""
    if isinstance(error, OutOfTime):
        return f"{_verb(doing)}: more than {CPU} s"
    if isinstance(error, Broken):
        return f"{_verb(doing)}: {''.join('#' if char.isdigit() else char for char in str(error))[:70]}"
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith((f"{_ROOT}/nhlog", f"{_ROOT}/terminal"))]
    place = f"{Path(ours[-1].filename).relative_to(_ROOT)}:{ours[-1].name}" if ours else "no code of ours"
    return f"{type(error).__name__} in {place}"
