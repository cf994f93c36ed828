"""Whether cost grows as fast as what is dealt with, and no faster: the same work on ten times as much, again and again.

Each figure is what one unit costs (a megabyte, a game, a watcher), so it stays as it is from column to column, or falls
while the start of the program is most of it. One that rises is work done more than once, or memory that grows with the
file. The last column says it in one number: how many times as much a unit of the largest costs as one of the second
largest. Of memory it is the whole that is told, which ought to have a bound.

What is made is deleted at once after its use; what the disk has no room for is left out, and a row says so.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from scripts.measures import BUDGET, REPEATS, Cell, Row, Usage, long_measurement, nothing_kept, started, timed
from scripts.measures.long_logs import CLIENT
from scripts.measures.made import fill_folder, write_long_game, write_long_ttyrec
from scripts.measures.sharing import appended
from scripts.measures.tables import figure

__all__ = ["growing_crowd", "growing_list", "growing_log", "growing_ttyrec"]

MEGABYTE = 1_000_000
SIZES = (1, 10, 100, 1_000)  # megabytes of a recording
GAMES = (10, 100, 1_000, 10_000, 100_000)
WATCHERS = (1, 10, 50, 100, 200, 500)
PACE = 1.0  # seconds between lines: 500 watchers have looked by then, and the processor's caches are as cold with one
GAME_SIZE = 50_000  # bytes of a small game at most

LOG_VERBS = ("info", "show", "verify", "events")
TTYREC_VERBS = ("info", "show")


@long_measurement
def growing_log() -> Iterator[Row]:
    yield from of_sizes("log", ".nhgame", write_long_game, LOG_VERBS)


@long_measurement
def growing_ttyrec() -> Iterator[Row]:
    yield from of_sizes("ttyrec", ".ttyrec", write_long_ttyrec, TTYREC_VERBS)


def of_sizes(kind: str, suffix: str, write: Callable[[Path, int], None], verbs: tuple[str, ...]) -> Iterator[Row]:
    for size in SIZES:
        told = f"{size} MB" if size < 1_000 else f"{size // 1_000} GB"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"long{suffix}")
            if no_room := lacking(path.parent, size * MEGABYTE, 1):
                yield Row(f"{kind} of {told}", [], no_room)
                continue
            yield Row(f"{kind} of {told}, made", [timed(partial(write, path, size * MEGABYTE))])
            for verb in verbs:
                yield from first_and_again(told, size, "MB", verb, path)


@long_measurement
def growing_list() -> Iterator[Row]:
    for games in GAMES:
        told = f"{games:,}"
        with tempfile.TemporaryDirectory() as temporary:
            if no_room := lacking(Path(temporary), games * GAME_SIZE, games):
                yield Row(f"list of {told} games", [], no_room)
                continue
            folder = Path(temporary, "games")
            yield Row(f"list of {told} games, made", [timed(partial(fill_folder, folder, games))])
            yield from first_and_again(told, games, "game", "ls", folder)


def lacking(folder: Path, size: int, files: int) -> str:
    """What a disk has too little of for so many bytes and files, with as much again for caches; empty if it has it."""
    disk = os.statvfs(folder)
    if disk.f_bavail * disk.f_frsize < 2 * size:
        return f"left out: {2 * size / 1e9:g} GB are not free in {folder.parent}"
    if 0 < disk.f_favail < 2 * files:
        return f"left out: {2 * files} files have no room in {folder.parent}"
    return ""


def first_and_again(told: str, count: int, unit: str, verb: str, path: Path) -> Iterator[Row]:
    """A verb with nothing in the cache, and then with what it left there: the least of several of both."""
    began = time.monotonic()
    runs: list[tuple[Usage, Usage]] = []
    while len(runs) < REPEATS and (not runs or time.monotonic() - began < BUDGET):
        with nothing_kept():
            runs.append((started([*CLIENT, verb, path]), started([*CLIENT, verb, path])))
    for when, usages in zip(("first", "again"), zip(*runs, strict=True), strict=True):
        times = sorted(usage.seconds for usage in usages)
        memory = max(usage.memory for usage in usages) / MEGABYTE
        each = times[0] / count * 1e3
        work = f"`nhlog {verb}`, {when}"
        cells = (
            Cell(f"{work}: ms a {unit}", told, each),
            Cell(f"{work}: MB of memory", told, memory),
        )
        note = f"{figure(each)} ms a {unit}; {memory:.0f} MB of memory"
        yield Row(f"  {told}: nhlog {verb}, {when}", times, note, cells=cells)


@long_measurement
def growing_crowd() -> Iterator[Row]:
    """A line that is appended while so many watch by file events: its writer's time, a watcher's, until it is seen."""
    from nhlog.log import NotifyMethod

    for count in WATCHERS:
        told = f"{count:,}"
        line = appended(f"append, {told} watch", way=NotifyMethod.EVENTS, count=count, pace=PACE)
        wanted = len(line.elapsed.times) * count
        seen = Row("  until seen", line.seen, f"{len(line.seen)} of {wanted}")
        if 2 * len(line.seen) < wanted:  # they are too many for this machine
            yield seen
            continue
        figures = {
            "append a line: µs of the writer": line.busy.at(0) * 1e6,
            "look for it and read it: µs of each watcher": line.watching * 1e6,
            "until it is seen: ms (median)": seen.at(0.5) * 1e3,
        }
        yield Row(
            f"append, {told} watch",
            line.busy.times,
            "; ".join(f"{what} {figure(value)}" for what, value in figures.items()),
            cells=tuple(Cell(what, told, value) for what, value in figures.items()),
        )
        yield seen
