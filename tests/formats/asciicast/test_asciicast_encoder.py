"""What is written: as the strictest reader wants it, and what was meant, whoever reads it."""

import json
import subprocess
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.errors import Unsupported, Usage
from nhlog.formats.asciicast.reader import encoder, open_events
from nhlog.formats.asciicast.wire.encode import AsciicastEncoder
from nhlog.formats.asciicast.wire.header import format_header
from nhlog.formats.ttyrec.reader import encoder as ttyrec_encoder
from nhlog.formats.ttyrec.reader import open_events as open_frames
from nhlog.screencast import BYTES, Encoder, Events, Header, TimedEvent
from nhlog.vt import Size
from tests.corpus import corpus

START = 1_700_000_000_250_000
HEADER = Header(size=Size(80, 24), start=START)


def written(encoder: Encoder, events: Iterable[TimedEvent]) -> bytes:
    return encoder.begin() + b"".join(encoder.event(event) for event in events) + encoder.end()


def events_of(events: Events) -> list[TimedEvent]:
    found = [TimedEvent(events.times[n], events.code(n), events.data(n)) for n in range(len(events))]
    events.close()
    return found


def output(*pieces: bytes) -> list[TimedEvent]:
    return [TimedEvent(1000 * number, "o", piece) for number, piece in enumerate(pieces)]


def test_version_2_has_times_from_the_start_and_version_3_from_the_event_before() -> None:
    events = [
        TimedEvent(1_500_000, "o", b"a\x1b[m"),
        TimedEvent(1_500_001, "m", b"here"),
        TimedEvent(9 * 10**9, "x", b"0"),
    ]
    assert written(AsciicastEncoder(HEADER), events).splitlines()[1:] == [
        b'[1.500000, "o", "a\\u001b[m"]',
        b'[1.500001, "m", "here"]',
        b'[9000.000000, "x", "0"]',
    ]
    assert written(AsciicastEncoder(HEADER, 3), events).splitlines()[1:] == [
        b'[1.500000, "o", "a\\u001b[m"]',
        b'[0.000001, "m", "here"]',
        b'[8998.499999, "x", "0"]',
    ]


def test_headers_have_what_the_strictest_reader_wants() -> None:
    header = Header(
        size=Size(70_000, 24),
        start=START,
        title="half \ud83d",
        idle_limit=1_500_000,
        environment={"SHELL": "/bin/sh", "TERM": None},
        theme={"fg": "#000000", "bg": "#ffffff", "palette": "no"},
        more={"duration": 5.0, "width": 7, "version": 9, "tags": ["a"], "term": {"type": "xterm"}},
    )
    second, third = (json.loads(format_header(header, version)) for version in (2, 3))
    assert second == {
        "version": 2,
        "width": 1000,
        "height": 24,
        "timestamp": START // 1_000_000,
        "idle_time_limit": 1.5,
        "title": "half \ufffd",
        "env": {"SHELL": "/bin/sh", "TERM": None},
        "tags": ["a"],
    }
    assert third["term"] == {"cols": 1000, "rows": 24, "type": "xterm"}
    assert third["env"] == {"SHELL": "/bin/sh"}
    assert "width" not in third


def test_cut_characters_are_held_back_until_they_are_whole() -> None:
    made = AsciicastEncoder(HEADER)
    pieces = output(b"a\xe2", b"\x94", b"\x80b", b"\xff\xe2", b"")
    lines = (made.begin() + b"".join(map(made.event, pieces)) + made.end()).decode().splitlines()[1:]
    assert lines == [
        '[0.000000, "o", "a"]',
        '[0.002000, "o", "─b"]',
        '[0.003000, "o", "\ufffd"]',
        '[0.004000, "o", ""]',
        '[0.004000, "o", "\ufffd"]',
    ]
    assert made.loss == {"ill-formed bytes": 2}


def test_what_was_typed_is_no_part_of_what_was_written() -> None:
    events = [TimedEvent(0, "o", b"\xe2"), TimedEvent(1, "i", b"k"), TimedEvent(2, "o", b"\x94\x80")]
    lines = written(AsciicastEncoder(HEADER), events).decode().splitlines()[1:]
    assert lines == ['[0.000001, "i", "k"]', '[0.000002, "o", "─"]']


def test_what_cannot_be_said_is_left_out_and_counted() -> None:
    events = [
        TimedEvent(0, "r", b"100X30"),
        TimedEvent(0, "r", b"70000x30"),
        TimedEvent(0, "x", b"killed"),
        TimedEvent(0, 'a"b', b""),
        TimedEvent(0, "#", b"two\nlines"),
        TimedEvent(0, "z", b"kept"),
    ]
    made = AsciicastEncoder(HEADER)
    assert written(made, events).splitlines()[1:] == [b'[0.000000, "r", "1000x30"]', b'[0.000000, "z", "kept"]']
    left_out = {f"events of code {code}": 1 for code in ("r", "x", 'a"b', "#")}
    assert made.loss == {**left_out, "sizes larger than a terminal can be": 1}
    assert b"\n# two\n# lines\n" in written(AsciicastEncoder(HEADER, 3), events)


def test_an_event_that_comes_too_early_comes_with_the_one_before() -> None:
    events = [TimedEvent(5, "o", b"a"), TimedEvent(3, "o", b"b"), TimedEvent(7, "o", b"c")]
    for version, times in ((2, [5, 5, 7]), (3, [5, 0, 2])):
        lines = written(AsciicastEncoder(HEADER, version), events).splitlines()[1:]
        assert [round(json.loads(line)[0] * 1e6) for line in lines] == times


@pytest.mark.parametrize("version", [2, 3])
def test_what_is_appended_goes_on_where_the_recording_ended(tmp_path: Path, version: int) -> None:
    path = tmp_path / "some.cast"
    path.write_bytes(written(AsciicastEncoder(HEADER, version), output(b"a", b"b")))
    for size, resized in ((Size(80, 24), 0), (Size(100, 30), 1), (Size(100, 30), 1), (Size(80, 24), 2)):
        events = open_events(str(path))
        last = events.times[-1]
        more = encoder(Header(size=size), None, events, exact=False)
        events.close()
        with path.open("ab") as file:
            file.write(written(more, [TimedEvent(500, "o", b"c")]))
        events = open_events(str(path))
        assert (events.times[-1], len(list(events.numbers("r"))), events.faults) == (last + 500, resized, [])
        events.close()


def test_what_is_appended_to_a_line_without_an_end_begins_one_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "some.cast"
    path.write_bytes(corpus("terminal", "edge", "v2-no-final-newline.cast").read_bytes())
    events = open_events(str(path))
    with path.open("ab") as file:
        file.write(written(encoder(Header(size=Size(80, 24)), None, events, exact=False), output(b"more")))
    events.close()
    assert [event.data for event in events_of(open_events(str(path)))] == [b"hi", b"more"]


def test_nothing_is_appended_to_version_1_nor_written_in_another(tmp_path: Path) -> None:
    events = open_events(str(corpus("terminal", "edge", "v1-pretty.json")))
    with pytest.raises(Unsupported):
        encoder(HEADER, None, events, exact=False)
    events.close()
    with pytest.raises(Usage):
        encoder(HEADER, 1, None, exact=False)


def test_an_exact_one_tells_bytes_that_are_not_its_characters() -> None:
    made = AsciicastEncoder(HEADER, exact=True)
    lines = written(made, output(b"\xe2", b"\x94\x80", b"", b"a")).decode().splitlines()[1:]
    assert lines == [
        '[0.250000, "bytes", "e2"]',
        '[0.250000, "o", ""]',
        '[0.251000, "bytes", "9480"]',
        '[0.251000, "o", "─"]',
        '[0.252000, "o", ""]',
        '[0.253000, "o", "a"]',
    ]


CODES = st.sampled_from(["o", "o", "o", "i", "m", "z", "x", "r"])
DATA = {
    "o": st.binary(max_size=9) | st.text().map(str.encode),
    "i": st.binary(max_size=3),
    "m": st.text(max_size=9).map(str.encode),
    "z": st.text(max_size=9).map(str.encode),
    "x": st.integers(-300, 300).map(lambda number: b"%d" % number),
    "r": st.tuples(st.integers(1, 1000), st.integers(1, 500)).map(lambda size: b"%dx%d" % size),
}
EVENTS = st.lists(CODES.flatmap(lambda code: st.tuples(st.integers(0, 10**10), st.just(code), DATA[code])), min_size=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("casts")


@given(steps=EVENTS, version=st.sampled_from([2, 3]))
def test_what_was_written_is_read(folder: Path, steps: list[tuple[int, str, bytes]], version: int) -> None:
    """Times to the microsecond, all text, and what was cut anywhere."""
    events, time = [], 0
    for step, code, data in steps:
        time += step
        events.append(TimedEvent(time, code, data))
    made = AsciicastEncoder(HEADER, version)
    path = folder / "some.cast"
    path.write_bytes(written(made, events) + b'[0, "end", ""]\n' * (version == 3))
    try:
        found = open_events(str(path))
    except Exception:
        assert version == 2
        assert not any(event.data or event.code not in "oi" for event in events)
        return
    assert (found.faults, found.backwards, found.waiting) == ([], 0, 0)
    found_events = [event for event in events_of(found) if event.code != "end"]
    for code in "oi":
        wanted = b"".join(event.data for event in events if event.code == code).decode(errors="replace")
        assert b"".join(event.data for event in found_events if event.code == code).decode() == wanted
    others = [event for event in events if event.code not in "oi"]
    assert [event for event in found_events if event.code not in "oi"] == others
    assert made.loss.get("ill-formed bytes", 0) <= sum(len(event.data) for event in events)


@given(steps=st.lists(st.tuples(st.integers(0, 10**7), st.sampled_from("oi"), st.binary(max_size=9)), min_size=1))
def test_an_exact_one_becomes_the_same_frames_again(folder: Path, steps: list[tuple[int, str, bytes]]) -> None:
    """Whatever bytes they have, in whatever pieces."""
    events, time = [], 0
    for step, code, data in steps:
        events.append(TimedEvent(time, code, data))
        time += step
    header = Header(size=Size(80, 24), start=START, more={"ttyrec": 3})
    path = folder / "exact.cast"
    path.write_bytes(written(AsciicastEncoder(header, exact=True), events))
    found = open_events(str(path))
    frames = written(ttyrec_encoder(found.header, None, None, exact=True), events_of(found))
    assert frames == written(ttyrec_encoder(header, None, None, exact=True), events)


@pytest.mark.skipif(not find_spec("asciinema"), reason="asciinema is not installed")
@pytest.mark.parametrize("exact", [False, True])
def test_asciinema_shows_what_was_written(tmp_path: Path, exact: bool) -> None:
    path = tmp_path / "some.cast"
    frames = open_frames(str(corpus("terminal", "recorded", "vt-torture.ttyrec")))
    with_codes = [*events_of(frames), *output("漢é🎲".encode(), b"\xff")]
    events = [*with_codes, TimedEvent(10**9, "r", b"100x30"), TimedEvent(10**9, "m", b""), TimedEvent(10**9, "x", b"1")]
    path.write_bytes(written(AsciicastEncoder(HEADER, exact=exact), events))
    shown = subprocess.run([sys.executable, "-m", "asciinema", "cat", str(path)], capture_output=True, check=True)
    assert shown.stdout.decode() == b"".join(event.data for event in with_codes).decode(errors="replace")


def test_the_bytes_of_an_event_are_of_the_next_one_alone() -> None:
    made = ttyrec_encoder(Header(size=Size(80, 24), start=START), 1, None, exact=False)
    events = [TimedEvent(0, BYTES, b"ff"), TimedEvent(0, "o", "\ufffd".encode()), TimedEvent(0, "o", b"a")]
    assert [made.event(event)[12:] for event in events] == [b"", b"\xff", b"a"]
    assert made.event(TimedEvent(0, BYTES, b"no digits")) == b""
    assert made.event(TimedEvent(0, "o", b"b"))[12:] == b"b"
