"""What the tests of the writing side share: recordings read back, and streams of ticks."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from hypothesis import strategies as st

from nhlog.formats.hollowcube.reading.open import open_reader, open_source
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.reading.salvage import Survey, survey
from nhlog.formats.hollowcube.recording import Facts, Move, Recorder, Triggers
from nhlog.formats.hollowcube.state import FrozenScene, Scene
from nhlog.formats.hollowcube.wire.enums import End, Hand, Pose
from nhlog.formats.hollowcube.wire.events import (
    AbsoluteMove,
    ChangeHeldSlot,
    CheckpointReached,
    ClearGhostBlocks,
    DestroyEntity,
    EntityState,
    Event,
    HandAnimation,
    ItemUse,
    RunEnd,
    RunStart,
    SetBlock,
    SetItem,
    SpawnEntity,
)
from nhlog.formats.hollowcube.wire.primitives import BlockPosition, Pos, Vector
from tests.formats.hollowcube.made import item

__all__ = [
    "SMALL",
    "busy",
    "last_state",
    "moves",
    "read_back",
    "record",
    "snapshots",
    "streams",
    "surveyed",
]

SMALL = Triggers(chunk_ticks=5, segment_busy_ticks=10)


def record(
    folder: Path, ticks: Iterable[Sequence[Event | Move]], facts: Facts | None = None, finish: bool = True
) -> Path:
    """A recording of these ticks, in small chunks and segments."""
    recorder = Recorder(str(folder), facts, SMALL)
    for events in ticks:
        recorder.tick(events)
    recorder.finish() if finish else recorder.leave()
    return folder


def busy(ticks: Iterable[Sequence[Event]]) -> dict[int, tuple[Event, ...]]:
    """The ticks that have events, by number."""
    return {number: tuple(events) for number, events in enumerate(ticks) if events}


def read_back(path: Path) -> dict[int, tuple[Event, ...]]:
    """The ticks with events of a sound recording."""
    with closing(open_reader(str(path))) as reader:
        assert reader.faults == ()
        return _ticks(reader)


def _ticks(reader: Reader) -> dict[int, tuple[Event, ...]]:
    found = {}
    for number in range(len(reader.parts)):
        chunk, _ = reader.fresh_chunk(number)
        assert chunk.fault is None
        found |= {tick.number: tick.events for tick in chunk.ticks if tick.events}
    return found


def surveyed(path: Path) -> tuple[Survey, dict[int, tuple[Event, ...]]]:
    """What is found of a recording that is not sound, and its ticks with events."""
    with closing(open_source(str(path))) as source:
        found = survey(source)
        reader = Reader(source, (found.preamble, found.parts))
        ticks = {}
        for number in range(len(reader.parts)):
            chunk, _ = reader.fresh_chunk(number)
            ticks |= {tick.number: tick.events for tick in chunk.ticks if tick.events}
        return found, ticks


def snapshots(path: Path) -> list[tuple[FrozenScene, FrozenScene]]:
    """For each chunk but the first the state that was played up to it, and that of its snapshot."""
    found, scene = [], Scene()
    with closing(open_reader(str(path))) as reader:
        for number in range(len(reader.parts)):
            chunk, _ = reader.fresh_chunk(number)
            begun = Scene()
            for event in chunk.snapshot or ():
                begun.apply(event)
            if number:
                found.append((scene.freeze(), begun.freeze()))
            else:
                scene = Scene(begun.freeze())
            for tick in chunk.ticks:
                for event in tick.events:
                    scene.apply(event)
    return found


def last_state(path: Path) -> FrozenScene:
    """The state at the end, played from the last snapshot."""
    with closing(open_reader(str(path))) as reader:
        chunk, _ = reader.fresh_chunk(len(reader.parts) - 1)
    scene = Scene()
    for events in (chunk.snapshot or (), *(tick.events for tick in chunk.ticks)):
        for event in events:
            scene.apply(event)
    return scene.freeze()


_entities = st.integers(0, 3)
_coordinates = st.floats(-3e4, 3e4, width=32)
_degrees = st.floats(-720, 720, width=32)
_places = st.builds(Pos, _coordinates, _coordinates, _coordinates, _degrees, _degrees)
_speeds = st.builds(Vector, *[st.floats(-50, 50, width=32)] * 3)
_times = st.integers(-(1 << 63), (1 << 63) - 1)

moves = st.builds(Move, _entities, _places, _speeds)

_events = st.one_of(
    st.builds(AbsoluteMove, _entities, _places, _speeds),
    st.builds(EntityState, _entities, st.sampled_from(Pose), st.integers(0, 255)),
    st.builds(HandAnimation, _entities, st.sampled_from(Hand)),
    st.builds(ItemUse, _entities, st.sampled_from([None, *Hand])),
    st.builds(SetItem, _entities, st.dictionaries(st.integers(0, 45), st.sampled_from([item("air"), item("dirt", 3)]))),
    st.builds(ChangeHeldSlot, _entities, st.integers(0, 8)),
    st.builds(SetBlock, st.builds(BlockPosition, *[st.integers(-2048, 2047)] * 3), st.integers(0, 30_000)),
    st.builds(SpawnEntity, _entities, st.integers(0, 200), _places),
    st.builds(DestroyEntity, _entities),
    st.builds(RunStart),
    st.builds(CheckpointReached, st.text(st.characters(exclude_categories=["Cs"]), max_size=8), _times),
    st.builds(RunEnd, st.sampled_from(End), _times),
    st.builds(ClearGhostBlocks),
)

streams = st.lists(st.one_of(st.just([]), st.lists(st.one_of(_events, moves), max_size=4)), min_size=1, max_size=40)
"""Ticks of events and of exact moves, many of them empty."""
