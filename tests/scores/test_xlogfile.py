"""The xlogfile: NetHack's own lines are read, ours never mix, and half a line costs nothing but itself."""

import fcntl
import os
import re
import signal
from contextlib import contextmanager
from pathlib import Path

import pytest

from nhlog.errors import Damaged, LockNotObtained, NhlogError
from nhlog.files import open_folder
from nhlog.scores import xlogfile
from nhlog.scores.wire import MAX_ENTRY, format_entry, number_of, parse_entry
from nhlog.scores.xlogfile import XLOGFILE, open_xlogfile, read_entries
from tests.corpus import ROOT
from tests.processes import Child

OF_343 = b"version=3.4.3:points=77:deathdnum=0:name=daniel:death=killed by a newt_ a wall"
OF_36 = b"version=3.6.3\tpoints=1254\tname=Flaming:Ketchup\tdeath=killed by an elf zombie\twhile=frozen\tconduct=0xf88"
APPENDING = f"""
sys.path.insert(0, {str(ROOT)!r})
from nhlog.scores.xlogfile import open_xlogfile
folder = os.open(path, os.O_RDONLY)
say("ready")
wait()
for number in range(int(arguments[1])):
    with open_xlogfile(folder, "xlogfile") as log:
        log.append({{"name": arguments[0], "turns": number, "death": arguments[0] * 50}})
say("done")
"""


@contextmanager
def opened(folder: Path):
    fd = open_folder(str(folder))
    try:
        with open_xlogfile(fd, str(folder / XLOGFILE)) as log:
            yield log
    finally:
        os.close(fd)


def lines(folder: Path) -> list[object]:
    return [*read_entries(str(folder / XLOGFILE))]


# a line


def test_fields_are_separated_by_colons_or_by_tabs() -> None:
    assert parse_entry(OF_343)["death"] == "killed by a newt_ a wall"
    later = parse_entry(OF_36)
    assert (later["name"], later["while"]) == ("Flaming:Ketchup", "frozen")
    assert (number_of(later, "points"), number_of(later, "conduct"), number_of(later, "hp")) == (1254, 0xF88, None)


def test_what_would_end_a_field_or_a_line_becomes_an_underscore() -> None:
    line = format_entry({"name": "a:b\nc\td\x1b[2J\x9b", "points": -5})
    assert line == b"name=a_b_c_d_[2J_:points=-5\n"
    assert parse_entry(line[:-1]) == {"name": "a_b_c_d_[2J_", "points": "-5"}


@pytest.mark.parametrize("line", [b"no fields", b"=5", b"name=Ann:5", b"a=1::b=2", b"x=" + b"y" * MAX_ENTRY])
def test_what_is_no_line_is_damage(line: bytes) -> None:
    with pytest.raises(Damaged):
        parse_entry(line)


@pytest.mark.parametrize("value", ["", "1e3", "0x", "9" * 20, "0x" + "f" * 17, "٣", "1_0", " 1"])
def test_what_is_no_number_is_none(value: str) -> None:
    assert number_of({"points": value}, "points") is None


# a file


def test_lines_are_read_in_pieces_however_they_fall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    too_long = b"death=" + b"x" * (3 * MAX_ENTRY)
    path = tmp_path / XLOGFILE
    path.write_bytes(b"\n".join([OF_343, b"", too_long, b"rubbish", OF_36]))
    reading = xlogfile.read_pieces
    for size in (1, 7, MAX_ENTRY + 1, 1 << 20):
        monkeypatch.setattr(xlogfile, "read_pieces", lambda path, size=size: reading(path, size))
        first, long, bad, last = lines(tmp_path)
        assert (first, last) == (parse_entry(OF_343), parse_entry(OF_36))
        assert (long.offset, bad.offset) == (len(OF_343) + 2, len(OF_343) + 3 + len(too_long))
        assert "line too long" in str(long)


def test_a_half_line_breaks_no_other(tmp_path: Path) -> None:
    (tmp_path / XLOGFILE).write_bytes(OF_343 + b"\nversion=4.3")
    with opened(tmp_path) as log:
        log.append({"name": "Ann"})
        log.append({"name": "Ben"})
    assert (tmp_path / XLOGFILE).read_bytes() == OF_343 + b"\nversion=4.3\nname=Ann\nname=Ben\n"
    assert [entry["name"] for entry in lines(tmp_path) if "name" in entry] == ["daniel", "Ann", "Ben"]


def test_a_text_is_found_wherever_the_pieces_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlogfile, "CHUNK", 5)
    with opened(tmp_path) as log:
        assert not log.holds(b":starttimeus=12:")
        log.append({"a": 1, "starttimeus": 12, "b": 2})
        assert log.holds(b":starttimeus=12:")
        assert not log.holds(b":starttimeus=1:")


def test_many_processes_at_once_lose_and_tear_nothing(tmp_path: Path) -> None:
    each = 40
    names = [letter * 20 for letter in "abcd"]
    with opened(tmp_path):
        pass
    children = [Child(APPENDING, str(tmp_path), name, str(each)) for name in names]
    for child in children:
        assert child.hear() == "ready"
    for child in children:
        child.tell()
    children[0].send_signal(signal.SIGKILL)  # at any time
    for child in children[1:]:
        assert child.hear() == "done"
    for child in children:
        child.__exit__()
    found = lines(tmp_path)
    assert all(re.fullmatch(f"({entry['name']}){{50}}", entry["death"]) for entry in found)
    for name in names[1:]:
        assert [int(entry["turns"]) for entry in found if entry["name"] == name] == [*range(each)]
    killed = [int(entry["turns"]) for entry in found if entry["name"] == names[0]]
    assert killed == [*range(len(killed))]


def test_nobody_waits_for_ever_for_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlogfile, "PATIENCE", 0)
    with opened(tmp_path):
        pass
    with (tmp_path / XLOGFILE).open() as other:
        fcntl.flock(other, fcntl.LOCK_SH)
        with pytest.raises(LockNotObtained), opened(tmp_path):
            pass


@pytest.mark.parametrize("kind", ["link", "second name", "pipe", "folder"])
def test_an_xlogfile_that_leads_elsewhere_is_not_written(tmp_path: Path, kind: str) -> None:
    secret, place = tmp_path / "secret", tmp_path / "finished"
    secret.write_text("mine")
    place.mkdir()
    made = place / XLOGFILE
    act = {"link": made.symlink_to, "second name": made.hardlink_to}.get(kind)
    if act:
        act(secret)
    else:
        os.mkfifo(made) if kind == "pipe" else made.mkdir()
    with pytest.raises(NhlogError), opened(place):
        pass
    assert secret.read_text() == "mine"


def test_who_may_write_to_the_folder_may_write_to_its_xlogfile(tmp_path: Path) -> None:
    for mode, expected in ((0o2775, 0o664), (0o755, 0o644), (0o777, 0o666)):
        folder = tmp_path / f"{mode:o}"
        folder.mkdir()
        folder.chmod(mode)
        with opened(folder):
            pass
        assert (folder / XLOGFILE).stat().st_mode & 0o777 == expected


def test_a_full_disk_is_told() -> None:
    with Path("/dev/full").open("wb") as full, pytest.raises(OSError, match="No space"):
        xlogfile.Xlogfile(full.fileno(), "full").append({"name": "Ann"})
