"""`nhlog convert`: what can be read of a damaged recording is written, and told."""

from pathlib import Path

from tests.corpus import SAMPLES


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
