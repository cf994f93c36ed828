"""A Hollow Cube recording as a replay: one step per tick, twenty a second; at a step its tick is over.

A recording in which no tick was recorded yet has one step, at which there is nothing.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from nhlog.formats.hollowcube.course import Course
from nhlog.formats.hollowcube.events import (
    AbsoluteMove,
    ChangeHeldSlot,
    CheckpointReached,
    ClearGhostBlocks,
    DeltaMove,
    End,
    EntityState,
    ItemUse,
    RunEnd,
    RunStart,
    SetBlock,
    SetItem,
    SpawnEntity,
    record_of,
)
from nhlog.formats.hollowcube.events import Event as CubeEvent
from nhlog.formats.hollowcube.header import Layout
from nhlog.formats.hollowcube.history import History
from nhlog.formats.hollowcube.nbt import Kind
from nhlog.formats.hollowcube.primitives import Pos
from nhlog.formats.hollowcube.race import Race
from nhlog.formats.hollowcube.reader import Reader
from nhlog.formats.hollowcube.state import RecordingState, Still
from nhlog.formats.hollowcube.words import event_words, one_line
from nhlog.replay import Change, Event, Info, Status
from nhlog.timeline import Axis, Marker, Timeline

__all__ = ["FORMAT", "TICK", "CubeReplay", "people_of", "start_of", "status_of", "title_of"]

ID: Final = "hollowcube"
FORMAT: Final = "Hollow Cube recording"
TICK: Final = 50_000  # microseconds of a tick
KEPT: Final = 128  # chunks whose events are kept
_LAST_MOMENT: Final = 253_402_300_800_000  # milliseconds since 1970: the year 10000, where calendars end


Happening = tuple[int, CubeEvent]  # and the tick it was in


class CubeReplay:
    """An open recording, standing at one of its ticks (see :class:`nhlog.replay.Replay`).

    `race` is its ghost, if it was opened with one.
    """

    def __init__(self, reader: Reader, ghost: Reader | None = None) -> None:
        self.reader = reader
        self.history = History(reader)
        self.history.extend()
        self.course = Course(reader, self.history)
        self.race = None if ghost is None else Race(self.course, ghost)
        self.timeline = _timeline(reader, self.history)
        self._step = 0
        self._state: RecordingState | None = None
        self._kept: OrderedDict[int, tuple[Happening, ...]] = OrderedDict()

    @property
    def info(self) -> Info:
        """What the preamble says."""
        reader = self.reader
        preamble = reader.preamble
        header = preamble.header
        versions = dict(preamble.annex.data_versions).values()
        newest = max((header.data_version or 0, *versions))
        return Info(
            id=ID,
            format=FORMAT,
            title=title_of(reader),
            people=people_of(reader),
            start=start_of(reader),
            duration=preamble.ticks * TICK,
            status=status_of(reader),
            metadata={
                "layout": int(header.layout),
                "world": str(header.world_id),
                "world version": header.world_version.hex(),
                **({"data version": newest} if newest else {}),
                "ticks": preamble.ticks,
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
        """The state when that tick is over."""
        if self._state is None:
            self._state = self.course.state(self._step)
        return self._state

    def seek(self, step: int) -> None:
        """Stand at tick `step`."""
        step = min(max(step, 0), self.timeline.last)
        if step != self._step:
            self._step, self._state = step, None

    def refresh(self) -> Change:
        """Look for newer segments; what was compacted or cut in the meantime is read again."""
        reader = self.reader
        before, finished = reader.parts, reader.finished
        if not reader.refresh():
            return Change.NOTHING
        kept = reader.parts[: len(before)] == before
        if not kept:
            self.history = History(reader)
        self.history.extend()
        self.course.follow(self.history)
        self._kept.clear()
        self.timeline = _timeline(reader, self.history)
        self._step, self._state = min(self._step, self.timeline.last), None
        if not kept:
            return Change.REWOUND
        return Change.FINISHED if reader.finished and not finished else Change.GREW

    def events(self, first: int, last: int) -> Iterator[Event]:
        """What happened in these ticks besides moves; what a snapshot says again is no event."""
        for tick, event in self.happenings(first, last):
            yield Event(tick, event_words(event), msgspec.json.encode(record_of(event)).decode())

    def happenings(self, first: int, last: int) -> Iterator[Happening]:
        """Those events as values, each with its tick."""
        for number in self.course.numbers(first, last):
            yield from (happening for happening in self._told(number) if first <= happening[0] <= last)

    def _told(self, number: int) -> tuple[Happening, ...]:
        """The events of a chunk."""
        told = self._kept.get(number)
        if told is None:
            told = self._kept[number] = tuple(self._tell(number))
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(number)
        return told

    def _tell(self, number: int) -> Iterator[Happening]:
        begin, end = self.reader.parts[number].entry.start, self.course.end_of(number)
        repeats = self.reader.preamble.header.layout is Layout.GAME and self.course.is_anchor(number)
        for tick in self.reader.chunk(number).ticks:
            if tick.number >= end:
                return
            events: Iterable[CubeEvent] = (event for event in tick.events if type(event) not in _MOVES)
            if repeats and tick.number == begin:
                events = _news(list(events), self.course.before(begin))
            yield from ((tick.number, event) for event in events)

    def trail(self, ticks: int) -> list[tuple[int, Pos]]:
        """Where the player went in the ticks before: see :meth:`Course.path`."""
        return self.course.path(max(self._step - ticks, 0), self._step)

    def close(self) -> None:
        """Give the sources back."""
        self.reader.close()
        if self.race is not None:
            self.race.close()


_MOVES: Final = (DeltaMove, AbsoluteMove)


def _news(events: Sequence[CubeEvent], before: Still) -> Iterator[CubeEvent]:
    """The events that are not merely what a snapshot says again of what was there before."""
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


def _is_known(event: CubeEvent, before: Still) -> bool:
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


def start_of(reader: Reader) -> int | None:
    """When it was begun, in microseconds since 1970; None where that is no date."""
    timestamp = reader.preamble.header.timestamp
    return timestamp * 1000 if 0 < timestamp < _LAST_MOMENT else None


def title_of(reader: Reader) -> str:
    """The map's number, as far as one can tell maps apart by it."""
    return f"map {str(reader.preamble.header.world_id)[:8]}"


def people_of(reader: Reader) -> tuple[str, ...]:
    """Who was recorded, if the metadata names a `player`."""
    player = reader.preamble.metadata.value.get("player")
    named = player is not None and player.kind is Kind.STRING and player.value
    return (one_line(player.value),) if player is not None and named else ()


def status_of(reader: Reader) -> Status:
    """How the recording stands, as far as its preamble and the sizes of its files tell."""
    if reader.faults:
        return Status.DAMAGED
    return Status.FINISHED if reader.finished else Status.LIVE


def _timeline(reader: Reader, history: History) -> Timeline:
    ticks = max(reader.preamble.ticks, 1)
    snapshots = [part.entry.start for part in reader.parts if part.entry.has_snapshot]
    return Timeline(
        unit="tick",
        axes={"tick": Axis(range(ticks)), "time": Axis(range(0, ticks * TICK, TICK))},
        start=start_of(reader),
        stops=range(ticks),
        keyframes=snapshots,
        markers=list(_markers(history, ticks)),
    )


def _markers(history: History, ticks: int) -> Iterator[Marker]:
    runs = 0
    for tick, event in history.moments or ():
        if tick >= ticks:
            return
        match event:
            case RunStart():
                runs += 1
                yield Marker(tick, "run", f"run {runs}")
            case CheckpointReached(checkpoint):
                yield Marker(tick, "checkpoint", one_line(checkpoint) or "checkpoint")
            case RunEnd(reason):
                yield Marker(tick, "end", "finish" if reason is End.FINISH else "given up")
