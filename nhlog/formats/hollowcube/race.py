"""Comparison of a recording with a ghost, another recording of the same map; times count from the start of each run.

A gap is the ghost's time minus the player's in milliseconds: above zero, the player is ahead.
"""

from typing import Final, NamedTuple

from nhlog.formats.hollowcube.reading.history import History, runs_of
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.reading.states import StateReader
from nhlog.formats.hollowcube.state import RecordingState, Run
from nhlog.formats.hollowcube.wire.enums import End
from nhlog.formats.hollowcube.wire.header import TICK_MS
from nhlog.formats.hollowcube.wire.primitives import Pos

__all__ = ["FINISH", "Pair", "Race", "best_run", "pair_splits"]

FINISH: Final = "finish"
_NEAR: Final = 400  # ticks before and after: how far the ghost's way is searched for the nearest place


class Pair(NamedTuple):
    """A checkpoint that both reached: the tick of each, and the ghost's time minus the player's in milliseconds."""

    checkpoint: str
    own_tick: int
    ghost_tick: int
    gap: int


def _reached(run: Run) -> dict[str, tuple[int, int]]:
    """Tick and run time of each checkpoint, when it was reached first, and of the finish."""
    reached = {split.checkpoint: (split.tick, split.run_time) for split in reversed(run.splits)}
    ordered = {split.checkpoint: reached[split.checkpoint] for split in run.splits}
    if run.end is End.FINISH and run.ended is not None and run.run_time is not None:
        ordered[FINISH] = run.ended, run.run_time
    return ordered


def pair_splits(own: Run, ghost: Run) -> list[Pair]:
    """The checkpoints that both runs reached, and the finish, in the order of the first run."""
    theirs = _reached(ghost)
    return [
        Pair(name, tick, theirs[name][0], theirs[name][1] - time)
        for name, (tick, time) in _reached(own).items()
        if name in theirs
    ]


def best_run(history: History) -> Run | None:
    """The fastest finished run, else the one with the most checkpoints; None if there is no run."""
    runs = runs_of(history.run_events or [])
    finished = [run for run in runs if run.end is End.FINISH and run.run_time is not None]
    if finished:
        return min(finished, key=lambda run: run.run_time or 0)
    return max(runs, key=lambda run: len(run.splits), default=None)


class Race:
    """The ghost of a recording: the best run of another one, beside the recording's own runs."""

    def __init__(self, states: StateReader, reader: Reader) -> None:
        self._own = states
        self.reader = reader
        history = History(reader)
        history.extend()
        self._ghost = StateReader(reader, history)
        self.run = best_run(history) or Run(0)

    def own_run(self, step: int) -> Run:
        """The player's run at `step`: the newest, or the first one if none has started yet."""
        run = self._own.history.run_at(step)
        if run is not None and run.started is not None:
            return run
        return next(iter(runs_of(self._own.history.run_events or [])), Run(0))

    def tick(self, step: int) -> int:
        """The ghost's tick when the recording is at `step`, clamped to the ghost's recording."""
        tick = (self.run.started or 0) + step - (self.own_run(step).started or 0)
        return min(max(tick, 0), max(self.reader.ticks - 1, 0))

    def state(self, step: int) -> RecordingState:
        """The ghost's state when the recording is at `step`."""
        return self._ghost.state(self.tick(step))

    def path(self, step: int, ticks: int) -> list[tuple[int, Pos]]:
        """The ghost's positions in the `ticks` ticks before: see :meth:`StateReader.path`."""
        tick = self.tick(step)
        return self._ghost.path(max(tick - ticks, 0), tick)

    def splits(self, step: int) -> list[Pair]:
        """The checkpoints that the player's run and the ghost's have in common."""
        return pair_splits(self.own_run(step), self.run)

    def gap(self, step: int) -> int | None:
        """The milliseconds by which the ghost came later to the player's position at `step`.

        Taken at the nearest position of the ghost within twenty seconds; None if it did not move in that time.
        """
        here, tick = self._own.state(step).player.position, self.tick(step)
        path = self._ghost.path(max(tick - _NEAR, 0), tick + _NEAR)
        if len({place for _, place in path}) < 2:
            return None

        def distance(place: tuple[int, Pos]) -> float:
            x, y, z = (there - base for there, base in zip(place[1][:3], here[:3], strict=True))
            return x * x + y * y + z * z

        started = self.own_run(step).started or 0
        nearest = min(path, key=lambda place: (distance(place), abs(place[0] - tick)))[0]
        return ((nearest - (self.run.started or 0)) - (step - started)) * TICK_MS

    def close(self) -> None:
        """Close the ghost's recording."""
        self.reader.close()
