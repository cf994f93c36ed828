"""Packing what ended: nothing is lost, nothing that is used is touched; what a process leaves that dies, others end."""

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.beside.mail import mail_file
from nhlog.errors import LockNotObtained, NhlogError
from nhlog.files import stamp_of
from nhlog.files.cuts import cut_tail
from nhlog.formats import format_of
from nhlog.recorder import open_recording_for
from nhlog.recorder.packing import is_of_program, is_packable, pack, remove
from nhlog.screencast import OUTPUT, Header
from nhlog.vt import Size
from tests.processes import Child, holding
from tests.recorder.recordings import events_of

HEADER = Header(size=Size(80, 24), start=1_700_000_000_000_000)
BEGAN = 1_700_000_000_123_456_789  # nanoseconds
MARKED = "import fcntl; fd = os.open(path, os.O_RDONLY); fcntl.flock(fd, fcntl.LOCK_SH); say('marked'); wait()"
OPEN = "fd = os.open(path, os.O_WRONLY); say('open'); wait()"


@pytest.fixture(params=["game.cast", "game.ttyrec"])
def path(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    path = tmp_path / request.param
    with closing(open_recording_for(str(path), format_of(str(path)).load(), HEADER)) as recording:
        for number in range(2000):
            recording.add(OUTPUT, b"line %d\r\n" % number)
    os.utime(path, ns=(BEGAN, BEGAN))
    path.chmod(0o640)
    return path


def test_what_is_packed_says_the_same_and_is_as_old(path: Path) -> None:
    events, size = events_of(path), path.stat().st_size
    packed = Path(pack(str(path)))
    assert [*path.parent.iterdir()] == [packed]
    assert packed.name == path.name + ".zst"
    assert events_of(packed) == events
    status = packed.stat()
    assert (status.st_mtime_ns, status.st_mode & 0o777) == (BEGAN, 0o640)
    assert status.st_size < size / 4


def test_the_mail_to_who_played_stays_beside_it_and_goes_with_it(path: Path) -> None:
    Path(mail_file(str(path))).write_text("1\tBob\thello\n")
    packed = pack(str(path))
    assert sorted(os.listdir(path.parent)) == sorted(os.path.basename(name) for name in (packed, mail_file(packed)))
    remove(packed)
    assert os.listdir(path.parent) == []


def test_an_empty_recording_is_packed(tmp_path: Path) -> None:
    path = tmp_path / "game.cast"
    path.touch()
    assert Path(pack(str(path))).exists()
    assert not path.exists()


def cut_off(path: Path) -> None:
    stamp = stamp_of(str(path))
    assert stamp is not None
    cut_tail(str(path), 100, stamp)


@pytest.mark.parametrize("act", [pack, remove])
def test_what_is_used_is_left_alone(path: Path, act: Callable[[str], object]) -> None:
    before = path.read_bytes()
    with holding(str(path), "LOCK_EX"), pytest.raises(LockNotObtained, match="it is being written"):
        act(str(path))
    for use, why in ((MARKED, "watched"), (OPEN, "written")):
        with Child(use, str(path)) as user:
            user.hear()
            with pytest.raises(LockNotObtained, match=f"it is being {why}"):
                act(str(path))
    assert path.read_bytes() == before
    cut_off(path)
    with pytest.raises(LockNotObtained, match="what was cut off it is kept"):
        act(str(path))
    assert path.stat().st_size == 100


def test_a_process_that_died_before_the_original_went_left_it_to_the_next_one(path: Path) -> None:
    content = path.read_bytes()
    packed = Path(pack(str(path)))
    path.write_bytes(content)
    assert pack(str(path)) == str(packed)
    assert not path.exists()


def test_what_belongs_to_something_else_is_not_replaced(path: Path) -> None:
    other = path.with_name(path.name + ".zst")
    content = path.read_bytes()
    path.write_bytes(content[:-20])
    pack(str(path))
    packed = other.read_bytes()
    path.write_bytes(content)
    with pytest.raises(NhlogError, match="there is another file of that name"):
        pack(str(path))
    assert (path.read_bytes(), other.read_bytes()) == (content, packed)


def test_what_is_removed_is_gone(path: Path) -> None:
    remove(str(path))
    assert not path.exists()


def test_only_recordings_of_programs_are_known(path: Path) -> None:
    assert is_of_program(str(path))
    assert is_packable(str(path))
    packed = pack(str(path))
    assert is_of_program(packed)
    assert not is_packable(packed)
    assert not any(
        is_of_program(f"game.{ending}") for ending in ("nhgame", "teehistorian", "replay", "cast.cut-00000001")
    )
