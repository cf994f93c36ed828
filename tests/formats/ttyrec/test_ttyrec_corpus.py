"""Recordings of real programs: each frame found, each known screen shown, and whatever is damaged told."""

from pathlib import Path

import pytest

from nhlog.errors import NhlogError
from nhlog.formats import format_of, open_recording
from nhlog.formats.ttyrec.operations import OPERATIONS
from nhlog.screencast.replay import Screencast
from tests.corpus import corpus
from tests.vt.truth import FILES, truth

RECORDINGS = [name for name in FILES if ".ttyrec" in name]
SMALLER = {"nle/2020-10-03.17_27_10.ttyrec.bz2", "recorded/nh366-ibmgfx-cav-132x50.ttyrec"}
"""Nothing at their beginnings addresses the last columns."""


def shown(name: str) -> Screencast:
    size = {"size": "x".join(map(str, truth(name).size))} if name in SMALLER else {}
    replay = open_recording(str(truth(name).file), **size)
    assert isinstance(replay, Screencast)
    return replay


@pytest.mark.parametrize("name", RECORDINGS)
def test_size_charset_and_times_are_found(name: str) -> None:
    told, info = truth(name).told, OPERATIONS.info(str(truth(name).file))
    assert (info.events, info.start, info.duration) == (told["events"], told["start_unix_us"], told["duration_us"])
    assert info.size == told["uncompressed_bytes"]
    assert info.charset == told["charset"]
    assert [info.columns, info.rows] == told["size"] or name in SMALLER
    assert info.health == "sound"
    assert info.inputs == len(told.get("inputs", []))


@pytest.mark.parametrize("name", RECORDINGS)
def test_it_is_known_by_its_first_bytes_too(name: str, tmp_path: Path) -> None:
    (tmp_path / "ttyrecord").write_bytes(truth(name).file.read_bytes())
    assert format_of(str(tmp_path / "ttyrecord")).id == "ttyrec"


@pytest.mark.parametrize("name", RECORDINGS)
def test_known_screens_are_shown(name: str) -> None:
    replay = shown(name)
    for frame in truth(name).frames:
        replay.seek(frame["index"])
        grid = replay.state.grid
        rows = [row for y, row in enumerate(grid.text()) if y not in frame.get("disputed_rows", ())]
        assert rows == [row for y, row in enumerate(frame["screen"]) if y not in frame.get("disputed_rows", ())]
        assert grid.cursor == tuple(frame["cursor"])
        assert replay.timeline.time(replay.step) == frame["time_us"]
    replay.close()


@pytest.mark.parametrize("name", [name for name in RECORDINGS if truth(name).told.get("inputs")])
def test_what_was_typed_is_known(name: str) -> None:
    typed = [record["data"] for record in OPERATIONS.dump(str(truth(name).file)) if record["code"] == "i"]
    assert len(typed) == len(truth(name).told["inputs"])


DAMAGED = {
    "clock-jump.ttyrec": (148, ""),
    "concatenated-backwards.ttyrec": (232, ""),
    "cut-after-header.ttyrec": (40, "offset 9575: the last event is cut short"),
    "garbage-middle.ttyrec": (148, "offset 9575: not a frame"),
    "len-negative.ttyrec": (147, "offset 9575: not a frame"),
    "len-short-by-3.ttyrec": (148, "offset 9612: not a frame"),
    "ovh-year-2106.ttyrec": (148, ""),
    "torn-body.ttyrec": (40, "offset 9575: the last event is cut short"),
    "torn-header.ttyrec": (40, "offset 9575: the last event is cut short"),
    "torn.ttyrec.gz": (55, "offset 14017: the last event is cut short"),
    "two-streams.ttyrec.bz2": (148, ""),
    "zero-block.ttyrec": (148, "offset 9575: not a frame"),
}
NONE = {
    "cut-in-first-header.ttyrec": "offset 5: the first frame is cut short",
    "empty.ttyrec": "offset 0: empty file",
    "mock.ttyrec.bz2": "offset 0: not a ttyrec",
}


@pytest.mark.parametrize("name", DAMAGED)
def test_what_can_be_read_of_a_damaged_one_is_read_and_what_is_wrong_is_told(name: str) -> None:
    path = str(corpus("terminal", "damaged", name))
    *findings, report = OPERATIONS.verify(path)
    faults = [f"offset {finding['offset']}: {finding['what']}" for finding in findings if finding["fault"]]
    assert (report["events"], faults[0] if faults else "") == DAMAGED[name]
    assert report["sound"] == (not faults)
    whole = truth("recorded/nh366-decgfx-wiz.ttyrec")
    if report["events"] == 148 and "short-by" not in name:
        replay = OPERATIONS.open(path)
        replay.seek(147)
        assert replay.state.grid.text() == whole.frames[-1]["screen"]
        replay.close()


@pytest.mark.parametrize("name", NONE)
def test_what_is_no_recording_is_refused_in_one_line(name: str) -> None:
    path = str(corpus("terminal", "damaged", name))
    for act in (OPERATIONS.open, OPERATIONS.info, OPERATIONS.listing):
        with pytest.raises(NhlogError) as error:
            act(path)
        assert str(error.value).startswith(f"{path}: {NONE[name]}: expected ")


def test_a_follower_shows_whole_frames_only(tmp_path: Path) -> None:
    """A file that grows and whose writer is killed in the middle of a frame."""
    data = corpus("terminal", "growing", "nh366-decgfx-wiz.ttyrec").read_bytes()
    path = tmp_path / "growing.ttyrec"
    path.write_bytes(data[:9580])
    replay = OPERATIONS.open(str(path))
    assert (replay.timeline.last + 1, replay.info.status) == (40, "live")
    assert replay.info.note == "waiting for the rest of what begins at offset 9575"
    path.write_bytes(data)
    assert replay.refresh() == "finished"
    assert replay.timeline.last + 1 == 148
    replay.seek(147)
    assert replay.state.grid.text() == truth("recorded/nh366-decgfx-wiz.ttyrec").frames[-1]["screen"]
    replay.close()


@pytest.mark.usefixtures("no_emulator")
def test_listing_and_verifying_need_no_emulator() -> None:
    path = str(corpus("terminal", "recorded", "vim.ttyrec"))
    assert OPERATIONS.listing(path).duration
    assert OPERATIONS.info(path).events == 84
    assert list(OPERATIONS.verify(path))[-1]["sound"]
