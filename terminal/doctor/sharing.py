"""How processes share a log, tried with a second process on a file that is gone afterwards."""

import os
import select
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Final

from nhlog.errors import LockNotObtained
from nhlog.files import atomic, open_regular, reason
from nhlog.files.events import FolderEvents, is_remote
from nhlog.files.processes import python_command, python_environment
from nhlog.log.file import LogFile
from nhlog.log.locks.holders import find_holder
from nhlog.log.locks.signals import SIGNALS
from terminal.doctor.finding import Finding, Health

__all__ = ["check_events", "check_sharing", "check_signals"]

_PATIENCE: Final = 10.0  # seconds for the second process to begin
_SOON: Final = 2.0  # seconds in which the system tells of a change, if it ever does
_RESTING: Final = """
import sys
from nhlog.log.file import LogFile
with LogFile(sys.argv[1]) as log:
    log.monitor(lambda: None)
    print("rests", flush=True)
    sys.stdin.read()
"""
"""The second process: it has a read lock and lets go of it when it is asked to, as who plays a game does."""


def check_sharing(folder: Path) -> Iterator[Finding]:
    """Locks, and the signals by which processes ask each other to let go of them, on a file in `folder`."""
    where = f"in {folder}"
    local = "choose a folder on a local disk in config.toml: games = FOLDER"
    try:
        with _file_in(folder) as path, _another_process(path) as another:
            holder = _holder(path)
            if not another or holder is None:
                yield Finding("locks", Health.BROKEN, f"other processes do not see them {where}", local)
                return
            yield Finding("locks", Health.OK, f"other processes see them {where}")
            yield check_signals(path)
    except OSError as error:
        yield Finding("locks", Health.BROKEN, f"cannot be tested {where}: {reason(error)}", local)


def _holder(path: str) -> object | None:
    """Who has a lock on the file, to a process that has none."""
    fd = open_regular(path, os.O_RDWR)
    try:
        return find_holder(fd, for_writing=True)
    finally:
        os.close(fd)


def check_signals(path: str) -> Finding:
    """Whether another process, which has a lock on the file, lets go of it when it is asked to."""
    if not SIGNALS:
        found, remedy = "this system has no real-time signals", "none; players hear of changes by file events"
        return Finding("signals", Health.LIMITED, found, remedy)
    try:
        with LogFile(path, writable=True) as log, log.writing():
            return Finding("signals", Health.OK, "another process releases its lock when asked")
    except LockNotObtained as error:
        return Finding(
            "signals",
            Health.BROKEN,
            f"another process does not release its lock when asked: {error.message}",
            "allow processes of one user to send each other signals (a container or sandbox may forbid sigqueue)",
        )


def check_events(folder: Path) -> Finding:
    """Whether the system tells of changes in `folder`."""
    if is_remote(os.fspath(folder)):
        found = f"{folder} is on another machine: nhlog looks for changes once a second"
        return Finding("file events", Health.LIMITED, found, "play on the machine that has the files")
    told = Event()
    try:
        with _file_in(folder) as path:
            events = FolderEvents(lambda changed: told.set())
            try:
                events.watch(os.path.dirname(path))
                os.utime(path)
                came = told.wait(_SOON)
            finally:
                events.stop()
    except OSError as error:
        why = reason(error)
    else:
        if came:
            return Finding("file events", Health.OK, f"the system reports changes in {folder}")
        why = "the system reports no changes"
    return Finding(
        "file events",
        Health.LIMITED,
        f"{why}: nhlog looks for changes 25 times a second",
        "an administrator can allow more watches: sysctl fs.inotify.max_user_instances=512",
    )


@contextmanager
def _file_in(folder: Path) -> Iterator[str]:
    """A file on the file system of `folder`, in a folder of its own, for as long as this scope is."""
    with tempfile.TemporaryDirectory(prefix=".nhlog-doctor-", dir=folder) as own:
        path = os.path.join(own, "log")
        atomic.create(path, [b"\n"])
        yield path


@contextmanager
def _another_process(path: str) -> Iterator[bool]:
    """A process that rests in a read lock on the file; false if it did not come so far."""
    with subprocess.Popen(
        python_command("-c", _RESTING, path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=python_environment(),
    ) as process:
        assert process.stdout is not None
        try:
            ready, _, _ = select.select([process.stdout], [], [], _PATIENCE)
            yield bool(ready) and process.stdout.readline() == b"rests\n"
        finally:
            process.kill()
