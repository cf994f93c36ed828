"""Typescripts of util-linux script, with times in both forms; and whatever may be wrong with the two files."""

from pathlib import Path

import pytest

from nhlog.change import Change
from nhlog.errors import NhlogError, TooShort, Usage
from nhlog.formats import format_of, open_recording, operation
from nhlog.formats.recast import recast
from nhlog.formats.typescript.operations import OPERATIONS
from nhlog.formats.typescript.reader import TypescriptEvents, open_events
from nhlog.formats.typescript.wire.lines import Entry, parse_entry, parse_first
from nhlog.vt import Size
from tests.corpus import corpus
from tests.vt.truth import told

FIRST = b'Script started on 2026-11-21 23:55:33+00:00 [COMMAND="sh" TERM="xterm" COLUMNS="100" LINES="30"]\n'
LAST = b'\nScript done on 2026-11-21 23:55:36+00:00 [COMMAND_EXIT_CODE="0"]\n'
START = 1_795_305_333_000_000


def opened(folder: Path, script: bytes, timing: str) -> TypescriptEvents:
    (folder / "some.typescript").write_bytes(script)
    (folder / "some.timing").write_text(timing)
    return open_events(str(folder / "some.typescript"))


def test_a_real_one_shows_the_known_screens() -> None:
    known, frames = told("recorded/nh366-tou-script.typescript")
    path = str(corpus("terminal", "recorded", "nh366-tou-script.typescript"))
    replay = open_recording(path)
    assert (replay.timeline.last + 1, replay.info.duration) == (known["events"], known["duration_us"])
    assert (replay.info.start, replay.recorded.header.command) == (START, "/usr/games/nethack -u Gus -p Tou")
    for frame in frames:
        replay.seek(frame["index"])
        grid = replay.state.grid
        assert (grid.text(), grid.cursor) == (frame["screen"], tuple(frame["cursor"]))
        assert replay.timeline.time(replay.step) == frame["time_us"]
    replay.close()
    assert list(OPERATIONS.verify(path))[-1]["sound"]


def test_times_in_the_advanced_form_have_input_sizes_and_more(tmp_path: Path) -> None:
    timing = (
        "H 0.000000 START_TIME 2026-11-21 23:55:33+00:00\nH 0.000000 TERM xterm\nH 0.000000 COLUMNS 90\n"
        "H 0.000000 LINES 20\nH 0.000000 COMMAND sh\nH 0.000000 OUTPUT_LOG io\nH 0.000000 INPUT_LOG io\n"
        "I 0.500000 1\nO 0.250000 3\nS 1.000000 SIGWINCH ROWS=30 COLS=100\nO 0.000001 2\nH 0.000000 EXIT_CODE 0\n"
    )
    events = opened(tmp_path, b"kabcde", timing)
    found = [(events.times[n], events.code(n), events.data(n)) for n in range(len(events))]
    assert found == [
        (500_000, "i", b"k"),
        (750_000, "o", b"abc"),
        (1_750_000, "r", b"100x30"),
        (1_750_001, "o", b"de"),
    ]
    assert list(events.parts(0, 4)) == [b"", b"abc", Size(100, 30), b"de"]
    assert (events.header.size, events.header.start, events.header.command) == ((90, 20), START, "sh")
    assert (events.faults, events.waiting) == ([], 0)
    events.close()


def test_what_was_typed_into_another_file_is_not_looked_for_in_this_one(tmp_path: Path) -> None:
    events = opened(tmp_path, b"abc", "H 0 OUTPUT_LOG o\nH 0 INPUT_LOG i\nI 1.0 9\nO 1.0 3\n")
    assert [(events.times[n], events.code(n)) for n in range(len(events))] == [(2_000_000, "o")]
    events.close()


def test_the_first_line_tells_what_it_can() -> None:
    assert parse_first(FIRST)[:2] == (len(FIRST), START)
    assert parse_first(b"Script started on Tue Jan  1 10:00:00 2008\nx")[:2] == (43, None)
    assert parse_first(b"\x1b[Hno such line\n")[:2] == (0, None)


@pytest.mark.parametrize(
    "line", [b"", b"1.5", b"-1.0 5", b"1.0 -5", b"1e9 5", b"X 1.0 5", b"1.0 999999999", b"1.0 5 5"]
)
def test_a_line_that_is_none_is_damage(line: bytes) -> None:
    with pytest.raises(NhlogError):
        parse_entry(line)
    assert parse_entry(b"0.000029 3") == Entry("O", 29, 3)
    assert parse_entry(b"12 3") == Entry("O", 12_000_000, 3)


def test_damaged_times_are_told_with_their_file_and_offset(tmp_path: Path) -> None:
    events = opened(tmp_path, FIRST + b"abcdef" + LAST, "0.5 3\nrubbish\n0.5 3\n")
    assert [str(fault) for fault in events.faults] == [
        f"{tmp_path}/some.timing: offset 6: not a line of times: expected seconds and a number of bytes, "
        "found 'rubbish'"
    ]
    assert (len(events), events.waiting, events.times[-1]) == (2, 0, 1_000_000)
    events.close()
    events = opened(tmp_path, FIRST + b"abcdef" + LAST, "0.5 3\n" + "x" * 300_000 + "\n0.5 3\n")
    assert len(events) == 2
    events.close()


def test_each_file_may_be_behind_the_other(tmp_path: Path) -> None:
    events = opened(tmp_path, FIRST + b"abc", "0.5 3\n0.5 5\n")
    assert (len(events), events.waiting) == (1, 5)
    (tmp_path / "some.typescript").write_bytes(FIRST + b"abcdefghij")
    assert (events.look(), len(events), events.waiting) == (Change.GREW, 2, 2)
    (tmp_path / "some.timing").write_text("0.5 3\n0.5 5\n0.1")
    assert (events.look(), len(events)) == (Change.GREW, 2)
    (tmp_path / "some.timing").write_text("0.5 3\n0.5 5\n0.1 2\n")
    assert (events.look(), len(events), events.waiting) == (Change.GREW, 3, 0)
    (tmp_path / "some.typescript").write_bytes(FIRST + b"abcdefghij" + LAST)
    assert (events.look(), len(events), events.waiting) == (Change.GREW, 3, 0)
    (tmp_path / "some.timing").write_text("0.5 3\n")
    assert events.look() is Change.REWOUND
    events.close()


@pytest.mark.parametrize(
    ("script", "timing", "told"),
    [
        (b"", "", "offset 0: the first line is cut short"),
        (FIRST[:40], "0.1 3\n", "offset 40: the first line is cut short"),
        (FIRST, "", f"offset {len(FIRST)}: no output yet"),
        (FIRST + b"abc", None, "the file with the times is missing: expected "),
    ],
)
def test_what_has_no_event_is_too_short(tmp_path: Path, script: bytes, timing: str | None, told: str) -> None:
    path = tmp_path / "some.typescript"
    path.write_bytes(script)
    if timing is not None:
        (tmp_path / "some.timing").write_text(timing)
    with pytest.raises(TooShort) as error:
        open_recording(str(path))
    assert str(error.value).startswith(f"{path}: {told}")


def test_the_times_are_found_by_name_or_given(tmp_path: Path) -> None:
    path = tmp_path / "typescript"
    path.write_bytes(FIRST + b"abc")
    assert format_of(str(path)).id == "typescript"
    for name in ("typescript.timing", "typescript.tm"):
        (tmp_path / name).write_text("0.1 3\n")
        open_recording(str(path)).close()
        (tmp_path / name).rename(tmp_path / "times")
    open_events(str(path), timing=str(tmp_path / "times")).close()
    with pytest.raises(NhlogError):
        open_events(str(path), timing=str(tmp_path / "none"))


@pytest.mark.parametrize("name", ["info", "stats", "dump"])
def test_the_times_may_be_elsewhere_for_every_operation_that_reads_them(tmp_path: Path, name: str) -> None:
    beside = corpus("terminal/recorded/nh366-tou-script.typescript")
    alone, times = tmp_path / "some.typescript", tmp_path / "times.elsewhere"
    alone.write_bytes(beside.read_bytes())
    times.write_bytes(beside.with_suffix(".timing").read_bytes())

    def told_by(path: Path, **options: str) -> list[str]:
        found = operation(str(path), name, **options)(str(path))
        return [repr(found)] if name == "info" else [repr(record) for record in found]

    assert told_by(alone, timing=str(times)) == told_by(beside)
    with pytest.raises(NhlogError, match="file with the times is missing"):
        told_by(alone)


def test_a_typescript_whose_times_are_elsewhere_becomes_another_recording(tmp_path: Path) -> None:
    beside = corpus("terminal/recorded/nh366-tou-script.typescript")
    alone, times = tmp_path / "some.typescript", tmp_path / "times.elsewhere"
    alone.write_bytes(beside.read_bytes())
    times.write_bytes(beside.with_suffix(".timing").read_bytes())
    recast(str(alone), str(tmp_path / "alone.cast"), opening={"timing": str(times)})
    recast(str(beside), str(tmp_path / "beside.cast"))
    assert (tmp_path / "alone.cast").read_bytes() == (tmp_path / "beside.cast").read_bytes()
    with pytest.raises(Usage, match="--timing does not apply to an asciicast"):
        recast(str(tmp_path / "alone.cast"), str(tmp_path / "again.cast"), opening={"timing": str(times)})
