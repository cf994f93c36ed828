"""Recordings of nh_recorder: pieces and times, as termrec writes and reads them."""

from pathlib import Path

import pytest

from nhlog.change import Change
from nhlog.errors import TooShort
from nhlog.formats import open_recording
from nhlog.formats.nhrecorder.operations import OPERATIONS
from nhlog.formats.nhrecorder.reader import NhRecorderEvents, open_events
from nhlog.formats.nhrecorder.wire.pieces import MOST_PIECE
from tests.corpus import corpus
from tests.vt.truth import told


def opened(path: Path, data: bytes) -> NhRecorderEvents:
    path.write_bytes(data)
    return open_events(str(path))


def test_a_real_one_shows_the_known_screens() -> None:
    known, frames = told("recorded/bash-termrec.nh")
    path = str(corpus("terminal", "recorded", "bash-termrec.nh"))
    replay = open_recording(path)
    assert (replay.timeline.last + 1, replay.info.duration) == (known["events"], known["duration_us"])
    for frame in frames:
        replay.seek(frame["index"])
        grid = replay.state.grid
        assert (grid.text(), grid.cursor) == (frame["screen"], tuple(frame["cursor"]))
        assert replay.timeline.time(replay.step) == frame["time_us"]
    replay.close()
    assert list(OPERATIONS.verify(path))[-1]["sound"]


def test_characters_may_be_cut_and_the_first_piece_may_have_no_time() -> None:
    """The truth that we have of it leaves that piece out; termrec shows it."""
    events = open_events(str(corpus("terminal", "termrec", "splitutf.nh")))
    assert b"".join(events.data(n) for n in range(len(events))).decode() == "aаａ𝚊\n"
    assert list(events.times) == [10_000 * number for number in range(11)]
    events.close()


def test_every_prefix_grows_into_the_next(tmp_path: Path) -> None:
    data = b"first\0\1\0\0\0second\0\2\0\0\0\0\2\0\0\0third"
    path, events = tmp_path / "some.nh", None
    for size in range(len(data) + 1):
        path.write_bytes(data[:size])
        if events is None:
            try:
                events = open_events(str(path))
            except TooShort:
                assert size < 6
                continue
        events.look()
        fresh = open_events(str(path))
        assert [events.data(n) for n in range(len(events))] == [fresh.data(n) for n in range(len(fresh))]
        assert (events.times, events.waiting) == (fresh.times, fresh.waiting)
        fresh.close()
    assert events is not None
    assert [events.data(n) for n in range(len(events))] == [b"first", b"second", b"", b"third"]
    assert events.redone > 0
    events.close()


def test_what_was_shown_of_a_piece_is_shown_with_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "some.nh"
    path.write_bytes(b"\0\0\0\0\0ab")
    replay = open_recording(str(path), size="9x1")
    assert replay.state.grid.text() == ["ab"]
    path.write_bytes(b"\0\0\0\0\0abc")
    assert replay.refresh() in (Change.GREW, Change.FINISHED)
    assert replay.state.grid.text() == ["abc"]
    replay.close()


def test_a_pause_of_days_is_damage_and_none_is_made(tmp_path: Path) -> None:
    events = opened(tmp_path / "some.nh", b"\0\1\0\0\0a\0\xff\xff\xff\xffb\0\2\0\0\0c")
    assert (list(events.times), events.backwards) == ([10_000, 10_000, 10_000], 1)
    assert events.faults[0].message == "offset 6: no pause: expected less than a day, found 42949672 s"
    events.close()


def test_a_long_piece_is_several_events(tmp_path: Path) -> None:
    data = b"x" * (2 * MOST_PIECE + 5) + b"\0\1\0\0\0" + b"y" * MOST_PIECE + b"\0\2\0\0\0z"
    with pytest.raises(TooShort):
        opened(tmp_path / "some.nh", data)
    events = opened(tmp_path / "some.nh", b"\0\0\0\0\0" + data)
    assert b"".join(events.data(n) for n in range(len(events))) == data.replace(b"\0\1\0\0\0", b"").replace(
        b"\0\2\0\0\0", b""
    )
    assert max(len(events.data(n)) for n in range(len(events))) <= MOST_PIECE
    assert events.times[-1] == 20_000
    events.close()
