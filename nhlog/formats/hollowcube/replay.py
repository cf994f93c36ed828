"""A Hollow Cube recording as a replay: one step per tick, twenty per second; a step shows the end of its tick.

A recording without ticks has one step, with an empty state.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from nhlog.formats.hollowcube import FORMAT
from nhlog.formats.hollowcube.race import Race
from nhlog.formats.hollowcube.reading.history import History
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.reading.states import StateReader
from nhlog.formats.hollowcube.reading.summary import people_of, start_of, status_of, timeline_of, title_of
from nhlog.formats.hollowcube.state import FrozenScene, RecordingState
from nhlog.formats.hollowcube.wire.events import (
    AbsoluteMove,
    ChangeHeldSlot,
    ClearGhostBlocks,
    DeltaMove,
    EntityState,
    ItemUse,
    SetBlock,
    SetItem,
    SpawnEntity,
    record_of,
)
from nhlog.formats.hollowcube.wire.events import Event as CubeEvent
from nhlog.formats.hollowcube.wire.header import TICK, TICKS_PER_SECOND, Layout
from nhlog.formats.hollowcube.wire.primitives import Pos
from nhlog.formats.hollowcube.words import event_words
from nhlog.replay import Change, Event, Info

if TYPE_CHECKING:
    from nhlog.plots import Plots

__all__ = ["CubeReplay"]

KEPT: Final = 128  # chunks whose events are kept


TimedEvent = tuple[int, CubeEvent]  # the tick, and the event


class CubeReplay:
    """An open recording, standing at one of its ticks (see :class:`nhlog.replay.Replay`).

    `race` is its ghost, if it was opened with one.
    """

    def __init__(self, reader: Reader, ghost: Reader | None = None) -> None:
        self.reader = reader
        self.history = History(reader)
        self.history.extend()
        self.states = StateReader(reader, self.history)
        self.race = None if ghost is None else Race(self.states, ghost)
        self.timeline = timeline_of(reader, self.history)
        self._step = 0
        self._state: RecordingState | None = None
        self._kept: OrderedDict[int, tuple[TimedEvent, ...]] = OrderedDict()

    @property
    def info(self) -> Info:
        """The description of the recording, from its preamble."""
        reader = self.reader
        preamble = reader.preamble
        header = preamble.header
        versions = dict(preamble.extension.data_versions).values()
        newest = max((header.data_version or 0, *versions))
        return Info(
            id=FORMAT.id,
            format=FORMAT.name,
            title=title_of(reader),
            people=people_of(reader),
            start=start_of(reader),
            duration=reader.ticks * TICK,
            status=status_of(reader),
            metadata={
                "layout": int(header.layout),
                "world": str(header.world_id),
                "world version": header.world_version.hex(),
                **({"data version": newest} if newest else {}),
                "ticks": reader.ticks,
                "chunks": len(reader.parts),
            },
            note=str(reader.faults[0].what) if reader.faults else "",
        )

    @property
    def step(self) -> int:
        """The tick at which the replay stands."""
        return self._step

    @property
    def state(self) -> RecordingState:
        """The state at the end of that tick."""
        if self._state is None:
            self._state = self.states.state(self._step)
        return self._state

    def seek(self, step: int) -> None:
        """Go to tick `step`, clamped to the timeline."""
        step = min(max(step, 0), self.timeline.last)
        if step != self._step:
            self._step, self._state = step, None

    def refresh(self) -> Change:
        """Read what was added to the recording, and return what changed; REWOUND if it was compacted or truncated."""
        reader = self.reader
        change = reader.refresh()
        if change is Change.NOTHING:
            return change
        if change is Change.REWOUND:
            self.history = History(reader)
        self.history.extend()
        self.states.follow(self.history)
        self._kept.clear()
        self.timeline = timeline_of(reader, self.history)
        self._step, self._state = min(self._step, self.timeline.last), None
        return change

    def events(self, first: int, last: int) -> Iterator[Event]:
        """The events of these ticks, without moves and without events that a snapshot only repeats."""
        for tick, event in self.timed_events(first, last):
            yield Event(tick, event_words(event), msgspec.json.encode(record_of(event)).decode())

    def timed_events(self, first: int, last: int) -> Iterator[TimedEvent]:
        """The events of :meth:`events` as values, each with its tick."""
        for number in self.states.numbers(first, last):
            yield from (timed for timed in self._events_of(number) if first <= timed[0] <= last)

    def _events_of(self, number: int) -> tuple[TimedEvent, ...]:
        """The events of a chunk."""
        events = self._kept.get(number)
        if events is None:
            events = self._kept[number] = tuple(self._read_events(number))
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(number)
        return events

    def _read_events(self, number: int) -> Iterator[TimedEvent]:
        begin, end = self.reader.parts[number].entry.start, self.states.end_of(number)
        repeats = self.reader.preamble.header.layout is Layout.GAME and self.states.is_anchor(number)
        for tick in self.reader.chunk(number).ticks:
            if tick.number >= end:
                return
            events: Iterable[CubeEvent] = (event for event in tick.events if type(event) not in _MOVES)
            if repeats and tick.number == begin:
                events = _news(list(events), self.states.before(begin))
            yield from ((tick.number, event) for event in events)

    def trail(self, ticks: int) -> list[tuple[int, Pos]]:
        """The player's positions in the last `ticks` ticks: see :meth:`StateReader.path`."""
        return self.states.path(max(self._step - ticks, 0), self._step)

    def plots(self) -> "Plots":
        """The plots of the recording; with a ghost also of the race with it."""
        from nhlog.formats.hollowcube.plots import plots_of  # nobody else needs it
        from nhlog.formats.race_plot import with_race

        race = self.race
        plots = plots_of(StateReader(self.reader, self.history), self.reader.ticks, self.timeline.markers)
        return plots if race is None else with_race(plots, race.racing, TICKS_PER_SECOND)

    def close(self) -> None:
        """Close the recording, and that of the ghost."""
        self.history.skims.keep()
        self.reader.close()
        if self.race is not None:
            self.race.close()


_MOVES: Final = (DeltaMove, AbsoluteMove)


def _news(events: Sequence[CubeEvent], before: FrozenScene) -> Iterator[CubeEvent]:
    """The events of a snapshot that change something; the others repeat what was there before."""
    set_again = {event.position for event in events if isinstance(event, SetBlock)}
    for event in events:
        if isinstance(event, ClearGhostBlocks):
            if set(before.blocks) - set_again:
                yield event
        elif isinstance(event, SetBlock):
            if before.blocks.get(event.position) != event.block:
                yield event
        elif not _is_known(event, before):
            yield event


def _is_known(event: CubeEvent, before: FrozenScene) -> bool:
    match event:
        case SpawnEntity(number, kind):
            entity = before.entities.get(number)
            return entity is not None and entity.kind == kind
        case EntityState(number, pose, flags):
            entity = before.entities.get(number)
            return entity is not None and (entity.pose, entity.flags) == (pose, flags)
        case SetItem(number, items):
            entity = before.entities.get(number)
            return entity is not None and all(entity.items.get(slot) == item for slot, item in items.items())
        case ChangeHeldSlot(number, slot):
            entity = before.entities.get(number)
            return entity is not None and entity.held == slot
        case ItemUse(number, hand):
            entity = before.entities.get(number)
            return entity is not None and entity.using == hand
    return False
