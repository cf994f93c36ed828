"""Runs from the start line to the finish, found from the positions of the tees on the map.

These are not the official times, which are events of the server.  As in the game a run begins with the last touch of a
start tile; it ends with the first touch of a finish tile, or when the tee disappears.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from nhlog.formats.datafile.terrain import CHECKPOINTS, FINISH, START
from nhlog.formats.datafile.wire.tiles import Grid
from nhlog.formats.teehistorian.reading.index import PIECE, Index
from nhlog.formats.teehistorian.reading.stream import POSITIONS, Stream
from nhlog.formats.teehistorian.reading.world import World
from nhlog.formats.teehistorian.wire.messages import PlayerChange, PlayerGone, PlayerNew, TimedMessage
from nhlog.values import dataclass

__all__ = ["MOST_BYTES", "Races", "Run"]

MOST_BYTES: Final = 1 << 27  # of a recording that is searched for runs
MOST_RUNS: Final = 1 << 14
STRIDE: Final = 16  # world units, half a tile: a movement is checked at points this far apart
LEAP: Final = 640  # world units; a longer movement within a tick is a teleport


@dataclass(frozen=True, slots=True)
class Run:
    """A run of a client: ticks of its `start`, of the checkpoints it reached (number, tick), and of its `finish`."""

    cid: int
    start: int
    splits: tuple[tuple[int, int], ...] = ()
    finish: int | None = None


class Races:
    """The runs of a recording on a map with the race lines `lines`, up to the end of the index."""

    def __init__(self, index: Index, lines: Grid) -> None:
        self._index = index
        self._lines = lines
        self._moves = _Moves(index)
        self._starts: dict[int, array[int]] = {}
        self._running: dict[int, Run] = {}
        self._ended: dict[tuple[int, int], Run] = {}  # by client and start
        self._race = bool(set(lines.tiles) - {0})

    def runs(self, tick: int) -> list[Run]:
        """The runs that began by `tick` and ever reach a checkpoint or the finish, in the order of their ends."""
        self._extend()
        return [run for run in (*self._ended.values(), *self._running.values()) if _counts(run) and run.start <= tick]

    def run(self, cid: int, tick: int) -> Run | None:
        """The latest run of a client at `tick`, without anything after that tick; None if there is none."""
        self._extend()
        starts = self._starts.get(cid)
        number = bisect_right(starts, tick) - 1 if starts else -1
        if starts is None or number < 0:
            return None
        start = starts[number]
        running = self._running.get(cid)
        found = running if running and running.start == start else self._ended.get((cid, start), Run(cid, start))
        splits = tuple(split for split in found.splits if split[1] <= tick)
        finished = found.finish is not None and found.finish <= tick
        return replace(found, splits=splits, finish=found.finish if finished else None)

    def start(self, cid: int, tick: int) -> int | None:
        """The tick in which the run at `tick` began, else the client's first run will; None if it has no run."""
        self._extend()
        starts = self._starts.get(cid)
        return starts[max(bisect_right(starts, tick) - 1, 0)] if starts else None

    def _extend(self) -> None:
        for tick, _, message in self._moves.more() if self._race else ():
            match message:
                case PlayerChange(cid, x, y, old_x, old_y):
                    self._move(tick, cid, x, y, old_x, old_y)
                case PlayerNew(cid, x, y):
                    self._touch(tick, cid, self._lines.at(x, y))
                case PlayerGone(cid):
                    self._end(cid)

    def _move(self, tick: int, cid: int, x: int, y: int, old_x: int, old_y: int) -> None:
        way = max(abs(x - old_x), abs(y - old_y))
        if STRIDE < way <= LEAP:
            parts = way // STRIDE + 1
            for part in range(1, parts):
                part_x, part_y = old_x + (x - old_x) * part // parts, old_y + (y - old_y) * part // parts
                self._touch(tick, cid, self._lines.at(part_x, part_y))
        self._touch(tick, cid, self._lines.at(x, y))

    def _touch(self, tick: int, cid: int, tile: int) -> None:
        if tile == START:
            starts = self._starts.setdefault(cid, array("q"))
            running = self._running.get(cid)
            if running and not running.splits and tick - running.start <= 1:
                starts[-1] = tick
            else:
                self._end(cid)
                starts.append(tick)
            self._running[cid] = Run(cid, tick)
        elif tile and cid in self._running:
            run = self._running[cid]
            if tile == FINISH:
                self._running[cid] = replace(run, finish=tick)
                self._end(cid)
            elif tile in CHECKPOINTS and (number := tile - CHECKPOINTS[0] + 1) not in dict(run.splits):
                self._running[cid] = replace(run, splits=(*run.splits, (number, tick)))

    def _end(self, cid: int) -> None:
        run = self._running.pop(cid, None)
        if run and _counts(run) and len(self._ended) < MOST_RUNS:
            self._ended[cid, run.start] = run


def _counts(run: Run) -> bool:
    """Whether it reached a checkpoint or the finish."""
    return bool(run.splits) or run.finish is not None


class _Moves:
    """Reads the player records of an index, each once, and continues when the index has grown."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._stream = Stream(World(), index.offsets[0])

    def more(self) -> Iterator[TimedMessage]:
        """The records after those that were returned before."""
        end = min(self._index.end, MOST_BYTES)
        while (at := self._stream.end) < end:
            data = self._index.source.pread(min(PIECE, end - at), at)
            if not data:
                return
            self._stream.feed(data)
            yield from self._stream.records(POSITIONS)
