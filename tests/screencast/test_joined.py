"""Several recordings as one: in order of time, each in a new terminal of its own size."""

from contextlib import closing
from pathlib import Path

import pytest

from nhlog.errors import Unsupported, Usage
from nhlog.formats import open_recording
from nhlog.formats.recast import open_joined, recast
from nhlog.formats.ttyrec.wire.frames import format_frame
from nhlog.replay import Status
from nhlog.screencast.replay import Screencast
from nhlog.vt import Size
from tests.doses import dose, seeded
from tests.vt.truth import truth

NAMES = ("recorded/vim.ttyrec", "recorded/nh366-decgfx-wiz.ttyrec", "recorded/bash-resize-asciinema24.cast")


def test_each_shows_what_it_shows_alone() -> None:
    files = [str(truth(name).file) for name in NAMES]
    alone = sorted((open_recording(file) for file in files), key=lambda replay: replay.info.start or 0)
    joined, begun = open_joined(files), 0
    for replay in alone:
        for step in sorted(seeded(1).sample(range(replay.timeline.last + 1), dose("screencast.joined"))):
            replay.seek(step)
            joined.seek(begun + step)
            assert joined.state.grid.rows == replay.state.grid.rows
            shift = (replay.info.start or 0) - (alone[0].info.start or 0)
            assert joined.timeline.time(joined.step) >= replay.timeline.time(step) + min(shift, 0)
        begun += replay.timeline.last + 3
        replay.close()
    assert joined.timeline.last == begun - 3
    joined.close()


def test_the_order_is_that_of_time_and_the_last_one_may_grow(tmp_path: Path) -> None:
    early, late = tmp_path / "z.ttyrec", tmp_path / "a.ttyrec"
    early.write_bytes(format_frame(1_000_000, b"early") + format_frame(2_000_000, b"!"))
    late.write_bytes(format_frame(60_000_000, b"late"))
    joined = open_joined([str(late), str(early)])
    assert joined.state.grid.text()[0] == "early"
    assert list(joined.timeline.axes["time"].values) == [0, 1_000_000, 59_000_000, 59_000_000, 59_000_000]
    with late.open("ab") as file:
        file.write(format_frame(61_000_000, b"r"))
    joined.refresh()
    joined.seek(99)
    assert (joined.step, joined.state.grid.text()[0]) == (5, "later")
    assert joined.timeline.time(5) == 60_000_000
    joined.close()


def test_a_folder_becomes_one_file(tmp_path: Path) -> None:
    files = [str(truth(name).file) for name in NAMES[:2]]
    recast("folder", str(tmp_path / "all.cast"), joined=files)
    joined, cast = open_joined(files), open_recording(str(tmp_path / "all.cast"))
    assert cast.timeline.last == joined.timeline.last
    for step in range(joined.timeline.last):
        joined.seek(step)
        cast.seek(step)
        assert cast.state.grid == joined.state.grid
    joined.close()
    cast.close()


def two_casts(tmp_path: Path, *, inside: str = "") -> Screencast:
    """An early one of 20x5 with its events at 0 s and 2 s, something `inside` it, and one of 30x7 a second later."""
    early, late = tmp_path / "early.cast", tmp_path / "late.cast"
    one, two = '[0, "o", "one"]\n', '[2, "o", " two"]\n'
    early.write_text('{"version": 2, "width": 20, "height": 5, "timestamp": 100}\n' + one + inside + two)
    late.write_text('{"version": 2, "width": 30, "height": 7, "timestamp": 101}\n' + one + two)
    return open_joined([str(early), str(late)])


def test_what_is_wrong_in_any_of_them_is_told(tmp_path: Path) -> None:
    with closing(two_casts(tmp_path, inside="rubbish\n")) as joined:
        assert joined.info.status is Status.DAMAGED
        assert [fault.file for fault in joined.recorded.all_faults] == [str(tmp_path / "early.cast")]


def test_what_was_recorded_at_the_same_time_follows_with_its_own_pauses(tmp_path: Path) -> None:
    with closing(two_casts(tmp_path)) as joined:
        assert list(joined.recorded.times) == [0, 2_000_000, 2_000_000, 2_000_000, 2_000_000, 4_000_000]


def test_a_new_terminal_of_the_next_one_s_size_is_told_and_shown(tmp_path: Path) -> None:
    with closing(two_casts(tmp_path)) as joined:
        events = joined.recorded
        assert [events.data(number) for number in (2, 3)] == [b"\x1bc", b"30x7"]
        assert [*events.parts(1, 5)] == [b" two", b"\x1bc", Size(30, 7), b"one"]
        assert [events.size_at(number) for number in (2, 3)] == [Size(20, 5), Size(30, 7)]


def test_places_are_those_in_all_files_one_behind_the_other(tmp_path: Path) -> None:
    with closing(two_casts(tmp_path)) as joined:
        events, first = joined.recorded, (tmp_path / "early.cast").read_bytes()
        second = (tmp_path / "late.cast").read_bytes()
        assert [events.offset(number) for number in range(6)] == [
            *(first.index(text) for text in (b'[0, "o"', b'[2, "o"')),
            *[len(first)] * 2,
            *(len(first) + second.index(text) for text in (b'[0, "o"', b'[2, "o"')),
        ]


def test_what_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Usage):
        open_joined([])
    with pytest.raises(Unsupported):
        open_joined([str(truth(NAMES[0]).file), "game.nhgame"])
