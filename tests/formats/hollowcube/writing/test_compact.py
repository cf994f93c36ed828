"""Compaction: the same ticks, smaller; and nothing happens to the source before that is certain."""

import os
import signal
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.errors import Damaged, LockNotObtained, NhlogError, Usage
from nhlog.files import atomic
from nhlog.formats.hollowcube.operations import compact, info, open_replay, set_metadata
from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.nbt import plain
from nhlog.formats.hollowcube.writing import Facts, Recorder
from nhlog.formats.hollowcube.writing import assemble as assembling
from tests.corpus import corpus
from tests.formats.hollowcube.made import EVERY_KIND, Made, run, walk
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


@pytest.mark.parametrize(
    "name", ["all-events", "metadata-resume", "one-empty-tick", "race-a", "sparse-1000", "unfinished"]
)
def test_segments_of_the_corpus_keep_their_ticks(name: str, tmp_path: Path) -> None:
    source, target = corpus("hollowcube", "seg", name), tmp_path / "made.replay"
    compact(str(source), str(target))
    assert read_back(target) == read_back(source) == read_back(corpus("hollowcube", f"{name}.replay"))
    was, now = info(str(source)), info(str(target))
    for key in ("world_id", "start", "ticks"):
        assert getattr(now, key) == getattr(was, key)


def test_small_chunks_are_merged_as_far_as_is_wanted(folder: Path, tmp_path: Path) -> None:
    for merge, chunks in ((4, 12), (10, 6), (25, 3), (60, 1), (1000, 1)):
        told = compact(str(folder), str(tmp_path / "made.replay"), merge=merge, force=True)
        assert told["chunks"] == chunks
        assert read_back(tmp_path / "made.replay") == busy(WHOLE)
        assert all(played == begun for played, begun in snapshots(tmp_path / "made.replay"))


def test_chunks_that_do_not_go_on_from_each_other_are_not_merged(tmp_path: Path) -> None:
    """Of deltas without a place to begin at: what plays on is not what begins there."""
    source, target = corpus("hollowcube", "metadata-resume.replay"), tmp_path / "made.replay"
    told = compact(str(source), str(target), merge=1000)
    assert told["merged"] == 0
    one, other = open_replay(str(source)), open_replay(str(target))
    for step in (99, 100, 129, 150):
        one.seek(step)
        other.seek(step)
        assert one.state.entities == other.state.entities


def test_states_are_the_same_before_and_after(tmp_path: Path) -> None:
    (tmp_path / "source.replay").write_bytes(Made(LONG[:80]).data())
    compact(str(tmp_path / "source.replay"), str(tmp_path / "target.replay"), merge=17)
    one, other = open_replay(str(tmp_path / "source.replay")), open_replay(str(tmp_path / "target.replay"))
    for step in range(80):
        one.seek(step)
        other.seek(step)
        assert (one.state.entities, one.state.blocks, one.state.run) == (
            other.state.entities,
            other.state.blocks,
            other.state.run,
        )


def test_a_dictionary_goes_round(tmp_path: Path) -> None:
    source, target, again = (tmp_path / name for name in ("source.replay", "target.replay", "again.replay"))
    source.write_bytes(Made(LONG, table=False).data())
    told = compact(str(source), str(target), dictionary=True, level=3)
    assert told["dictionary"] >= 0x8000
    assert told["packed"] < compact(str(source), str(tmp_path / "plain.replay"), level=3)["packed"]
    assert read_back(target) == busy(LONG)
    assert info(str(target)).dictionary == told["dictionary"]
    compact(str(target), str(again))  # and away again
    assert read_back(again) == busy(LONG)
    assert info(str(again)).dictionary == 0


def test_too_little_to_learn_from_means_no_dictionary(tmp_path: Path) -> None:
    (tmp_path / "source.replay").write_bytes(Made(walk(3)).data())
    told = compact(str(tmp_path / "source.replay"), str(tmp_path / "target.replay"), dictionary=True)
    assert told["dictionary"] == 0
    assert read_back(tmp_path / "target.replay") == busy(walk(3))


def test_the_game_gets_no_dictionary(tmp_path: Path) -> None:
    (tmp_path / "source.replay").write_bytes(Made(LONG, Layout.GAME).data())
    with pytest.raises(Usage, match="dictionary"):
        compact(str(tmp_path / "source.replay"), str(tmp_path / "target.replay"), dictionary=True)


def test_analysis_counts_what_happened(folder: Path, tmp_path: Path) -> None:
    set_metadata(str(folder), "anticheat.flags", ["speed"])
    compact(str(folder), str(tmp_path / "made.replay"), analysis=True)
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
        compact(str(folder), str(tmp_path / "made.replay"), remove=True)
    assert (folder / "segment-002.dat").exists()
    assert not (tmp_path / "made.replay").exists()


@pytest.mark.parametrize("options", [{"level": 0}, {"level": 23}, {"merge": 0}])
def test_what_cannot_be_is_refused(options: dict[str, int], folder: Path, tmp_path: Path) -> None:
    with pytest.raises(Usage):
        compact(str(folder), str(tmp_path / "made.replay"), **options)


# the source


def test_the_source_goes_when_the_result_is_there(folder: Path, tmp_path: Path) -> None:
    (folder / "notes.txt").write_text("mine")
    compact(str(folder), str(tmp_path / "made.replay"), remove=True)
    assert contents(folder) == {"notes.txt": b"mine"}
    assert read_back(tmp_path / "made.replay") == busy(WHOLE)
    compact(str(tmp_path / "made.replay"), str(tmp_path / "again.replay"), remove=True)
    assert not (tmp_path / "made.replay").exists()


def test_a_recording_that_is_being_made_is_not_taken_away(tmp_path: Path) -> None:
    recorder = Recorder(str(tmp_path / "made"), triggers=SMALL)
    for events in walk(30):
        recorder.tick(events)
    with pytest.raises(LockNotObtained):
        compact(str(tmp_path / "made"), str(tmp_path / "made.replay"), remove=True)
    assert not (tmp_path / "made.replay").exists()
    recorder.finish()


def test_a_file_can_take_its_own_place(tmp_path: Path) -> None:
    path = tmp_path / "made.replay"
    path.write_bytes(Made(LONG).data())
    compact(str(path), str(path), force=True)
    assert read_back(path) == busy(LONG)
    with pytest.raises(Usage):
        compact(str(path), str(path), force=True, remove=True)


def test_a_result_that_does_not_read_back_leaves_all_as_it_was(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that flips a bit between the writing and the verification."""
    before = contents(folder)

    def rotten(path: str, parts: object, check: object = None) -> None:
        atomic.create(path, _flipped(parts), check)

    monkeypatch.setattr(assembling, "atomic", type("Disk", (), {"create": staticmethod(rotten)}))
    with pytest.raises(NhlogError):
        compact(str(folder), str(tmp_path / "made.replay"), remove=True)
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
        compact(str(folder), str(tmp_path / "made.replay"), remove=True)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    assert contents(folder) == before
    assert not (tmp_path / "made.replay").exists()
    compact(str(folder), str(tmp_path / "made.replay"), remove=True)
    assert read_back(tmp_path / "made.replay") == busy(WHOLE)
