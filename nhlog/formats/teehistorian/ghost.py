"""A ghost: a run of another recording shown beside the watched one, both started at the start line.

The gap is the time by which the ghost reached the place of the watched tee earlier or later: the place by the order of
both ways since the last checkpoint that both reached (see :mod:`nhlog.formats.alignment`).
"""

from functools import cached_property
from typing import Final, Protocol

from nhlog.formats.alignment import Alignment
from nhlog.formats.datafile.wire.tiles import TILE
from nhlog.formats.race_plot import Racing
from nhlog.formats.teehistorian.paths import Paths
from nhlog.formats.teehistorian.race import Races, Run
from nhlog.formats.teehistorian.reading.events import TICKS_PER_SECOND
from nhlog.formats.teehistorian.reading.index import Index
from nhlog.formats.teehistorian.state import GameState, Tee
from nhlog.timeline import Timeline
from nhlog.values import dataclass

__all__ = ["Ghost", "GhostPosition", "RacingReplay"]

SPACING: Final = float(TILE)  # world units between two places that are compared


class RacingReplay(Protocol):
    """The part of :class:`~nhlog.formats.teehistorian.replay.TeeReplay` that a ghost needs, of either recording."""

    timeline: Timeline
    index: Index
    races: Races | None
    paths: Paths

    def state_at(self, step: int) -> GameState:
        """The state at a tick."""
        ...

    def run_start(self, cid: int, tick: int) -> int:
        """The tick in which the run of a client began."""
        ...

    def close(self) -> None:
        """Close the recording."""


@dataclass(frozen=True, slots=True)
class GhostPosition:
    """The ghost after `elapsed` ticks of the run; `tee` is None if it does not exist then.

    `gap` is in ticks, above 0 if the ghost is ahead; None if the ghost was nowhere near.
    """

    tee: Tee | None
    elapsed: int
    gap: int | None


class Ghost:
    """The players of another recording, one of whom is shown as a ghost."""

    def __init__(self, replay: RacingReplay) -> None:
        self.replay = replay
        self._leg: tuple[tuple[int, int], Alignment] | None = None  # and the client id and the tick it begins with

    def choose(self, name: str) -> int | None:
        """The client id with that name, else that of the best run, else the first that had a tee; None if none had."""
        index = self.replay.index
        named = [tee.cid for tee in self._everybody if tee.name == name and tee.cid in index.spawns]
        if named:
            return named[0]
        best = min((run for run in self._finished), key=lambda run: run[1], default=None)
        return best[0] if best else next(iter(index.spawns), None)

    @cached_property
    def _everybody(self) -> tuple[Tee, ...]:
        """The players in the middle of the recording."""
        return self.replay.state_at(self.replay.timeline.last // 2).tees

    @cached_property
    def _finished(self) -> list[tuple[int, int, int]]:
        """Client id, duration in ticks, and start of every finished run."""
        runs = self.replay.races.runs(self.replay.timeline.last) if self.replay.races else []
        return [(run.cid, run.finish - run.start, run.start) for run in runs if run.finish is not None]

    def race(self, own: RacingReplay) -> Racing | None:
        """The best run of another recording against this one, else the run of the first player; None without one."""
        last = own.timeline.last
        runs = own.races.runs(last) if own.races else []
        finished = [run for run in runs if run.finish is not None]
        run = min(finished, key=lambda run: (run.finish or 0) - run.start, default=None)
        cid = next(iter(own.index.spawns), None) if run is None else run.cid
        if cid is None:
            return None
        if run is None:
            run = (own.races.run(cid, last) if own.races else None) or Run(cid, own.run_start(cid, last))
        splits = [(f"checkpoint {number}", tick) for number, tick in run.splits]
        if run.finish is not None:
            splits.append(("finish", run.finish))

        def ahead(tick: int) -> float | None:
            met = self.meet(own, cid, tick)
            return None if met is None or met.gap is None else -met.gap / TICKS_PER_SECOND

        return Racing(run.start, last if run.finish is None else run.finish, tuple(splits), ahead)

    def start(self, cid: int) -> int:
        """The tick in which the client's best run begins, else its last one, else in which its tee first appeared."""
        best = min((run for run in self._finished if run[0] == cid), key=lambda run: run[1], default=None)
        if best:
            return best[2]
        return self.replay.run_start(cid, self.replay.timeline.last)

    def meet(self, own: RacingReplay, cid: int, tick: int) -> GhostPosition | None:
        """The ghost for a client of another recording, at a tick of that one.

        Both runs begin at the start line.  None if this recording has no player at all.
        """
        tee = own.state_at(tick).tee(cid)
        chosen = self.choose(tee.name if tee else "")
        if chosen is None:
            return None
        start, own_start = self.start(chosen), own.run_start(cid, tick)
        elapsed = tick - own_start
        there = start + elapsed
        ghost = self.replay.state_at(there).tee(chosen) if 0 <= there <= self.replay.timeline.last else None
        gap = None
        if tee is not None and tee.place is not None and elapsed >= 0:
            run = Run(chosen, start) if self.replay.races is None else self._run(chosen, start)
            first, own_first = _last_shared(run, own, cid, tick) or (start, own_start)
            way = own.paths.way(cid, own_first, tick)
            reached = first if tick == own_first else self._alignment(run, first).tick(way)
            gap = None if reached is None else elapsed - (reached - start)
        return GhostPosition(ghost, elapsed, gap)

    def _run(self, cid: int, start: int) -> Run:
        """The whole run that began at `start`."""
        runs = self.replay.races.runs(self.replay.timeline.last) if self.replay.races else []
        return next((run for run in runs if (run.cid, run.start) == (cid, start)), Run(cid, start))

    def _alignment(self, run: Run, first: int) -> Alignment:
        """The ghost's way from a checkpoint, or the start, to the next one."""
        if self._leg is None or self._leg[0] != (run.cid, first):
            end = self.replay.timeline.last if run.finish is None else run.finish
            last = min((tick for _, tick in run.splits if tick > first), default=end)
            self._leg = (run.cid, first), Alignment(self.replay.paths.way(run.cid, first, last), SPACING)
        return self._leg[1]


def _last_shared(run: Run, own: RacingReplay, cid: int, tick: int) -> tuple[int, int] | None:
    """When the ghost and a client reached the last checkpoint that both have; None if there is none by a tick."""
    mine = own.races.run(cid, tick) if own.races else None
    theirs = dict(run.splits)
    shared = [(theirs[number], at) for number, at in (mine.splits if mine else ()) if number in theirs]
    return shared[-1] if shared else None
