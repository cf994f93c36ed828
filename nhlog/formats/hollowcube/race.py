"""Comparison of a recording with a ghost, another recording of the same map; times count from the start of each run.

A gap is the ghost's time minus the player's in milliseconds: above zero, the player is ahead.

Between two checkpoints lies a leg, of as many attempts as there are resets in it, and one more.  The rule: on a leg one
is compared with all that the ghost did on it, so that the gap is what the splits say at both of its ends.  The player's
first attempt is compared with the ghost's first, as far as that came; from there on with the next one; the second with
the second, and so on.  To leave out what the ghost was reset from was wrong: the time of these attempts was given to
the player at the beginning of the leg, and taken back at its end.
"""

from typing import Final

from nhlog.formats.alignment import Alignment, TimedPlace
from nhlog.formats.hollowcube.reading.history import History, runs_of
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.reading.states import StateReader
from nhlog.formats.hollowcube.state import RecordingState, Run
from nhlog.formats.hollowcube.wire.enums import End
from nhlog.formats.hollowcube.wire.events import CheckpointReset
from nhlog.formats.hollowcube.wire.header import TICK_MS
from nhlog.formats.hollowcube.wire.primitives import Pos
from nhlog.formats.race_plot import Racing
from nhlog.values import NamedTuple

__all__ = ["FINISH", "Pair", "Race", "best_run", "pair_splits"]

FINISH: Final = "finish"
_SPACING: Final = 1.0  # blocks between two places that are compared
_NEAR: Final = 2.0  # blocks between two attempts on the same course


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
        self._leg: tuple[int, _Leg] | None = None  # and the ghost's tick at which it begins

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
        """The milliseconds by which the ghost came later to the player's place at `step`, or to the finish.

        The place is found by the order of both ways since the last checkpoint that both reached, or since the reset
        after it.  None before the run, and if the ghost never moved there.
        """
        own = self.own_run(step)
        started = own.started or 0
        if step < started:
            return None
        pairs = [pair for pair in pair_splits(own, self.run) if pair.own_tick <= step]
        if pairs and (pairs[-1].checkpoint == FINISH or pairs[-1].own_tick == step):
            return pairs[-1].gap
        first, ghost_first = (pairs[-1].own_tick, pairs[-1].ghost_tick) if pairs else (started, self.run.started or 0)
        begins = _attempts(self._own.history, first, step)
        tick = self._leg_from(ghost_first).tick(len(begins) - 1, _way(self._own, begins[-1], step))
        return None if tick is None else ((tick - (self.run.started or 0)) - (step - started)) * TICK_MS

    def racing(self) -> Racing | None:
        """The best run of the recording against the ghost; None if there is none."""
        run = best_run(self._own.history)
        if run is None or run.started is None:
            return None
        last = self._own.reader.ticks - 1 if run.ended is None else run.ended
        splits = [(split.checkpoint, split.tick) for split in run.splits]
        if run.end is End.FINISH and run.ended is not None:
            splits.append((FINISH, run.ended))

        def ahead(tick: int) -> float | None:
            gap = self.gap(tick)
            return None if gap is None else gap / 1000

        return Racing(run.started, last, tuple(splits), ahead)

    def _leg_from(self, first: int) -> "_Leg":
        """The ghost's leg from a checkpoint, or its start, to the next checkpoint."""
        if self._leg is None or self._leg[0] != first:
            later = [split.tick for split in self.run.splits if split.tick > first]
            end = self.run.ended if self.run.ended is not None else max(self.reader.ticks - 1, 0)
            last = later[0] if later else end
            begins = _attempts(self._ghost.history, first, last)
            ends = [*(begin - 1 for begin in begins[1:]), last]
            ways = [_way(self._ghost, begin, end) for begin, end in zip(begins, ends, strict=True)]
            self._leg = first, _Leg(ways)
        return self._leg[1]

    def close(self) -> None:
        """Close the ghost's recording."""
        self.reader.close()


class _Leg:
    """A leg of the ghost, by its way in each attempt; the last attempt came to the end."""

    def __init__(self, ways: list[list[TimedPlace]]) -> None:
        self._attempts = [Alignment(way, _SPACING) for way in ways]
        self._reached = [self._attempts[-1].farthest(way, _NEAR) for way in ways[:-1]]  # ticks of the last attempt

    def tick(self, number: int, way: list[TimedPlace]) -> int | None:
        """The ghost's tick at the place at which the player's attempt with this number, from 0, has come to."""
        last = self._attempts[-1].tick(way)
        if last is None:
            return None
        for attempt, reached in zip(self._attempts[number:], self._reached[number:], strict=False):
            if reached is not None and last <= reached and (tick := attempt.tick(way)) is not None:
                return tick
        return last


def _attempts(history: History, first: int, last: int) -> list[int]:
    """The ticks at which the attempts on a leg from `first` to `last` begin."""
    resets = (tick for tick, event in history.run_events or [] if isinstance(event, CheckpointReset))
    return [first, *dict.fromkeys(tick for tick in resets if first < tick <= last)]


def _way(states: StateReader, first: int, last: int) -> list[TimedPlace]:
    return [(tick, place[:3]) for tick, place in states.path(first, last)]
