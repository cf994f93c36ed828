"""A process that reads recordings for the lobby, so that nobody waits for keys however large they are.

What is wanted most is read first.  A recording that takes long gives way to others, and is read when nothing else is
wanted; one that goes on is not read again before nine times as long has passed.

To give way is to end the process, and the next one has to start, which on a busy machine takes longer than any reading.
So nothing gives way to others before the process has started (it says so: `READY`), nor before it has taken as long as
that did.  Rejected: ten seconds for the start.  Where starting takes fourteen, three small recordings took fifty, as a
process that had nearly started was ended for the next one.
"""

import os
import pickle
import subprocess
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, Self

from nhlog.files import reason
from nhlog.files.processes import python_command, python_environment
from terminal.lobby.reading.jobs import READY, SIZE, Job

__all__ = ["Reader"]

PATIENCE: Final = 1.0  # seconds after which a job gives way to others, or more where a process took longer to start
REST: Final = 9  # times as long as a reading took, before the same recording is read again
IDLE: Final = 10.0  # seconds after which a process that is not needed ends
_MOST: Final = 1 << 20  # bytes taken from the process at a time
_DIED: Final = "it cannot be read: its reader broke down"


class Reader:
    """The process, which is started when there is something to do; a context manager, and a source of changes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._process: subprocess.Popen[bytes] | None = None
        self._doing: Job | None = None
        self._since = 0.0  # when that began, or when the process had nothing to do
        self._slow: set[Job] = set()
        self._starting: float | None = None  # how long the process took to start, as soon as it has
        self._rests: dict[Job, float] = {}  # until when what was read last is not read again
        self._failed: list[tuple[Job, Any]] = []
        self._received = bytearray()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def rest(self) -> None:
        """End the process, with what it emulates terminals by, until more is wanted: nobody looks at the list now."""
        self._end()

    @property
    def doing(self) -> Job | None:
        """What is being done; None for nothing."""
        return self._doing

    def want(self, jobs: Sequence[Job]) -> None:
        """Have these done, the first ones first, and none that was wanted before and is not among them."""
        now = self._clock()
        self._rests = {job: until for job, until in self._rests.items() if until > now}
        jobs = [job for job in jobs if _any_time(job) not in self._rests]
        quick = [job for job in jobs if job not in self._slow and job != self._doing]
        if self._doing is not None and quick and self._takes_long:
            self._slow.add(self._doing)
            self._end()
        if self._doing is None and jobs:
            self._begin(quick[0] if quick else jobs[0])
        elif self._doing is None and self._clock() - self._since > IDLE:
            self._end()

    @property
    def _takes_long(self) -> bool:
        """Whether what is being done takes longer than others are to wait for it."""
        return self._starting is not None and self._clock() - self._since > max(PATIENCE, self._starting)

    def _begin(self, job: Job) -> None:
        self._doing, self._since = job, self._clock()
        try:
            self._process = self._process or _started()
            assert self._process.stdin is not None  # it is a pipe
            pickle.dump(tuple(job), self._process.stdin)
            self._process.stdin.flush()
        except BrokenPipeError:
            self._fail(_DIED)
        except OSError as error:  # of the system: there are too many processes
            self._fail(reason(error) if job.picture else None)

    def answers(self) -> list[tuple[Job, Any]]:
        """The jobs that were done since the last call, and the answers.

        What ended the process has a text, a listing for which there can be no process has None.
        """
        if self._process is not None and self._doing is not None:
            self._receive(self._process)
        found, self._failed = self._failed, []
        if self._starting is None and self._received.startswith(READY):
            del self._received[:SIZE]
            now = self._clock()
            self._starting, self._since = now - self._since, now
        end = SIZE + int.from_bytes(self._received[:SIZE], "big")
        if self._doing is not None and SIZE < end <= len(self._received):
            found.append((self._doing, pickle.loads(self._received[SIZE:end])))
            self._received.clear()
            now = self._clock()
            self._rests[_any_time(self._doing)] = now + REST * (now - self._since)
            self._doing, self._since = None, now
        return found

    def _receive(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None  # it is a pipe
        os.set_blocking(process.stdout.fileno(), False)
        try:
            while data := os.read(process.stdout.fileno(), _MOST):
                self._received += data
        except BlockingIOError:
            return
        self._fail(_DIED)

    def _fail(self, why: str | None) -> None:
        """There is no process, or no more."""
        if self._doing is not None:
            self._failed.append((self._doing, why))
        self._end()

    def _end(self) -> None:
        """End the process, whatever it is doing."""
        self._doing, self._since = None, self._clock()
        self._received.clear()
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = self._starting = None

    # as what `Display.listen` wants

    def fileno(self) -> int:
        """The descriptor that is readable when a job is done; only while one is being done."""
        process = self._process
        assert process is not None
        assert process.stdout is not None
        return process.stdout.fileno()

    def take(self) -> bool:
        """Whether there may be an answer."""
        return self._doing is not None

    def pause(self) -> None:
        """Do nothing: it holds nothing that others wait for."""

    def resume(self) -> None:
        """Do nothing, likewise."""


def _any_time(job: Job) -> Job:
    """The same job, whenever the file was written to."""
    return job._replace(changed=0)


def _started() -> "subprocess.Popen[bytes]":
    """A process for the jobs of `jobs`, which has our own modules and no others."""
    return subprocess.Popen(
        python_command("-m", "terminal.lobby.reading.jobs"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=python_environment(),
        close_fds=False,  # what Python opens is not inherited; the interpreter itself may be named by a descriptor
        process_group=0,  # what is typed at the terminal is not for it
    )
