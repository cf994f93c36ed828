"""What is written as a ttyrec: frames that all players show."""

import shutil
import subprocess
from pathlib import Path

import pytest

from nhlog.errors import Usage
from nhlog.formats.ttyrec.reader import encoder, open_events
from nhlog.formats.ttyrec.wire.encode import TtyrecEncoder
from nhlog.screencast import CLOCK, Header, TimedEvent
from nhlog.vt import Size

START = 1_700_000_000_250_000
HEADER = Header(size=Size(100, 30), start=START)
EVENTS = [
    TimedEvent(0, "o", b"\x1b[Hhere"),
    TimedEvent(10, "i", b"k"),
    TimedEvent(20, "score", b"-7"),
    TimedEvent(1_000_000, "r", b"80x24"),
    TimedEvent(1_000_001, "m", b"there"),
    TimedEvent(1_000_002, "o", "漢".encode()[:1]),
]


def written(made: TtyrecEncoder, events: list[TimedEvent] = EVENTS) -> bytes:
    return made.begin() + b"".join(map(made.event, events)) + made.end()


def read(path: Path, data: bytes) -> list[TimedEvent]:
    path.write_bytes(data)
    events = open_events(str(path))
    found = [TimedEvent(events.times[n], events.code(n), events.data(n)) for n in range(len(events))]
    assert (events.fault, events.header.start) == (None, START)
    events.close()
    return found


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_version_has_its_channels_and_counts_what_is_left_out(tmp_path: Path, version: int) -> None:
    made = TtyrecEncoder(HEADER, version)
    found = read(tmp_path / "some.ttyrec", written(made))
    has = {1: "o", 2: "oi", 3: "oiscore"}[version]
    told = TimedEvent(0, "r", b"100x30")
    assert found == [told, *(event for event in EVENTS if event.code in f"{has}r")]
    assert made.loss == {f"events of code {code}": 1 for code in ("i", "score", "m") if code not in has}


def test_a_clock_that_is_set_is_that_of_the_frames(tmp_path: Path) -> None:
    events = [TimedEvent(5, "o", b"a"), TimedEvent(5, CLOCK, b"-3000000"), TimedEvent(5, "o", b"b")]
    path = tmp_path / "some.ttyrec"
    path.write_bytes(written(TtyrecEncoder(HEADER, sized=False), events))
    found = open_events(str(path))
    assert [found.moment(n) for n in range(2)] == [START + 5, START + 5 - 3_000_000]
    found.close()


@pytest.mark.parametrize("start", [None, 0, (1 << 60), -5])
def test_any_start_makes_frames_that_are_read(tmp_path: Path, start: int | None) -> None:
    path = tmp_path / "some.ttyrec"
    path.write_bytes(written(TtyrecEncoder(Header(size=Size(80, 24), start=start))))
    events = open_events(str(path))
    assert events.faults == []
    events.close()


def test_long_output_is_split_into_frames_that_all_players_show(tmp_path: Path) -> None:
    found = read(tmp_path / "some.ttyrec", written(TtyrecEncoder(HEADER), [TimedEvent(0, "o", b"x" * 20_000)]))
    assert [len(event.data) for event in found[1:]] == [8192, 8192, 3616]


@pytest.mark.parametrize("version", [1, 3])
def test_what_is_made_again_exactly_has_the_same_bytes(tmp_path: Path, version: int) -> None:
    path = tmp_path / "some.ttyrec"
    data = written(TtyrecEncoder(HEADER, version, sized=False))
    found = read(path, data)
    events = open_events(str(path))
    assert written(encoder(events.header, None, None, exact=True), found) == data
    events.close()


@pytest.mark.parametrize("version", [1, 3])
def test_what_is_appended_is_of_the_same_kind_and_never_before_the_end(tmp_path: Path, version: int) -> None:
    path = tmp_path / "some.ttyrec"
    path.write_bytes(written(TtyrecEncoder(HEADER, version)))
    for start in (None, START - 10**9, START + 10**9):
        events = open_events(str(path))
        end = events.moment(len(events) - 1)
        more = encoder(Header(size=Size(80, 24), start=start), None, events, exact=False)
        events.close()
        with path.open("ab") as file:
            file.write(written(more))
        events = open_events(str(path))
        assert (events.backwards, events.faults) == (0, [])
        assert events.moment(len(events) - 1) == max(end, start or 0) + EVENTS[-1].time
        events.close()


def test_no_other_version_is_written() -> None:
    with pytest.raises(Usage):
        encoder(HEADER, 4, None, exact=False)


@pytest.mark.skipif(not shutil.which("ttyplay"), reason="ttyplay is not installed (Debian: ttyrec)")
def test_ttyplay_shows_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "some.ttyrec"
    path.write_bytes(written(TtyrecEncoder(HEADER)))
    shown = subprocess.run(["ttyplay", "-n", str(path)], capture_output=True, check=True, stdin=subprocess.DEVNULL)
    assert shown.stdout == b"\x1b%G\x1b[8;30;100t\x1b[Hhere\x1b[8;24;80t\xe6"


@pytest.mark.skipif(not shutil.which("termcat"), reason="termcat is not installed (Debian: termrec)")
def test_termcat_reads_the_times_the_sizes_and_the_output(tmp_path: Path) -> None:
    path, cast = tmp_path / "some.ttyrec", tmp_path / "some.cast"
    path.write_bytes(written(TtyrecEncoder(HEADER), EVENTS[:5]))
    subprocess.run(["termcat", str(path), str(cast)], check=True, capture_output=True)
    lines = cast.read_text().splitlines()
    assert '"width":100, "height":30' in lines[0]
    assert lines[1].startswith("[0.000000")
    assert lines[1].endswith('here"]')
