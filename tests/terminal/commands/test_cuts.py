"""`nhlog cuts`: what was cut off is listed, comes back where it fits, and goes when it is old."""

import gzip
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from nhlog.files import stamp_of
from nhlog.files.cuts import cut_tail, replace_whole
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from tests.builders import played
from tests.corpus import SAMPLES

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="other users are made by root alone")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return Path(played(12, backup_every=5).write(tmp_path / "x.nhgame"))


def body(path: Path) -> bytes:
    """All lines behind the header."""
    return path.read_bytes()[110:]


def fits(done) -> dict[str, bool]:
    return {Path(record["file"]).name: record["fits"] for record in done.records}


def test_cuts_are_listed_with_what_they_are_of(nhlog, path: Path) -> None:
    before = path.stat().st_size
    nhlog("rewind", path, "--to", "turn:8", "--yes")
    [record] = nhlog("cuts", path.parent, "--json").records
    kept = Path(f"{path}.cut-00000002")
    assert record == {
        "file": str(kept),
        "recording": str(path),
        "format": "NetHack 4 log",
        "number": 2,
        "size": before - path.stat().st_size,
        "changed": kept.stat().st_ctime_ns // 1000,
        "fits": True,
        "why": "",
        "turn": 13,
        "lines": 15,
        "unsound": "",
        "done": None,
    }
    for named in (path, kept):
        assert [cut["file"] for cut in nhlog("cuts", named, "--json").records] == [str(kept)]
    assert nhlog("cuts", path.parent).out.splitlines()[1].split()[-1] == "yes"


def test_lines_come_back_and_the_log_is_what_it_was(nhlog, path: Path) -> None:
    before = body(path)
    nhlog("rewind", path, "--to", "turn:8", "--yes")
    rewound = body(path)
    nhlog("rewind", path, "--to", "turn:3", "--yes")
    assert fits(nhlog("cuts", path, "--json")) == {"x.nhgame.cut-00000002": False, "x.nhgame.cut-00000003": True}
    assert nhlog("cuts", path, "--put-back", "--yes").code == 0
    assert body(path) == rewound
    assert fits(nhlog("cuts", path, "--json")) == {"x.nhgame.cut-00000002": True}
    assert nhlog("cuts", path, "--put-back", "--yes").code == 0
    assert body(path) == before
    assert os.listdir(path.parent) == [path.name]
    assert nhlog("verify", path).code == 0
    assert path.read_bytes()[31:109].strip() == b"13 turns"


def test_a_game_that_was_over_is_over_again(nhlog, tmp_path: Path) -> None:
    for name, ended in (("delve", b"killed by a cinder mote"), ("died2", b"game over")):
        path = Path(shutil.copy(SAMPLES / f"{name}.nhgame", tmp_path))
        before = body(path)
        nhlog("rewind", path, "--to", "-5 turns", "--yes", "--force")
        assert nhlog("cuts", path, "--put-back", "--yes").code == 0
        assert body(path) == before
        assert path.read_bytes()[:16] == b"NHGAME done 0000"
        assert path.read_bytes()[31:109].strip() == ended
        assert nhlog("verify", path).code == 0


@pytest.mark.parametrize("lines", [b"welcome\n", b"search\n+5\n", b"sear"])
def test_where_anything_was_written_since_nothing_comes_back(nhlog, path: Path, lines: bytes) -> None:
    nhlog("rewind", path, "--to", "turn:8", "--yes")
    with path.open("ab") as file:
        file.write(lines)
    before = path.read_bytes()
    done = nhlog("cuts", path, "--put-back", "--yes", "--json")
    assert done.code == 1
    [record] = done.records
    assert (record["fits"], record["done"]) == (False, None)
    assert ("does not follow" in record["why"]) == (b"\n" in lines)
    assert path.read_bytes() == before


def test_half_a_line_and_lines_that_nothing_proves_stay_where_they_are(nhlog, path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"sear")
    nhlog("recover", path)
    with path.open("ab") as file:
        file.write(b"search\n+5\n")
    nhlog("rewind", path, "--to", "end", "--yes")
    os.utime(path)  # a copy, or one that was written to
    partial, unproved = nhlog("cuts", path, "--json").records
    assert "partial line" in partial["why"]
    assert "no save to check it" in unproved["why"]


def test_a_log_that_changes_after_it_was_checked_is_left_alone(path: Path, nhlog) -> None:
    from nhlog.errors import LogRecovered
    from nhlog.log.returning import carry_out_return, joined, plan_return

    nhlog("rewind", path, "--to", "turn:8", "--yes")
    kept = f"{path}.cut-00000002"
    with LogFile(str(path), writable=True) as file:
        log = joined(file, kept)
        planned = plan_return(file, log, kept, "13 turns")
        with path.open("ab") as other:
            other.write(b"welcome\n")
        before = path.read_bytes()
        with pytest.raises(LogRecovered):
            carry_out_return(file, planned, 0)
    assert path.read_bytes() == before


def test_who_follows_the_log_sees_the_lines_come_back(path: Path, nhlog) -> None:
    from nhlog.log.returning import carry_out_return, joined, plan_return

    nhlog("rewind", path, "--to", "turn:8", "--yes")
    kept = f"{path}.cut-00000002"
    with LogFile(str(path), writable=True) as file:
        log = Log(file)
        before = len(log)
        planned = plan_return(file, joined(file, kept), kept, "13 turns")
        carry_out_return(file, planned, 0)
        log.refresh()
        assert (len(log), log.columns.last_turn) == (before + 15, 13)


def test_other_recordings_come_back_if_they_are_sound_then(nhlog, tmp_path: Path) -> None:
    path = Path(shutil.copy(SAMPLES / "coverage.teehistorian", tmp_path))
    before = path.read_bytes()
    kept = Path(cut_tail(str(path), len(before) // 2, stamp_of(str(path))))
    assert fits(nhlog("cuts", path, "--json")) == {kept.name: True}
    rest = kept.read_bytes()
    kept.write_bytes(rest[:-1] + b"\xff")
    half = path.read_bytes()
    done = nhlog("cuts", path, "--put-back", "--yes")
    assert "it would not be sound with it" in done.err
    assert (done.code, path.read_bytes()) == (1, half)
    kept.write_bytes(rest)
    assert nhlog("cuts", path, "--put-back", "--yes").code == 0
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == [path.name]


def test_what_a_rewind_wrote_at_the_end_goes_when_the_rest_comes_back(nhlog, tmp_path: Path) -> None:
    path = Path(shutil.copy(SAMPLES / "coverage.teehistorian", tmp_path))
    before = path.read_bytes()
    for name in ("a.teehistorian", "b.teehistorian.gz"):
        path = tmp_path / name
        path.write_bytes(gzip.compress(before) if name.endswith("gz") else before)
        whole = path.read_bytes()
        assert nhlog("rewind", path, "--to", "0:10", "--yes").code == 0
        assert path.read_bytes() != whole
        assert nhlog("cuts", path, "--put-back", "--yes").code == 0
        assert path.read_bytes() == whole


def test_a_recording_that_was_kept_whole_comes_back_whole(nhlog, tmp_path: Path) -> None:
    path = Path(shutil.copy(SAMPLES / "arena.butter", tmp_path))
    before = path.read_bytes()
    replace_whole(str(path), [before[:2000]], stamp_of(str(path)))
    assert nhlog("cuts", path, "--put-back", "--yes").code == 0
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["run.replay", "arena.butter", "arena.echoreplay", "text.echoreplay"])
def test_every_recording_is_after_a_rewind_that_was_put_back_what_it_was(nhlog, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if (SAMPLES / name).exists():
        shutil.copy(SAMPLES / name, path)
    else:
        packed = tmp_path / "packed.echoreplay"  # the name is in the zip, too
        assert nhlog("convert", SAMPLES / "arena.butter", packed, "--last", "frame:20").code == 0
        packed.rename(path)
    if name == "text.echoreplay":
        with zipfile.ZipFile(path) as packed_text:
            text = packed_text.read("packed.echoreplay")
        path.write_bytes(text)
    before = path.read_bytes()
    assert nhlog("rewind", path, "--to", "50%", "--yes").code == 0
    assert nhlog("cuts", path, "--put-back", "--yes").code == 0
    assert path.read_bytes() == before


def torn(kind: str, tmp_path: Path, nhlog) -> Path:
    """A recording of this kind as a crash leaves it."""
    if kind == "folder":
        folder = tmp_path / "run"
        ticks = b"".join(b'{"tick":%d,"events":[]}\n' % tick for tick in range(9))
        assert nhlog("record", folder, "--open", stdin=ticks).code == 0
        with (folder / "segment-000.dat").open("ab") as file:
            file.write(b"torn")
        return folder
    path = tmp_path / f"x.{kind}"
    samples = {"nhgame": "scripted1", "teehistorian": "coverage", "butter": "arena", "cast": "nethack"}
    if kind in samples:
        data = (SAMPLES / f"{samples[kind]}.{kind}").read_bytes()
    else:
        whole = tmp_path / f"whole.{kind}"
        source = "arena.butter" if kind == "echoreplay" else "nethack.cast"
        assert nhlog("convert", SAMPLES / source, whole).code == 0
        data = whole.read_bytes()
        whole.unlink()
    missing = {"echoreplay": len(data) // 2, "cast": 5}.get(kind, 1)
    path.write_bytes(data + b"mov" if kind == "nhgame" else data[:-missing])
    return path


def content(path: Path) -> dict[str, bytes]:
    files = path.iterdir() if path.is_dir() else [path]
    return {file.name: file.read_bytes() for file in files}


KINDS = ["teehistorian", "butter", "echoreplay", "cast", "cast.gz", "ttyrec", "ttyrec.zst", "folder"]


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_crash_left_is_after_a_recovery_that_was_put_back_what_it_was(nhlog, tmp_path: Path, kind: str) -> None:
    path = torn(kind, tmp_path, nhlog)
    before, written = content(path), path.stat().st_mtime_ns
    assert nhlog("recover", path).code == 0
    assert content(path) != before
    assert [record["fits"] for record in nhlog("cuts", path, "--json").records] == [True]
    done = nhlog("cuts", path, "--put-back", "--yes")
    assert (done.code, content(path)) == (0, before)
    assert os.listdir(tmp_path) == [path.name]
    assert path.is_dir() or path.stat().st_mtime_ns == written
    assert nhlog("recover", path).code == 0  # and again


def test_half_a_line_comes_back_where_nobody_played_on(nhlog, tmp_path: Path) -> None:
    path = torn("nhgame", tmp_path, nhlog)
    before = path.read_bytes()
    assert nhlog("recover", path).code == 0
    [record] = nhlog("cuts", path, "--json").records
    assert (record["fits"], record["lines"], record["unsound"]) == (True, 0, "partial last line")
    done = nhlog("cuts", path, "--put-back", "--yes")
    assert (done.code, done.err.splitlines()[-1]) == (0, f"{path}: not sound, as before it was cut: partial last line")
    raised = before.replace(b"NHGAME save 00000001", b"NHGAME save 00000002", 1)
    assert path.read_bytes() == raised


@pytest.mark.parametrize("kind", ["teehistorian", "ttyrec", "butter", "folder"])
def test_what_was_recorded_on_stays(nhlog, tmp_path: Path, kind: str) -> None:
    path = torn(kind, tmp_path, nhlog)
    assert nhlog("recover", path).code == 0
    for name in content(path):
        os.utime(path / name if path.is_dir() else path)
    after = content(path)
    done = nhlog("cuts", path, "--put-back", "--yes", "--json")
    assert content(path) == after
    assert done.records[0]["done"] in (None, "refused")


def test_what_was_kept_whole_never_replaces_what_was_recorded_on(nhlog, tmp_path: Path) -> None:
    path = tmp_path / "x.ttyrec.gz"
    assert nhlog("convert", SAMPLES / "nethack.cast", path).code == 0
    assert nhlog("rewind", path, "--to", "0:10", "--yes").code == 0
    with path.open("ab") as file:
        file.write(gzip.compress(b""))
    after = path.read_bytes()
    [record] = nhlog("cuts", path, "--put-back", "--yes", "--json").records
    assert (record["fits"], record["why"]) == (False, "the recording was written to since then")
    assert path.read_bytes() == after


@pytest.mark.parametrize("kind", ["teehistorian", "folder"])
def test_a_cut_does_not_come_back_where_a_later_one_is_gone(nhlog, tmp_path: Path, kind: str) -> None:
    path = torn(kind, tmp_path, nhlog)
    assert nhlog("recover", path).code == 0
    to = "tick:4" if kind == "folder" else "0:10"
    assert nhlog("rewind", path, "--to", to, "--yes", "--no-keep").code == 0
    after = content(path)
    nhlog("cuts", path, "--put-back", "--yes")
    assert content(path) == after


def test_of_a_folder_every_file_that_a_rewind_changed_comes_back(nhlog, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    ticks = b'{"tick":0,"events":[]}\n{"tick":9,"events":[]}\n'
    assert nhlog("record", folder, stdin=ticks).code == 0
    before = content(folder)
    for tick in (6, 4):
        assert nhlog("rewind", folder, "--to", f"tick:{tick}", "--yes").code == 0
    assert fits(nhlog("cuts", folder, "--json")) == {"run.cut-00000001": False, "run.cut-00000002": True}
    for _ in range(2):
        assert nhlog("cuts", folder, "--put-back", "--yes").code == 0
    assert content(folder) == before
    assert os.listdir(tmp_path) == ["run"]


def test_what_an_older_version_kept_of_a_folder_stays(nhlog, tmp_path: Path) -> None:
    folder = torn("folder", tmp_path, nhlog)
    (tmp_path / "run.cut-00000001").write_bytes(b"(\xb5/\xfd the bytes behind a cut")
    [record] = nhlog("cuts", folder, "--json").records
    assert (record["fits"], record["why"][:27]) == (False, "it has only the bytes behin")


def test_a_recording_that_was_written_to_cut_again_or_is_gone_gets_nothing_back(nhlog, tmp_path: Path) -> None:
    path = Path(shutil.copy(SAMPLES / "coverage.teehistorian", tmp_path))
    for offset in (4000, 3000):
        cut_tail(str(path), offset, stamp_of(str(path)))
    first, second = nhlog("cuts", path, "--json").records
    assert (first["why"], second["fits"]) == ("the recording was cut again since then", True)
    later = path.stat().st_mtime_ns + 10**12
    os.utime(path, ns=(later, later))
    assert nhlog("cuts", path, "--json").records[1]["why"] == "the recording was written to since then"
    path.unlink()
    assert {record["why"] for record in nhlog("cuts", tmp_path, "--json").records} == {"the recording is gone"}


def test_what_is_old_is_removed_when_somebody_agrees(nhlog, path: Path) -> None:
    nhlog("rewind", path, "--to", "turn:8", "--yes")
    kept = Path(f"{path}.cut-00000002")
    assert (
        nhlog("cuts", path, "--remove", "--older-than", "1h", "--yes").err == "nothing that was cut off is kept here\n"
    )
    assert nhlog("cuts", path, "--remove", "--dry-run", "--json").records[0]["done"] == "would remove"
    done = nhlog("cuts", path, "--remove", stdin=b"n\n")
    assert (done.code, kept.exists()) == (1, True)
    assert f"{kept}: " in done.err
    assert nhlog("cuts", path, "--remove", "--older-than", "0m", stdin=b"y\n").code == 0
    assert not kept.exists()
    assert nhlog("cuts", path, "--older-than", "soon").code == 2


def test_what_is_no_file_keeps_nothing(nhlog, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.nhgame.cut-00000001")
    (tmp_path / "x.nhgame.cut-00000002").symlink_to("/etc/passwd")
    (tmp_path / "x.nhgame.cut-00000003").mkdir()
    assert nhlog("cuts", tmp_path).err == "nothing that was cut off is kept here\n"
    assert nhlog("cuts", tmp_path / "gone").code == 1


@as_root
def test_what_another_user_laid_there_does_not_come_back(nhlog, path: Path) -> None:
    nhlog("rewind", path, "--to", "turn:8", "--yes")
    os.chown(f"{path}.cut-00000002", 60_001, -1)
    [record] = nhlog("cuts", path, "--json").records
    assert (record["fits"], record["why"]) == (False, "it belongs to another user than the recording")
