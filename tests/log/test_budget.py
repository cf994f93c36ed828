"""What a writer does while it has the lock: others wait for it, so it is counted.

Inside of a lock there are at most `CALLS` calls to the system, and less than a fifth of the CPU time that the log's
lines take to read, besides those of the lock itself and the writes, cuts and flushes that are the work.  Reading,
comparing, packing, keeping comes before.
"""

import fcntl
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nhlog.files import cuts
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.locks import keeper
from nhlog.log.log import Log
from nhlog.log.recovery import carry_out, plan_recovery, plan_rewind
from nhlog.log.returning import carry_out_return, joined, plan_return
from nhlog.log.wire.grammar import parse_line
from nhlog.log.wire.header import HEADER_LINES
from nhlog.log.wire.lines import Command
from tests import effort
from tests.builders import binary_save, played
from tests.sharing.parties import needs_handshake

pytestmark = needs_handshake

CALLS = 5
PART = 1 / 5
TRIES = 5
"""Of which the least counts: a machine is busy now and then."""
WRITES = ("pwrite", "ftruncate", "fsync", "fdatasync")
OTHERS = ("pread", "read", "write", "open", "close", "fstat", "stat", "lstat", "link", "unlink", "rename", "replace")
SAVE = 20_000


def append(file: LogFile) -> Callable[[], object]:
    writer = Writer(Log(file))
    return lambda: writer.append(Command("search"))


def save(file: LogFile) -> Callable[[], object]:
    log = Log(file)
    writer, made = Writer(log), binary_save(9000, log.columns.clock, size=SAVE)
    return lambda: writer.save(made, "a diff")


def back_up(file: LogFile) -> Callable[[], object]:
    log = Log(file)
    writer, made = Writer(log), binary_save(9000, log.columns.clock, size=SAVE)
    writer._diff = lambda save: None
    return lambda: writer.save(made, "a backup")


def describe(file: LogFile) -> Callable[[], object]:
    writer = Writer(Log(file))
    return lambda: writer.describe("left")


def finish(file: LogFile) -> Callable[[], object]:
    writer = Writer(Log(file))
    return lambda: writer.finish("killed by a newt")


def tear(file: LogFile) -> None:
    with file.writing():
        file.pwrite(b"x" * 100_000, file.size())


def mend(file: LogFile) -> Callable[[], object]:
    tear(file)
    writer = Writer(Log(file))
    return writer.mend


def append_behind_a_part_that_nobody_knew(file: LogFile) -> Callable[[], object]:
    writer = Writer(Log(file))
    tear(file)
    return lambda: writer.append(Command("search"))


def recover(file: LogFile) -> Callable[[], object]:
    tear(file)
    return lambda: carry_out(file, plan_recovery(file))


def rewind(file: LogFile) -> Callable[[], object]:
    log = Log(file)
    return lambda: carry_out(file, plan_rewind(log, len(log) // 2, "half of it"))


def put_back(file: LogFile) -> Callable[[], object]:
    rewind(file)()
    kept = [*cuts.kept_of(file.name)][-1]

    def back() -> None:
        log = joined(file, kept)
        carry_out_return(file, plan_return(file, log, kept, "as it was"), os.lstat(kept).st_mtime_ns)

    return back


OPERATIONS = (
    append,
    save,
    back_up,
    describe,
    finish,
    mend,
    append_behind_a_part_that_nobody_knew,
    recover,
    rewind,
    put_back,
)


class Budget:
    """What was done inside of each lock: the calls by name, and the processor's time."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.locks: list[tuple[list[str], float]] = []
        self._calls: list[str] | None = None
        self._began = 0.0
        lockf = keeper.fcntl.lockf

        def lock(fd: int, kind: int) -> None:
            if self._calls is not None and not kind & fcntl.LOCK_EX:
                self.locks.append((self._calls, time.thread_time() - self._began))
                self._calls = None
            lockf(fd, kind)
            if kind & fcntl.LOCK_EX:
                self._calls, self._began = [], time.thread_time()

        patch.setattr(keeper.fcntl, "lockf", lock)
        for name in (*WRITES, *OTHERS):
            patch.setattr(os, name, self._counted(name, getattr(os, name)))
        patch.setattr(fcntl, "fcntl", self._counted("fcntl", fcntl.fcntl))

    def _counted(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **options: Any) -> Any:
            if self._calls is not None:
                self._calls.append(name)
            return call(*arguments, **options)

        return counted


@pytest.fixture(scope="module")
def long() -> bytes:
    return bytes(played(2000, backup_every=50, size=SAVE).data)


@pytest.mark.parametrize("prepare", OPERATIONS)
def test_inside_a_lock_nothing_is_done_but_what_must_be(
    tmp_path: Path, long: bytes, prepare: Callable[[LogFile], Callable[[], object]]
) -> None:
    lines = long.splitlines()[HEADER_LINES:]
    spent, reading = list[float](), list[float]()
    for number in range(TRIES):
        reading.append(effort.spent(lambda: [*map(parse_line, lines)]))
        path = tmp_path / f"{number}.nhgame"
        path.write_bytes(long)
        with LogFile(str(path), writable=True) as file, pytest.MonkeyPatch.context() as patch:
            act = prepare(file)
            budget = Budget(patch)
            act()
        assert any("pwrite" in calls for calls, _ in budget.locks)
        for calls, _ in budget.locks:
            assert len([call for call in calls if call not in WRITES]) <= CALLS, calls
        spent.append(max(cpu for _, cpu in budget.locks))
    assert min(spent) < PART * min(reading)


def test_the_lock_of_who_rests_is_taken_and_nothing_else_is_done(tmp_path: Path, long: bytes) -> None:
    path = tmp_path / "game.nhgame"
    path.write_bytes(long)
    calls: list[str] = []
    with LogFile(str(path)) as file, pytest.MonkeyPatch.context() as patch:
        for name in OTHERS:
            patch.setattr(os, name, lambda *given, name=name: calls.append(name))
        file.monitor(lambda: None)
        patch.undo()
        file.leave()
    assert calls == []
