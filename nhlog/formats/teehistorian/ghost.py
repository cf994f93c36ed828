"""A ghost: a run of another recording shown beside the watched one, both started at the start line.

The gap is the time by which the ghost reached the place of the watched tee earlier or later.
"""

from functools import cached_property
from typing import Final, Protocol

from nhlog.formats.teehistorian.race import Races, Trace, trace_of
from nhlog.formats.teehistorian.reading.events import TICKS_PER_SECOND
from nhlog.formats.teehistorian.reading.index import Index
from nhlog.formats.teehistorian.state import GameState, Tee
from nhlog.timeline import Timeline
from nhlog.values import dataclass

__all__ = ["Ghost", "GhostPosition", "GhostReplay"]

WINDOW: Final = 60 * TICKS_PER_SECOND  # ticks before and after, in which the ghost is looked for


class GhostReplay(Protocol):
    """The part of :class:`~nhlog.formats.teehistorian.replay.TeeReplay` that a ghost needs."""

    timeline: Timeline
    index: Index
    races: Races | None

    def state_at(self, step: int) -> GameState:
        """The state at a tick."""

    def run_start(self, cid: int, tick: int) -> int:
        """The tick in which the run of a client began."""

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

    def __init__(self, replay: GhostReplay) -> None:
        self.replay = replay
        self._traced: tuple[int, Trace] | None = None

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

    def start(self, cid: int) -> int:
        """The tick in which the client's best run begins, else its last one, else in which its tee first appeared."""
        best = min((run for run in self._finished if run[0] == cid), key=lambda run: run[1], default=None)
        if best:
            return best[2]
        return self.replay.run_start(cid, self.replay.timeline.last)

    def compare(self, name: str, place: tuple[int, int] | None, elapsed: int) -> GhostPosition | None:
        """The ghost for a player of this `name` at `place` (world units) whose run started `elapsed` ticks ago.

        `elapsed` is below 0 before the start.  None if the other recording has no player at all.
        """
        cid = self.choose(name)
        if cid is None:
            return None
        start = self.start(cid)
        tick = start + elapsed
        tee = self.replay.state_at(tick).tee(cid) if 0 <= tick <= self.replay.timeline.last else None
        gap = None
        if place is not None and elapsed >= 0:
            nearest = self._trace(cid).nearest(place, max(tick - WINDOW, start), tick + WINDOW)
            gap = None if nearest is None else elapsed - (nearest - start)
        return GhostPosition(tee, elapsed, gap)

    def _trace(self, cid: int) -> Trace:
        if self._traced is None or self._traced[0] != cid:
            self._traced = (cid, trace_of(self.replay.index, cid))
        return self._traced[1]
