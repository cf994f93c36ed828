"""`nhlog record` and `nhlog compact` as one uses them."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.formats.hollowcube.recording import Facts, Feed, Recorder
from tests.corpus import ROOT, corpus
from tests.formats.hollowcube.made import EVERY_KIND, Made, run, walk
from tests.formats.hollowcube.written import busy, read_back, record
from tests.starter import Started
from tests.waiting import PATIENCE

WHOLE = run(40, {7: "one", 23: "two"})
Command = Callable[..., Any]


def lines(ticks: Iterable[tuple[int, Iterable[Any]]]) -> bytes:
    from nhlog.formats.hollowcube.wire.events import record_of

    told = [{"tick": number, "events": [record_of(event) for event in events]} for number, events in ticks]
    return b"".join(json.dumps(line).encode() + b"\n" for line in told)


def dumped(nhlog: Command, path: Path) -> bytes:
    return nhlog("dump", path, "--json").out.encode()


@pytest.mark.parametrize("name", ["all-events", "run-60s", "metadata-resume", "sparse-1000", "one-empty-tick"])
def test_what_is_dumped_can_be_recorded(nhlog: Command, name: str, tmp_path: Path) -> None:
    source = corpus("hollowcube", f"{name}.replay")
    done = nhlog("record", tmp_path / "made", "--json", stdin=dumped(nhlog, source))
    assert done.code == 0, done.err
    assert read_back(tmp_path / "made") == read_back(source)
    with closing(open_reader(str(source))) as was, closing(open_reader(str(tmp_path / "made"))) as now:
        assert now.finished
        for key in ("world_id", "timestamp", "tick_count"):
            assert getattr(now.preamble.header, key) == getattr(was.preamble.header, key)
        version = now.preamble.extension.world_version
        assert (now.preamble.header.world_version if version is None else version) == was.preamble.header.world_version
        assert now.preamble.extension.data_versions == ((0, was.preamble.header.data_version),)
        assert was.preamble.metadata.value.items() <= now.preamble.metadata.value.items()


def test_a_part_of_a_recording_begins_with_its_state(nhlog: Command, tmp_path: Path) -> None:
    (tmp_path / "whole.replay").write_bytes(Made(EVERY_KIND).data())
    nhlog("convert", tmp_path / "whole.replay", tmp_path / "part.replay", "--first", "5")
    nhlog("record", tmp_path / "made", stdin=dumped(nhlog, tmp_path / "part.replay"))
    states = [nhlog("state", tmp_path / name, "--at", "end", "--json").records for name in ("part.replay", "made")]
    assert states[0][0]["entities"] == states[1][0]["entities"]


def test_ticks_without_a_number_follow_each_other(nhlog: Command, tmp_path: Path) -> None:
    nhlog("record", tmp_path / "made", stdin=b'{"events": [{"e": "RunStart"}]}\n{"events": []}\n\n{"events": []}')
    with closing(open_reader(str(tmp_path / "made"))) as reader:
        assert reader.preamble.ticks == 3


def test_exact_places_are_rounded_for_the_sender(nhlog: Command, tmp_path: Path) -> None:
    moves = [{"events": [{"e": "Move", "entityId": 0, "position": [n * 0.1, 64, 0, 0, 0]}]} for n in range(50)]
    nhlog("record", tmp_path / "made", stdin=b"\n".join(json.dumps(move).encode() for move in moves))
    x, *_ = nhlog("state", tmp_path / "made", "--at", "end", "--json").records[0]["entities"][0]["position"]
    assert x == pytest.approx(4.9, abs=1 / 8192)


def test_a_session_that_is_left_open_is_continued(nhlog: Command, tmp_path: Path) -> None:
    for first in (0, 20):
        part = lines(enumerate(WHOLE[first : first + 20], 1000 + first))
        told = nhlog("record", tmp_path / "made", "--json", *([] if first else ["--open"]), stdin=part).records[0]
        assert (told["ticks"], told["finished"]) == (first + 20, bool(first))
    assert read_back(tmp_path / "made") == busy(WHOLE)
    assert nhlog("record", tmp_path / "made", stdin=lines([(0, ())])).code == 2


@pytest.mark.parametrize(
    "line",
    [
        b"nonsense",
        b"[]",
        b"[" * 100_000,
        b'{"tick": 1}',
        b'{"tick": "1", "events": []}',
        b'{"tick": 2, "events": [{"e": "Nothing"}]}',
        b'{"tick": 0, "events": []}',
        b'{"tick": 99999999999, "events": []}',
        b'{"events": [{"e": "SetBlock", "position": [99999999, 0, 0], "block": 1}]}',
    ],
    ids=lambda line: line[:40].decode(),
)
def test_a_line_that_makes_no_sense_ends_it_and_what_came_before_is_kept(
    nhlog: Command, line: bytes, tmp_path: Path
) -> None:
    done = nhlog("record", tmp_path / "made", stdin=lines(enumerate(WHOLE[:8])) + line + b"\n")
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert read_back(tmp_path / "made") == busy(WHOLE[:8])
    assert not (tmp_path / "made" / "finished").exists()


@pytest.mark.parametrize(
    "header",
    [
        {"world_id": "x", "world_version": "", "timestamp": 0},
        {"world_id": "0" * 32, "world_version": "x", "timestamp": 0},
        {"world_id": "0" * 32, "world_version": "00" * 40, "timestamp": 0},
        {"world_id": "0" * 32, "world_version": "", "timestamp": 1 << 80},
        {},
    ],
)
def test_a_header_that_makes_no_sense_is_refused(nhlog: Command, header: dict[str, Any], tmp_path: Path) -> None:
    told = json.dumps({"type": "header", **header}).encode() + b"\n"
    assert nhlog("record", tmp_path / "made", stdin=told + lines([(0, ())])).code == 2


def test_chunks_and_segments_are_as_large_as_one_wants(nhlog: Command, tmp_path: Path) -> None:
    options = ["--chunk-time", "1s", "--segment-size", "1k", "--segment-time", "1h", "--chunk-size", "64k"]
    nhlog("record", tmp_path / "made", *options, stdin=lines(enumerate(run(200, {}, 0.3))))
    with closing(open_reader(str(tmp_path / "made"))) as reader:
        assert {part.entry.ticks for part in reader.parts} == {20}
    for option in ("--chunk-time", "--ring"):
        assert nhlog("record", tmp_path / "x", option, "0", stdin=b"").code == 2


def test_the_games_layout_can_be_recorded(nhlog: Command, tmp_path: Path) -> None:
    nhlog("record", tmp_path / "made", "--layout", "4", stdin=lines(enumerate(walk(8))))
    assert nhlog("info", tmp_path / "made", "--json").records[0]["version"] == 4
    assert nhlog("verify", tmp_path / "made").code == 0


def test_a_ring_saves_when_a_line_says_so_and_at_the_end(nhlog: Command, tmp_path: Path) -> None:
    saved = tmp_path / "saved.replay"
    asked = json.dumps({"save": str(saved)}).encode() + b"\n"
    begin, rest = lines(enumerate(WHOLE[:30])), lines(enumerate(WHOLE[30:], 30))
    done = nhlog(
        "record",
        tmp_path / "out.replay",
        "--ring",
        "1s",
        "--chunk-time",
        "1s",
        "--json",
        stdin=begin + asked * 2 + rest,
    )
    assert done.code == 0
    assert done.err.count("exists") == 1, "the second time; and it goes on"
    assert [told["file"] for told in done.records[0]["saved"]] == [str(saved), str(tmp_path / "out.replay")]
    assert read_back(saved) == busy(WHOLE[:30])
    assert read_back(tmp_path / "out.replay") == {n - 20: events for n, events in busy(WHOLE).items() if n >= 20}


def test_a_ring_never_writes_over_what_it_saved_before(nhlog: Command, tmp_path: Path) -> None:
    for _ in range(3):
        nhlog("record", tmp_path / "out.replay", "--ring", "5m", stdin=lines(enumerate(WHOLE)))
    assert sorted(os.listdir(tmp_path)) == ["out-2.replay", "out-3.replay", "out.replay"]


def test_compact_tells_what_it_did(nhlog: Command, tmp_path: Path) -> None:
    folder = record(tmp_path / "made", WHOLE)
    told = nhlog("compact", folder, "-o", tmp_path / "made.replay", "--analysis", "--remove", "--json").records[0]
    assert (told["ticks"], told["removed"], told["file"]) == (40, True, str(tmp_path / "made.replay"))
    assert not folder.exists()
    assert nhlog("verify", tmp_path / "made.replay").code == 0
    assert nhlog("compact", tmp_path / "made.replay", "-o", tmp_path / "made.replay").code == 1
    again = nhlog(
        "compact", tmp_path / "made.replay", "-o", tmp_path / "again.replay", "--merge", "1000", "--level", "3"
    )
    assert again.out.splitlines()[0].endswith("again.replay")
    assert read_back(tmp_path / "again.replay") == busy(WHOLE)


def test_only_recordings_of_this_kind_are_compacted(nhlog: Command, tmp_path: Path) -> None:
    (tmp_path / "x.nhgame").write_bytes(b"NHGAME ")
    assert nhlog("compact", tmp_path / "x.nhgame", "-o", tmp_path / "y").code == 4
    assert nhlog("meta", tmp_path / "x.nhgame", "get").code == 4


# as a process


class Recording(Started):
    """`nhlog record` with a pipe."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(
            [sys.executable, "-m", "terminal.cli", "record", "--json", *map(str, arguments)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def give(self, ticks: Iterable[tuple[int, Iterable[Any]]]) -> None:
        self.stdin.write(lines(ticks))
        self.stdin.flush()


def wait_for(path: Path, process: Recording) -> None:
    """Until it is there; the process that makes it must not end before."""
    while not path.exists():
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.02)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_finishes_the_recording(number: signal.Signals, tmp_path: Path) -> None:
    with Recording("--chunk-time", "1s", tmp_path / "made") as process:
        process.give(enumerate(walk(30)))
        process.stdin.write(b'{"save": ""}\n')
        process.stdin.flush()
        wait_for(tmp_path / "made" / "preamble.dat", process)
        while len(read_back(tmp_path / "made")) < 30:
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.02)
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, b"")
    assert json.loads(out)["finished"]
    assert read_back(tmp_path / "made") == busy(walk(30))


def test_a_signal_saves_the_ring_and_it_goes_on(tmp_path: Path) -> None:
    first, second = tmp_path / "out.replay", tmp_path / "out-2.replay"
    marker = tmp_path / "marker.replay"
    with Recording("--ring", "5m", first) as process:
        process.give(enumerate(walk(30)))
        process.stdin.write(json.dumps({"save": str(marker)}).encode() + b"\n")
        process.stdin.flush()
        wait_for(marker, process)
        process.send_signal(signal.SIGUSR1)
        wait_for(first, process)
        process.give(enumerate(walk(50)[30:], 30))
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, b"")
    assert [Path(told["file"]) for told in json.loads(out)["saved"]] == [marker, first, second]
    assert read_back(first) == busy(walk(30))
    assert read_back(second) == busy(walk(50))


def test_ticks_are_committed_while_the_sender_is_silent(tmp_path: Path) -> None:
    with Recording("--segment-time", "1s", "--chunk-time", "1s", tmp_path / "made") as process:
        process.give(enumerate(walk(20)))
        wait_for(tmp_path / "made" / "segment-000.dat", process)
        while not read_back(tmp_path / "made"):
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.05)
        assert read_back(tmp_path / "made") == busy(walk(20))
        process.kill()
        process.communicate()


def test_a_feed_fills_a_gap_with_ticks_without_events(tmp_path: Path) -> None:
    feed = Feed(lambda facts: Recorder(str(tmp_path / "made"), facts), Facts())
    for line in lines([(5, walk(1)[0]), (300_000, walk(2)[1])]).splitlines():
        assert feed.line(line) is None
    sink = feed.end()
    assert sink.ticks == 299_996  # it began with tick 5
    sink.finish()
    assert list(read_back(tmp_path / "made")) == [0, 299_995]


# input that was cut


def record_parts(nhlog: Command, folder: Path, *parts: bytes) -> list[int]:
    """The exit codes of sessions that record these parts one after the other."""
    return [nhlog("record", folder, "--open", stdin=part).code for part in parts]


@pytest.mark.parametrize("headed", [True, False])
def test_input_that_was_cut_is_gone_on_with(nhlog: Command, headed: bool, tmp_path: Path) -> None:
    """Where ticks are missing between, there are as many without events; no tick gets another number."""
    (tmp_path / "whole.replay").write_bytes(Made([*WHOLE, *[()] * 3]).data())
    header, ticks = parted(dumped(nhlog, tmp_path / "whole.replay"))
    again = header if headed else b""
    cut, rest = b"".join(ticks[:25]), b"".join(ticks[30:])
    assert record_parts(nhlog, tmp_path / "made", header + cut, again + rest) == [0, 0]
    assert read_back(tmp_path / "made") == {n: events for n, events in busy(WHOLE).items() if not 25 <= n < 30}
    with closing(open_reader(str(tmp_path / "made"))) as reader:
        assert reader.ticks == 43


@pytest.mark.parametrize("headed", [True, False])
def test_ticks_that_are_there_already_are_refused(nhlog: Command, headed: bool, tmp_path: Path) -> None:
    (tmp_path / "whole.replay").write_bytes(Made(WHOLE).data())
    header, ticks = parted(dumped(nhlog, tmp_path / "whole.replay"))
    record_parts(nhlog, tmp_path / "made", header + b"".join(ticks[:25]))
    done = nhlog("record", tmp_path / "made", stdin=(header if headed else b"") + b"".join(ticks[20:]))
    assert done.code == 2
    assert "a tick out of order: expected 25 or later, found 20" in done.err
    assert read_back(tmp_path / "made") == busy(WHOLE[:25])
    assert record_parts(nhlog, tmp_path / "made", b"".join(ticks[25:])) == [0]
    assert read_back(tmp_path / "made") == busy(WHOLE)


def test_a_session_that_numbers_its_ticks_anew_goes_on_behind_the_last_one(nhlog: Command, tmp_path: Path) -> None:
    sessions = [lines(enumerate(WHOLE[:9])), lines(enumerate(WHOLE[9:12])), lines(enumerate(WHOLE[12:], 3))]
    assert record_parts(nhlog, tmp_path / "made", *sessions) == [0, 0, 0]
    assert read_back(tmp_path / "made") == busy(WHOLE)


def parted(dump: bytes) -> tuple[bytes, list[bytes]]:
    """The lines before the ticks, and those of the ticks and of the end."""
    told = dump.splitlines(keepends=True)
    first = next(number for number, line in enumerate(told) if b'"type":"tick"' in line)
    return b"".join(told[:first]), [line for line in told[first:] if b'"type":"snapshot"' not in line]
