"""Whatever the bytes are: an answer or a named error, in bounded time and memory, and what is read is true."""

import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
import zstandard

from nhlog.errors import Damaged, NhlogError
from nhlog.formats import open_recording
from nhlog.formats.hollowcube.operations import dump, info, verify
from nhlog.formats.hollowcube.reading.history import MAX_SKIMMED, History
from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.formats.hollowcube.state import RecordingState
from nhlog.formats.hollowcube.wire.chunks import MAX_RAW, decode_chunk, frame_tick, read_snapshot, write_tick
from nhlog.formats.hollowcube.wire.enums import Hand
from nhlog.formats.hollowcube.wire.events import (
    AbsoluteMove,
    ChangeHeldSlot,
    ClearGhostBlocks,
    HandAnimation,
    RunStart,
    SetItem,
    write_event,
)
from nhlog.formats.hollowcube.wire.frames import unpack
from nhlog.formats.hollowcube.wire.header import HEADER_SIZE, Layout, build_header, parse_header
from nhlog.formats.hollowcube.wire.index import Entry, write_entry
from nhlog.formats.hollowcube.wire.nbt import write_nbt
from nhlog.formats.hollowcube.wire.primitives import write_var_int
from nhlog.formats.hollowcube.wire.skim import Skimmed, is_telling, skim
from tests.changed import flipped, replaced
from tests.effort import within
from tests.formats.hollowcube.made import EVERY_KIND, NONE, Made, Raw, item, run, walk
from tests.formats.hollowcube.truth import corpus_files

LAYOUTS = pytest.mark.parametrize("layout", list(Layout), ids=["text", "game"])


def all_states(path: Path) -> list[RecordingState]:
    replay = open_recording(str(path))
    found = []
    for step in range(min(replay.timeline.last + 1, 100)):
        replay.seek(step)
        found.append(replay.state)
    list(replay.events(0, min(replay.timeline.last, 100)))
    replay.close()
    return found


@LAYOUTS
def test_every_beginning_of_a_recording_shows_what_is_in_it(layout: Layout, tmp_path: Path) -> None:
    data = Made(EVERY_KIND, layout).data()
    path = tmp_path / "cut.replay"
    path.write_bytes(data)
    whole = all_states(path)
    opened = 0
    sizes = range(len(data))
    for size in sizes:
        path.write_bytes(data[:size])
        try:
            states = all_states(path)
        except NhlogError as error:
            assert size < HEADER_SIZE
            assert error.file == str(path)  # noqa: PT017
            continue
        opened += 1
        assert info(str(path)).health != "sound"
        for state, expected in zip(states, whole, strict=False):
            assert state.fault or replace(state, run=None) == replace(expected, run=None)
    assert opened == len(data) - HEADER_SIZE


@LAYOUTS
def test_no_byte_of_a_recording_of_ours_can_change_without_being_noticed(layout: Layout, tmp_path: Path) -> None:
    """In the header, the metadata and the index, what changes may be what is said; in a chunk it is a fault."""
    made = Made(EVERY_KIND, layout)
    data = made.data()
    chunks = len(data) - sum(len(made.pack(chunk.raw)) for chunk in made.chunks())
    path = tmp_path / "changed.replay"
    path.write_bytes(data)
    whole, unnoticed = all_states(path), 0
    for offset in range(len(data)):
        path.write_bytes(flipped(data, offset, 1 << offset % 8))
        try:
            states = all_states(path)
            *_, report = verify(str(path))
            records = list(dump(str(path)))
        except NhlogError:
            assert offset < 25  # it is no recording any more, or of another version
            continue
        if offset >= chunks:
            unnoticed += report["sound"]
            assert report["sound"] != any(record["type"] == "error" for record in records)
            for state, expected in zip(states, whole, strict=True):
                assert state == expected or (state.fault and not report["sound"])
    assert unnoticed <= len(list(made.chunks()))  # zstd has a bit in each frame that means nothing


def test_a_flipped_bit_without_a_checksum_is_told_of_as_a_risk(tmp_path: Path) -> None:
    path = tmp_path / "a.replay"
    path.write_bytes(Made(EVERY_KIND, checksum=False).data())
    *findings, report = verify(str(path))
    assert report["sound"]
    assert [finding["what"] for finding in findings] == [
        "chunks without a checksum: a flipped bit in them is not noticed"
    ]


# hostile counts and lengths


def hostile(path: Path, *entries: Entry, chunks: bytes = b"", **header: int) -> str:
    """A recording with this index, whatever it says."""
    index = b"".join(map(write_entry, entries))
    metadata = write_nbt(NONE)
    told = {
        "metadata_length": len(metadata),
        "index_length": len(index),
        "tick_count": entries[-1].end if entries else 0,
        "chunk_count": len(entries),
    }
    data = build_header(replace(Made(()).header, **{**told, **header})) + metadata + index
    path.write_bytes(data + chunks)
    return str(path)


def entry(path: Path, **changes: int) -> Entry:
    return Entry(0, 10, 0, HEADER_SIZE + 100, 50, 100)._replace(**changes)


MANY = (1 << 31) - 1


@pytest.mark.parametrize(
    "changes",
    [
        {"ticks": MANY},
        {"length": MANY},
        {"length": 3},
        {"raw_length": MANY},
        {"offset": (1 << 63) - 1},
        {"start": MANY - 10},
    ],
    ids=str,
)
@pytest.mark.parametrize("said", [{}, {"chunk_count": MANY}, {"index_length": MANY}, {"metadata_length": MANY}])
def test_no_number_of_the_preamble_costs_time_or_memory(tmp_path: Path, changes: dict, said: dict) -> None:
    path = hostile(tmp_path / "hostile.replay", entry(tmp_path, **changes), chunks=bytes(400), **said)
    tracemalloc.start()
    with within(70):
        replay = open_recording(path)
        for step in (0, 5, replay.timeline.last):
            replay.seek(step)
            assert replay.state.fault
        replay.close()
        info(path)
        assert any(record["type"] == "error" for record in dump(path))
        *_, report = verify(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert not report["sound"]
    assert peak < 32 << 20


@LAYOUTS
def test_a_bomb_is_not_unpacked(layout: Layout, tmp_path: Path) -> None:
    bomb = zstandard.ZstdCompressor(level=1).compress(bytes(300 << 20))
    for length in (100, MAX_RAW, MANY):
        tracemalloc.start()
        try:
            raw, fault = unpack(bomb, length)
        except Damaged as error:
            raw, fault = b"", error
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert fault is not None
        assert len(raw) <= min(length, MAX_RAW)
        assert peak < 4 * MAX_RAW


@LAYOUTS
def test_an_event_count_is_not_believed(layout: Layout) -> None:
    for body in (b"", b"\x0a", b"\x05\0" + write_var_int(MANY), b"\x0b" + write_var_int(MANY)):
        with within(15):
            chunk = decode_chunk(b"\0\xff\xff" + body, layout, 0, 1, False)
        assert (chunk.ticks, chunk.known) == ((), 0)
        assert chunk.fault is not None


def test_a_snapshots_length_is_not_believed() -> None:
    for raw in (write_var_int(MANY), write_var_int(-1), write_var_int(3) + b"\x0a", b"\x01\x0d\0\0"):
        with pytest.raises(Damaged):
            read_snapshot(raw)
        assert decode_chunk(raw, Layout.TEXT, 0, 5, True).fault is not None


def test_ticks_of_the_text_are_in_order_and_inside() -> None:
    tick = write_tick(3, (RunStart(),))
    for raw in (tick + tick, tick + write_tick(2, ()), write_tick(10, ()), write_tick(-1, ())):
        chunk = decode_chunk(raw, Layout.TEXT, 100, 10, False)
        assert chunk.fault is not None
        assert chunk.known == (104 if raw.startswith(tick) else 100)


def test_the_games_ticks_are_counted_whatever_number_they_have() -> None:
    raw = b"".join(write_tick(number, ()) for number in (7, -1, 1 << 30))
    chunk = decode_chunk(raw, Layout.GAME, 100, 3, True)
    assert [tick.number for tick in chunk.ticks] == [100, 101, 102]
    assert chunk.fault is None
    assert decode_chunk(raw, Layout.GAME, 100, 4, True).known == 103
    assert "behind" in str(decode_chunk(raw, Layout.GAME, 100, 2, True).fault)


# what is skimmed


def decoded(raw: bytes, layout: Layout, start: int, ticks: int, snapshot: bool) -> Skimmed:
    """What skimming has to find, by decoding."""
    chunk = decode_chunk(raw, layout, start, ticks, snapshot)
    events = tuple((tick.number, event) for tick in chunk.ticks for event in tick.events if is_telling(event))
    first = chunk.ticks[0].events if chunk.ticks else ()
    placed = any(type(event) is AbsoluteMove and event.entity == 0 for event in first)
    is_anchor = snapshot and (placed if layout is Layout.GAME else chunk.snapshot is not None)
    return Skimmed(events, is_anchor, is_still=chunk.fault is None and not any(tick.events for tick in chunk.ticks))


def assert_skimmed(raw: bytes, layout: Layout, start: int, ticks: int, snapshot: bool) -> None:
    found, expected = (each(raw, layout, start, ticks, snapshot) for each in (skim, decoded))
    assert (found.events, found.is_anchor) == (expected.events, expected.is_anchor)
    assert expected.is_still or not found.is_still


@LAYOUTS
@pytest.mark.parametrize("snapshots", [True, False])
def test_skimming_a_chunk_finds_what_decoding_it_finds_wherever_it_is_damaged(layout: Layout, snapshots: bool) -> None:
    long = item("x" * 300)
    more = [
        (SetItem(0, {1: long, 2: item("a")}), RunStart()),
        [HandAnimation(0, Hand.OFF)] * 20,
        (ChangeHeldSlot(1, 2),),
    ]
    for chunk in Made([*EVERY_KIND, *more], layout, size=8, snapshots=snapshots).chunks():
        arguments = chunk.start, chunk.ticks, bool(chunk.flags)
        assert_skimmed(chunk.raw, layout, *arguments)
        assert_skimmed(chunk.raw + b"\0", layout, *arguments)
        assert_skimmed(chunk.raw, layout, chunk.start, chunk.ticks - 1, bool(chunk.flags))
        for at in range(len(chunk.raw)):
            assert_skimmed(chunk.raw[:at], layout, *arguments)
            for byte in {0, 0x0E, 0x7F, 0x80, 0xFF, chunk.raw[at] ^ 1, chunk.raw[at] ^ 4}:
                assert_skimmed(replaced(chunk.raw, at, byte), layout, *arguments)


def test_a_chunk_in_which_nothing_happens_is_still() -> None:
    raw = b"".join(write_tick(number, ()) for number in range(300, 400))
    assert skim(raw, Layout.GAME, 300, 100, True) == Skimmed((), is_anchor=False, is_still=True)
    assert not skim(raw, Layout.GAME, 300, 101, True).is_still
    assert not skim(raw, Layout.GAME, 300, 99, True).is_still
    assert skim(b"", Layout.TEXT, 300, 100, False).is_still


def test_a_zero_may_be_written_in_many_bytes() -> None:
    held = b"\x06\x80\x80\x00\x03"
    assert skim(b"\0\0\1" + held, Layout.GAME, 0, 1, True).events == ((0, ChangeHeldSlot(0, 3)),)


@pytest.mark.parametrize("path", corpus_files(), ids=lambda path: path.name)
def test_skimming_finds_what_decoding_finds(path: Path) -> None:
    reader = open_reader(str(path))
    history = History(reader)
    history.extend()
    expected = [
        (tick.number, event)
        for number in range(len(reader.parts))
        for tick in reader.chunk(number).ticks
        for event in tick.events
        if type(event).__name__ in ("RunStart", "RunEnd", "CheckpointReached", "CheckpointReset")
    ]
    assert history.run_events == expected
    reader.close()


def test_a_long_chunk_is_skimmed_quickly() -> None:
    ticks = [events if number % 10 else (*events, ChangeHeldSlot(0, 1)) for number, events in enumerate(walk(20_000))]
    raw = b"".join(write_tick(number, events) for number, events in enumerate(ticks))
    with within(40):
        assert len(skim(raw, Layout.GAME, 0, 20_000, True).events) == 2000
        assert len(skim(raw, Layout.TEXT, 0, 20_000, False).events) == 2000


# what is known of runs


@LAYOUTS
@pytest.mark.parametrize("table", [True, False])
def test_a_run_is_known_with_and_without_a_table(layout: Layout, table: bool, tmp_path: Path) -> None:
    path = tmp_path / "run.replay"
    path.write_bytes(Made(run(50, {10: "a", 20: "b"}), layout, table=table).data())
    replay = open_recording(str(path))
    markers = [(marker.step, marker.kind, marker.name) for marker in replay.timeline.markers]
    assert markers == [(0, "run", "run 1"), (10, "checkpoint", "a"), (20, "checkpoint", "b"), (49, "end", "finish")]
    replay.seek(15)
    assert [(split.tick, split.checkpoint, split.run_time) for split in replay.state.run.splits] == [(10, "a", 500)]
    replay.seek(49)
    assert (replay.state.run.ended, replay.state.run.run_time) == (49, 2450)
    replay.close()


def test_a_table_that_someone_else_outgrew_is_not_believed(tmp_path: Path) -> None:
    class Stale(Made):
        def own_metadata(self):
            return Made(self.ticks[:15]).own_metadata()

    path = tmp_path / "stale.replay"
    path.write_bytes(Stale(run(50, {10: "a", 20: "b"})).data())
    replay = open_recording(str(path))
    assert [marker.name for marker in replay.timeline.markers] == ["run 1", "a", "b", "finish"]
    replay.close()


def test_what_would_cost_too_much_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nhlog.formats.hollowcube.reading.history.MAX_SKIMMED", 100)
    assert MAX_SKIMMED > 100
    path = tmp_path / "run.replay"
    path.write_bytes(Made(run(50, {10: "a"}), Layout.GAME, table=False).data())
    replay = open_recording(str(path))
    assert list(replay.timeline.markers) == []
    replay.seek(49)
    assert replay.state.run is None
    assert replay.state.player.position.x == 12.25
    replay.close()


def test_more_moments_than_anybody_looks_at_are_not_gathered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nhlog.formats.hollowcube.reading.history.MAX_RUN_EVENTS", 5)
    monkeypatch.setattr("nhlog.formats.hollowcube.wire.extension.MAX_RUN_EVENTS", 5)
    for table in (True, False):
        path = tmp_path / f"{table}.replay"
        path.write_bytes(Made(run(50, dict.fromkeys(range(1, 49), "a")), table=table).data())
        replay = open_recording(str(path))
        assert list(replay.timeline.markers) == []
        replay.seek(30)
        assert (replay.state.run, replay.state.player.position.x) == (None, 7.5)
        replay.close()


@LAYOUTS
def test_a_dictionary_in_the_metadata_is_used(layout: Layout, tmp_path: Path) -> None:
    from nhlog.formats.hollowcube.wire.extension import Extension, with_extension

    ticks = run(200, {10: "a", 20: "b"})
    samples = [chunk.raw for chunk in Made(ticks, layout).chunks()]
    dictionary = zstandard.ZstdCompressionDict(b"".join(samples)[-2000:])

    class WithDictionary(Made):
        def pack(self, raw: bytes) -> bytes:
            return zstandard.ZstdCompressor(write_checksum=True, dict_data=dictionary).compress(raw)

        def own_metadata(self):
            return with_extension(NONE, Extension(dictionary=dictionary.as_bytes()))

    made = WithDictionary(ticks, layout)
    path = tmp_path / "small.replay"
    path.write_bytes(made.data())
    plain = tmp_path / "plain.replay"
    plain.write_bytes(Made(ticks, layout).data())
    assert [state.entities for state in all_states(path)] == [state.entities for state in all_states(plain)]
    assert parse_header(path.read_bytes()).tick_count == 200


def test_an_empty_chunk_of_the_text_has_ticks_without_events(tmp_path: Path) -> None:
    path = tmp_path / "empty.replay"
    path.write_bytes(Made([()] * 7, snapshots=False).data([Raw(0, 7, b"")]))
    assert [state.fault for state in all_states(path)] == [""] * 7
    assert next(verify(str(path)))["sound"]


def test_many_events_in_a_tick_are_all_there() -> None:
    body = write_event(ClearGhostBlocks()) * 40_000
    text = decode_chunk(frame_tick(0, 0x7FFF, body[:0x7FFF]), Layout.TEXT, 0, 1, False)
    assert (len(text.ticks[0].events), text.fault) == (0x7FFF, None)
    raw = b"\0" + (40_000).to_bytes(2, "big") + body
    assert len(decode_chunk(raw, Layout.TEXT, 0, 1, False).ticks[0].events) == 40_000
    assert decode_chunk(raw, Layout.GAME, 0, 1, True).fault is not None
