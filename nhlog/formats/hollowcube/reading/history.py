"""The parts of a state that may depend on any earlier tick: the events of runs, and the slot that the player holds.

They are known for all ticks or not at all, so that a state does not depend on what was read before: they come from the
table in our extension of the metadata and the chunks that it is not about, if reading these is cheap.
"""

from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import Final

from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.reading.skims import Skims
from nhlog.formats.hollowcube.state import Run, Split
from nhlog.formats.hollowcube.wire.events import (
    RUN_EVENTS,
    ChangeHeldSlot,
    CheckpointReached,
    CheckpointReset,
    RunEnd,
    RunStart,
)
from nhlog.formats.hollowcube.wire.extension import MAX_RUN_EVENTS
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.progress import report

__all__ = ["History", "TimedRunEvent", "runs_of"]

TimedRunEvent = tuple[int, RunStart | CheckpointReached | CheckpointReset | RunEnd]
"""The tick of an event of a run, and the event."""

MAX_SKIMMED: Final = 64 << 20  # unpacked bytes: some thirty hours of a run, two seconds of work


class History:
    """The history of a recording up to the end of its reader; call `extend` first, and after a refresh of the reader.

    `run_events` are the events of runs, in order; None if they are not known.  `skims` is what was found in each chunk.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.skims = Skims(reader)
        self._first = self._next = 0  # the chunks that were skimmed, but for an open one
        self._skimmed: list[TimedRunEvent] = []
        self._held: list[tuple[int, int]] = []
        self._settled = 0, 0  # how many of these are not of an open chunk
        self._is_held_known = False
        self.run_events: list[TimedRunEvent] | None = None

    def held_at(self, tick: int) -> int | None:
        """The slot that the player held at the beginning of `tick`; None if it is not known."""
        if not self._is_held_known:
            return None
        at = bisect_left(self._held, tick, key=lambda change: change[0])
        return self._held[at - 1][1] if at else None

    def run_at(self, tick: int) -> Run | None:
        """The newest run at the end of `tick`; None if it is not known."""
        if self.run_events is None:
            return None
        end = bisect_right(self.run_events, tick, key=lambda timed: timed[0])
        begin = end
        while begin and not isinstance(self.run_events[begin - 1][1], RunStart):
            begin -= 1
        return _run(self.run_events[max(begin - 1, 0) : end])

    def extend(self) -> None:
        """Read the chunks that were added, and the open one again."""
        reader = self._reader
        self.skims.extend()
        extension = reader.preamble.extension
        covered = extension.covered_ticks or 0
        self._begin_at(self._first_needed(covered))
        if self._next < len(reader.parts):
            self.skims.load()
        skimmed = self._is_cheap() and self._skim_all()
        self.skims.keep()
        self._is_held_known = skimmed and not self._first
        self.run_events = None
        if skimmed or covered >= reader.ticks:
            table = ((tick.number, event) for tick in extension.run_events for event in tick.events)
            self.run_events = [(tick, event) for tick, event in table if isinstance(event, RUN_EVENTS)]
            self.run_events = [timed for timed in self.run_events if timed[0] < covered]
            self.run_events += [timed for timed in self._skimmed if timed[0] >= covered]

    def _first_needed(self, covered: int) -> int:
        """The number of the first chunk that has to be skimmed, where the table is about `covered` ticks."""
        parts = self._reader.parts
        has_held = self._reader.preamble.header.layout is Layout.TEXT and all(part.entry.has_snapshot for part in parts)
        return bisect_right(parts, covered, key=lambda part: part.entry.end) if has_held else 0

    def _begin_at(self, needed: int) -> None:
        """Forget what was found in an open chunk, and all if chunks are needed that were passed over or will be."""
        counts = self._settled
        if not self._first <= needed <= self._next:
            self._first = self._next = needed
            counts = 0, 0
        del self._skimmed[counts[0] :], self._held[counts[1] :]

    def _skim_all(self) -> bool:
        """Skim the chunks that were not, and return whether none was left out."""
        parts, settled = self._reader.parts, self._reader.settled
        while self._next < settled and not self._is_crowded():
            self._skim(self._next)
            self._next += 1
            report("reading", self._next, settled)
        self._settled = len(self._skimmed), len(self._held)
        for number in range(max(self._next, settled), len(parts)):
            self._skim(number)
        return not self._is_crowded()

    def _is_cheap(self) -> bool:
        parts = self._reader.parts[self._first :]
        if self._reader.source.local:
            return sum(part.entry.raw_length for part in parts) <= MAX_SKIMMED
        return not parts or parts[-1].offset + parts[-1].entry.length <= self._reader.free

    def _is_crowded(self) -> bool:
        return len(self._skimmed) + len(self._held) > MAX_RUN_EVENTS

    def _skim(self, number: int) -> None:
        """Add the events of runs and the held slots of chunk `number`."""
        for tick, event in self.skims.of(number).events:
            if self._is_crowded():
                return
            if isinstance(event, ChangeHeldSlot):
                self._held.append((tick, event.slot))
            else:
                self._skimmed.append((tick, event))


def runs_of(run_events: list[TimedRunEvent]) -> list[Run]:
    """The runs that consist of these events, in order; the first may have begun before the recording."""
    starts = [at for at, (_, event) in enumerate(run_events) if not at or isinstance(event, RunStart)]
    return [_run(run_events[at:end]) for at, end in pairwise([*starts, len(run_events)])]


def _run(run_events: list[TimedRunEvent]) -> Run:
    """The run that consists of these events; the first is its start, unless the recording began during it."""
    started = ended = end = run_time = None
    splits: list[Split] = []
    resets = 0
    for tick, event in run_events:
        match event:
            case RunStart():
                started = tick
            case CheckpointReached(checkpoint, time):
                splits.append(Split(tick, checkpoint, time))
            case CheckpointReset():
                resets += 1
            case RunEnd(reason, time):
                ended, end, run_time = tick, reason, time
    return Run(started, tuple(splits), resets, ended, end, run_time)
