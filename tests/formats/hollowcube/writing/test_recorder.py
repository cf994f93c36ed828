"""The recorder: what ends a segment, what is continued, and what is left when it dies."""

import errno
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest

from nhlog.errors import Damaged, LockNotObtained, NhlogError, Usage
from nhlog.formats.hollowcube.operations import compact
from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.formats.hollowcube.recording import Facts, Recorder, Triggers
from nhlog.formats.hollowcube.state import NOTHING
from nhlog.formats.hollowcube.wire.events import PLAYER, DestroyEntity, Event, SpawnEntity
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.primitives import Pos
from tests.clock import Clock
from tests.doses import dose, seeded
from tests.formats.hollowcube.made import EVERY_KIND, Made, run, walk
from tests.formats.hollowcube.written import SMALL, busy, last_state, read_back, record, snapshots, surveyed


def segments(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("segment-*"))


def kept(folder: Path) -> int:
    """How many ticks the preamble tells of."""
    with closing(open_reader(str(folder))) as reader:
        assert reader.faults == ()
        return reader.preamble.ticks


def shown(folder: Path) -> int:
    """How many ticks a viewer sees."""
    with closing(open_reader(str(folder))) as reader:
        return reader.ticks


# what ends a segment


def test_a_segment_ends_when_its_time_is_up(tmp_path: Path) -> None:
    clock = Clock()
    recorder = Recorder(str(tmp_path), triggers=Triggers(segment_seconds=60), clock=clock)
    for _ in range(30):
        recorder.skip(100)  # a player who does nothing: five seconds at a time
        clock.now += 5
    assert recorder.kept == kept(tmp_path) == 2600
    assert segments(tmp_path) == ["segment-000.dat", "segment-001.dat", "segment-002.dat"]
    recorder.close()


def test_a_segment_ends_when_its_time_is_up_even_if_no_ticks_come(tmp_path: Path) -> None:
    clock = Clock()
    recorder = Recorder(str(tmp_path), triggers=Triggers(segment_seconds=60), clock=clock)
    recorder.skip(100)
    clock.now = 59.9
    recorder.poll()
    assert recorder.kept == 0
    clock.now = 60.0
    recorder.poll()
    assert recorder.kept == kept(tmp_path) == 100
    recorder.close()


@pytest.mark.parametrize(
    ("triggers", "expected"),
    [
        (Triggers(chunk_ticks=10, segment_bytes=1), 10),
        (Triggers(chunk_ticks=10, segment_busy_ticks=20), 5),
        (Triggers(chunk_bytes=1, segment_busy_ticks=4), 25),
        (Triggers(), 1),
    ],
    ids=["bytes", "ticks with events", "chunks of one tick", "only the end"],
)
def test_a_segment_ends_at_its_size_or_number_of_ticks(triggers: Triggers, expected: int, tmp_path: Path) -> None:
    recorder = Recorder(str(tmp_path), triggers=triggers, clock=Clock())
    for events in walk(100):
        recorder.tick(events)
    recorder.finish()
    assert len(segments(tmp_path)) == expected
    assert read_back(tmp_path) == busy(walk(100))


def test_nothing_is_a_trigger_that_never_ends() -> None:
    with pytest.raises(Usage):
        Triggers(segment_seconds=0)


def test_a_chunk_is_in_the_segment_as_soon_as_it_is_complete(tmp_path: Path) -> None:
    recorder = Recorder(str(tmp_path))
    for events in walk(250):
        recorder.tick(events)
    found, ticks = surveyed(tmp_path)
    assert (found.ticks, found.adopted, recorder.kept) == (200, 2, 0)
    assert ticks == busy(walk(200))
    recorder.close()


@pytest.mark.parametrize("layout", Layout)
def test_what_is_recorded_reads_back(layout: Layout, tmp_path: Path) -> None:
    facts = Facts(UUID(int=7), b"\x01" * 16, 1_795_187_205_278, 4900, layout)
    folder = record(tmp_path / "made", EVERY_KIND, facts)
    with closing(open_reader(str(folder))) as reader:
        header, extension = reader.preamble.header, reader.preamble.extension
        assert (header.world_id, header.world_version, header.timestamp) == (
            UUID(int=7),
            b"\x01" * 16,
            1_795_187_205_278,
        )
        assert reader.finished
        assert extension.covered_ticks == len(EVERY_KIND)
        told = [event for tick in extension.run_events for event in tick.events]
        assert (header.data_version or extension.data_versions) == (4900 if layout is Layout.GAME else ((0, 4900),))
    assert len(told) == 5
    if layout is Layout.TEXT:
        assert read_back(folder) == busy(EVERY_KIND)
        assert all(played == begun for played, begun in snapshots(folder))


@pytest.mark.parametrize("size", [0, 5, 32])
def test_a_world_version_of_any_length_is_kept(size: int, tmp_path: Path) -> None:
    facts = Facts(world_version=bytes(range(size)))
    folder = record(tmp_path / "made", walk(3), facts, finish=False)
    with closing(open_reader(str(folder))) as reader:
        assert reader.preamble.extension.world_version == bytes(range(size))
    record(folder, walk(3), facts)


def test_a_recording_of_nothing_is_finished_all_the_same(tmp_path: Path) -> None:
    folder = record(tmp_path / "made", [])
    assert kept(folder) == 0
    assert sorted(os.listdir(folder)) == ["finished", "preamble.dat"]


# sessions


@pytest.mark.parametrize("layout", Layout)
def test_a_recording_is_continued_where_it_stopped(layout: Layout, tmp_path: Path) -> None:
    facts = Facts(layout=layout)
    folder = tmp_path / "made"
    whole = run(47, {5: "one", 30: "two"})
    for first in range(0, 47, 12):
        record(folder, whole[first : first + 12], facts, finish=first + 12 >= 47)
    found = read_back(folder)
    assert {number: events[-len(whole[number]) :] for number, events in found.items()} == busy(whole)
    assert last_state(folder) == last_state(record(tmp_path / "at once", whole, facts))
    with closing(open_reader(str(folder))) as reader:
        assert [tick.number for tick in reader.preamble.extension.run_events] == [0, 5, 30, 46]


def test_a_new_session_begins_without_the_entities_of_the_last(tmp_path: Path) -> None:
    sheep = SpawnEntity(1, 111, Pos(0.0, 64.0, 0.0, 0.0, 0.0))
    folder = record(tmp_path / "made", [[sheep]], finish=False)
    assert set(last_state(folder).entities) == {PLAYER, 1}
    record(folder, [[], []], finish=False)
    assert last_state(folder) == NOTHING
    assert read_back(folder)[1] == (DestroyEntity(1),)


def test_a_new_session_may_be_of_another_version_of_the_game(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    for version in (4900, 4900, 4901):
        record(folder, walk(7), Facts(data_version=version), finish=False)
    with closing(open_reader(str(folder))) as reader:
        assert reader.preamble.extension.data_versions == ((0, 4900), (14, 4901))


@pytest.mark.parametrize(
    "other",
    [Facts(UUID(int=8)), Facts(world_version=b"\x01" * 16), Facts(layout=Layout.GAME)],
    ids=["world", "version", "layout"],
)
def test_a_recording_is_not_continued_as_another(other: Facts, tmp_path: Path) -> None:
    folder = record(tmp_path / "made", walk(7), finish=False)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(Usage):
        Recorder(str(folder), other)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_finished_recording_is_not_continued(tmp_path: Path) -> None:
    folder = record(tmp_path / "made", walk(7))
    with pytest.raises(Usage, match="finished"):
        Recorder(str(folder))


def test_two_do_not_record_into_one_folder(tmp_path: Path) -> None:
    recorder = Recorder(str(tmp_path))
    with pytest.raises(LockNotObtained):
        Recorder(str(tmp_path))
    recorder.close()
    Recorder(str(tmp_path)).close()


def test_a_recording_of_the_game_is_continued(tmp_path: Path) -> None:
    """By the rules of the shipped code's own files: one segment for each commit."""
    made = Made(walk(20), Layout.GAME, snapshots=False)
    folder = made.write(tmp_path / "made", finished=False)
    header = made.header
    record(folder, walk(5), Facts(header.world_id, header.world_version, layout=Layout.GAME))
    assert kept(folder) == 25
    assert len(segments(folder)) == 5


def test_what_is_lost_has_to_be_recovered_before_it_goes_on(tmp_path: Path) -> None:
    folder = record(tmp_path / "made", walk(40), finish=False)
    (folder / "segment-001.dat").unlink()
    with pytest.raises(Damaged, match="recover"):
        Recorder(str(folder))


# failures


def test_a_failure_to_write_is_final(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder(str(tmp_path / "made"), triggers=SMALL)
    for events in walk(12):
        recorder.tick(events)
    write = os.write

    def full(fd: int, data: bytes) -> int:
        if len(data) < 8:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(fd, data[: len(data) // 2])

    monkeypatch.setattr(os, "write", full)
    for _ in range(2):
        recorder.tick([])
    with pytest.raises(NhlogError, match=r"made/segment-001.dat: no space left on device"):
        recorder.tick([])  # the fifteenth completes a chunk
    monkeypatch.undo()
    with pytest.raises(NhlogError, match=r"made/segment-001.dat: no space left on device"):
        recorder.tick([])
    recorder.leave()
    found, ticks = surveyed(tmp_path / "made")
    assert found.ticks == kept(tmp_path / "made") == 10
    assert ticks == busy(walk(10))


WHOLE = run(60, {7: "one", 23: "two", 41: "three"})


def test_killed_anywhere_it_keeps_every_finished_segment_and_tells_nothing_false(memory: Path) -> None:
    """A forked recorder dies by SIGKILL in the midst of its n-th write, sync or rename, again and again at random."""
    chance = seeded(11)
    calls = _calls(memory / "counted")
    assert calls > 40
    seen = set()
    for number in range(dose("kills.hollowcube")):
        folder = memory / str(number)
        told = _killed(folder, Fault(chance.randrange(calls), chance.random()))
        seen.add(told)
        if not folder.exists():
            continue
        if (folder / "preamble.dat").exists():
            assert kept(folder) >= told
            assert read_back(folder) == busy(WHOLE[: shown(folder)])
        else:
            assert told == 0
        if segments(folder) and any(path.stat().st_size for path in folder.glob("segment-*")):
            _, ticks = _survey_or_nothing(folder)
            assert ticks.items() <= busy(WHOLE).items()
            assert len(ticks) >= told
        if number % 4 == 0 and not (folder / "finished").exists():
            _go_on(folder)
    assert len(seen) > 5, "it has to die at different times"


def _survey_or_nothing(folder: Path) -> tuple[object, dict[int, tuple[Event, ...]]]:
    try:
        return surveyed(folder)
    except Damaged:  # no chunk is whole yet
        return None, {}


def _go_on(folder: Path) -> None:
    """The next session takes up what was left, and the whole is as if nothing had happened."""
    recorder = Recorder(str(folder), triggers=SMALL)
    for events in WHOLE[recorder.ticks :]:
        recorder.tick(events)
    recorder.finish()
    assert read_back(folder) == busy(WHOLE)
    with closing(open_reader(str(folder))) as reader:
        assert reader.preamble.extension.covered_ticks == len(WHOLE)
        assert [tick.number for tick in reader.preamble.extension.run_events] == [0, 7, 23, 41, 59]
    assert not [name for name in os.listdir(folder) if name.startswith(".")]
    record = compact(str(folder), str(folder / "whole.replay"))
    assert record["ticks"] == len(WHOLE)


class Fault:
    """Dies in the `number`-th of the calls that change the disk: some way through, or right behind it."""

    def __init__(self, number: int, part: float) -> None:
        self.number, self.part, self.calls = number, part, 0

    def install(self) -> None:
        for name in ("write", "fsync", "replace", "link"):
            setattr(os, name, self.around(name, getattr(os, name)))

    def around(self, name: str, call: Callable[..., object]) -> Callable[..., object]:
        def wrapped(*arguments: object) -> object:
            self.calls += 1
            if self.calls - 1 == self.number:
                self.die(name, call, arguments)
            return call(*arguments)

        return wrapped

    def die(self, name: str, call: Callable[..., object], arguments: Sequence[object]) -> None:
        if name == "write":
            call(arguments[0], bytes(arguments[1])[: int(self.part * (len(arguments[1]) + 1))])
        elif name == "fsync" and self.part < 0.5:  # what was not synced yet need not be there
            try:
                size = os.fstat(arguments[0]).st_size
                os.ftruncate(arguments[0], int(self.part * 2 * size))
            except OSError:
                pass  # a folder
        elif self.part >= 0.5:
            call(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)


def _calls(folder: Path) -> int:
    """How many calls there are when nothing happens."""
    inlet, outlet = os.pipe()
    child = os.fork()
    if not child:
        fault = Fault(-1, 0.0)
        fault.install()
        _record_whole(folder, outlet)
        os.write(outlet, b"%d" % fault.calls)
        os._exit(0)
    os.close(outlet)
    os.waitpid(child, 0)
    with open(inlet, "rb") as told:
        return int(told.read().split()[-1])


def _killed(folder: Path, fault: Fault) -> int:
    """How many ticks were in finished segments when it was last heard of."""
    inlet, outlet = os.pipe()
    child = os.fork()
    if not child:
        fault.install()
        _record_whole(folder, outlet)
        os._exit(0)
    os.close(outlet)
    os.waitpid(child, 0)
    with open(inlet, "rb") as told:
        return int((told.read().split() or [b"0"])[-1])


def _record_whole(folder: Path, outlet: int) -> None:
    try:
        recorder = Recorder(str(folder), triggers=SMALL)
        with open(outlet, "wb", buffering=0, closefd=False) as tell:
            for events in WHOLE:
                recorder.tick(events)
                tell.write(b"%d " % recorder.kept)
            recorder.finish()
            tell.write(b"%d " % recorder.kept)
    except BaseException:
        os._exit(1)


def test_the_end_of_a_block_finishes_the_recording(tmp_path: Path) -> None:
    with Recorder(str(tmp_path)) as recorder:
        for events in walk(30):
            recorder.tick(events)
    assert (tmp_path / "finished").exists()
    assert read_back(tmp_path) == busy(walk(30))


def test_an_exception_in_a_block_keeps_what_came_and_it_can_be_continued(tmp_path: Path) -> None:
    def record() -> None:
        with Recorder(str(tmp_path)) as recorder:
            for events in walk(30):
                recorder.tick(events)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        record()
    assert not (tmp_path / "finished").exists()
    assert kept(tmp_path) == 30
    with Recorder(str(tmp_path)) as recorder:
        assert recorder.ticks == 30
