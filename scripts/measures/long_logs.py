"""Logs of NetHack 4 that are long, or have large saves: opened again, gone to anywhere, in little memory."""

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from scripts.measures import ROOT, Row, measurement
from scripts.measures.made import write_long_game

LONG = 40_000_000  # bytes of a log
SHORT = 4_000_000
LARGE = 850_000  # bytes of a save late in a long game
SEEKS = 100
SEED = 4

CHILD = """
import json, sys, time
path, *wanted = json.loads(sys.argv[1])
def spent(act, *given):
    began = time.process_time()
    act(*given)
    return time.process_time() - began
from nhlog.formats.nhgame.open import open_log
times = [spent(lambda: open_log(path).close())]
if wanted:
    log = open_log(path)
    saves = len(log.columns.save_lines)
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
            yield from of_one(path, f"{size // 1_000_000} MB" + (", large saves" if save_size else ""), anywhere)
            path.unlink()


def of_one(path: Path, what: str, anywhere: list[float]) -> Iterator[Row]:
    """CPU times; each act in a process of its own, where also its peak of memory is told."""
    [cold], memory = done(path)
    yield Row(f"open cold: {what}", [cold], f"{path.stat().st_size / cold / 1e6:.1f} MB/s; {told(memory)}")
    again = [done(path) for _ in range(5)]
    yield Row(f"open again: {what}", sorted(times[0] for times, _ in again), told(max(most for _, most in again)))
    (_, *times), memory = done(path, *anywhere)
    yield Row("  any save, where nobody was", sorted(times), told(memory))
    (_, *times), memory = done(path, *anywhere)
    yield Row("  any save, where somebody was", sorted(times), told(memory))
    first = [done(path, part) for part in anywhere[:5]]
    yield Row("  the first of them", sorted(times[1] for times, _ in first), told(max(most for _, most in first)))


def done(path: Path, *wanted: float) -> tuple[list[float], int]:
    """The CPU times of opening a log, and of going to these parts of it, and the most memory, in bytes."""
    command = [sys.executable, "-c", CHILD, json.dumps([os.fspath(path), *wanted])]
    times, memory = json.loads(subprocess.check_output(command, cwd=ROOT))
    return times, memory


def told(memory: int) -> str:
    return f"{memory / 1e6:.0f} MB of memory"
