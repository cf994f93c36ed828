"""Recordings of real recorders: each event found, each known screen shown, and whatever is wrong told."""

import json
from pathlib import Path

import pytest

from nhlog.errors import NhlogError, TooShort
from nhlog.formats import open_recording
from nhlog.formats.asciicast.operations import OPERATIONS
from nhlog.formats.asciicast.reader import open_events
from nhlog.screencast import parse_resize
from tests.corpus import corpus
from tests.vt.truth import FILES, differing, truth

EMPTY = "recorded/cmatrix-asciinema24.cast"
RECORDINGS = [name for name in FILES if name.endswith((".cast", ".json")) and name != EMPTY]
LATER = {
    "asciinema-player/powerline-rounded-symbols.cast",
    "converted/bash-resize-v3.cast",
    "converted/bash-unicode-v3.cast",
}
"""Their first screens are empty, nothing was written yet; the truth has styles there that come later."""


@pytest.mark.parametrize("name", RECORDINGS)
def test_events_times_sizes_and_markers_are_found(name: str) -> None:
    told, events = truth(name).told, open_events(str(truth(name).file))
    assert (len(events), events.times[-1]) == (told["events"], told["duration_us"])
    codes = [events.code(number) for number in range(len(events))]
    assert {code: codes.count(code) for code in codes} == told["events_by_code"]
    sizes = [(0, *events.header.size)]
    sizes += [(events.times[n], *(parse_resize(events.data(n)) or ())) for n in events.numbers("r")]
    assert [list(size) for size in sizes] == told["sizes"]
    markers = [[events.times[n], events.data(n).decode()] for n in events.numbers("m")]
    assert markers == told["markers"]
    assert (events.all_faults, events.waiting, events.lost) == ([], 0, 0)
    events.close()


@pytest.mark.parametrize("name", RECORDINGS)
def test_known_screens_are_shown(name: str) -> None:
    replay = open_recording(str(truth(name).file))
    for frame in truth(name).frames:
        replay.seek(frame["index"])
        grid, disputed = replay.state.grid, frame.get("disputed_rows", ())
        trusted = [y for y in range(frame["rows"]) if y not in disputed]
        text = grid.text()
        assert [text[y] for y in trusted] == [frame["screen"][y] for y in trusted]
        assert (grid.cursor, grid.cursor_visible) == (tuple(frame["cursor"]), frame["cursor_visible"])
        assert replay.timeline.time(replay.step) == frame["time_us"]
        if "styles" in frame and not (name in LATER and frame["index"] == 0):
            assert [wrong for y in trusted if (wrong := differing(list(grid.rows[y]), y, frame["styles"]))] == []
    replay.close()


WRONG = {
    "asciinema-server/1/invalid-data.json": (2, "offset 118: event 2 is no event"),
    "asciinema-server/1/invalid-time-1.json": (3, "offset 118: event 2 has a time that makes no sense"),
    "asciinema-server/1/invalid.json": (3, "offset 0: the header has no width"),
    "asciinema-server/1/wrong-event-length.json": (3, "offset 118: event 2 has too many values"),
    "asciinema-server/2/broken.cast": (2, "offset 69: line 3 is no event"),
    "asciinema-server/2/empty-theme.cast": (1, "offset 0: the header's theme makes no sense"),
    "asciinema-server/2/invalid-code.cast": (1, "offset 66: line 3 is no event"),
    "asciinema-server/2/invalid-resize.cast": (3, "offset 66: line 3 has no size"),
    "asciinema-server/2/invalid-theme.cast": (3, "offset 0: the header's theme makes no sense"),
    "asciinema-server/2/invalid-time-2.cast": (1, "offset 66: line 3 is no event"),
    "asciinema-server/2/wrong-event-length.cast": (2, "offset 66: line 3 has too many values"),
    "asciinema-server/3/broken.cast": (2, "offset 76: line 3 is no event"),
    "asciinema-server/3/invalid-data.cast": (1, "offset 73: line 3 is no event"),
    "asciinema-server/3/invalid-resize.cast": (3, "offset 73: line 3 has no size"),
    "asciinema-server/3/invalid-time-2.cast": (1, "offset 73: line 3 is no event"),
    "asciinema-server/3/wrong-event-length.cast": (2, "offset 73: line 3 has too many values"),
    "damaged/bad-json-middle.cast": (931, "offset 1247: line 51 is no event"),
    "damaged/lines-merged.cast": (929, "offset 1208: line 50 is no event"),
    "damaged/nul-bytes-middle.cast": (931, "offset 1247: line 51 is no event"),
    "damaged/torn-last-event.cast": (930, "offset 29804: the last event is cut short"),
    "edge/v1-string-split.json": (1, "offset 53: event 1 is no event"),
    "edge/v2-comment.cast": (1, "offset 42: line 2 is no event"),
    "edge/v2-nested-array.cast": (1, "offset 42: line 2 has too many values"),
    "edge/v2-timestamp-negative.cast": (1, "offset 0: the header's timestamp makes no sense"),
    "edge/v2-unknown-codes.cast": (3, "offset 81: line 4 is no event"),
    "edge/v2-width-string.cast": (1, "offset 0: the header's width makes no sense"),
    "edge/v2-width-zero.cast": (1, "offset 0: the header's width makes no sense"),
    "edge/v3-exit-notnum.cast": (2, "offset 66: line 3 has no number"),
    "edge/v3-resize-forms.cast": (2, "offset 70: line 3 has no size"),
    "edge/v3-resize-spaces.cast": (1, "offset 49: line 2 has no size"),
    "edge/v3-resize-zero.cast": (2, "offset 49: line 2 has no size"),
    "edge/v3-two-headers-concat.cast": (2, "offset 65: line 3 begins another recording"),
}
"""How many events play, and the first thing that is told."""

NOTHING = {
    "damaged/torn-in-utf8.cast": "offset 148: the header is cut short",
    "edge/empty.cast": "offset 0: empty file",
    EMPTY: "offset 124: no event is whole yet",
    "edge/only-newline.cast": "offset 1: no header yet",
    "edge/v1-no-stdout.json": "offset 0: an object without events",
    "edge/v2-object-event.cast": "offset 42: line 2 is no event",
    "edge/v2-time-string.cast": "offset 42: line 2 is no event",
    "edge/v2-torn-header.cast": "offset 19: the header is cut short",
    "termrec/asciicast-escapes.cast": "offset 0: not an asciicast header",
}

SOUND = {
    "edge/v1-pretty.json": 2,
    "edge/v2-backwards.cast": 3,
    "edge/v2-big-event.cast": 1,
    "edge/v2-crlf.cast": 2,
    "edge/v2-escaped-code.cast": 1,
    "edge/v2-exit-event.cast": 2,
    "edge/v2-idle-1.cast": 3,
    "edge/v2-idle-zero.cast": 2,
    "edge/v2-leading-space.cast": 1,
    "edge/v2-lone-surrogate.cast": 1,
    "edge/v2-no-final-newline.cast": 1,
    "edge/v2-nul-and-c1.cast": 1,
    "edge/v2-surrogate-pair-split.cast": 2,
    "edge/v2-theme-8.cast": 1,
    "edge/v2-theme-junk-entry.cast": 1,
    "edge/v2-trailing-space.cast": 1,
    "edge/v2-whitespace-line.cast": 1,
    "edge/v2-width-float.cast": 1,
    "edge/v3-comment-indented.cast": 1,
    "edge/v3-env-null.cast": 1,
    "edge/v3-exit-neg.cast": 2,
    "edge/v3-resize-huge.cast": 1,
    "edge/v3-unknown-codes.cast": 3,
}


def test_no_file_of_those_that_readers_differ_about_is_forgotten() -> None:
    folders = (corpus("terminal", folder) for folder in ("edge", "asciinema-server/1", "asciinema-server/2"))
    names = {f"{folder.parent.name}/{folder.name}/{path.name}" for folder in folders for path in folder.iterdir()}
    known = {*WRONG, *NOTHING, *SOUND, *RECORDINGS}
    assert {name.removeprefix("terminal/") for name in names} <= known


@pytest.mark.parametrize("name", [*WRONG, *SOUND])
def test_what_is_an_event_plays_and_what_is_none_is_told(name: str) -> None:
    path = str(corpus("terminal", *name.split("/")))
    *findings, report = OPERATIONS.verify(path)
    faults = [f"offset {finding['offset']}: {finding['what']}" for finding in findings if finding["fault"]]
    events, first = WRONG[name] if name in WRONG else (SOUND[name], "")
    assert (report["events"], faults[0] if faults else "") == (events, first)
    assert report["sound"] == (name in SOUND)
    replay = open_recording(path)
    replay.seek(report["events"])
    assert replay.state.fault == ""
    replay.close()


@pytest.mark.parametrize("name", NOTHING)
def test_what_has_no_event_is_refused_in_one_line(name: str) -> None:
    path = str(corpus("terminal", *name.split("/")))
    for act in (open_recording, OPERATIONS.info, OPERATIONS.listing):
        with pytest.raises(NhlogError) as error:
            act(path)
        assert str(error.value).startswith(f"{path}: {NOTHING[name]}")
        assert (error.value.exit_code, "\n" in str(error.value)) == (3, False)


def test_damage_in_the_middle_loses_its_line_alone() -> None:
    whole = truth("recorded/bash-unicode-asciinema24.cast")
    for name in ("bad-json-middle", "nul-bytes-middle"):
        replay = open_recording(str(corpus("terminal", "damaged", f"{name}.cast")))
        for frame in whole.frames:
            replay.seek(frame["index"])
            assert replay.state.grid.text() == frame["screen"] or frame.get("disputed_rows")
        replay.close()


def test_a_follower_shows_whole_lines_only(tmp_path: Path) -> None:
    """A file that grows and whose writer is killed in the middle of a line."""
    data = corpus("terminal", "growing", "bash-unicode.cast").read_bytes()
    steps = map(json.loads, corpus("terminal", "growing", "cast.schedule.jsonl").read_text().splitlines())
    path, events = tmp_path / "growing.cast", None
    for step in steps:
        path.write_bytes(data[: step["upto"]])
        if events is None:
            try:
                events = open_events(str(path))
            except TooShort:
                assert step["whole_lines"] <= 1
                continue
        else:
            events.look()
        assert len(events) in (step["whole_lines"] - 1, step["whole_lines"])  # a whole line may lack its end
        assert events.faults == []
    assert events is not None
    events.close()


@pytest.mark.usefixtures("no_emulator")
def test_listing_and_verifying_need_no_emulator() -> None:
    path = str(corpus("terminal", "recorded", "less-asciinema22.cast"))
    assert OPERATIONS.listing(path).duration
    assert list(OPERATIONS.verify(path))[-1]["sound"]
