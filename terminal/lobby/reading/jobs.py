"""What is read of recordings for the lobby: their listings, and pictures of their last screens.

It may take long, so it is done in a process of its own, which does one job after the other:
``python -m terminal.lobby.reading.jobs`` (see `reader`).
"""

import os
import pickle
import select
import sys
from typing import TYPE_CHECKING, BinaryIO, Final

from nhlog.errors import LockNotObtained, NhlogError
from nhlog.files import as_ours
from nhlog.formats import operation, unlisted
from nhlog.operations import Listing
from nhlog.progress import listening
from nhlog.values import NamedTuple

if TYPE_CHECKING:
    from nhlog.screen import Screen

__all__ = ["READY", "SIZE", "Job", "answer"]

SIZE: Final = 8  # bytes before each answer: how many follow
READY: Final = bytes(SIZE)
"""What comes before the first answer: the process has started."""

_NICENESS: Final = 10  # who plays comes first
_REST: Final = 5.0  # seconds without a job after which it keeps nothing that can be had again


class Job(NamedTuple):
    """The listing of a recording, or a picture of so many columns and rows; `changed` is when it was written to."""

    file: str
    changed: int
    picture: tuple[int, int] | None = None


def answer(job: Job) -> "Listing | Screen | str | None":
    """Do a job: a listing, a picture or why there is none; None while somebody keeps the recording from us."""
    try:
        return _picture(job.file, *job.picture) if job.picture else operation(job.file, "listing")(job.file)
    except LockNotObtained:
        return None
    except (NhlogError, OSError) as error:
        if job.picture:
            return as_ours(error).what
        return unlisted(job.file, error)


def _picture(file: str, width: int, height: int) -> "Screen":
    """The last screen of a recording, as its view shows it in so little room."""
    from terminal.replay.open import viewing
    from terminal.views import Viewpoint, view_of

    with viewing(file) as replay:
        replay.seek(replay.timeline.last)
        return view_of(replay.info.id).body(replay, width, height, Viewpoint())


def _main(jobs: BinaryIO, answers: BinaryIO) -> None:
    """Do the jobs as they come, until nobody wants any more; in between, no process for the emulator is kept."""
    from nhlog.vt import rest

    os.nice(max(_NICENESS - os.nice(0), 0))  # the page's lister is nice itself: the sum of both would wait for minutes
    parent = os.getppid()
    answers.write(READY)
    answers.flush()

    def leave_orphaned(doing: str, done: int, total: int) -> None:
        if os.getppid() != parent:
            raise SystemExit

    with listening(leave_orphaned):
        while True:
            if not select.select([jobs], [], [], _REST)[0]:
                rest()
            try:
                job = Job(*pickle.load(jobs))
            except EOFError:
                return
            data = pickle.dumps(answer(job))
            answers.write(len(data).to_bytes(SIZE, "big") + data)
            answers.flush()


if __name__ == "__main__":
    _main(sys.stdin.buffer, sys.stdout.buffer)
