"""Compaction: the same ticks, smaller; and nothing happens to the source before that is certain."""

import os
import signal
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from nhlog.errors import Damaged, LockNotObtained, NhlogError, Usage
from nhlog.files import atomic
from nhlog.formats.hollowcube.operations import CompactOptions, compact, info, open_replay, set_metadata
from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.formats.hollowcube.recording import Facts, Recorder
from nhlog.formats.hollowcube.wire.events import SpawnEntity
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.nbt import plain
from nhlog.formats.hollowcube.wire.primitives import Pos
from nhlog.formats.hollowcube.writing import assemble as assembling
from tests.corpus import corpus
from tests.formats.hollowcube.made import EVERY_KIND, Made, run, walk
from tests.formats.hollowcube.truth import corpus_files
from tests.formats.hollowcube.written import SMALL, busy, read_back, record, snapshots

WHOLE = run(60, {7: "one", 23: "two", 41: "three"})
LONG = [*EVERY_KIND * 40]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return record(tmp_path / "made", WHOLE, Facts(timestamp=1_795_187_205_278, data_version=4900))


@pytest.mark.parametrize("layout", Layout)
def test_segments_become_one_file_with_the_same_ticks(layout: Layout, tmp_path: Path) -> None:
    folder = record(tmp_path / "made", LONG, Facts(layout=layout))
    before, target = contents(folder), tmp_path / "made.replay"
    told = compact(str(folder), str(target))
    assert read_back(target) == read_back(folder)
    assert (told["ticks"], told["size"]) == (len(LONG), target.stat().st_size)
    assert told["packed"] <= told["source_packed"]
    assert contents(folder) == before


def size_of(path: Path) -> int:
    return sum(each.stat().st_size for each in path.iterdir()) if path.is_dir() else path.stat().st_size


def longest_seek(path: Path) -> int:
    """How many chunks the costliest seek reads."""
    with closing(open_replay(str(path))) as replay:
        found = [0]
        for number in range(len(replay.reader.parts)):
            found.append(1 if replay.states.is_anchor(number) else found[-1] + 1)
        return max(found)


CORPUS = [*corpus_files(), *corpus_files("text"), *corpus_files("seg", "*")]


@pytest.mark.parametrize("source", CORPUS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_recording_of_the_corpus_keeps_its_ticks_and_is_never_larger_or_slow_to_seek_in(
    source: Path, tmp_path: Path
) -> None:
    target = tmp_path / "made.replay"
    told = compact(str(source), str(target))
    assert read_back(target) == read_back(source)
    was, now = info(str(source)), info(str(target))
    for key in ("world_id", "start", "ticks", "health"):
        assert getattr(now, key) == getattr(was, key)
    assert told["size"] == size_of(target) <= size_of(source)
    assert longest_seek(target) <= 3


def test_hours_in_which_nothing_happens_become_much_smaller(tmp_path: Path) -> None:
    for layout in Layout:
        source = record(tmp_path / f"made {layout}", [*EVERY_KIND, *[()] * 1000], Facts(layout=layout))
        assert compact(str(source), f"{source}.replay")["size"] < size_of(source) / 2


@pytest.mark.parametrize("layout", Layout)
def test_where_nothing_becomes_smaller_the_chunks_are_kept_as_they_are(layout: Layout, tmp_path: Path) -> None:
    source, target = tmp_path / "source.replay", tmp_path / "target.replay"
    source.write_bytes(Made(walk(1), layout, table=False, checksum=False).data())
    told = compact(str(source), str(target))
    assert (told["merged"], told["packed"]) == (0, told["source_packed"])
    assert target.read_bytes() == source.read_bytes()
    assert compact(str(source), str(target), CompactOptions(analysis=True), force=True)["packed"] == told["packed"]
    with closing(open_reader(str(target))) as reader:
        assert plain(reader.preamble.metadata)["analysis"]["ticks"] == 1


def test_small_chunks_are_merged_as_far_as_is_wanted(folder: Path, tmp_path: Path) -> None:
    for merge, chunks in ((4, 12), (10, 6), (25, 3), (60, 1), (1000, 1)):
        told = compact(str(folder), str(tmp_path / "made.replay"), CompactOptions(merge=merge), force=True)
        assert told["chunks"] == chunks
        assert read_back(tmp_path / "made.replay") == busy(WHOLE)
        assert all(played == begun for played, begun in snapshots(tmp_path / "made.replay"))


def test_chunks_that_do_not_go_on_from_each_other_are_not_merged(tmp_path: Path) -> None:
    """What begins there is not what plays on: somebody took an entity away between two sessions."""
    source, target = tmp_path / "source.replay", tmp_path / "target.replay"
    one, other = Made([[SpawnEntity(1, 111, Pos(0.0, 64.0, 0.0, 0.0, 0.0))], *[()] * 4]), Made([*walk(5)])
    first, second = next(one.chunks()), next(other.chunks())
    source.write_bytes(one.data([first, replace(second, start=5)]))
    assert compact(str(source), str(target))["merged"] == 0
    same_states(source, target, range(10))


def test_chunks_that_cannot_be_read_on_their_own_are_merged_with_what_they_need(tmp_path: Path) -> None:
    source, target = corpus("hollowcube", "metadata-resume.replay"), tmp_path / "made.replay"
    assert compact(str(source), str(target))["chunks"] == 1
    same_states(source, target, (99, 100, 129, 150))


def same_states(source: Path, target: Path, steps: Iterable[int]) -> None:
    one, other = open_replay(str(source)), open_replay(str(target))
    for step in steps:
        one.seek(step)
        other.seek(step)
        assert (one.state.entities, one.state.blocks, one.state.run) == (
            other.state.entities,
            other.state.blocks,
            other.state.run,
        )
    one.close()
    other.close()


def test_states_are_the_same_before_and_after(tmp_path: Path) -> None:
    (tmp_path / "source.replay").write_bytes(Made(LONG[:80]).data())
    compact(str(tmp_path / "source.replay"), str(tmp_path / "target.replay"), CompactOptions(merge=17))
    same_states(tmp_path / "source.replay", tmp_path / "target.replay", range(80))


def test_a_dictionary_goes_round(tmp_path: Path) -> None:
    source, target, again = (tmp_path / name for name in ("source.replay", "target.replay", "again.replay"))
    source.write_bytes(Made(LONG, table=False).data())
    told = compact(str(source), str(target), CompactOptions(dictionary=True, level=3))
    assert told["dictionary"] >= 0x8000
    assert told["packed"] < compact(str(source), str(tmp_path / "plain.replay"), CompactOptions(level=3))["packed"]
    assert read_back(target) == busy(LONG)
    assert info(str(target)).dictionary == told["dictionary"]
    compact(str(target), str(again))  # and away again
    assert read_back(again) == busy(LONG)
    assert info(str(again)).dictionary == 0


def test_too_little_to_learn_from_means_no_dictionary(tmp_path: Path) -> None:
    (tmp_path / "source.replay").write_bytes(Made(walk(3)).data())
    told = compact(str(tmp_path / "source.replay"), str(tmp_path / "target.replay"), CompactOptions(dictionary=True))
    assert told["dictionary"] == 0
    assert read_back(tmp_path / "target.replay") == busy(walk(3))


def test_the_game_gets_no_dictionary(tmp_path: Path) -> None:
    (tmp_path / "source.replay").write_bytes(Made(LONG, Layout.GAME).data())
    with pytest.raises(Usage, match="dictionary"):
        compact(str(tmp_path / "source.replay"), str(tmp_path / "target.replay"), CompactOptions(dictionary=True))


def test_analysis_counts_what_happened(folder: Path, tmp_path: Path) -> None:
    set_metadata(str(folder), "anticheat.flags", ["speed"])
    compact(str(folder), str(tmp_path / "made.replay"), CompactOptions(analysis=True))
    with closing(open_reader(str(tmp_path / "made.replay"))) as reader:
        metadata = plain(reader.preamble.metadata)
        assert reader.preamble.extension.covered_ticks == 60
    assert metadata["anticheat"] == {"flags": ["speed"]}
    events = {"AbsoluteMove": 1, "CheckpointReached": 3, "DeltaMove": 59, "RunEnd": 1, "RunStart": 1}
    assert metadata["analysis"] == {
        "ticks": 60,
        "busy_ticks": 60,
        "duration": 3000,
        "distance": 59 * 0.25,
        "events": events,
    }


def test_what_a_crash_left_of_a_segment_is_taken_in(tmp_path: Path) -> None:
    recorder = Recorder(str(tmp_path / "made"))
    for events in walk(250):
        recorder.tick(events)
    recorder.close()  # without a word to the preamble
    told = compact(str(tmp_path / "made"), str(tmp_path / "made.replay"))
    assert told["ticks"] == 200


def test_where_something_is_lost_it_is_recovered_first(folder: Path, tmp_path: Path) -> None:
    (folder / "segment-001.dat").unlink()
    with pytest.raises(Damaged, match="recover it first"):
        compact(str(folder), str(tmp_path / "made.replay"), CompactOptions(remove=True))
    assert (folder / "segment-002.dat").exists()
    assert not (tmp_path / "made.replay").exists()


@pytest.mark.parametrize("options", [{"level": 0}, {"level": 23}, {"merge": 0}])
def test_what_cannot_be_is_refused(options: dict[str, int], folder: Path, tmp_path: Path) -> None:
    with pytest.raises(Usage):
        compact(str(folder), str(tmp_path / "made.replay"), CompactOptions(**options))


# the source


def test_the_source_goes_when_the_result_is_there(folder: Path, tmp_path: Path) -> None:
    (folder / "notes.txt").write_text("mine")
    compact(str(folder), str(tmp_path / "made.replay"), CompactOptions(remove=True))
    assert contents(folder) == {"notes.txt": b"mine"}
    assert read_back(tmp_path / "made.replay") == busy(WHOLE)
    compact(str(tmp_path / "made.replay"), str(tmp_path / "again.replay"), CompactOptions(remove=True))
    assert not (tmp_path / "made.replay").exists()


def test_a_recording_that_is_being_made_is_not_taken_away(tmp_path: Path) -> None:
    recorder = Recorder(str(tmp_path / "made"), triggers=SMALL)
    for events in walk(30):
        recorder.tick(events)
    with pytest.raises(LockNotObtained):
        compact(str(tmp_path / "made"), str(tmp_path / "made.replay"), CompactOptions(remove=True))
    assert not (tmp_path / "made.replay").exists()
    recorder.finish()


def test_a_file_can_take_its_own_place(tmp_path: Path) -> None:
    path = tmp_path / "made.replay"
    path.write_bytes(Made(LONG).data())
    compact(str(path), str(path), force=True)
    assert read_back(path) == busy(LONG)
    with pytest.raises(Usage):
        compact(str(path), str(path), CompactOptions(remove=True), force=True)


def test_a_result_that_does_not_read_back_leaves_all_as_it_was(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that flips a bit between the writing and the verification."""
    before = contents(folder)

    def rotten(path: str, parts: object, check: object = None) -> None:
        atomic.create(path, _flipped(parts), check)

    monkeypatch.setattr(assembling, "atomic", type("Disk", (), {"create": staticmethod(rotten)}))
    with pytest.raises(NhlogError):
        compact(str(folder), str(tmp_path / "made.replay"), CompactOptions(remove=True))
    assert contents(folder) == before
    assert os.listdir(tmp_path) == ["made"]


def _flipped(parts: object) -> object:
    preamble, *chunks = parts
    yield preamble
    data = bytearray(b"".join(chunks))
    data[len(data) // 2] ^= 4
    yield bytes(data)


@pytest.mark.parametrize("call", ["fsync", "link"])
def test_a_death_in_the_midst_leaves_the_source(call: str, folder: Path, tmp_path: Path) -> None:
    """Killed before the result was durable, and before it took its place."""
    before = contents(folder)
    child = os.fork()
    if not child:
        setattr(os, call, lambda *arguments: os.kill(os.getpid(), signal.SIGKILL))
        compact(str(folder), str(tmp_path / "made.replay"), CompactOptions(remove=True))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    assert contents(folder) == before
    assert not (tmp_path / "made.replay").exists()
    compact(str(folder), str(tmp_path / "made.replay"), CompactOptions(remove=True))
    assert read_back(tmp_path / "made.replay") == busy(WHOLE)
