"""What has to be known of all that was before a tick: the events of runs, and which slot the player held.

It is known whole or not at all, so that the state at a tick does not depend on what was looked at before: from the
table in the recording's annex, or from the chunks where to read them all costs little.
"""

from bisect import bisect_left, bisect_right
from contextlib import suppress
from itertools import pairwise
from typing import Final

from nhlog.errors import Damaged
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.state import Run, Split
from nhlog.formats.hollowcube.wire.chunks import read_snapshot
from nhlog.formats.hollowcube.wire.events import (
    PLAYER,
    RUN_EVENTS,
    ChangeHeldSlot,
    CheckpointReached,
    CheckpointReset,
    RunEnd,
    RunStart,
)
from nhlog.formats.hollowcube.wire.extension import MAX_MOMENTS
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.skim import is_plain

__all__ = ["History", "Moment", "runs_of"]

Moment = tuple[int, RunStart | CheckpointReached | CheckpointReset | RunEnd]  # and the tick it was in
MAX_SKIMMED: Final = 64 << 20  # unpacked bytes: some thirty hours of a run, two seconds of work


class History:
    """It goes as far as its reader does; `extend` follows it.

    `moments` are the events of runs in order; None where they are not known.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._parts = 0  # that were skimmed
        self._skimmed: list[Moment] = []
        self._held: list[tuple[int, int]] = []
        self._is_held_known = False
        self.moments: list[Moment] | None = None

    def held_at(self, tick: int) -> int | None:
        """The slot that the player held when `tick` began, as far as events say so."""
        if not self._is_held_known:
            return None
        at = bisect_left(self._held, tick, key=lambda change: change[0])
        return self._held[at - 1][1] if at else None

    def run_at(self, tick: int) -> Run | None:
        """The newest run when `tick` is over; None where that is not known."""
        if self.moments is None:
            return None
        end = bisect_right(self.moments, tick, key=lambda moment: moment[0])
        begin = end
        while begin and not isinstance(self.moments[begin - 1][1], RunStart):
            begin -= 1
        return _run(self.moments[max(begin - 1, 0) : end])

    def extend(self) -> None:
        """Take in what the reader has now."""
        preamble, parts = self._reader.preamble, self._reader.parts
        annex = preamble.annex
        told = annex.ticks is not None and annex.ticks >= preamble.ticks
        holds = preamble.header.layout is Layout.TEXT and all(part.entry.has_snapshot for part in parts)
        skimmed = not (told and holds) and self._is_cheap() and not self._is_crowded()
        while skimmed and self._parts < len(parts):
            self._skim(self._parts)
            self._parts += 1
            skimmed = not self._is_crowded()
        self._is_held_known = skimmed
        if told:
            found = ((tick.number, event) for tick in annex.moments for event in tick.events)
            self.moments = [(tick, event) for tick, event in found if isinstance(event, RUN_EVENTS)]
        else:
            self.moments = self._skimmed[:] if skimmed else None

    def _is_cheap(self) -> bool:
        parts = self._reader.parts
        if self._reader.source.near:
            return sum(part.entry.raw_length for part in parts) <= MAX_SKIMMED
        return not parts or parts[-1].offset + parts[-1].entry.length <= self._reader.free

    def _is_crowded(self) -> bool:
        return len(self._skimmed) + len(self._held) > MAX_MOMENTS

    def _skim(self, number: int) -> None:
        """Add what a chunk has of either."""
        with suppress(Damaged):  # what can be decoded of it counts
            raw, _ = self._reader.raw(number)
            blocked = (
                self._reader.preamble.header.layout is Layout.TEXT and self._reader.parts[number].entry.has_snapshot
            )
            if is_plain(raw, read_snapshot(raw)[1] if blocked else 0):
                return
        for tick in self._reader.fresh_chunk(number)[0].ticks:
            if self._is_crowded():
                return
            for event in tick.events:
                if isinstance(event, RUN_EVENTS):
                    self._skimmed.append((tick.number, event))
                elif type(event) is ChangeHeldSlot and event.entity == PLAYER:
                    self._held.append((tick.number, event.slot))


def runs_of(moments: list[Moment]) -> list[Run]:
    """Every run there was, in order; the first may have begun before the recording."""
    starts = [at for at, (_, event) in enumerate(moments) if not at or isinstance(event, RunStart)]
    return [_run(moments[at:end]) for at, end in pairwise([*starts, len(moments)])]


def _run(moments: list[Moment]) -> Run:
    """The run of these events; the first is its start, unless the recording begins in it."""
    started = ended = end = run_time = None
    splits: list[Split] = []
    resets = 0
    for tick, event in moments:
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
