"""Who has a lock on a file, and whether it may be sent a signal."""

import fcntl
import os
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest

from nhlog.log.locks.holders import (
    Holder,
    Role,
    end,
    find_holder,
    holders_of,
    is_same_process,
    listens,
    role_of,
    started_at,
)
from tests.builders import played
from tests.processes import Child, holding
from tests.sharing.parties import Party, needs_handshake
from tests.waiting import eventually

pytestmark = needs_handshake

GRAIN = 2  # seconds to which the system tells when it began


@pytest.fixture
def path(tmp_path: Path) -> str:
    return played(1).write(tmp_path / "game.nhgame")


def identity(path: str) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_dev, status.st_ino


@pytest.mark.parametrize(
    ("lock", "for_writing", "found"),
    [("LOCK_SH", True, "read"), ("LOCK_SH", False, None), ("LOCK_EX", True, "write"), ("LOCK_EX", False, "write")],
)
def test_who_is_in_the_way(path: str, lock: str, for_writing: bool, found: str | None) -> None:
    fd = os.open(path, os.O_RDWR)
    with holding(path, lock) as other:
        holder = find_holder(fd, for_writing=for_writing)
        if found is None:
            assert holder is None
        else:
            assert holder
            assert str(holder).startswith(f"{found} lock of process {other.pid} (python")
            assert holder.user == os.getuid()
    assert find_holder(fd, for_writing=True) is None
    os.close(fd)


def test_ones_own_lock_is_in_nobodys_way(path: str) -> None:
    fd = os.open(path, os.O_RDWR)
    fcntl.lockf(fd, fcntl.LOCK_EX)
    assert find_holder(fd, for_writing=True) is None
    os.close(fd)


def test_all_who_are_on_a_file_and_nobody_who_is_on_another_or_waits(path: str, tmp_path: Path) -> None:
    other = played(1).write(tmp_path / "other.nhgame")
    with holding(path, "LOCK_SH") as first, holding(path, "LOCK_SH") as second, holding(other, "LOCK_EX"):
        waiting = Child('fcntl.lockf(os.open(path, os.O_RDWR), fcntl.LOCK_EX)\nsay("locked")', path)
        with waiting:
            assert eventually(lambda: "->" in Path("/proc/locks").read_text())
            assert {holder.pid: holder.exclusive for holder in holders_of(identity(path))} == {
                first.pid: False,
                second.pid: False,
            }
            first.tell()
            second.tell()
            assert waiting.hear() == "locked"


def test_only_one_who_catches_or_awaits_requests_is_asked(path: str) -> None:
    with Party(path) as ours, holding(path, "LOCK_SH") as foreign:
        assert ours.hear() == "ready"
        assert listens(ours.pid)
        assert not listens(foreign.pid)
    assert not listens(foreign.pid), "gone"
    assert not listens(-1), "what the system says of a lock that belongs to no process"


def test_what_it_means_that_a_lock_is_in_the_way_for_long(path: str) -> None:
    fd = os.open(path, os.O_RDONLY)
    with Party(path) as ours, holding(path, "LOCK_SH") as foreign:
        assert ours.hear() == "ready"
        assert ours.do("monitor") == "monitoring"
        trouble = {holder.pid: holder.trouble for holder in holders_of(identity(path))}
    os.close(fd)
    assert trouble == {ours.pid: "stuck process", foreign.pid: "no game: it cannot be asked for it"}


@pytest.mark.parametrize(
    ("mode", "owner", "marked", "role"),
    [
        (0o644, True, None, "plays"),
        (0o644, False, None, "watches"),
        (0o666, False, None, None),
        *((mode, owner, told, told) for mode in (0o644, 0o666) for owner in (True, False) for told in Role),
    ],
)
def test_what_one_is_here_for_is_told_by_marks_else_by_who_may_write(
    path: str, mode: int, owner: bool, marked: Role | None, role: str | None
) -> None:
    """Of another user's process, of which the system tells nothing else."""
    os.chmod(path, mode)
    user = os.getuid() if owner else os.getuid() + 1
    assert role_of(Holder(-1, "nhlog", user, 0, exclusive=False, marked=marked), os.stat(path)) == role


def held_by(path: str) -> Holder:
    (holder,) = holders_of(identity(path))
    return holder


def test_a_process_is_known_by_its_id_and_its_start(path: str) -> None:
    before = time.time()
    with holding(path, "LOCK_SH"):
        holder = held_by(path)
        assert is_same_process(holder)
        assert before - GRAIN <= started_at(holder) <= time.time() + GRAIN
        earlier = replace(holder, started=holder.started - 1)
        assert not is_same_process(earlier)
        assert not end(earlier, signal.SIGKILL), "a signal to a process whose id has been taken over"
        assert is_same_process(holder)
    assert not is_same_process(holder)
    assert not end(holder, signal.SIGKILL)


def test_one_that_has_ended_is_gone_though_its_parent_has_not_asked(path: str) -> None:
    with holding(path, "LOCK_SH") as child:
        holder = held_by(path)
        assert end(holder, signal.SIGKILL)
        assert eventually(lambda: not is_same_process(holder))
        assert os.path.exists(f"/proc/{child.pid}"), "a zombie until we wait for it"


def test_a_command_with_parentheses_and_spaces(path: str, tmp_path: Path) -> None:
    """Its name stands in the middle of the line that the start is read from."""
    program = tmp_path / "a) b (c 1 2"
    os.symlink("/bin/sleep", program)
    before = time.time()
    with subprocess.Popen([program, "60"]) as child:
        assert eventually(lambda: Path(f"/proc/{child.pid}/comm").read_text() == "a) b (c 1 2\n")
        holder = Holder(child.pid, "", 0, 0, False)
        started = started_at(Holder(child.pid, "", 0, _started(child.pid), False))
        assert before - GRAIN <= started <= time.time() + GRAIN
        assert started_at(holder) == 0.0
        child.kill()


def _started(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[19])


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_another_users_process_is_not_ours_to_end() -> None:
    with subprocess.Popen(["sleep", "60"]) as child:
        holder = Holder(child.pid, "", 0, _started(child.pid), False)
        if os.fork() == 0:
            os.setuid(65534)
            try:
                end(holder, signal.SIGKILL)
            except PermissionError:
                os._exit(0)
            os._exit(1)
        assert os.wait()[1] == 0
        assert child.poll() is None
        child.kill()
