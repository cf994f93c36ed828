"""Appending to a log that others watch."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import NamedTuple

from scripts.measures import BUDGET, ROOT, SAMPLES, Row, measurement, waited
from scripts.measures.processes import descendants, processor

APPENDS = 300
FEWEST = 20  # appends, where watchers take their time
CROWDS = (1, 10, 50)
CROWD = 200
SEEN = {
    1: 0.5,
    10: 3.0,
    50: 4.0,
    CROWD: 5.0,
}  # by how many watch by file events: the milliseconds until seen that are aimed at


class Appended(NamedTuple):
    """Lines that were appended: how long each took, what of it was the processor's; until each watcher had each.

    `watching` are the seconds of the processor that a line takes a watcher.
    """

    elapsed: Row
    busy: Row
    seen: list[float]
    watching: float


@measurement
def append() -> Iterator[Row]:
    from nhlog.log import Durability, NotifyMethod

    paces = {count: pace_of(count) for count in CROWDS}
    alone = {count: appended(f"append, every {1000 * pace:g} ms", pace=pace).elapsed for count, pace in paces.items()}
    flushed = appended("append, each line flushed", durability=Durability.LINES).elapsed
    yield from (*alone.values(), flushed)
    for way in NotifyMethod:
        for count in CROWDS:
            yield from watched(way, count, alone[count])


def crowd() -> Iterator[Row]:
    from nhlog.log import NotifyMethod

    alone, busy, *_ = appended("append", pace=pace_of(CROWD))
    yield from (alone, busy)
    yield from watched(NotifyMethod.EVENTS, CROWD, alone)


def watched(way: str, count: int, alone: Row) -> Iterator[Row]:
    """Appending with so many watchers, and how long after its beginning each of them has the line.

    `alone` was as slow a writer: one that waits longer between two lines finds less in the processor's caches.
    """
    from nhlog.log import NotifyMethod

    row, busy, seen, _ = appended(f"append, {count} by {way}", way=way, count=count, pace=pace_of(count))
    yield Row(row.name, row.times, f"{row.at(0.5) / alone.at(0.5):.1f} times the median with none")
    yield busy
    wanted = len(row.times) * count
    told = Row(f"  until seen, {count} by {way}", seen, "" if len(seen) == wanted else f"{len(seen)} of {wanted} seen")
    yield told.within(median=SEEN[count]) if way is NotifyMethod.EVENTS else told


def pace_of(count: int) -> float:
    """Seconds between lines, in which all watchers can have looked: nobody types while the machine is busy."""
    return max(0.01, 0.003 * count)


def appended(name, *, durability=None, way=None, count=0, pace=0.01) -> Appended:
    """Append lines to a log that `count` others watch."""
    from nhlog.files.changes import POLLING_INTERVAL
    from nhlog.log import Durability
    from nhlog.log.append import Writer
    from nhlog.log.file import LogFile
    from nhlog.log.log import Log
    from nhlog.log.wire.lines import Command

    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        path = shutil.copy(SAMPLES / "scripted1.nhgame", folder)
        others = [sys.executable, ROOT / "scripts" / "crowd", path, "--way", way, "--count", str(count)]
        began, spent, busy = [], [], []
        with (
            subprocess.Popen(
                others if count else ["true"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            ) as watchers,
            LogFile(path, writable=True) as file,
        ):
            watchers.stdout.readline()
            crowd = descendants(watchers.pid)
            watching = -processor(crowd)
            writer = Writer(Log(file), durability or Durability.NONE)
            end = time.monotonic() + max(BUDGET, FEWEST * pace)
            while len(began) < APPENDS and time.monotonic() < end:
                began.append(time.monotonic())
                before = time.thread_time()
                spent.append(waited(lambda: writer.append(Command("search"))))
                busy.append(time.thread_time() - before)
                time.sleep(pace)
            time.sleep(pace + 2 * POLLING_INTERVAL)
            watching += processor(crowd)
            told = json.loads(watchers.communicate()[0] or "[]")
    seen = [moment - start for one in told for start, moment in zip(began, one or (), strict=False)]
    each = watching / (len(began) * count) if count else 0.0
    return Appended(
        Row(name, sorted(spent)), Row(name.replace("append", "  of it CPU"), sorted(busy)), sorted(seen), each
    )
