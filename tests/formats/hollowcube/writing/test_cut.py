"""`recover` and `rewind` in place: what is left is sound, what is cut off is kept, and a death costs nothing."""

import os
import shutil
import signal
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from nhlog.errors import Damaged, LockNotObtained, Unsupported
from nhlog.files.cuts import CutRefused
from nhlog.formats.hollowcube.operations import open_replay, recover, rescue, rewind, set_metadata, verify
from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.formats.hollowcube.recording import Facts, Recorder
from nhlog.formats.hollowcube.wire.events import Event
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.nbt import plain
from nhlog.replay import Change
from nhlog.timeline import parse_position
from tests.formats.hollowcube.made import EVERY_KIND, Made, run
from tests.formats.hollowcube.written import SMALL, busy, read_back, record

LAYOUTS = pytest.mark.parametrize("layout", list(Layout), ids=["text", "game"])
WHOLE = run(33, {7: "one", 12: "two", 23: "three"})


@pytest.fixture
def tmp_path(memory: Path) -> Path:
    return memory


def yes(loss: dict[str, Any]) -> bool:
    return True


def back(path: Path, tick: int, **options: Any) -> dict[str, Any]:
    return rewind(str(path), parse_position(f"tick:{tick}"), yes, **options)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def cuts(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}.cut-*"))


def assert_sound(path: Path, ticks: int) -> None:
    """By our own rules, and by those that the shipped reader has for an index (spec 4)."""
    *_, report = verify(str(path))
    assert (report["sound"], report["sound_ticks"], report["ticks"]) == (True, ticks, ticks)
    with closing(open_reader(str(path))) as reader:
        entries, header = reader.preamble.entries, reader.preamble.header
        assert (header.tick_count, header.chunk_count, reader.faults) == (ticks, len(entries), ())
        end, place = 0, (0, 0)
        for entry in entries:
            assert entry.start == end
            end = entry.end
            if path.is_dir():
                number, offset = entry.segment
                assert (number, offset) in (place, (place[0] + 1, 0))
                place = number, offset + entry.length


def shown(path: Path) -> list[object]:
    found = []
    with closing(open_replay(str(path))) as replay:
        for step in range(replay.timeline.last + 1):
            replay.seek(step)
            found.append((replay.state.entities, replay.state.blocks, replay.state.run))
    return found


@pytest.fixture(params=["file", "folder"])
def made(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Layout, list], Path]:
    """A recording in one file, or in a folder of segments with several chunks."""

    def make(layout: Layout, ticks: list) -> Path:
        if request.param == "folder":
            return record(tmp_path / "made", ticks, Facts(layout=layout))
        path = tmp_path / "made.replay"
        path.write_bytes(Made(ticks, layout).data())
        return path

    return make


# rewind


@LAYOUTS
@pytest.mark.parametrize("ticks", [WHOLE, [*EVERY_KIND, *EVERY_KIND]], ids=["run", "every kind"])
def test_back_to_any_tick_the_rest_is_as_it_was(layout: Layout, ticks: list, made: Any, tmp_path: Path) -> None:
    path = made(layout, ticks)
    whole = shown(path)
    for tick in reversed(range(len(ticks) - 1)):
        told = back(path, tick)
        assert (told["rewound"], told["tick"], told["lost_ticks"], told["lost_time"]) == (True, tick, 1, 50_000)
        assert told["kept_in"]
        assert_sound(path, tick + 1)
        if tick % 5 == 2:
            assert [state[:2] for state in shown(path)] == [state[:2] for state in whole[: tick + 1]]


@LAYOUTS
def test_a_file_that_is_rewound_is_kept_as_it_was(layout: Layout, tmp_path: Path) -> None:
    path = tmp_path / "made.replay"
    path.write_bytes(Made(WHOLE, layout).data())
    before = path.read_bytes()
    told = back(path, 12)
    assert [Path(told["kept_in"])] == cuts(path)
    assert cuts(path)[0].read_bytes() == before
    assert told["size"] == len(before) == told["offset"] + told["lost_bytes"]
    assert shown(path) == shown_of(before, tmp_path / "before.replay")[:13]


def shown_of(data: bytes, path: Path) -> list[object]:
    path.write_bytes(data)
    return shown(path)


def kept(folder: Path) -> dict[str, bytes]:
    """The files in the newest cut of a folder."""
    with tarfile.open(cuts(folder)[-1]) as archive:
        return {name: archive.extractfile(name).read() for name in archive.getnames()}  # type: ignore[union-attr]


@LAYOUTS
def test_of_a_folder_that_is_rewound_the_files_that_change_are_kept(layout: Layout, tmp_path: Path) -> None:
    folder = record(tmp_path / "made", WHOLE, Facts(layout=layout))
    before = contents(folder)
    with closing(open_reader(str(folder))) as reader:
        cut = next(part for part in reader.parts if part.entry.end > 17)
    told = back(folder, 17)
    behind = [data for name, data in before.items() if name.startswith("segment") and name >= cut.name]
    assert told["lost_bytes"] == sum(map(len, behind)) - cut.offset
    assert kept(folder) == {name: data for name, data in before.items() if name[:7] != "segment" or name >= cut.name}
    assert not (folder / "finished").exists()


@LAYOUTS
def test_a_rewound_folder_is_recorded_into_again(layout: Layout, tmp_path: Path) -> None:
    facts = Facts(layout=layout)
    folder = record(tmp_path / "made", WHOLE[:20], facts)
    with closing(open_replay(str(folder))) as replay:
        back(folder, 12)
        assert replay.refresh() is Change.REWOUND
        record(folder, WHOLE[13:], facts)
        assert replay.refresh() is Change.FINISHED
        assert [marker.name for marker in replay.timeline.markers] == ["run 1", "one", "two", "three", "finish"]
    assert shown(folder) == shown(record(tmp_path / "at once", WHOLE, facts))


def test_what_the_metadata_says_of_ticks_that_are_gone_goes(tmp_path: Path) -> None:
    path = tmp_path / "made.replay"
    path.write_bytes(Made(WHOLE).data())
    set_metadata(str(path), "analysis", {"ticks": 33})
    set_metadata(str(path), "player", "ada")
    back(path, 10)
    with closing(open_reader(str(path))) as reader:
        extension = reader.preamble.extension
        assert ([tick.number for tick in extension.run_events], extension.covered_ticks) == ([0, 7], 11)
        assert "analysis" not in plain(reader.preamble.metadata)
        assert plain(reader.preamble.metadata)["player"] == "ada"


def test_nothing_is_done_without_a_yes_or_where_nothing_comes_behind(made: Any) -> None:
    path = made(Layout.TEXT, WHOLE)
    before = contents(path) if path.is_dir() else path.read_bytes()
    asked: list[dict[str, Any]] = []
    told = rewind(str(path), parse_position("tick:10"), lambda loss: bool(asked.append(loss)))
    assert (told["rewound"], told["kept_in"], asked[0]["lost_ticks"]) == (False, None, 22)
    assert not back(path, 10, dry_run=True)["rewound"]
    assert back(path, 32)["offset"] is None
    assert back(path, 99)["lost_bytes"] == 0
    assert cuts(path) == []
    assert (contents(path) if path.is_dir() else path.read_bytes()) == before
    back(path, 10, keep=False)
    assert cuts(path) == []


def test_what_somebody_writes_is_left_alone(tmp_path: Path) -> None:
    recorder = Recorder(str(tmp_path / "made"), triggers=SMALL)
    for events in WHOLE:
        recorder.tick(events)
    for refused in (lambda: back(tmp_path / "made", 3), lambda: recover(str(tmp_path / "made"))):
        with pytest.raises(LockNotObtained):
            refused()
    recorder.finish()
    path = tmp_path / "made.replay"
    path.write_bytes(Made(WHOLE).data())
    with path.open("ab"), pytest.raises(CutRefused):
        back(path, 3)
    with pytest.raises(Unsupported):
        rewind("http://127.0.0.1:1/a.replay", parse_position("tick:3"), yes)


def test_a_damaged_recording_is_recovered_first(tmp_path: Path) -> None:
    folder = record(tmp_path / "made", WHOLE)
    (folder / "segment-002.dat").unlink()
    with pytest.raises(Damaged, match="recover it first"):
        back(folder, 3)


# recover


@LAYOUTS
def test_of_every_beginning_of_a_file_the_whole_chunks_are_left(layout: Layout, tmp_path: Path) -> None:
    data = Made(EVERY_KIND, layout, size=3).data()
    path = tmp_path / "made.replay"
    path.write_bytes(data)
    with closing(open_reader(str(path))) as reader:
        ends = {part.offset + part.entry.length: part.entry.end for part in reader.parts}
        begin = reader.parts[0].offset
    whole = shown(path)
    for size in range(begin, len(data)):
        path.write_bytes(data[:size])
        ticks = max((tick for end, tick in ends.items() if end <= size), default=0)
        if not ticks:
            with pytest.raises(Damaged):
                recover(str(path))
            continue
        told = recover(str(path))
        assert_sound(path, ticks)
        assert [state[:2] for state in shown(path)] == [state[:2] for state in whole[:ticks]]
        assert Path(told["kept_in"]).read_bytes() == data[:size]
        assert told["lost_bytes"] == size - told["offset"]
        assert not recover(str(path))["recovered"]
        Path(told["kept_in"]).unlink()


def recorded(folder: Path) -> dict[int, tuple[Event, ...]]:
    """The ticks without the snapshots that the game's layout has in them."""
    return {number: events[-len(WHOLE[number]) :] for number, events in read_back(folder).items()}


class Clock:
    now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def died(folder: Path, layout: Layout) -> None:
    """A recorder that wrote every tick and was killed before it told the preamble."""
    recorder = Recorder(str(folder), Facts(layout=layout), clock=Clock())
    for events in WHOLE:
        recorder.tick(events)
    recorder.close()


@LAYOUTS
def test_of_every_beginning_of_a_segment_the_whole_ticks_are_left(layout: Layout, tmp_path: Path) -> None:
    died(tmp_path / "died", layout)
    data = (tmp_path / "died" / "segment-000.dat").read_bytes()
    seen = []
    for size in range(len(data) + 1):
        folder = tmp_path / f"{size}"
        shutil.copytree(tmp_path / "died", folder)
        (folder / "segment-000.dat").write_bytes(data[:size])
        with closing(open_reader(str(folder))) as reader:
            ticks = reader.ticks
        if not ticks:
            with pytest.raises(Damaged):
                recover(str(folder))
            continue
        seen.append(ticks)
        told = recover(str(folder))
        assert (told["recovered"], told["offset"] is not None) == (True, True)
        assert_sound(folder, ticks)
        assert recorded(folder) == busy(WHOLE[:ticks])
        assert kept(folder)["preamble.dat"] == (tmp_path / "died" / "preamble.dat").read_bytes()
        assert kept(folder).get("segment-000.dat", data[:size]) == data[:size]
        assert not recover(str(folder))["recovered"]
        shutil.rmtree(folder)
    assert len(set(seen)) > 25


def test_what_the_preamble_does_not_tell_of_is_listed(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    recorder = Recorder(str(folder), triggers=SMALL)
    for events in WHOLE[:30]:
        recorder.tick(events)
    recorder.close()
    preamble = Made(()).files()["preamble.dat"]
    (folder / "preamble.dat").write_bytes(preamble)
    assert recover(str(folder), dry_run=True)["recovered"] is False
    told = recover(str(folder))
    assert (told["recovered"], told["lost_bytes"], kept(folder)) == (True, 0, {"preamble.dat": preamble})
    assert_sound(folder, 30)
    assert read_back(folder) == busy(WHOLE[:30])


def test_a_listed_segment_that_is_short_is_cut_behind_its_last_whole_tick(tmp_path: Path) -> None:
    folder = record(tmp_path / "made", WHOLE)
    segment = max(folder.glob("segment-*"))
    segment.write_bytes(segment.read_bytes()[:-9])
    recover(str(folder))
    assert_sound(folder, 30)
    assert read_back(folder) == busy(WHOLE[:30])
    assert (folder / "finished").exists() is False


@pytest.mark.parametrize("what", ["missing", "flipped", "no preamble"])
def test_more_than_a_crash_leaves_is_for_another_file(what: str, tmp_path: Path) -> None:
    folder = record(tmp_path / "made", WHOLE)
    segment = folder / "segment-001.dat"
    if what == "missing":
        segment.unlink()
    elif what == "flipped":
        data = bytearray(segment.read_bytes())
        data[len(data) // 3] ^= 4
        segment.write_bytes(data)
    else:
        (folder / "preamble.dat").unlink()
    before = contents(folder)
    with pytest.raises(Damaged, match="-o"):
        recover(str(folder))
    assert contents(folder) == before
    assert rescue(str(folder), str(tmp_path / "out.replay"))["sound_ticks"] >= 23


# dying in the midst


def killed(call: int, act: Callable[[], object]) -> bool:
    """Whether a process was killed before its `call`-th change of the disk."""
    child = os.fork()
    if not child:
        left = [call]

        def counted(real: Callable[..., object]) -> Callable[..., object]:
            def wrapped(*arguments: object, **options: object) -> object:
                if not left[0]:
                    os.kill(os.getpid(), signal.SIGKILL)
                left[0] -= 1
                return real(*arguments, **options)

            return wrapped

        try:
            for name in ("fsync", "replace", "link", "unlink", "ftruncate"):
                setattr(os, name, counted(getattr(os, name)))
            act()
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def states_of_death(before: Path, act: Callable[[Path], object]) -> Iterator[Path]:
    """What is left of a copy of the folder `before`, wherever one dies."""
    for call in range(100):
        folder = before.parent / f"died-{call}"
        shutil.copytree(before, folder)
        if not killed(call, lambda folder=folder: act(folder)):
            assert call > 5
            return
        yield folder
    raise AssertionError("it never ends")


@LAYOUTS
@pytest.mark.parametrize("tick", [12, 17, 4])
def test_whoever_dies_while_rewinding_leaves_a_beginning_of_the_recording(
    layout: Layout, tick: int, tmp_path: Path
) -> None:
    before = record(tmp_path / "before", WHOLE, Facts(layout=layout))
    whole = [state[:2] for state in shown(before)]
    for folder in states_of_death(before, lambda folder: back(folder, tick)):
        recover(str(folder))
        with closing(open_reader(str(folder))) as reader:
            assert tick + 1 <= reader.ticks <= len(WHOLE)
            ticks = reader.ticks
        assert_sound(folder, ticks)
        assert [state[:2] for state in shown(folder)] == whole[:ticks]
        back(folder, tick)
        assert_sound(folder, tick + 1)


@LAYOUTS
def test_whoever_dies_while_recovering_can_recover_again(layout: Layout, tmp_path: Path) -> None:
    died(tmp_path / "before", layout)
    segment = tmp_path / "before" / "segment-000.dat"
    segment.write_bytes(segment.read_bytes() + b"torn")
    for folder in states_of_death(tmp_path / "before", lambda folder: recover(str(folder))):
        recover(str(folder))
        assert_sound(folder, len(WHOLE))
        assert recorded(folder) == busy(WHOLE)


def test_a_file_is_rewound_or_it_is_not(tmp_path: Path) -> None:
    data = Made(WHOLE).data()
    for call in range(100):
        path = tmp_path / f"{call}.replay"
        path.write_bytes(data)
        if not killed(call, lambda path=path: back(path, 12)):
            break
        with closing(open_reader(str(path))) as reader:
            assert reader.ticks in (13, 33)
            assert_sound(path, reader.ticks)
    assert call > 2
