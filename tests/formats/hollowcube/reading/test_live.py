"""A folder that is being recorded shows every tick that is written, also of a recorder that died, and nothing else."""

import shutil
from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from nhlog.errors import Damaged, TooShort
from nhlog.files.atomic import DRAFT
from nhlog.formats import open_recording
from nhlog.formats.hollowcube.operations import compact, info, listing, open_replay, set_metadata, verify
from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.formats.hollowcube.recording import Facts, Recorder, Triggers
from nhlog.formats.hollowcube.replay import CubeReplay
from nhlog.formats.hollowcube.state import RecordingState
from nhlog.formats.hollowcube.wire.events import Event
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.replay import Change, Status
from tests.formats.hollowcube.made import EVERY_KIND, Made, run, walk
from tests.formats.hollowcube.written import busy, read_back

LAYOUTS = pytest.mark.parametrize("layout", list(Layout), ids=["text", "game"])
WHOLE = run(47, {7: "one", 23: "two", 41: "three"})
SOON = Triggers(chunk_ticks=10, segment_busy_ticks=20, write_seconds=0.5)


class Live:
    """A recorder, whose clock goes on by a twentieth of a second with each tick, or as told."""

    def __init__(self, folder: Path, layout: Layout, triggers: Triggers = SOON) -> None:
        self.now = 0.0
        facts = Facts(layout=layout, timestamp=1_795_187_205_278)
        self.recorder = Recorder(str(folder), facts, triggers, lambda: self.now)

    def tick(self, events: Sequence[Event], seconds: float = 0.5) -> None:
        self.now += seconds
        self.recorder.tick(events)


def portrait(replay: CubeReplay) -> list[RecordingState]:
    found = []
    for step in range(replay.timeline.last + 1):
        replay.seek(step)
        found.append(replay.state)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "made"


@LAYOUTS
@pytest.mark.parametrize("ticks", [WHOLE, [*EVERY_KIND, *[()] * 15, *EVERY_KIND]], ids=["run", "every kind"])
def test_every_tick_is_seen_as_soon_as_it_is_written(layout: Layout, ticks: list, folder: Path) -> None:
    live = Live(folder, layout)
    live.tick(ticks[0])
    with closing(open_replay(str(folder))) as replay:
        for number, events in enumerate(ticks[1:], 1):
            live.tick(events)
            assert replay.refresh() is Change.GREW
            assert (replay.timeline.last, replay.info.status) == (number, Status.LIVE)
            replay.seek(number)
            assert replay.state.fault == ""
        seen = portrait(replay)
        live.recorder.finish()
        assert replay.refresh() is Change.FINISHED
        assert replay.info.status is Status.FINISHED
        assert portrait(replay) == seen
    with closing(open_replay(str(folder))) as replay:
        assert portrait(replay) == seen
    if layout is Layout.TEXT:
        assert read_back(folder) == busy(ticks)


def test_of_twenty_ticks_a_second_a_viewer_is_at_most_half_a_second_behind(folder: Path) -> None:
    live = Live(folder, Layout.TEXT, Triggers())
    written = []
    for events in run(200, {}):
        live.tick(events, 0.05)
        if folder.joinpath("preamble.dat").exists():
            with closing(open_reader(str(folder))) as reader:
                written.append(live.recorder.ticks - reader.ticks)
    assert max(written) == 10
    live.recorder.close()


@LAYOUTS
def test_whatever_part_of_a_segment_is_written_whole_ticks_of_it_are_shown(layout: Layout, folder: Path) -> None:
    ticks = [*EVERY_KIND, *EVERY_KIND]
    live = Live(folder, layout, Triggers(chunk_ticks=15))
    for events in ticks:
        live.tick(events)
    segment = folder / "segment-000.dat"
    data = segment.read_bytes()
    live.recorder.close()
    seen = []
    with closing(open_replay(str(folder))) as replay:
        whole = portrait(replay)
        assert len(whole) == len(ticks)
        segment.write_bytes(b"")
        assert replay.refresh() is Change.REWOUND
        for size in range(len(data) + 1):
            segment.write_bytes(data[:size])
            assert replay.refresh() in (Change.GREW, Change.NOTHING)
            seen.append(replay.reader.ticks)
            replay.seek(replay.timeline.last)
            if replay.reader.ticks:
                assert replay.state == whole[replay.timeline.last]
    assert seen == sorted(seen)
    assert len(set(seen)) == len(ticks) + 1


@LAYOUTS
@pytest.mark.parametrize("died", [3, 17, 30])
def test_what_a_killed_recorder_wrote_is_there_and_the_next_goes_on_with_it(
    layout: Layout, died: int, folder: Path
) -> None:
    live = Live(folder, layout)
    for events in WHOLE[:died]:
        live.tick(events)
    live.recorder.close()  # without a word to the preamble
    with closing(open_replay(str(folder))) as replay:
        assert replay.timeline.last == died - 1
        before = portrait(replay)
        again = Live(folder, layout)
        assert again.recorder.ticks == again.recorder.kept == died
        assert replay.refresh() in (Change.GREW, Change.NOTHING)
        assert portrait(replay) == before
        for events in WHOLE[died:]:
            again.tick(events)
            assert replay.refresh() is Change.GREW
        again.recorder.finish()
        assert replay.refresh() is Change.FINISHED
        assert replay.timeline.last == len(WHOLE) - 1
        markers = [marker.name for marker in replay.timeline.markers]
    assert markers == ["run 1", "one", "two", "three", "finish"]
    *_, report = verify(str(folder))
    assert (report["sound"], report["ticks"]) == (True, len(WHOLE))
    if layout is Layout.TEXT:
        assert read_back(folder) == busy(WHOLE)


@LAYOUTS
def test_a_session_that_dies_while_it_takes_in_the_last_one_loses_nothing(layout: Layout, folder: Path) -> None:
    """The ticks of an open chunk are written again: of the copy, any part may be there."""
    live = Live(folder, layout)
    for events in WHOLE[:17]:
        live.tick(events)
    live.recorder.close()
    preamble = (folder / "preamble.dat").read_bytes()
    Live(folder, layout).recorder.close()
    copy = folder / "segment-001.dat"
    data = copy.read_bytes()
    (folder / "preamble.dat").write_bytes(preamble)
    for size in range(len(data)):
        copy.write_bytes(data[:size])
        with closing(open_reader(str(folder))) as reader:
            assert (reader.ticks, reader.faults) == (17, ())
    again = Live(folder, layout)
    assert again.recorder.ticks == 17
    again.tick(WHOLE[17])
    again.recorder.leave()
    assert verify_sound(folder)
    with closing(open_reader(str(folder))) as reader:
        segments = [entry.segment[0] for entry in reader.preamble.entries]
    assert segments == [0, 1, 2], "an index rises by one segment at a time (spec 4)"


def verify_sound(folder: Path) -> bool:
    *_, report = verify(str(folder))
    return bool(report["sound"])


@LAYOUTS
def test_what_an_unlisted_segment_has_is_in_every_verb(layout: Layout, folder: Path) -> None:
    live = Live(folder, layout)
    for events in WHOLE[:17]:
        live.tick(events)
    assert (info(str(folder)).ticks, listing(str(folder)).ticks) == (17, 17)
    assert verify_sound(folder)
    live.recorder.close()
    set_metadata(str(folder), "player", "ada")
    assert info(str(folder)).ticks == 17
    compact(str(folder), str(folder) + ".replay")
    assert info(str(folder) + ".replay").ticks == 17


@LAYOUTS
def test_a_recording_made_anew_in_the_same_place_is_read_again(layout: Layout, folder: Path) -> None:
    def recorded(ticks: int, step: float) -> None:
        live = Live(folder, layout)
        for events in walk(ticks, step):
            live.tick(events)
        live.recorder.close()

    recorded(17, 0.25)
    with closing(open_replay(str(folder))) as replay:
        for ticks, step in ((17, 0.5), (33, 0.25), (12, 1.0)):
            replay.seek(3)
            shutil.rmtree(folder)
            assert replay.refresh() is Change.NOTHING
            recorded(ticks, step)
            assert replay.refresh() is Change.REWOUND
            assert replay.timeline.last == ticks - 1
            replay.seek(ticks - 1)
            assert replay.state.player.position.x == (ticks - 1) * step


def test_the_games_segments_are_seen_when_they_are_there(folder: Path) -> None:
    """It writes a whole segment, then the preamble; what a crash leaves without one, the next session writes over."""
    files = Made(WHOLE, Layout.GAME, segment=2).files(finished=False)
    made = Made(WHOLE[:30], Layout.GAME, segment=2).write(folder, finished=False)
    with closing(open_replay(str(made))) as replay:
        (made / "segment-003.dat").write_bytes(files["segment-003.dat"])
        assert (replay.refresh(), replay.timeline.last) == (Change.GREW, 39)
        other = Made(walk(40, 1.0), Layout.GAME, segment=2).files()["segment-003.dat"]
        (made / "segment-003.dat").write_bytes(other)
        assert replay.refresh() is Change.REWOUND
        assert replay.timeline.last == 39
        for name, data in files.items():
            (made / name).write_bytes(data)
        assert replay.refresh() is Change.REWOUND
        assert replay.timeline.last == len(WHOLE) - 1


def beginnings() -> list[bytes]:
    preamble = Made(()).files()["preamble.dat"]
    return [preamble[:size] for size in (0, 3, 100, 255, 256, len(preamble) - 1)]


@pytest.mark.parametrize("data", beginnings(), ids=len)
def test_of_a_recording_that_has_only_begun_one_is_told_so(data: bytes, folder: Path) -> None:
    folder.mkdir()
    for draft in ((), (DRAFT + "0123456789abcdef",)):
        for name in draft:
            (folder / name).touch()
        with pytest.raises(TooShort, match="an empty folder; nothing has been recorded yet"):
            open_recording(str(folder))
    (folder / "preamble.dat").write_bytes(data)
    with pytest.raises(TooShort):
        open_replay(str(folder))
    (folder / "finished").touch()
    with pytest.raises(Damaged) as error:
        open_replay(str(folder))
    assert not isinstance(error.value, TooShort)


def test_where_a_chunk_is_open_no_other_begins(folder: Path) -> None:
    """Segments of one recorder never leave a gap."""
    live = Live(folder, Layout.GAME)
    for events in WHOLE:
        live.tick(events)
    live.recorder.finish()
    with closing(open_reader(str(folder))) as reader:
        entries = [part.entry for part in reader.parts]
    assert all(one.end == other.start for one, other in pairwise(entries))
