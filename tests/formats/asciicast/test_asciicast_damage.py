"""Every prefix and every spoiled byte of small recordings, and files that were made to do harm."""

import bz2
import gzip
import json
import lzma
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from nhlog.errors import NhlogError, TooShort, Unsupported, Usage
from nhlog.formats import format_of
from nhlog.formats.asciicast.lined import LinedEvents
from nhlog.formats.asciicast.reader import open_events
from nhlog.formats.asciicast.wire.lines import LAST, MOST_LINE
from nhlog.screencast import Events
from tests.changed import flipped
from tests.effort import within

HEADERS = {
    1: b'{"version": 1, "width": 80, "height": 24, "title": "a \\"stdout\\": [", "stdout": [\n',
    2: b'{"version": 2, "width": 80, "height": 24, "timestamp": 1700000000}\n',
    3: b'{"version": 3, "term": {"cols": 80, "rows": 24}}\n',
}


def line(version: int, number: int) -> bytes:
    text = json.dumps(f'line {number} \x1b[1m漢["]\\\r\n', ensure_ascii=bool(number % 2)).encode()
    code = b'"o", ' if version > 1 else b""
    return b"[%d.25, %s%s]" % (number if version == 2 else 1, code, text)


def recording(version: int, count: int = 8) -> bytes:
    lines = [line(version, number) for number in range(count)]
    return HEADERS[version] + (b",\n".join(lines) + b"]}" if version == 1 else b"\n".join(lines) + b"\n")


def opened(path: Path, data: bytes) -> Events:
    path.write_bytes(data)
    return open_events(str(path))


@pytest.mark.parametrize("version", [1, 2, 3])
def test_every_prefix_has_its_whole_events_and_grows_into_the_next(tmp_path: Path, version: int) -> None:
    data, path, events = recording(version), tmp_path / "some.cast", None
    ends = [data.index(line(version, number)) + len(line(version, number)) for number in range(8)]
    for size in range(len(data) + 1):
        path.write_bytes(data[:size])
        whole = sum(end <= size for end in ends)
        if events is None:
            try:
                events = open_events(str(path))
            except TooShort:
                assert whole == 0
                continue
        else:
            events.look()
        assert (len(events), events.faults, events.lost) == (whole, [], 0)
        events.close() if size % 3 == 0 else None
        events = open_events(str(path)) if size % 3 == 0 else events
    assert events is not None
    assert [events.data(n).decode() for n in range(8)] == [f'line {n} \x1b[1m漢["]\\\r\n' for n in range(8)]
    assert (events.waiting, events.times[-1]) == (0, 7_250_000 if version == 2 else 10_000_000)
    events.close()


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_spoiled_byte_loses_its_line_at_most(tmp_path: Path, version: int) -> None:
    data, path, chance = recording(version), tmp_path / "some.cast", random.Random(1)
    begins = data.index(line(version, 0))
    for at in range(len(data)):
        spoiled = flipped(data, at, 1 << chance.randrange(8))
        try:
            events = opened(path, spoiled)
        except NhlogError:
            assert at < begins
            continue
        assert len(events) >= (6 if version > 1 else min(at * 8 // len(data), 6))
        if len(events) < 8:
            assert events.faults or events.waiting
        assert [part for part in events.parts(0, len(events)) if isinstance(part, bytes)]
        events.close()


PACKERS = [bytes, gzip.compress, bz2.compress, lzma.compress, zstandard.ZstdCompressor().compress]


@pytest.mark.parametrize("pack", PACKERS)
@pytest.mark.parametrize("version", [1, 2, 3])
def test_packed_or_not_it_is_the_same(tmp_path: Path, pack: Callable[[bytes], bytes], version: int) -> None:
    events = opened(tmp_path / "some.cast", pack(recording(version)))
    assert len(events) == 8
    events.close()


def test_a_line_that_is_too_long_is_skipped_and_never_held(tmp_path: Path) -> None:
    first, rest = line(2, 0) + b"\n", b"\n" + line(2, 3) + b"\n"
    events = opened(tmp_path / "some.cast", HEADERS[2] + first + b"[1, " * (MOST_LINE // 2) + rest)
    assert isinstance(events, LinedEvents)
    assert (len(events), events.lost) == (2, 2 * MOST_LINE + 1)
    assert (
        events.faults[0].message
        == f"offset {len(HEADERS[2] + first)}: line 3 is too long: expected at most {MOST_LINE} bytes"
    )
    events.close()
    events = opened(tmp_path / "some.cast", HEADERS[2] + first + b"x" * (MOST_LINE + 9))
    assert (len(events), events.waiting) == (1, 0)
    with (tmp_path / "some.cast").open("ab") as file:
        file.write(b"yz" + rest)
    events.look()
    assert (len(events), len(events.faults), events.waiting) == (2, 1, 0)
    events.close()


def test_an_object_of_version_1_is_not_held_either(tmp_path: Path) -> None:
    first = HEADERS[1] + line(1, 0) + b", "
    events = opened(tmp_path / "some.json", first + b'[1, "' + b"x" * (MOST_LINE + 9) + b'"], ' + line(1, 1) + b"]}")
    assert (len(events), events.waiting) == (2, 0)
    assert events.faults[0].message.startswith(f"offset {len(first) - 2}: not an event: expected [delay, text], found ")
    events.close()


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (b"[" * 100_000, "is no event"),
        (b'{"a":' * 100_000, "is no event"),
        (b'[1e400, "o", "x"]', "has a time that makes no sense"),
        (b"[" + b"9" * 5000 + b', "o", "x"]', "is no event"),
        (b"[" + b"9" * 500 + b', "o", "x"]', "has a time that makes no sense"),
        (b'[NaN, "o", "x"]', "is no event"),
        (b'[-1, "o", "x"]', "has a time that makes no sense"),
        (b'[true, "o", "x"]', "is no event"),
        (b'[1, "' + b"o" * 70 + b'", "x"]', "is no event"),
        (b'[1, "o"]', "is no event"),
        (b'[1, "", "x"]', "is no event"),
        (b'[1, "clock", "' + b"9" * 50 + b'"]', "has no number"),
        (b'"\xff', "is no event"),
    ],
)
@pytest.mark.parametrize("version", [2, 3])
def test_what_makes_no_sense_is_told_and_the_rest_is_read(tmp_path: Path, version: int, bad: bytes, told: str) -> None:
    events = opened(
        tmp_path / "some.cast", HEADERS[version] + line(version, 1) + b"\n" + bad + b"\n" + line(version, 2)
    )
    assert events.faults[0].what == f"line 3 {told}"
    assert len(events) == 2 + told.startswith("has")
    assert events.times[-1] <= LAST
    assert events.data(len(events) - 1).startswith(b"line 2")
    assert len(str(events.faults[0])) < 400
    events.close()


@pytest.mark.parametrize(("version", "times"), [(2, [1.25, 2.25, 3.5]), (3, [1.25, 10.5, 11.75])])
def test_the_time_of_what_is_no_event_passes_where_times_are_intervals(
    tmp_path: Path, version: int, times: list[float]
) -> None:
    events = opened(
        tmp_path / "some.cast",
        b"".join(
            (
                HEADERS[version],
                line(version, 1) + b"\n",
                b'[8, "' + b"o" * 70 + b'", "x"]\n',
                line(version, 2) + b"\n",
                b'[8, "' + b"o" * 70 + b'", "x"]\n' if version == 2 else b"",
                HEADERS[version],
                line(version, 1) + b"\n",
            )
        ),
    )
    assert [time / 1e6 for time in events.times] == times
    events.close()


def test_lines_keep_their_numbers_where_one_was_read_before_its_end(tmp_path: Path) -> None:
    path = tmp_path / "some.cast"
    data = HEADERS[2] + line(2, 1)
    events = opened(path, data)
    assert len(events) == 1
    path.write_bytes(data + b"\nbad\n")
    events.look()
    assert [fault.what for fault in events.faults] == ["line 3 is no event"]
    events.close()


def test_times_that_no_recording_lasts_end_somewhere(tmp_path: Path) -> None:
    events = opened(tmp_path / "some.cast", HEADERS[3] + b'[9e9, "o", "x"]\n' * 9)
    assert (len(events), events.times[-1], events.faults) == (9, LAST, [])
    events.close()


def test_damage_all_over_costs_no_more_than_its_bytes(tmp_path: Path) -> None:
    bad = (line(2, 1) + b"\nx\n\n{}\n[]\n") * 20_000
    with within(500):
        events = opened(tmp_path / "some.cast", HEADERS[2] + bad)
        assert (len(events), len(events.faults)) == (20_000, 1024)
        events.close()
        events = opened(tmp_path / "some.json", HEADERS[1] + b'[1, "a"], [[1, "b"]], x ' * 20_000)
        assert (len(events), len(events.faults)) == (40_000, 1024)
        events.close()


def test_as_many_codes_as_one_likes_cost_little(tmp_path: Path) -> None:
    lines = b"".join(b'[%d, "%d", "x"]\n' % (number, number) for number in range(1000))
    events = opened(tmp_path / "some.cast", HEADERS[2] + lines)
    assert len(events) == 1000
    assert {events.code(n) for n in range(len(events))} <= {str(n) for n in range(255)}
    events.close()


def test_halves_of_characters_and_bytes_that_are_none_are_replaced(tmp_path: Path) -> None:
    lines = b'[1, "o", "\\ud83d"]\n[2, "o", "\\ud83d\\ude00"]\n[3, "o", "a\xffb\xe2\x94"]\n'
    header = HEADERS[2].replace(b"}", b', "title": "\xff\\udc00"}')
    events = opened(tmp_path / "some.cast", header + lines)
    assert [events.data(n).decode() for n in range(3)] == ["\ufffd", "\U0001f600", "a\ufffdb\ufffd"]
    assert (events.header.title, events.faults) == ("\ufffd\ufffd", [])
    events.close()


def test_comments_are_kept_and_are_no_events(tmp_path: Path) -> None:
    events = opened(tmp_path / "some.cast", HEADERS[3] + b"# one\n" + line(3, 0) + b"\n\n #two\n")
    assert (len(events), events.faults) == (1, [])
    assert list(events.comments()) == [(0, b"one"), (1, b"two")]
    events.close()


def test_two_recordings_in_one_file_play_one_after_the_other(tmp_path: Path) -> None:
    for version, last in ((2, 7_250_000 * 2), (3, 10_000_000 * 2)):
        events = opened(tmp_path / "some.cast", recording(version) * 2)
        assert (len(events), events.times[-1], events.backwards, len(events.faults)) == (16, last, 0, 1)
        events.close()


def test_the_version_decides_and_its_content_not_its_name(tmp_path: Path) -> None:
    for name, data in (("some.json", recording(1)), ("some", recording(2)), ("x.cast.gz", recording(3))):
        (tmp_path / name).write_bytes(data)
        assert format_of(str(tmp_path / name)).id == "asciicast"
    with pytest.raises(Unsupported, match="another version"):
        opened(tmp_path / "some.cast", b'{"version": 4}\n')
    with pytest.raises(Unsupported, match="not an asciicast"):
        opened(tmp_path / "some.cast", b"\x7fELF\n")
    with pytest.raises(NhlogError, match="not an asciicast header"):
        opened(tmp_path / "some.cast", b'{"width": 4}\n')
    opened(tmp_path / "some.cast", b"\xef\xbb\xbf" + recording(2)).close()


def test_a_size_may_be_given_and_a_charset_may_not(tmp_path: Path) -> None:
    from nhlog.formats import open_recording

    (tmp_path / "some.cast").write_bytes(recording(2))
    replay = open_recording(str(tmp_path / "some.cast"), size="100x30")
    assert (replay.state.grid.columns, len(replay.state.grid.rows)) == (100, 30)
    replay.close()
    with pytest.raises(Usage):
        open_recording(str(tmp_path / "some.cast"), charset="cp437")
