"""Ticks to chunks: what is written reads back as the same, and rounding never adds up."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given

from nhlog.errors import Usage
from nhlog.formats.hollowcube.recording import Facts, Move
from nhlog.formats.hollowcube.recording.feed import event_from_record
from nhlog.formats.hollowcube.state import NOTHING, FrozenScene, Scene
from nhlog.formats.hollowcube.wire.chunks import MAX_EVENTS, ChunkBuilder, decode_chunk
from nhlog.formats.hollowcube.wire.events import (
    PLAYER,
    AbsoluteMove,
    DeltaMove,
    Event,
    RunStart,
    SetBlock,
    record_of,
    write_event,
)
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.nbt import Kind, NbtList, Tag, from_plain
from nhlog.formats.hollowcube.wire.primitives import BlockPosition, Pos, Vector
from nhlog.formats.hollowcube.writing.chunker import Chunker
from nhlog.formats.hollowcube.writing.moves import rounded, settled
from tests.corpus import packed_records
from tests.doses import dose, seeded
from tests.formats.hollowcube.made import EVERY_KIND, STILL
from tests.formats.hollowcube.written import read_back, record, snapshots, streams

HALF_A_STEP = 1 / 8192  # of a block: what a difference of 1/4096 is off at most
CHECKPOINTS = ("all-events", "edges", "run-60s", "metadata-resume", "race-a")


@pytest.mark.parametrize("layout", Layout)
@given(ticks=streams)
def test_any_ticks_read_back_as_they_were_written(layout: Layout, ticks: list[list[Event | Move]]) -> None:
    expected = written(ticks)
    with tempfile.TemporaryDirectory() as folder:
        path = record(Path(folder) / "made", ticks, Facts(layout=layout))
        found = read_back(path)
        states = snapshots(path)
    if layout is Layout.GAME:  # whose snapshots are events of a chunk's first tick
        found = {number: events[-len(expected.get(number, ())) :] for number, events in found.items()}
        found = {number: found[number] for number in expected}
    else:
        assert all(played == begun for played, begun in states)
    assert found == expected


def written(ticks: list[list[Event | Move]]) -> dict[int, tuple[Event, ...]]:
    """What a chunker says that it writes, in one chunk for all."""
    chunker = Chunker(Layout.TEXT, chunk_ticks=len(ticks) + 1)
    made = {number: chunker.tick(events)[0] for number, events in enumerate(ticks)}
    return {number: events for number, events in made.items() if events}


@given(ticks=streams)
def test_a_moved_entity_is_where_it_was_said_to_be(ticks: list[list[Event | Move]]) -> None:
    chunker, scene = Chunker(Layout.TEXT), Scene()
    for events in ticks:
        for event in events:
            made, _ = chunker.tick([event])
            for one in made:
                scene.apply(one)
            if isinstance(event, Move) and (entity := scene.entity(event.entity)) is not None:
                away = [abs(a - b) for a, b in zip(entity.position[:3], event.position[:3], strict=True)]
                assert max(away) <= HALF_A_STEP * 1.0001


def test_small_steps_do_not_drift() -> None:
    chunker, scene, chance = Chunker(Layout.TEXT), Scene(), seeded(5)
    x = 0.1
    for _ in range(dose("hollowcube.steps")):
        x += chance.uniform(0.0, 0.0003)
        for event in chunker.tick([Move(PLAYER, Pos(x, 64.0, 0.0, 0.0, 0.0))])[0]:
            scene.apply(event)
        assert abs(scene.entity(PLAYER).position.x - x) <= HALF_A_STEP * 1.0001


def test_moves_are_rounded_as_the_game_rounds_them() -> None:
    """1199 exact positions, and what the shipped recorder made of each (corpus)."""
    records = packed_records("hollowcube", "run-60s.truth.jsonl.gz")
    exact = {record["tick"]: record for record in records if record["type"] == "exact"}
    starts = {record["start_tick"] for record in records if record["type"] == "chunk"}
    ticks = {record["tick"]: record["events"] for record in records if record["type"] == "tick"}
    here, velocity, compared = None, STILL, 0
    for tick, at in exact.items():
        if tick in starts:
            here = None  # the game begins anew with each chunk
        move = Move(PLAYER, Pos(*at["pos"]), Vector(*at["vel"]))
        event = rounded(move, here, velocity)
        made = [] if event is None else [settled(event)[0]]
        recorded = [
            event_from_record(one) for one in ticks[tick] if one["e"].endswith("Move") and one["entityId"] == PLAYER
        ]
        assert made == recorded, tick
        compared += 1
        for one in made:
            if isinstance(one, AbsoluteMove):
                here, velocity = one.position, one.velocity
            else:
                here = Pos(*(a + b for a, b in zip(here[:3], one.delta[:3], strict=True)), *one.delta[3:])
                velocity = one.velocity
    assert compared == 1199


def test_a_move_that_nobody_would_see_is_not_written() -> None:
    here = Pos(1.0, 2.0, 3.0, 45.0, 0.0)
    assert rounded(Move(0, here), here, STILL) is None
    assert rounded(Move(0, here._replace(x=1.0001)), here, STILL) is None
    assert isinstance(rounded(Move(0, here._replace(x=1.001)), here, STILL), DeltaMove)
    assert isinstance(rounded(Move(0, here, Vector(0.0, 0.5, 0.0)), here, STILL), DeltaMove)
    assert isinstance(rounded(Move(0, here), None, STILL), AbsoluteMove)


def test_the_texts_layout_leaves_out_empty_ticks_and_the_games_does_not() -> None:
    for layout, size in ((Layout.TEXT, 3 + 1), (Layout.GAME, 10 * 3 + 1)):
        builder = ChunkBuilder(layout, 100)
        builder.add(107, 1, write_event(RunStart()))
        raw = builder.until(110)
        assert len(raw) == size
        chunk = decode_chunk(raw, layout, 100, 10, False)
        assert [tick.number for tick in chunk.ticks if tick.events] == [107]


def test_a_chunk_that_says_its_end_has_a_record_for_its_last_tick() -> None:
    builder = ChunkBuilder(Layout.TEXT, 0)
    assert builder.until(10) == b""
    assert builder.until(10, say_end=True) == b"\x09\0\0"


@pytest.mark.parametrize("layout", Layout)
def test_a_tick_that_cannot_be_written_changes_nothing(layout: Layout) -> None:
    chunker = Chunker(layout)
    chunker.tick([Move(PLAYER, Pos(1.0, 2.0, 3.0, 0.0, 0.0))])
    outside = SetBlock(BlockPosition(1 << 30, 0, 0), 1)
    for events in ([Move(PLAYER, Pos(9.0, 9.0, 9.0, 0.0, 0.0)), outside], [RunStart()] * (MAX_EVENTS + 1)):
        with pytest.raises(Usage):
            chunker.tick(events)
    assert chunker.ticks == 1
    assert chunker.tick([Move(PLAYER, Pos(1.0, 2.0, 3.0, 0.0, 0.0))])[0] == ()
    chunk = chunker.close()
    assert chunk.ticks == 2
    assert decode_chunk(chunk.raw, layout, 0, 2, layout is Layout.TEXT).fault is None


def test_a_tick_may_have_as_many_events_as_the_game_can_read() -> None:
    for layout in Layout:
        chunker = Chunker(layout)
        chunker.tick([SetBlock(BlockPosition(x, 0, 0), 1) for x in range(MAX_EVENTS)])
        chunker.close()
        chunker.tick([RunStart()])
        chunk = chunker.close()
        found = decode_chunk(chunk.raw, layout, 1, 1, bool(chunk.flags))
        assert found.fault is None
        assert found.ticks[0].events[-1] == RunStart()
        # so many blocks do not fit into a tick of the game's together with an event: no snapshot then
        assert bool(chunk.flags) == (layout is Layout.TEXT)


def test_a_snapshot_that_is_too_large_for_a_chunk_is_left_out() -> None:
    blocks = {BlockPosition(x, y, 0): 1 for x in range(1000) for y in range(500)}
    chunker = Chunker(Layout.TEXT, scene=FrozenScene(NOTHING.entities, blocks))
    chunker.tick([RunStart()])
    chunk = chunker.close()
    assert chunk.flags == 0
    assert decode_chunk(chunk.raw, Layout.TEXT, 0, 1, False).ticks[0].events == (RunStart(),)


@pytest.mark.parametrize("name", CHECKPOINTS)
def test_events_come_back_from_their_records(name: str) -> None:
    records = packed_records("hollowcube", f"{name}.truth.jsonl.gz")
    events = [event for record in records if record["type"] == "tick" for event in record["events"]]
    assert events
    for event in events:
        again = record_of(event_from_record(event))
        assert {key: list(value) if isinstance(value, tuple) else value for key, value in again.items()} == event


def test_every_kind_of_event_comes_back_from_its_record() -> None:
    for events in EVERY_KIND:
        assert [event_from_record(record_of(event)) for event in events] == list(events)


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"e": "Nonsense"},
        {"e": "DeltaMove", "entityId": 0},
        {"e": "AbsoluteMove", "entityId": 0, "position": [1, 2, 3, 4], "velocity": [0, 0, 0]},
        {"e": "AbsoluteMove", "entityId": 0, "position": [1, 2, float("nan"), 4, 5], "velocity": [0, 0, 0]},
        {"e": "ChangeHeldSlot", "entityId": 1 << 31, "slot": 0},
        {"e": "ChangeHeldSlot", "entityId": True, "slot": 0},
        {"e": "EntityState", "entityId": 0, "pose": "FLYING"},
        {"e": "CheckpointReached", "checkpointId": 7, "runTime": 0},
        {"e": "SetItem", "entityId": 0, "items": {"x": {}}},
        {"e": "SetItem", "entityId": 0, "items": {"1": {"id": None}}},
        {"e": "SetBlock", "position": [0, 0], "block": 1},
        "RunStart",
        7,
    ],
    ids=str,
)
def test_a_record_of_no_event_is_refused(record: object) -> None:
    with pytest.raises(Usage):
        event_from_record(record)


def test_plain_json_becomes_what_it_most_likely_means() -> None:
    assert from_plain(True) == Tag(Kind.BYTE, 1)
    assert from_plain(1 << 40) == Tag(Kind.LONG, 1 << 40)
    assert from_plain([1, 2.5]) == Tag(Kind.LIST, NbtList(Kind.DOUBLE, (Tag(Kind.DOUBLE, 1.0), Tag(Kind.DOUBLE, 2.5))))
    assert from_plain([]) == Tag(Kind.LIST, NbtList(Kind.END, ()))
    deep: object = 1
    for _ in range(300):
        deep = [deep]
    for value in (None, [1, "a"], deep, 1 << 70):
        with pytest.raises(Usage):
            from_plain(value)
