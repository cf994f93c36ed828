"""What was found in chunks is kept for the next time, and never believed of chunks that are others now."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.formats import open_recording
from nhlog.formats.hollowcube.operations import rewind
from nhlog.formats.hollowcube.reading import reader, skims
from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.formats.hollowcube.reading.states import StateReader
from nhlog.formats.hollowcube.replay import CubeReplay
from nhlog.formats.hollowcube.state import RecordingState
from nhlog.formats.hollowcube.wire.events import AbsoluteMove, ChangeHeldSlot, CheckpointReached
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.primitives import Pos, Vector
from nhlog.replay import Change
from nhlog.timeline import parse_position
from tests.changed import put
from tests.formats.hollowcube.made import Made, Ticks, run

CHUNKS = 40
TICKS = CHUNKS * 5


def ticks(name: str = "a", count: int = TICKS) -> Ticks:
    """A run with a checkpoint and a change of the held slot in each second chunk."""
    places = range(3, count, 10)
    made = [list(events) for events in run(count, {at: f"{name}{at % 90}" for at in places})]
    for at in places:
        made[at + 1].append(ChangeHeldSlot(0, (at + 1) % 9))
    return made


def made(ticks: Ticks) -> Made:
    return Made(ticks, Layout.GAME, table=False, segment=10)


@pytest.fixture(autouse=True)
def cache_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(skims, "WORTHWHILE", 0)
    return tmp_path / "cache" / "nhlog" / "hollowcube"


@pytest.fixture
def unpacked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lengths of the chunks that were unpacked."""
    found: list[int] = []
    unpack = reader.unpack

    def counted(frame: bytes, length: int, dictionary: bytes) -> object:
        found.append(length)
        return unpack(frame, length, dictionary)

    monkeypatch.setattr(reader, "unpack", counted)
    return found


@pytest.fixture(params=["file", "folder"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A recording in one file, and in segments."""
    if request.param == "folder":
        return made(ticks()).write(tmp_path / "run")
    path = tmp_path / "run.replay"
    path.write_bytes(made(ticks()).data())
    return path


def told(path: Path) -> list[object]:
    """All that depends on what was found in chunks."""
    with closing(open_recording(str(path))) as replay:
        return [*replay.timeline.markers, *states(replay)]


def states(replay: CubeReplay) -> Iterator[RecordingState]:
    for step in range(replay.timeline.last + 1):
        replay.seek(step)
        yield replay.state


def open_and_close(path: Path) -> None:
    open_recording(str(path)).close()


def test_who_opens_a_recording_again_unpacks_no_chunk(path: Path, unpacked: list[int]) -> None:
    open_and_close(path)
    assert len(unpacked) == CHUNKS
    del unpacked[:]
    with closing(open_recording(str(path))) as replay:
        assert len(replay.timeline.markers) == 22
        assert unpacked == []
        replay.seek(TICKS - 3)
        assert replay.state.player.held == (TICKS - 6) % 9
        assert len(unpacked) == 1


def test_what_is_known_from_the_cache_is_what_is_found_without_it(path: Path, cache_home: Path) -> None:
    first = told(path)
    assert list(cache_home.iterdir())
    assert told(path) == first


def test_of_a_folder_that_grew_only_what_was_added_is_unpacked(tmp_path: Path, unpacked: list[int]) -> None:
    folder = made(ticks()[: TICKS - 50]).write(tmp_path / "run", finished=False)
    open_and_close(folder)
    for name, data in made(ticks()).files().items():
        (folder / name).touch()
        put(folder / name, data)
    del unpacked[:]
    again = told(folder)
    with closing(open_recording(str(folder))) as replay:
        assert len(replay.timeline.markers) == 22
    del unpacked[:]
    assert told(folder) == again == told(made(ticks()).write(tmp_path / "other"))


def test_a_segment_that_grew_is_known_up_to_where_it_ended(tmp_path: Path, unpacked: list[int]) -> None:
    long = Made(ticks(), Layout.GAME, table=False, segment=CHUNKS)
    short = Made(ticks()[: TICKS - 50], Layout.GAME, table=False, segment=CHUNKS)
    folder = short.write(tmp_path / "run", finished=False)
    open_and_close(folder)
    for name, data in long.files().items():
        (folder / name).touch()
        put(folder / name, data)
    del unpacked[:]
    open_and_close(folder)
    assert len(unpacked) == 10, "those that were added"


@pytest.mark.parametrize("at", [0, 1, 4, 5, 40, -1])
def test_a_damaged_entry_is_as_none(path: Path, at: int, cache_home: Path, unpacked: list[int]) -> None:
    expected = told(path)
    for entry in cache_home.iterdir():
        data = bytearray(entry.read_bytes())
        data[at] ^= 1
        entry.write_bytes(data)
    del unpacked[:]
    assert told(path) == expected
    assert len(unpacked) >= CHUNKS


def test_another_recording_of_the_same_size_in_its_place_is_read(tmp_path: Path) -> None:
    path = tmp_path / "run.replay"
    path.write_bytes(made(ticks("a")).data())
    before = told(path)
    other = made(ticks("b")).data()
    assert len(other) == path.stat().st_size
    put(path, other)
    names = [marker.name for marker in open_recording(str(path)).timeline.markers if marker.kind == "checkpoint"]
    assert [name[0] for name in names] == ["b"] * 20
    assert told(path) != before


def test_of_a_recording_that_was_rewound_nothing_behind_the_cut_is_known(path: Path) -> None:
    told(path)
    rewind(str(path), parse_position("tick:101"), lambda lost: True, keep=False)
    with closing(open_recording(str(path))) as replay:
        assert max(marker.step for marker in replay.timeline.markers) == 93
        assert replay.timeline.last == 101
    bare = told(path)
    for entry in (path.parent / "cache" / "nhlog" / "hollowcube").iterdir():
        entry.unlink()
    assert told(path) == bare


def test_a_recording_that_is_described_otherwise_is_skimmed_anew(tmp_path: Path, unpacked: list[int]) -> None:
    """The chunks are the same bytes, but the preamble says that they have other ticks."""
    folder = made(ticks()).write(tmp_path / "run")
    open_and_close(folder)
    shifted = Made(ticks(), Layout.GAME, table=True, segment=10)
    (folder / "preamble.dat").write_bytes(shifted.files()["preamble.dat"])
    del unpacked[:]
    open_and_close(folder)
    assert unpacked == [], "the same entries"
    text = Made(ticks(), Layout.TEXT, table=False, segment=10).files()["preamble.dat"]
    (folder / "preamble.dat").write_bytes(text)
    open_and_close(folder)
    assert len(unpacked) >= CHUNKS


def test_a_chunk_that_is_broken_is_told_each_time(tmp_path: Path) -> None:
    path = tmp_path / "run.replay"
    data = bytearray(made(ticks()).data())
    with closing(open_reader(str(_written(path, data)))) as found:
        entry = found.parts[21].entry
    data[entry.offset + entry.length - 1] ^= 1
    first = told(_written(path, data))
    assert any("cannot be unpacked" in state.fault for state in first if isinstance(state, RecordingState))
    assert told(path) == first


def _written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_a_live_recording_is_known_the_next_time_as_far_as_it_was_read(tmp_path: Path, unpacked: list[int]) -> None:
    folder = made(ticks()[: TICKS - 50]).write(tmp_path / "run", finished=False)
    with closing(open_recording(str(folder))) as replay:
        for name, data in made(ticks()).files(finished=False).items():
            (folder / name).write_bytes(data)
        assert replay.refresh() is Change.GREW
        assert len(replay.timeline.markers) == 22
    del unpacked[:]
    with closing(open_recording(str(folder))) as replay:
        assert len(replay.timeline.markers) == 22
    assert unpacked == []


# places far behind the last snapshot


def test_a_seek_passes_over_chunks_in_which_nothing_happens(tmp_path: Path, unpacked: list[int]) -> None:
    here = AbsoluteMove(0, Pos(1.0, 2.0, 3.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0))
    idle: Ticks = [(here, CheckpointReached("a", 1)), *[()] * 4999]
    path = tmp_path / "idle.replay"
    path.write_bytes(Made(idle, Layout.GAME, snapshots=False, table=False).data())
    with closing(open_recording(str(path))) as replay:
        del unpacked[:]
        for step in (4999, 2500, 3000, 77):
            replay.seek(step)
            assert replay.state.player.position.y == 2.0
            assert replay.state.fault == ""
        assert len(unpacked) <= 5, "the first, and one for each place"


def test_how_much_is_in_the_kept_states_is_counted_as_they_come_and_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nhlog.formats.hollowcube.reading.states.KEPT_STATES", 7)
    path = tmp_path / "run.replay"
    path.write_bytes(Made(ticks(), Layout.GAME, snapshots=False).data())
    with closing(open_recording(str(path))) as replay:
        kept: StateReader = replay.states
        for step in (150, 20, 199, 60, 61, 150, 3):
            replay.seek(step)
            assert replay.state.player.position.x == step * 0.25
            scenes = [start.scene for start in kept._chunk_starts.values()]
            assert kept._things == sum(len(scene.entities) + len(scene.blocks) for scene in scenes)
            assert len(scenes) <= 7
