"""The state at any tick, whichever way one came there: from the nearest snapshot, every event after it.

A snapshot that a chunk is said to have counts where it can be seen: in the game's layout, every chunk says it has one.
Where the game's has none of what the player holds, that comes from before.  What is kept of states is bounded.
"""

from bisect import bisect_right
from collections import OrderedDict
from typing import Final, NamedTuple

from nhlog.formats.hollowcube.reading.history import History
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.state import NOTHING, RecordingState, Scene, Still
from nhlog.formats.hollowcube.wire.chunks import Chunk
from nhlog.formats.hollowcube.wire.events import PLAYER, AbsoluteMove, ChangeHeldSlot
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.primitives import Pos

__all__ = ["Course"]

KEPT_STATES: Final = 256  # at the beginnings of chunks
KEPT_THINGS: Final = 200_000  # entities and blocks in them
KEPT_PATHS: Final = 16  # chunks


class Opening(NamedTuple):
    """What is there before a chunk's first tick, and what is wrong with it."""

    still: Still
    fault: str


class Course:
    """The states of a recording."""

    def __init__(self, reader: Reader, history: History) -> None:
        self.reader = reader
        self.follow(history)

    def follow(self, history: History) -> None:
        """Take in what the reader has now."""
        self.history = history
        self._starts = [part.entry.start for part in self.reader.parts]
        self._openings: OrderedDict[int, Opening] = OrderedDict()
        self._paths: OrderedDict[int, list[tuple[int, Pos]]] = OrderedDict()
        self._scene, self._number, self._tick, self._next = Scene(), -1, -1, 0

    def state(self, tick: int) -> RecordingState:
        """The state when `tick` is over."""
        run = self.history.run_at(tick)
        number = bisect_right(self._starts, tick) - 1
        if number < 0:
            fault = "no chunk has this tick" if self._starts or self.reader.preamble.header.tick_count else ""
            return RecordingState(tick, *NOTHING, run=run, fault=fault)
        chunk = self.reader.chunk(number)
        if number != self._number or tick < self._tick:
            self._scene, self._number, self._next = Scene(self._opening(number).still), number, 0
        ticks, scene = chunk.ticks, self._scene
        while self._next < len(ticks) and ticks[self._next].number <= tick:
            for event in ticks[self._next].events:
                scene.apply(event)
            self._next += 1
        self._tick = tick
        fault = self._opening(number).fault
        return RecordingState(tick, *scene.still(), run=run, fault=_fault(chunk, tick) or fault)

    def before(self, tick: int) -> Still:
        """What was there when `tick` began."""
        return NOTHING if tick <= 0 else Still(*_things(self.state(tick - 1)))

    def numbers(self, first: int, last: int) -> range:
        """The chunks that have these ticks."""
        return range(max(bisect_right(self._starts, first) - 1, 0), bisect_right(self._starts, last))

    def end_of(self, number: int) -> int:
        """The tick behind the last one that is a chunk's own."""
        later = self._starts[number + 1 : number + 2]
        return min(self.reader.parts[number].entry.end, *later) if later else self.reader.parts[number].entry.end

    def path(self, first: int, last: int) -> list[tuple[int, Pos]]:
        """Where the player went in these ticks: each tick of a move and the place it led to.

        The first place is where the player was when tick `first` was over.
        """
        places: list[tuple[int, Pos]] = []
        for number in self.numbers(first, last):
            places += self._path(number)
        at = max(bisect_right(places, first, key=lambda place: place[0]) - 1, 0)
        return places[at : bisect_right(places, last, key=lambda place: place[0])]

    def _path(self, number: int) -> list[tuple[int, Pos]]:
        """The player's places in a chunk: at its first tick, and at every later one that has a move."""
        kept = self._paths.get(number)
        if kept is not None:
            self._paths.move_to_end(number)
            return kept
        scene, places, here = Scene(self._opening(number).still), [], None
        for tick in self.reader.chunk(number).ticks:
            for event in tick.events:
                scene.apply(event)
            place = scene.position_of(PLAYER)
            if place is not None and place != here:
                places.append((tick.number, place))
                here = place
        self._paths[number] = places
        if len(self._paths) > KEPT_PATHS:
            self._paths.popitem(last=False)
        return places

    def is_anchor(self, number: int) -> bool:
        """Whether all that is there can be told from this chunk on."""
        if number == 0:
            return True
        if not self.reader.parts[number].entry.has_snapshot:
            return False
        chunk = self.reader.chunk(number)
        if self.reader.preamble.header.layout is Layout.TEXT:
            return chunk.snapshot is not None
        first = chunk.ticks[0].events if chunk.ticks else ()
        return any(type(event) is AbsoluteMove and event.entity == PLAYER for event in first)

    def _opening(self, number: int) -> Opening:
        """What is there before a chunk's first tick."""
        if number in self._openings:
            return self._openings[number]
        begin = number
        while begin not in self._openings and not self.is_anchor(begin):
            begin -= 1
        opening = self._openings.get(begin) or self._anchored(begin)
        self._keep(begin, opening)
        for passed in range(begin, number):
            opening = self._passed(passed, opening)
            self._keep(passed + 1, opening)
        return opening

    def _anchored(self, number: int) -> Opening:
        scene = Scene()
        snapshot = self.reader.chunk(number).snapshot
        for event in snapshot or ():
            scene.apply(event)
        if self.reader.preamble.header.layout is Layout.GAME:
            held = self.history.held_at(self._starts[number])
            if held is not None:
                scene.apply(ChangeHeldSlot(PLAYER, held))
        return Opening(scene.still(), "")

    def _passed(self, number: int, opening: Opening) -> Opening:
        """What is there when a chunk is over."""
        chunk = self.reader.chunk(number)
        scene = Scene(opening.still)
        end = self._starts[number + 1]
        for tick in chunk.ticks:
            if tick.number < end:
                for event in tick.events:
                    scene.apply(event)
        return Opening(scene.still(), _fault(chunk, end - 1) or opening.fault)

    def _keep(self, number: int, opening: Opening) -> None:
        self._openings[number] = opening
        self._openings.move_to_end(number)
        things = sum(len(still.entities) + len(still.blocks) for still, _ in self._openings.values())
        while len(self._openings) > 1 and (len(self._openings) > KEPT_STATES or things > KEPT_THINGS):
            _, (still, _) = self._openings.popitem(last=False)
            things -= len(still.entities) + len(still.blocks)


def _fault(chunk: Chunk, tick: int) -> str:
    """Why what a chunk says of a tick is not known; nothing if it is."""
    if tick < chunk.known:
        return ""
    fault = chunk.fault
    if fault is None:
        return "no chunk has this tick"
    fault.file = None  # a state is made of the recording's bytes, wherever they are kept
    return str(fault)


def _things(state: RecordingState) -> Still:
    return Still(state.entities, state.blocks)
