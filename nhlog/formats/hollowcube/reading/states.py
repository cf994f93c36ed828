"""The state at any tick: all events since the nearest snapshot are applied, so that seeking gives the same as playing.

In the game's layout every chunk is flagged as having a snapshot: the flag counts only if the snapshot's events are
there.  They omit the slot that the player holds, which comes from earlier chunks.  The cache of states is limited.
"""

from bisect import bisect_right
from collections import OrderedDict
from typing import Final

from nhlog.formats.hollowcube.reading.history import History
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.state import NOTHING, FrozenScene, RecordingState, Scene
from nhlog.formats.hollowcube.wire.chunks import Chunk
from nhlog.formats.hollowcube.wire.events import PLAYER, ChangeHeldSlot
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.primitives import Pos
from nhlog.values import NamedTuple

__all__ = ["StateReader"]

KEPT_STATES: Final = 256  # at the beginnings of chunks
KEPT_THINGS: Final = 200_000  # entities and blocks in them
KEPT_PATHS: Final = 16  # chunks


class ChunkStart(NamedTuple):
    """The scene before a chunk's first tick; a non-empty `fault` says why it is not known."""

    scene: FrozenScene
    fault: str


class StateReader:
    """Computes the states of a recording; the result for a tick does not depend on earlier calls."""

    def __init__(self, reader: Reader, history: History) -> None:
        self.reader = reader
        self.follow(history)

    def follow(self, history: History) -> None:
        """Start again with the current chunks of the reader and this history."""
        self.history = history
        self._starts = [part.entry.start for part in self.reader.parts]
        self._chunk_starts: OrderedDict[int, ChunkStart] = OrderedDict()
        self._things = 0  # in those, together
        self._paths: OrderedDict[int, list[tuple[int, Pos]]] = OrderedDict()
        self._scene, self._number, self._tick, self._next = Scene(), -1, -1, 0

    def state(self, tick: int) -> RecordingState:
        """The state at the end of `tick`; its `fault` says what could not be read."""
        run = self.history.run_at(tick)
        number = bisect_right(self._starts, tick) - 1
        if number < 0:
            fault = "no chunk has this tick" if self._starts or self.reader.preamble.header.tick_count else ""
            return RecordingState(tick, *NOTHING, run=run, fault=fault)
        if number != self._number or tick < self._tick:
            self._fetch_back(number)
            self._scene, self._number, self._next = Scene(self._start_of(number).scene), number, 0
        chunk = self.reader.chunk(number)
        ticks, scene = chunk.ticks, self._scene
        while self._next < len(ticks) and ticks[self._next].number <= tick:
            for event in ticks[self._next].events:
                scene.apply(event)
            self._next += 1
        self._tick = tick
        fault = self._start_of(number).fault
        return RecordingState(tick, *scene.freeze(), run=run, fault=_fault(chunk, tick) or fault)

    def before(self, tick: int) -> FrozenScene:
        """The scene at the beginning of `tick`."""
        return NOTHING if tick <= 0 else FrozenScene(*_things(self.state(tick - 1)))

    def numbers(self, first: int, last: int) -> range:
        """The numbers of the chunks with ticks `first` to `last`."""
        return range(max(bisect_right(self._starts, first) - 1, 0), bisect_right(self._starts, last))

    def end_of(self, number: int) -> int:
        """The end (excluded) of the ticks of chunk `number`, which is the start of the next chunk if they overlap."""
        later = self._starts[number + 1 : number + 2]
        return min(self.reader.parts[number].entry.end, *later) if later else self.reader.parts[number].entry.end

    def path(self, first: int, last: int) -> list[tuple[int, Pos]]:
        """The player's positions in ticks `first` to `last`, with their ticks: one for each tick with a move.

        The first one is the position at the end of tick `first`, with the tick of the move that led there.
        """
        places: list[tuple[int, Pos]] = []
        numbers = self.numbers(first, last)
        for number in numbers:
            if number not in self._paths:
                self.reader.fetch(number, numbers[-1])
            places += self._path(number)
        at = max(bisect_right(places, first, key=lambda place: place[0]) - 1, 0)
        return places[at : bisect_right(places, last, key=lambda place: place[0])]

    def _path(self, number: int) -> list[tuple[int, Pos]]:
        """The player's positions in a chunk: at its first tick, and at each later one with a move."""
        kept = self._paths.get(number)
        if kept is not None:
            self._paths.move_to_end(number)
            return kept
        scene, places, here = Scene(self._start_of(number).scene), [], None
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
        """Whether the state can be computed from chunk `number` on, without any before it."""
        if number == 0:
            return True
        return self.reader.parts[number].entry.has_snapshot and self.history.skims.of(number).is_anchor

    def _start_of(self, number: int) -> ChunkStart:
        """The start of chunk `number`, from the nearest chunk before it that is an anchor or cached."""
        if number in self._chunk_starts:
            return self._chunk_starts[number]
        begin, reach = number, 1
        while begin not in self._chunk_starts and not self.is_anchor(begin):
            begin -= 1
            if not self.reader.has(begin):  # and may turn out to have no snapshot: then further back
                reach *= 2
                self.reader.fetch(max(begin - reach + 1, 0), begin)
        start = self._chunk_starts.get(begin) or self._anchored(begin)
        self._keep(begin, start)
        for passed in range(begin, number):
            if self._is_still(passed):
                continue
            self.reader.fetch(passed, number)
            start = self._passed(passed, start)
            self._keep(passed + 1, start)
        self._keep(number, start)
        return start

    def _is_still(self, number: int) -> bool:
        """Whether the scene after a chunk is the one before it; not, if ticks are missing before the next chunk."""
        still = self.reader.parts[number].entry.has_snapshot and self.history.skims.of(number).is_still
        return still and self.end_of(number) == self._starts[number + 1]

    def _fetch_back(self, number: int) -> None:
        """Read what chunk `number` needs, as the index has it: all from the nearest snapshot before it on."""
        begin = number
        while begin not in self._chunk_starts and begin and not self.reader.parts[begin].entry.has_snapshot:
            begin -= 1
        self.reader.fetch(begin, number)

    def _anchored(self, number: int) -> ChunkStart:
        scene = Scene()
        snapshot = self.reader.chunk(number).snapshot
        for event in snapshot or ():
            scene.apply(event)
        if self.reader.preamble.header.layout is Layout.GAME:
            held = self.history.held_at(self._starts[number])
            if held is not None:
                scene.apply(ChangeHeldSlot(PLAYER, held))
        return ChunkStart(scene.freeze(), "")

    def _passed(self, number: int, start: ChunkStart) -> ChunkStart:
        """The start of the chunk after `number`; `start` is that of `number`."""
        chunk = self.reader.chunk(number)
        scene = Scene(start.scene)
        end = self._starts[number + 1]
        for tick in chunk.ticks:
            if tick.number < end:
                for event in tick.events:
                    scene.apply(event)
        return ChunkStart(scene.freeze(), _fault(chunk, end - 1) or start.fault)

    def _keep(self, number: int, start: ChunkStart) -> None:
        kept = self._chunk_starts
        before = kept.pop(number, None)
        kept[number] = start
        self._things += _size(start) - (_size(before) if before else 0)
        while len(kept) > 1 and (len(kept) > KEPT_STATES or self._things > KEPT_THINGS):
            self._things -= _size(kept.popitem(last=False)[1])


def _size(start: ChunkStart) -> int:
    return len(start.scene.entities) + len(start.scene.blocks)


def _fault(chunk: Chunk, tick: int) -> str:
    """Why a chunk's events at `tick` are not known; empty if they are."""
    if tick < chunk.known:
        return ""
    fault = chunk.fault
    if fault is None:
        return "no chunk has this tick"
    fault.file = None  # a state is made of the recording's bytes, wherever they are kept
    return str(fault)


def _things(state: RecordingState) -> FrozenScene:
    return FrozenScene(state.entities, state.blocks)
