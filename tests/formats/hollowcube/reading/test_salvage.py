"""Salvage: a loss costs its own ticks, what is there is found, and nothing false is told."""

import json
import os
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from string import ascii_letters

import pytest

from nhlog.compression import ZSTD, Compressor
from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.formats.hollowcube.operations import convert, info, listing, open_replay, rescue, verify
from nhlog.formats.hollowcube.reading import salvage
from nhlog.formats.hollowcube.recording import Facts
from nhlog.formats.hollowcube.wire.events import CheckpointReached, SetItem
from nhlog.formats.hollowcube.wire.frames import MAGIC, content_size, frame_end, frames
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.index import Entry
from nhlog.formats.hollowcube.wire.nbt import Kind, Tag
from nhlog.formats.hollowcube.wire.preamble import parse_preamble
from tests.changed import flipped
from tests.corpus import CORPUS, corpus, packed_records
from tests.doses import dose, seeded
from tests.effort import within
from tests.formats.hollowcube.made import EVERY_KIND, Made, run, walk
from tests.formats.hollowcube.written import busy, last_state, read_back, record, surveyed

WHOLE = run(60, {7: "one", 23: "two", 41: "three"})
SEGMENTS = 6  # of ten ticks, in two chunks


def cut(folder: Path, name: str, size: int) -> None:
    (folder / name).write_bytes((folder / name).read_bytes()[:size])


@pytest.fixture(params=Layout, ids=["text", "game"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A recording in segments."""
    made = record(tmp_path / "made", WHOLE, Facts(layout=request.param))
    assert len(list(made.glob("segment-*"))) == SEGMENTS
    return made


def missing(*ticks: int) -> dict[int, tuple[object, ...]]:
    return {number: events for number, events in busy(WHOLE).items() if number not in ticks}


def recorded(ticks: dict[int, tuple[object, ...]]) -> dict[int, tuple[object, ...]]:
    """The same without the snapshots that the game's layout puts into a chunk's first tick."""
    return {number: events[-len(WHOLE[number]) :] for number, events in ticks.items()}


# each of them


@pytest.mark.parametrize("segment", range(SEGMENTS))
def test_a_missing_segment_costs_its_own_ticks(folder: Path, segment: int) -> None:
    (folder / f"segment-{segment:03d}.dat").unlink()
    found, ticks = surveyed(folder)
    lost = range(segment * 10, segment * 10 + 10)
    assert recorded(ticks) == missing(*lost)
    assert [(loss.first, loss.ticks) for loss in found.losses] == [(lost.start, 10)]
    told = rescue(str(folder), str(folder / "out.replay"))
    assert (told["ticks"], told["sound_ticks"], told["lost_ticks"]) == (60, 50, 10)
    assert recorded(read_back(folder / "out.replay")) == missing(*lost)


@pytest.mark.parametrize("segment", [0, 3, 5])
def test_a_short_segment_costs_the_chunk_that_is_not_whole(folder: Path, segment: int) -> None:
    name = f"segment-{segment:03d}.dat"
    cut(folder, name, (folder / name).stat().st_size - 1)
    found, ticks = surveyed(folder)
    assert recorded(ticks) == missing(*range(segment * 10 + 5, segment * 10 + 10))
    assert [(loss.first, loss.ticks) for loss in found.losses] == [(segment * 10 + 5, 5)]


def test_every_flipped_bit_in_a_segment_is_noticed_and_costs_one_chunk_at_most(folder: Path, tmp_path: Path) -> None:
    path = folder / "segment-002.dat"
    data = path.read_bytes()
    for at in range(len(data)):
        path.write_bytes(flipped(data, at, 0x10))
        told = rescue(str(folder), str(tmp_path / "out.replay"), force=True)
        found = recorded(read_back(tmp_path / "out.replay"))
        assert found.items() <= busy(WHOLE).items(), at
        assert set(range(60)) - set(found) <= set(range(20, 30)), at
        assert (told["lost_ticks"] == 0) == (found == busy(WHOLE)), at


def test_segments_that_changed_places_are_put_back(folder: Path) -> None:
    one, other = folder / "segment-001.dat", folder / "segment-004.dat"
    one.rename(folder / "x")
    other.rename(one)
    (folder / "x").rename(other)
    found, ticks = surveyed(folder)
    assert recorded(ticks) == busy(WHOLE)
    assert found.losses == ()


def test_without_a_preamble_the_chunks_are_all_there(folder: Path) -> None:
    (folder / "preamble.dat").unlink()
    found, ticks = surveyed(folder)
    assert recorded(ticks) == busy(WHOLE)
    assert [(loss.first, loss.what) for loss in found.losses] == [
        (None, "what it says of itself: there is no preamble")
    ]
    rescue(str(folder), str(folder / "out.replay"))
    assert recorded(read_back(folder / "out.replay")) == busy(WHOLE)


@pytest.mark.parametrize("size", [0, 3, 100, 255, 256, 300, -1])
def test_of_a_preamble_that_is_cut_short_the_rest_is_made_up_for(folder: Path, size: int) -> None:
    whole = (folder / "preamble.dat").stat().st_size
    cut(folder, "preamble.dat", size if size >= 0 else whole - 1)
    _, ticks = surveyed(folder)
    assert recorded(ticks) == busy(WHOLE)


def test_orphan_segments_are_adopted_when_they_fit(folder: Path, tmp_path: Path) -> None:
    preamble = (folder / "preamble.dat").read_bytes()
    layout = Layout(4 if preamble[4] == 0 else 1)
    older = record(tmp_path / "older", WHOLE[:30], Facts(layout=layout), finish=False)
    (folder / "preamble.dat").write_bytes((older / "preamble.dat").read_bytes())
    found, ticks = surveyed(folder)
    assert recorded(ticks) == busy(WHOLE)
    assert (found.adopted, found.losses, found.next_segment) == (6, (), SEGMENTS)


def test_an_orphan_that_does_not_fit_is_left_out(tmp_path: Path) -> None:
    """A segment of an earlier try, whose ticks the recording has otherwise."""
    facts = Facts(layout=Layout.GAME)
    folder = record(tmp_path / "made", WHOLE, facts)
    other = record(tmp_path / "other", walk(40, 7.0), facts)
    (folder / "segment-009.dat").write_bytes((other / "segment-001.dat").read_bytes())
    found, ticks = surveyed(folder)
    assert recorded(ticks) == busy(WHOLE)
    assert found.adopted == 0


def test_a_partial_recording_can_be_looked_through_at_every_moment(tmp_path: Path) -> None:
    """Whatever part of the files is there, in the order in which they were written."""
    for layout in Layout:
        folder = record(tmp_path / f"made {layout}", WHOLE[:20], Facts(layout=layout))
        files = {path.name: path.read_bytes() for path in sorted(folder.glob("segment-*"))}
        for name, data in files.items():
            for size in range(len(data)):
                (folder / name).write_bytes(data[:size])
                _, ticks = surveyed(folder)
                assert recorded(ticks).items() <= busy(WHOLE).items()
            (folder / name).write_bytes(data)


def test_lost_ticks_stay_in_their_place_and_the_next_snapshot_sets_all_right(tmp_path: Path) -> None:
    folder = record(tmp_path / "made", [*EVERY_KIND, *EVERY_KIND, *[()] * 9])
    (folder / "segment-000.dat").unlink()
    before = last_state(folder)
    out = tmp_path / "out.replay"
    told = rescue(str(folder), str(out))
    assert told["losses"][0]["tick"] == 0
    assert last_state(out) == before


def test_a_file_to_write_to_is_not_replaced_unasked(folder: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "out.replay")
    assert rescue(str(folder), out, dry_run=True)["output"] is None
    assert rescue(str(folder), out)["output"] == out
    with pytest.raises(NhlogError, match="exists"):
        rescue(str(folder), out)
    rescue(str(folder), out, force=True)


def test_a_file_that_lost_its_end_keeps_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "x.replay"
    data = Made(WHOLE).data()
    first = data.index(MAGIC)
    for size in range(first + 1, len(data)):
        path.write_bytes(data[:size])
        try:
            _, ticks = surveyed(path)
        except Damaged:
            assert size < frame_end(data, first)
            continue
        assert ticks.items() <= busy(WHOLE).items()
        whole = sum(end <= size for _, end in frames(data, first))
        assert len(ticks) == whole * 5


def test_a_recording_that_is_not_whole_is_not_converted(folder: Path, tmp_path: Path) -> None:
    (folder / "segment-002.dat").unlink()
    with pytest.raises(Damaged, match="recover"):
        convert(str(folder), str(tmp_path / "x.replay"))
    assert not (tmp_path / "x.replay").exists()


@pytest.mark.parametrize("layout", Layout)
def test_whatever_is_changed_what_is_recovered_is_sound(layout: Layout, tmp_path: Path) -> None:
    chance, data = seeded(layout), Made(EVERY_KIND, layout, size=3).data()
    path, out = tmp_path / "x.replay", tmp_path / "out.replay"
    recovered = 0
    for _ in range(dose("hollowcube.recovered")):
        changed = bytearray(data)
        for _ in range(chance.choice((1, 1, 2, 5))):
            at, size = chance.randrange(len(changed)), chance.randrange(9)
            changed[at : at + chance.randrange(9)] = chance.randbytes(size)
        path.write_bytes(changed)
        with suppress(NhlogError):
            rescue(str(path), str(out), force=True)
            read_back(out)
            recovered += 1
    assert recovered > dose("hollowcube.recovered") / 3


def test_bombs_take_a_moment(tmp_path: Path) -> None:
    """Loose chunks that unpack to as much as any may have, and to more."""
    for size in (15 << 20, 60 << 20):
        (tmp_path / "segment-000.dat").write_bytes(Compressor(ZSTD, 1)(bytes(size)) * 20)
        with within(180), pytest.raises(Damaged):
            rescue(str(tmp_path), str(tmp_path / "out.replay"))


def test_a_large_file_is_looked_through_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a window of a few chunks, wherever its end cuts one."""
    (tmp_path / "x.replay").write_bytes(Made(WHOLE, size=2).data())
    for window in range(700, 1000):
        monkeypatch.setattr(salvage, "_WINDOW", window)
        monkeypatch.setattr(salvage, "MAX_FRAME", 300)
        found, ticks = surveyed(tmp_path / "x.replay")
        assert (found.adopted, found.losses, ticks) == (0, (), busy(WHOLE))


class Unpacked(Made):
    """Frames whose content stands in them as it is, as that of what cannot be compressed does."""

    def pack(self, raw: bytes) -> bytes:
        size = len(raw)
        return MAGIC + b"\xa0" + size.to_bytes(4, "little") + (size << 3 | 1).to_bytes(3, "little") + raw


def test_a_chunk_that_stands_within_another_is_part_of_that_wherever_the_window_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = Made(walk(5), snapshots=False).pack(next(Made(walk(5), snapshots=False).chunks()).raw)
    pages = Tag(Kind.BYTE_ARRAY, tuple(byte - 256 if byte > 127 else byte for byte in inner))
    book = Tag(Kind.COMPOUND, {"id": Tag(Kind.STRING, "minecraft:book"), "pages": pages})
    ticks = [(*events, SetItem(0, {number % 9: book})) for number, events in enumerate(walk(12))]
    path = tmp_path / "x.replay"
    path.write_bytes(Unpacked(ticks, size=2).data())
    assert path.read_bytes().count(inner) > 12
    longest = max(end - begin for begin, end in frames(path.read_bytes()))
    monkeypatch.setattr(salvage, "MAX_FRAME", longest)
    for window in range(longest + 1, 4 * longest):
        monkeypatch.setattr(salvage, "_WINDOW", window)
        found, read = surveyed(path)
        assert (found.adopted, found.losses, read) == (0, (), busy(ticks)), window


def with_index(made: Made, change: Callable[[Entry], Entry]) -> dict[str, bytes]:
    """Its files in segments, with other entries of the index."""
    files = made.files()
    entries = parse_preamble(files["preamble.dat"], True).entries
    return files | {"preamble.dat": made.preamble([change(entry) for entry in entries])}


def put_all(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def test_chunks_whose_places_are_forgotten_are_told_apart_by_their_lengths(tmp_path: Path) -> None:
    """All unpack to as many bytes, and each packs to another number of them."""
    names = [(ascii_letters[:period] * 60)[:60] for period in (1, 10, 20, 30)]
    ticks = [[CheckpointReached(name, 0)] if number == 0 else [] for name in names for number in range(5)]
    made = Made(ticks, snapshots=False)
    lengths = {(len(chunk.raw), len(made.pack(chunk.raw))) for chunk in made.chunks()}
    assert (len({raw for raw, _ in lengths}), len(lengths)) == (1, len(names))
    files = made.files()
    for number, other in enumerate((2, 0, 3, 1)):
        files[f"segment-{number:03d}.dat"] = made.files()[f"segment-{other:03d}.dat"]
    found, read = surveyed(put_all(tmp_path / "made", files))
    assert (read, found.losses) == (busy(ticks), ())


def test_chunks_of_which_the_index_has_the_length_wrong_are_placed_by_their_content(tmp_path: Path) -> None:
    """The empty ticks at their end are known from the index alone."""
    ticks = [[CheckpointReached("x" * number, 0)] if number % 5 == 0 else [] for number in range(20)]
    files = with_index(Made(ticks, snapshots=False), lambda entry: entry._replace(length=entry.length + 1))
    found, read = surveyed(put_all(tmp_path / "made", files))
    assert (read, found.losses) == (busy(ticks), ())


def test_what_the_index_places_is_not_given_up_for_a_loose_chunk_that_begins_before_it(tmp_path: Path) -> None:
    made = Made(WHOLE, Layout.GAME)
    files = made.files()
    loose = list(Made(WHOLE, Layout.GAME, size=8).chunks())[1]
    assert (loose.start, loose.ticks) == (8, 8)
    del files["segment-001.dat"]  # ticks 5 to 9
    files["segment-077.dat"] = made.pack(loose.raw)
    found, read = surveyed(put_all(tmp_path / "made", files))
    assert recorded(read) == missing(*range(5, 10))
    assert [(loss.first, loss.ticks) for loss in found.losses] == [(5, 5)]


# frames


@pytest.mark.parametrize("size", [0, 1, 255, 256, 65_791, 65_792, 300_000])
def test_a_frames_end_and_content_are_told_without_unpacking(size: int) -> None:
    frame = Compressor(ZSTD, 1)(os.urandom(size // 2) + bytes(size - size // 2))
    assert frame_end(frame + b"more", 0) == len(frame)
    assert content_size(frame, 0) == size
    for shorter in range(len(frame)):
        assert frame_end(frame[:shorter], 0) is None


def test_frames_are_found_between_other_bytes() -> None:
    one, two = Compressor(ZSTD, 3)(b"one"), Compressor(ZSTD, 3)(b"two" * 1000)
    data = b"xx" + one + MAGIC + b"\xff" + two + one[:-1]
    assert [data[begin:end] for begin, end in frames(data)] == [one, two]


# the corpus's damaged recordings


def verdicts() -> dict[str, dict[str, object]]:
    lines = corpus("hollowcube", "verdicts.jsonl").read_text().splitlines()
    found = [json.loads(line) for line in lines]
    return {str(told.get("file") or told.get("dir")): told for told in found}


NOTHING_THERE = {"bad/header-only-256.replay", "bad/truncated-in-index.replay", "crash/finished-only"}
OTHER_VERSIONS = {"bad/version-1.replay", "bad/version-1024.replay", "bad/version-5.replay"}
MISREAD = {"bad/event-count-negative.replay"}  # the reference takes the damage for four ticks that never were


def test_the_corpus_is_never_read_worse_than_the_reference_does(tmp_path: Path) -> None:
    out, saved = tmp_path / "out.replay", 0
    for name, verdict in verdicts().items():
        path = CORPUS / "hollowcube" / name
        if not path.exists():
            continue  # the corpus has a part of the damaged ones only
        if name in NOTHING_THERE | OTHER_VERSIONS:
            with pytest.raises(Damaged if name in NOTHING_THERE else Unsupported):
                rescue(str(path), str(out), force=True)
            assert verdict["result"] != "ok"
            continue
        small = name.startswith("bad")  # the others are twelve thousand ticks each: looked through, not written
        told = rescue(str(path), str(out), force=True, dry_run=not small)
        played = int(str(verdict.get("ticks_played", verdict.get("ticks", 0))))
        assert told["sound_ticks"] >= (0 if name in MISREAD else played), name
        saved += told["sound_ticks"] > played
        if small:
            read_back(out)
    assert saved > 5


def test_what_is_salvaged_of_the_corpus_is_what_was_recorded(tmp_path: Path) -> None:
    """The damaged files are made of one walk, whose truth is known; salvaged ticks are its ticks."""
    records = packed_records("hollowcube", "walk-251.truth.jsonl.gz")
    expected = {told["tick"]: len(told["events"]) for told in records if told["type"] == "tick"}
    whole = read_back(corpus("hollowcube", "walk-251.replay"))
    assert {number: len(events) for number, events in whole.items()} == {n: c for n, c in expected.items() if c}
    for name in ("index-gap", "chunk-zero-magic", "uncompressed-minus-1", "uncompressed-plus-1", "magic-little-endian"):
        rescue(str(corpus("hollowcube", "bad", f"{name}.replay")), str(tmp_path / "out.replay"), force=True)
        found = read_back(tmp_path / "out.replay")
        assert found.items() <= whole.items()
        assert len(found) == (151 if name == "chunk-zero-magic" else 251), name


ELSEWHERE = "chunks are not where the index says: expected 0, found %d"


def test_a_folder_whose_index_is_wrong_is_shown_by_what_is_there(folder: Path) -> None:
    one, other = folder / "segment-001.dat", folder / "segment-004.dat"
    one.rename(folder / "x")
    other.rename(one)
    (folder / "x").rename(other)
    found = info(str(folder))
    assert (found.health, found.ticks) == (ELSEWHERE % 4, len(WHOLE))
    assert listing(str(folder)).status == "damaged"


def test_a_folder_without_a_preamble_is_shown_by_what_is_there(folder: Path) -> None:
    with closing(open_replay(str(folder))) as replay:
        replay.seek(59)
        expected = replay.state
    (folder / "preamble.dat").unlink()
    with closing(open_replay(str(folder))) as replay:
        replay.seek(59)
        assert (replay.state.entities, replay.state.run) == (expected.entities, expected.run)
    assert info(str(folder)).health.startswith(ELSEWHERE % 12)
    *_, report = verify(str(folder))
    assert (report["sound"], report["ticks"], report["sound_ticks"]) == (False, 60, 60)
