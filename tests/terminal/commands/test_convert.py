"""`nhlog convert`: what can be read of a damaged recording is written, and told."""

from pathlib import Path

import pytest

from nhlog import compression
from nhlog.formats.ttyrec.wire.frames import format_frame
from tests.corpus import SAMPLES, corpus

ENDINGS = ("nhgame", "cast", "ttyrec")


def test_a_sound_recording_is_converted(nhlog, tmp_path: Path) -> None:
    done = nhlog("convert", SAMPLES / "arena.butter", tmp_path / "a.butter", "--interval", "10", "--json")
    [record] = done.records
    assert (done.code, record["frames"], record["error"]) == (0, 100, None)
    again = nhlog("convert", SAMPLES / "arena.butter", tmp_path / "a.butter")
    assert again.code == 2
    assert "--force" in again.err


def test_of_a_damaged_one_the_good_part_is_written_and_the_exit_code_says_so(nhlog, tmp_path: Path) -> None:
    data = bytearray((SAMPLES / "arena.butter").read_bytes())
    data[15_000] ^= 0xFF
    (tmp_path / "bad.butter").write_bytes(data)
    done = nhlog("convert", tmp_path / "bad.butter", tmp_path / "good.butter", "--interval", "10", "--json")
    [record] = done.records
    assert (done.code, record["frames"]) == (3, 70)
    assert "chunk 1" in record["error"]
    assert nhlog("verify", tmp_path / "good.butter").code == 0


def test_so_it_is_of_a_damaged_one_that_becomes_a_recording_of_a_terminal(nhlog, tmp_path: Path) -> None:
    data = (SAMPLES / "coverage.teehistorian").read_bytes()
    (tmp_path / "bad.teehistorian").write_bytes(data[: len(data) // 2] + b"\xff" * 50)
    done = nhlog("convert", tmp_path / "bad.teehistorian", tmp_path / "good.cast", "--speed", "100", "--json")
    [record] = done.records
    assert (done.code, record["error"]) == (3, "unknown message")
    assert nhlog("verify", tmp_path / "good.cast").code == 0


def test_a_game_says_of_every_kind_of_target_why_it_ends_earlier_than_was_asked_for(nhlog, tmp_path: Path) -> None:
    part, source = ("--first", "turn:34", "--last", "turn:50", "--json"), SAMPLES / "died2.nhgame"
    notes = {nhlog("convert", source, tmp_path / f"part.{kind}", *part).records[0]["note"] for kind in ENDINGS}
    assert notes == {"no save is of turn 50, as a command took several turns: the one before it is of turn 35"}


def test_a_part_that_goes_past_the_end_is_told_of_that_alone(nhlog, tmp_path: Path) -> None:
    part = ("--first", "99%", "--last", "turn:900", "--json")
    for kind in ENDINGS:
        done = nhlog("convert", SAMPLES / "died2.nhgame", tmp_path / f"x.{kind}", *part)
        assert done.err == "nhlog: turn 900 is after the end: turn 449 is taken\n"
        assert done.records[0]["note"] is None


@pytest.mark.parametrize("ending", ["cast", "ttyrec"])
@pytest.mark.parametrize("source", ["cast", "ttyrec"])
def test_a_recording_of_a_terminal_is_written_at_another_speed(nhlog, tmp_path: Path, source: str, ending: str) -> None:
    path, target = tmp_path / f"some.{source}", tmp_path / f"fast.{ending}"
    events = [(at * 1_000_000, text) for at, text in enumerate((b"a", b"b", b"c"))] + [(62_000_000, b"d")]
    if source == "cast":
        head = '{"version": 2, "width": 80, "height": 24, "timestamp": 1700000000, "idle_time_limit": 3}\n'
        path.write_text(head + "".join(f'[{at / 1e6}, "o", "{text.decode()}"]\n' for at, text in events))
    else:
        path.write_bytes(b"".join(format_frame(1_700_000_000_000_000 + at, text) for at, text in events))
    for options, times in (
        (("--speed", "4"), [0, 250_000, 500_000, 15_500_000]),
        (("--idle", "1.5"), [0, 1_000_000, 2_000_000, 3_500_000]),
        (("--idle", "2", "--speed", "4"), [0, 250_000, 500_000, 1_000_000]),
        (("--idle", "2", "--speed", "0.5", "--first", "frame:1"), [0, 2_000_000, 6_000_000]),
        (("--idle", "off"), [at for at, _ in events]),
    ):
        [record] = nhlog("convert", path, target, *options, "--force", "--json").records
        told = [one for one in nhlog("dump", target, "--json").records if one["code"] == "o"]
        assert [one["time_us"] for one in told] == times
        assert (record["duration"], record["loss"]) == (times[-1], {})
        assert told[-1]["utc"] == told[0]["utc"] + times[-1]
        assert (nhlog("info", target, "--json").records[0]["idle_limit"] is None) == (
            "--idle" in options or "ttyrec" in (source, ending)
        )


def test_a_speed_is_not_taken_for_a_clock_that_was_set(nhlog, tmp_path: Path) -> None:
    source = corpus("terminal", "damaged", "concatenated-backwards.ttyrec")
    assert nhlog("convert", source, tmp_path / "fast.cast", "--speed", "2").code == 0
    assert nhlog("convert", tmp_path / "fast.cast", tmp_path / "fast.ttyrec").code == 0
    utc = [one["utc"] for one in nhlog("dump", tmp_path / "fast.ttyrec", "--json").records]
    assert utc == sorted(utc)


def test_a_choice_that_means_nothing_is_refused(nhlog, tmp_path: Path) -> None:
    done = nhlog("convert", SAMPLES / "dm1.map", tmp_path / "a.map", "--interval", "3")
    assert (done.code, "--interval does not apply" in done.err) == (2, True)
    assert not (tmp_path / "a.map").exists()


def test_what_is_offered_for_no_such_recording_is_told(nhlog, tmp_path: Path) -> None:
    done = nhlog("compact", SAMPLES / "died2.nhgame", "-o", tmp_path / "a")
    assert (done.code, "no `nhlog compact` for a NetHack 4 log" in done.err) == (4, True)


def test_a_recording_of_a_terminal_becomes_no_other_kind(nhlog, tmp_path: Path) -> None:
    target = tmp_path / "a.gif"
    done = nhlog("convert", SAMPLES / "nethack.cast", target)
    said = "a recorded terminal can only become another one: expected a .cast or a .ttyrec"
    assert (done.code, done.err) == (4, f"nhlog: {target}: {said}\n")
    assert not target.exists()


@pytest.mark.parametrize(
    ("source", "name", "told"),
    [
        ("died2.nhgame", "a.mp4", "nhlog writes no such file: expected .nhgame .cast"),
        ("died2.nhgame", "a.cast.txt", "nhlog writes no such file"),
        ("died2.nhgame", "a.nhgame.gz", "nhlog writes no such file"),
        ("coverage.teehistorian", "a.nhgame", "this is the name of a NetHack 4 log: expected .teehistorian .cast"),
        ("arena.butter", "a.replay", "this is the name of a Hollow Cube recording: expected .butter .echoreplay"),
        ("run.replay", "a.map", "this is the name of a Teeworlds map: expected .replay"),
    ],
)
def test_a_name_that_tells_of_another_kind_of_file_is_refused(
    nhlog, tmp_path: Path, source: str, name: str, told: str
) -> None:
    target = tmp_path / name
    done = nhlog("convert", SAMPLES / source, target)
    assert (done.code, told in done.err, target.exists()) == (2, True, False)


def test_so_is_it_of_what_is_compacted_and_saved(nhlog, tmp_path: Path) -> None:
    target = tmp_path / "a.mp4"
    for arguments in (("compact", SAMPLES / "run.replay"), ("recover", SAMPLES / "run.replay")):
        done = nhlog(*arguments, "-o", target)
        assert (done.code, "nhlog writes no such file: expected .replay" in done.err) == (2, True)
    assert not target.exists()


@pytest.mark.parametrize("source", ["died2.nhgame", "coverage.teehistorian", "dm1.map"])
def test_a_name_that_tells_nothing_is_taken(nhlog, tmp_path: Path, source: str) -> None:
    assert nhlog("convert", SAMPLES / source, tmp_path / "a").code == 0


def test_a_whole_recording_in_its_own_layout_stays_as_small_as_it_is(nhlog, tmp_path: Path) -> None:
    small, again = tmp_path / "small.replay", tmp_path / "again.replay"
    assert nhlog("compact", SAMPLES / "run.replay", "-o", small).code == 0
    assert nhlog("convert", small, again, "--layout", "1").code == 0
    assert again.stat().st_size <= small.stat().st_size
    assert nhlog("verify", again).code == 0


def test_what_the_published_reader_cannot_read_is_told(nhlog, tmp_path: Path) -> None:
    for name, told in (("zstd_3", True), ("gzip", False)):
        done = nhlog("convert", SAMPLES / "arena.butter", tmp_path / f"{name}.butter", "--compression", name)
        assert (done.code, "C# reader cannot read zstd" in done.out) == (0, told)


@pytest.mark.parametrize("packing", ["gz", "bz2", "xz", "zst"])
@pytest.mark.parametrize("source", ["nethack.cast", "nethack.ttyrec", "coverage.teehistorian"])
def test_compressed_data_that_ends_before_its_first_byte_is_no_empty_file(
    nhlog, tmp_path: Path, source: str, packing: str
) -> None:
    kinds = {"gz": compression.GZIP, "bz2": compression.BZIP2, "xz": compression.XZ, "zst": compression.ZSTD}
    data = b"".join(compression.compressed([b"x" * 5000], kinds[packing]))
    path = tmp_path / f"{source}.{packing}"
    path.write_bytes(data[:12])
    done = nhlog("info", path)
    assert (done.code, "data ends early" in done.err) == (3, True)
