"""The one opener: what it refuses, which links it follows, and what is read through it."""

import errno
import fcntl
import io
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nhlog.errors import NhlogError
from nhlog.files import (
    CannotOpen,
    CannotWrite,
    File,
    Memory,
    claim,
    create_file,
    first_bytes,
    naming,
    open_regular,
    open_source,
    read_pieces,
    read_whole,
    refusals,
    release,
    reopen_regular,
    stamp_of,
)
from nhlog.log.locks.holders import holders_of
from tests.processes import as_user

DATA = bytes(range(256)) * 8


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "file"
    path.write_bytes(DATA)
    return str(path)


# what is opened


@pytest.mark.timeout(10)
@pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_RDWR])
def test_a_fifo_is_refused_and_not_waited_for(tmp_path: Path, flags: int) -> None:
    os.mkfifo(tmp_path / "x")
    with pytest.raises(CannotOpen, match="x: not a regular file but a FIFO"):
        open_regular(str(tmp_path / "x"), flags)


def test_what_else_is_no_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
        for path, kind in (("s", "socket"), (".", "directory"), ("/dev/null", "device")):
            with pytest.raises(CannotOpen, match=f"not a regular file but a {kind}"):
                open_regular(path)


@pytest.mark.parametrize(
    ("name", "why"), [("gone", "no such file or directory"), ("file/x", "not a directory"), ("a\0b", "null byte")]
)
def test_the_reason_is_the_systems(file: str, name: str, why: str) -> None:
    with pytest.raises(CannotOpen, match=why) as caught:
        open_regular(str(Path(file).parent / name))
    assert caught.value.exit_code == 1


def test_a_new_file_is_never_an_old_one_nor_behind_a_link(file: str, tmp_path: Path) -> None:
    (tmp_path / "dangling").symlink_to("elsewhere")
    for taken in (file, str(tmp_path / "dangling")):
        with pytest.raises(FileExistsError):
            create_file(taken)
    os.close(create_file(str(tmp_path / "new")))
    assert not (tmp_path / "elsewhere").exists()


# links


def test_ones_own_links_are_followed(file: str, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "again").symlink_to(tmp_path / "link")
    assert read_whole(str(tmp_path / "again"), 1 << 20) == DATA


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(CannotOpen, match="too many levels of symbolic links"):
        open_regular(str(tmp_path / "a"))


def test_a_link_to_a_fifo_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("fifo")
    with pytest.raises(CannotOpen, match="link: not a regular file but a FIFO"):
        open_regular(str(tmp_path / "link"))


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder that all users may write."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        yield Path(folder)


ANN, BOB = 60_001, 60_002  # users that nobody is


@pytest.mark.skipif(os.geteuid() != 0, reason="other users are made by root alone")
@pytest.mark.parametrize(
    ("link_owner", "file_owner", "told"),
    [
        (BOB, ANN, "another user's symbolic link to a file that is not theirs"),  # planted
        (BOB, BOB, str(len(DATA))),  # who could have put the file there itself
        (ANN, BOB, str(len(DATA))),  # one's own
        (0, ANN, str(len(DATA))),  # the system's
    ],
)
def test_a_link_gives_nobody_what_is_not_theirs(
    shared_folder: Path, link_owner: int, file_owner: int, told: str
) -> None:
    target, link = shared_folder / "target", shared_folder / "link"
    target.write_bytes(DATA)
    os.chown(target, file_owner, -1)
    link.symlink_to(target)
    os.lchown(link, link_owner, -1)

    def read() -> str:
        try:
            return str(len(read_whole(str(link), 1 << 20)))
        except CannotOpen as error:
            return error.what

    assert as_user(ANN, read) == told


# what changes between two looks


def just_after(monkeypatch: pytest.MonkeyPatch, call: str, act: Callable[[], object]) -> None:
    """Do it once, as soon as the system has answered this call."""
    answered = getattr(os, call)

    def answer(*arguments: object, **options: object) -> object:
        found = answered(*arguments, **options)
        monkeypatch.setattr(os, call, answered)
        act()
        return found

    monkeypatch.setattr(os, call, answer)


def test_a_file_that_takes_the_place_of_the_one_that_was_looked_at_is_not_opened_for_it(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other").write_bytes(b"other")
    just_after(monkeypatch, "lstat", lambda: os.rename(tmp_path / "other", file))
    with pytest.raises(CannotOpen, match="file: replaced while being opened"):
        open_regular(file)
    assert read_whole(file, 9) == b"other"


def test_a_link_that_takes_the_place_of_a_file_is_not_followed(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link").symlink_to("elsewhere")
    just_after(monkeypatch, "lstat", lambda: os.rename(tmp_path / "link", file))
    with pytest.raises(CannotOpen, match="file: too many levels of symbolic links"):
        open_regular(file)


def test_a_link_that_takes_the_place_of_another_is_not_followed(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose link it is was asked of the one before."""
    (tmp_path / "link").symlink_to("nothing")
    (tmp_path / "other").symlink_to("file")
    just_after(monkeypatch, "lstat", lambda: os.rename(tmp_path / "other", tmp_path / "link"))
    with pytest.raises(CannotOpen, match="link: replaced while being opened"):
        open_regular(str(tmp_path / "link"))
    assert read_whole(str(tmp_path / "link"), len(DATA)) == DATA


@pytest.mark.skipif(os.geteuid() != 0, reason="other users are made by root alone")
def test_a_file_that_takes_the_place_of_a_link_owners_own_is_not_given_to_them(
    shared_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, link, private = (shared_folder / name for name in ("own", "link", "private"))
    for path, owner in ((own, BOB), (private, ANN)):
        path.write_bytes(DATA)
        os.chown(path, owner, -1)
    link.symlink_to(own)
    os.lchown(link, BOB, -1)
    assert read_whole(str(link), len(DATA)) == DATA
    just_after(monkeypatch, "stat", lambda: os.rename(private, own))
    with pytest.raises(CannotOpen, match="link: replaced while being opened"):
        open_regular(str(link))


def test_a_claimed_file_that_takes_the_place_of_another_keeps_its_lock(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system drops it as soon as any descriptor of the file is closed."""
    log = tmp_path / "log"
    log.write_bytes(DATA)
    identity = stamp_of(str(log)).identity
    fd = os.open(log, os.O_RDWR)
    claim(identity)
    try:
        fcntl.lockf(fd, fcntl.LOCK_EX)
        just_after(monkeypatch, "lstat", lambda: os.replace(log, file))
        with pytest.raises(CannotOpen, match="file: replaced while being opened"):
            open_regular(file)
        assert [holder.pid for holder in holders_of(identity)] == [os.getpid()]
    finally:
        release(identity)
        os.close(fd)


# one descriptor


def test_a_claimed_file_is_not_opened_again_by_any_name(file: str, tmp_path: Path) -> None:
    os.link(file, tmp_path / "other name")
    (tmp_path / "link").symlink_to("file")
    identity = stamp_of(file).identity
    claim(identity)
    try:
        for name in ("file", "other name", "link"):
            with pytest.raises(CannotOpen, match="already has this log open"):
                first_bytes(str(tmp_path / name), 4)
        os.close(reopen_regular(file, os.O_RDWR, identity))
        with pytest.raises(CannotOpen, match="already has this log open"):
            open_regular(file)
    finally:
        release(identity)
    assert first_bytes(file, 4) == DATA[:4]


def test_a_file_in_place_of_a_claimed_one_is_not_opened_for_it(file: str, tmp_path: Path) -> None:
    identity = stamp_of(file).identity
    (tmp_path / "new").write_bytes(b"")
    os.rename(file, tmp_path / "old")
    os.rename(tmp_path / "new", file)
    claim(identity)
    try:
        with pytest.raises(CannotOpen, match="replaced meanwhile"):
            reopen_regular(file, os.O_RDWR, identity)
    finally:
        release(identity)


def test_a_child_claims_nothing(file: str) -> None:
    identity = stamp_of(file).identity
    claim(identity)
    try:
        child = os.fork()
        if not child:
            os._exit(0 if first_bytes(file, 1) == DATA[:1] else 1)
        assert os.waitpid(child, 0)[1] == 0
    finally:
        release(identity)


# reading


def test_a_file_and_bytes_in_memory_answer_alike(file: str) -> None:
    with File(file) as there, Memory("memory", DATA) as here:
        for source in (there, here):
            assert source.size() == len(DATA)
            for size, offset in ((4, 0), (1 << 22, 3), (5, len(DATA) - 2), (5, len(DATA) + 9), (0, 0)):
                assert source.pread(size, offset) == DATA[offset : offset + size]
        assert there.stamp() == stamp_of(file)
        assert here.stamp() is None


def test_an_offset_that_no_file_reaches_is_told(file: str) -> None:
    with File(file) as source, pytest.raises(NhlogError, match="cannot be read"):
        source.pread(4, 1 << 63)


def test_a_file_may_be_closed_twice(file: str) -> None:
    source = open_source(file)
    source.close()
    source.close()


def test_a_file_that_was_closed_is_not_open(file: str) -> None:
    before = os.listdir("/proc/self/fd")
    open_source(file).close()
    assert os.listdir("/proc/self/fd") == before


def test_standard_input_is_read_whole_and_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    def given() -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(DATA)))

    given()
    assert read_whole("-", len(DATA)) == DATA
    given()
    with open_source("-") as source:
        assert source.pread(source.size(), 0) == DATA
    given()
    with pytest.raises(NhlogError, match="too large"):
        read_whole("-", len(DATA) - 1)


def test_only_what_another_machine_has_is_far(file: str) -> None:
    with open_source(file) as source:
        assert not source.far


def test_what_is_read_whole_is_bounded(file: str) -> None:
    assert read_whole(file, len(DATA)) == DATA
    with pytest.raises(NhlogError, match=f"too large: expected at most {len(DATA) - 1} bytes"):
        read_whole(file, len(DATA) - 1)


@pytest.mark.parametrize("size", [1, 100, len(DATA), 1 << 16])
def test_what_is_read_in_pieces_is_all_of_it(file: str, size: int) -> None:
    pieces = list(read_pieces(file, size))
    assert b"".join(pieces) == DATA
    assert max(map(len, pieces)) <= size


def test_a_stamp_changes_with_the_file_even_where_its_time_is_set_back(file: str) -> None:
    before = stamp_of(file)
    Path(file).write_bytes(DATA[::-1])
    os.utime(file, ns=(before.modified, before.modified))
    after = stamp_of(file)
    assert (after.size, after.modified) == (before.size, before.modified)
    assert after != before
    assert stamp_of(file + "x") is None


def test_a_refusal_to_write_names_the_file_unless_it_names_one_already() -> None:
    for said, named in ((None, "game"), ("draft", "game"), ("other", "other")):
        error = OSError(errno.ENOSPC, "No space left on device", said)
        with pytest.raises(OSError, match=named), naming("game", "draft"):
            raise error
        assert error.filename == named
    with pytest.raises(CannotWrite) as refused, refusals("game"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert str(refused.value) == "game: no space left on device"


def test_who_keeps_a_lease_keeps_nobody_waiting(tmp_path: Path) -> None:
    """The system would have us wait for three quarters of a minute."""
    path = tmp_path / "some"
    path.write_bytes(b"x")
    program = (
        "import fcntl, os, signal, sys\n"
        "signal.signal(signal.SIGIO, signal.SIG_IGN)\n"
        "fd = os.open(sys.argv[1], os.O_RDWR)\n"
        "fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_WRLCK)\n"
        "print('ready', flush=True)\n"
        "sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", program, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        assert holder.stdout.readline() == b"ready\n"
        with pytest.raises(CannotOpen):
            open_regular(str(path))
        assert holder.poll() is None
        holder.stdin.close()
    os.close(open_regular(str(path)))
