"""Conversion: every event stays as it is, in the other layout, in a part, and on the way back."""

from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import pytest

from nhlog.errors import NhlogError, Usage
from nhlog.formats.hollowcube.operations import ConvertOptions, compact, convert, open_replay
from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.formats.hollowcube.recording import Facts
from nhlog.formats.hollowcube.wire.frames import unpack
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.index import SNAPSHOT
from nhlog.formats.hollowcube.wire.nbt import to_json
from nhlog.formats.hollowcube.writing.convert import INLINE
from tests.changed import flipped
from tests.corpus import corpus, packed_records
from tests.formats.hollowcube.made import EVERY_KIND, Made, run, walk
from tests.formats.hollowcube.written import busy, last_state, read_back, record, snapshots

CORPUS = (
    "all-events",
    "edges",
    "metadata-resume",
    "no-snapshot",
    "one-empty-tick",
    "race-a",
    "race-b",
    "run-60s",
    "sparse-1000",
    "unfinished",
    "walk-251",
)
WORLD_FACTS = ("world_id", "world_version", "timestamp", "tick_count", "chunk_count", "metadata_length")
WHOLE = run(40, {7: "one", 23: "two"})


def raw_chunks(path: Path) -> list[tuple[int, int, int, bytes]]:
    """Every chunk as it is unpacked, with its ticks and flags."""
    with closing(open_reader(str(path))) as reader:
        assert reader.faults == ()
        return [
            (entry.start, entry.ticks, entry.flags, reader.raw(number)[0])
            for number, (entry, _, _) in enumerate(reader.parts)
        ]


def facts(path: Path) -> tuple[dict[str, object], object]:
    """What the header says of the recording itself, and the metadata."""
    with closing(open_reader(str(path))) as reader:
        header = asdict(reader.preamble.header)
        return {name: header[name] for name in (*WORLD_FACTS, "data_version")}, to_json(reader.preamble.metadata)


@pytest.mark.parametrize("name", CORPUS)
def test_the_games_layout_read_back_is_the_source_byte_for_byte(name: str, tmp_path: Path) -> None:
    source = corpus("hollowcube", f"{name}.replay")
    there, back = tmp_path / "there.replay", tmp_path / "back.replay"
    same = tmp_path / "same.replay"
    convert(str(source), str(same), ConvertOptions(layout=4))
    assert raw_chunks(same) == raw_chunks(source)
    assert facts(same) == facts(source)
    convert(str(source), str(there), ConvertOptions(layout=1))
    convert(str(there), str(back), ConvertOptions(layout=4))
    assert raw_chunks(back) == raw_chunks(source)
    assert facts(back) == facts(source)
    assert read_back(there) == read_back(source)


@pytest.mark.parametrize("name", ["all-events", "metadata-resume", "run-60s", "sparse-1000", "walk-251"])
def test_the_texts_layout_of_the_corpus_becomes_the_games(name: str, tmp_path: Path) -> None:
    convert(
        str(corpus("hollowcube", "text", f"{name}.replay")), str(tmp_path / "made.replay"), ConvertOptions(layout=4)
    )
    assert read_back(tmp_path / "made.replay") == read_back(corpus("hollowcube", f"{name}.replay"))
    ticks = [told for told in packed_records("hollowcube", f"{name}.truth.jsonl.gz") if told["type"] == "tick"]
    with closing(open_reader(str(tmp_path / "made.replay"))) as reader:
        made = [tick for number in range(len(reader.parts)) for tick in reader.fresh_chunk(number)[0].ticks]
    assert [(tick.number, tick.field, len(tick.events)) for tick in made] == [
        (told["tick"], told["tick_field"], told["count"]) for told in ticks
    ]


def test_segments_of_the_corpus_become_one_file(tmp_path: Path) -> None:
    for name in CORPUS:
        convert(
            str(corpus("hollowcube", "seg", name)), str(tmp_path / "made.replay"), ConvertOptions(layout=4), force=True
        )
        assert raw_chunks(tmp_path / "made.replay") == raw_chunks(corpus("hollowcube", f"{name}.replay"))


def test_a_snapshot_of_the_texts_layout_becomes_events_for_the_game(tmp_path: Path) -> None:
    source, target = tmp_path / "source.replay", tmp_path / "target.replay"
    source.write_bytes(Made(EVERY_KIND).data())
    convert(str(source), str(target), ConvertOptions(layout=4))
    made = Made(EVERY_KIND, Layout.GAME)
    assert {n: events[-len(made.ticks[n]) :] for n, events in read_back(target).items() if made.ticks[n]} == busy(
        EVERY_KIND
    )
    assert all(flags == SNAPSHOT for _, _, flags, _ in raw_chunks(target))
    assert last_state(target) == last_state(source)


def test_a_snapshot_among_the_events_is_marked(tmp_path: Path) -> None:
    source, target = tmp_path / "source.replay", tmp_path / "target.replay"
    source.write_bytes(Made(WHOLE, Layout.GAME).data())
    convert(str(source), str(target), ConvertOptions(layout=1))
    assert {flags for _, _, flags, _ in raw_chunks(target)} == {SNAPSHOT | INLINE}
    assert all(played == begun for played, begun in snapshots(target))


@pytest.mark.parametrize("version", [b"", b"\x07" * 5, bytes(range(32))])
def test_a_world_version_of_any_length_comes_back(version: bytes, tmp_path: Path) -> None:
    folder = record(tmp_path / "made", walk(7), Facts(world_version=version, data_version=4900, layout=Layout.GAME))
    there, back = tmp_path / "there.replay", tmp_path / "back.replay"
    convert(str(folder), str(there), ConvertOptions(layout=1))
    convert(str(there), str(back), ConvertOptions(layout=4))
    assert facts(back)[0]["world_version"] == version
    assert facts(back)[0]["data_version"] == 4900


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("source", Layout)
@pytest.mark.parametrize(("first", "last"), [(0, 12), (3, 5), (5, 9), (6, 12), (12, 12)])
def test_a_part_begins_with_the_state_that_was_there(
    source: Layout, layout: Layout, first: int, last: int, tmp_path: Path
) -> None:
    whole, part = tmp_path / "whole.replay", tmp_path / "part.replay"
    whole.write_bytes(Made(EVERY_KIND, source).data())
    told = convert(str(whole), str(part), ConvertOptions(layout=layout, first=first, last=last))
    assert told["ticks"] == last - first + 1
    made = read_back(part)
    for number, events in enumerate(EVERY_KIND[first : last + 1]):
        if events:
            assert made[number][-len(events) :] == tuple(events)
    before, after = open_replay(str(whole)), open_replay(str(part))
    assert after.timeline.start - before.timeline.start == first * 50_000
    for step in range(last - first + 1):
        before.seek(first + step)
        after.seek(step)
        assert after.state.entities == before.state.entities
        assert after.state.blocks == before.state.blocks


def test_a_part_can_be_named_by_positions(tmp_path: Path) -> None:
    source, target = tmp_path / "source.replay", tmp_path / "target.replay"
    source.write_bytes(Made(WHOLE).data())
    assert convert(str(source), str(target), ConvertOptions(first="0:01", last="tick:29"))["ticks"] == 10
    assert read_back(target)[3] == tuple(WHOLE[23])
    with closing(open_reader(str(target))) as reader:
        assert [tick.number for tick in reader.preamble.extension.run_events] == [3]


@pytest.mark.parametrize(("first", "last"), [(40, None), (-1, None), (9, 8)])
def test_a_part_that_is_not_there_is_refused(first: int, last: int | None, tmp_path: Path) -> None:
    (tmp_path / "x.replay").write_bytes(Made(WHOLE).data())
    with pytest.raises(Usage):
        convert(str(tmp_path / "x.replay"), str(tmp_path / "y.replay"), ConvertOptions(first=first, last=last))


def test_a_version_of_the_game_in_the_midst_of_a_recording_is_kept_with_its_tick(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    for version in (4900, 4901):
        record(folder, walk(10), Facts(data_version=version), finish=False)
    convert(str(folder), str(tmp_path / "part.replay"), ConvertOptions(first=5))
    with closing(open_reader(str(tmp_path / "part.replay"))) as reader:
        assert reader.preamble.extension.data_versions == ((0, 4900), (5, 4901))
    convert(str(folder), str(tmp_path / "game.replay"), ConvertOptions(layout=4))
    with closing(open_reader(str(tmp_path / "game.replay"))) as reader:
        assert reader.preamble.header.data_version == 4901
        assert reader.preamble.extension.data_versions == ((0, 4900), (10, 4901))


def test_nothing_is_replaced_unasked(tmp_path: Path) -> None:
    source, target = tmp_path / "source.replay", tmp_path / "target.replay"
    source.write_bytes(Made(WHOLE).data())
    target.write_bytes(b"mine")
    for write in (convert, compact):
        with pytest.raises(NhlogError, match="exists"):
            write(str(source), str(target))
        with pytest.raises(NhlogError, match="folder"):
            write(str(source), str(tmp_path), force=True)
        with pytest.raises(Usage):
            write(str(source), "-")
    assert target.read_bytes() == b"mine"
    convert(str(source), str(target), force=True)
    assert read_back(target) == busy(WHOLE)


def test_what_we_write_notices_a_flipped_bit(tmp_path: Path) -> None:
    """In every byte of every chunk; the shipped code's frames have no checksum."""
    (tmp_path / "source.replay").write_bytes(Made(WHOLE[:12], checksum=False).data())
    target = tmp_path / "target.replay"
    for layout in Layout:
        convert(str(tmp_path / "source.replay"), str(target), ConvertOptions(layout=layout), force=True)
        with closing(open_reader(str(target))) as reader:
            frames = [(reader.frame(number), part.entry) for number, part in enumerate(reader.parts)]
        for frame, entry in frames:
            raw, _ = unpack(frame, entry.raw_length)
            for at in range(len(frame)):
                assert not _passes(flipped(frame, at, 0x10), entry.raw_length, raw), at


def _passes(frame: bytes, size: int, raw: bytes) -> bool:
    """Whether other bytes are taken for good."""
    try:
        found, fault = unpack(frame, size)
    except NhlogError:
        return False
    return fault is None and found != raw
