"""Logs of NetHack 4 that are long, or have large saves: opened again, gone to anywhere, in little memory."""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from scripts.measures import ROOT, Row, measurement, program
from scripts.measures.made import write_long_game

LONG = 40_000_000  # bytes of a log
SHORT = 4_000_000
EVENTS = 8_000_000
LARGE = 850_000  # bytes of a save late in a long game
SEEKS = 100
SEED = 4
OPENED = {LARGE: 50, 0: 25}  # by the size of saves: the megabytes a second that are aimed at

CLIENT = (sys.executable, "-c", "import sys; from terminal.cli import main; sys.exit(main())")
CHILD = """
import json, sys, time
path, prepares, *wanted = json.loads(sys.argv[1])
def spent(act, *given):
    began = time.process_time()
    act(*given)
    return time.process_time() - began
from nhlog.formats.nhgame.open import open_log
times = [spent(lambda: open_log(path).close())]
if wanted:
    log = open_log(path)
    saves = len(log.columns.save_lines)
    def prepare():
        while prepares and log.saves.prepare():
            pass
    times.append(spent(prepare))
    times += [spent(log.save, int(part * (saves - 1))) for part in wanted]
with open("/proc/self/status") as status:  # what getrusage tells has the most memory of who started this in it
    [most] = [row.split()[1] for row in status if row.startswith("VmHWM:")]
print(json.dumps([times, int(most) * 1024]))
"""


@measurement
def long_logs() -> Iterator[Row]:
    chance = random.Random(SEED)
    anywhere = [chance.random() for _ in range(SEEKS)]
    with tempfile.TemporaryDirectory() as folder:
        for size, save_size in ((SHORT, LARGE), (LONG, LARGE), (LONG, 0)):
            path = Path(folder, "game.nhgame")
            write_long_game(path, size, save_size=save_size)
            what = f"{size // 1_000_000} MB" + (", large saves" if save_size else "")
            yield from of_one(path, what, anywhere, opened=OPENED[save_size])
            path.unlink()
        write_long_game(path, EVENTS)
        for options in ([], ["--json"]):
            verb = ["events", *options]
            row = program(f"nhlog {' '.join(verb)} of {EVENTS // 1_000_000} MB", [*CLIENT, *verb, path])
            yield replace(row, note=f"{EVENTS / row.at(0) / 1e6:.1f} MB/s").within(least=EVENTS / 12e3)


def of_one(path: Path, what: str, anywhere: list[float], opened: int) -> Iterator[Row]:
    """CPU times; each act in a process of its own, where also its peak of memory is told.

    `opened` is how many megabytes a second it ought to be opened with.
    """
    [cold], memory = done(path)
    megabytes = path.stat().st_size / 1e6
    cold_row = Row(f"open cold: {what}", [cold], f"{megabytes / cold:.1f} MB/s; {told(memory)}")
    yield cold_row.within(least=megabytes / opened * 1e3)
    yield program("  shown the first time, with all markers", [*CLIENT, "show", path], anew=True)
    again = [done(path) for _ in range(5)]
    yield Row(f"open again: {what}", sorted(times[0] for times, _ in again), told(max(most for _, most in again)))
    for who in ("nobody", "somebody"):
        (_, _, *times), memory = done(path, *anywhere)
        yield Row(f"  any save, where {who} was", sorted(times), told(memory)).within(median=5, p99=25)
    first = [done(path, part) for part in anywhere[:5]]
    yield Row("  the first of them", sorted(times[2] for times, _ in first), told(max(most for _, most in first)))
    other = shutil.copy(path, path.with_suffix(".other"))  # of which the cache has nothing
    (_, preparing, *times), memory = done(other, *anywhere, prepares=True)
    yield Row("  prepared while its user looks", [preparing])
    yield Row("  any save, where nobody was, then", sorted(times), told(memory)).within(median=5, p99=25)


def done(path: Path, *wanted: float, prepares: bool = False) -> tuple[list[float], int]:
    """The CPU times of opening a log, of preparing it, and of going to these parts of it; the most memory, in bytes."""
    command = [sys.executable, "-c", CHILD, json.dumps([os.fspath(path), prepares, *wanted])]
    times, memory = json.loads(subprocess.check_output(command, cwd=ROOT))
    return times, memory


def told(memory: int) -> str:
    return f"{memory / 1e6:.0f} MB of memory"
