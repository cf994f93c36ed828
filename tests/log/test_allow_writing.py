"""A log open for reading, and for a while for writing, too: what others see of it, and what becomes of its locks."""

import os
import select
from collections.abc import Iterator
from pathlib import Path

import pytest

from nhlog.errors import NhlogError
from nhlog.files import CannotOpen
from nhlog.log import NotifyMethod
from nhlog.log.file import LogFile
from nhlog.log.locks.holders import Holder, Role, holders_of, processes_on, role_of
from nhlog.log.notify import Changes
from tests.builders import played
from tests.processes import as_oneself
from tests.sharing.parties import Party, needs_handshake

pytestmark = needs_handshake


@pytest.fixture
def path(tmp_path: Path) -> str:
    return played(3).write(tmp_path / "game.nhgame")


@pytest.fixture
def file(path: str) -> Iterator[LogFile]:
    with LogFile(path) as file:
        yield file


def ours(file: LogFile) -> Holder:
    """What others see of this process."""
    [found] = [process for process in processes_on(file.identity) if process.pid == os.getpid()]
    return found


@pytest.mark.parametrize("way", NotifyMethod)
def test_who_writes_for_a_while_goes_on_watching(file: LogFile, way: NotifyMethod) -> None:
    with Changes(file, way):
        before = ours(file)
        with file.allow_writing():
            assert ours(file) == before
            with file.writing():
                file.pwrite(b"N", 0)
                assert role_of(ours(file), file.status()) is Role.WATCHES
            assert ours(file) == before
        assert ours(file) == before
        assert role_of(ours(file), file.status()) is Role.WATCHES
        assert not file.writable
    assert holders_of(file.identity) == []


def test_who_watches_by_file_events_rests_in_no_lock_afterwards(file: LogFile) -> None:
    with Changes(file, NotifyMethod.EVENTS):
        with file.allow_writing(), file.writing():
            assert [holder.exclusive for holder in holders_of(file.identity)] == [True]
        assert holders_of(file.identity) == []
        assert ours(file).mark


def test_the_lock_monitor_is_told_to_look_and_hears_of_the_next_line(path: str) -> None:
    """In a process whose threads all block the signals, as the workers of pytest-xdist do not."""
    assert as_oneself(lambda: _heard_of_two(path)) == "read read"


def _heard_of_two(path: str) -> str:
    """The lock in which we rest after what may have come while there was none, and after the next line."""
    locks = []
    with LogFile(path) as file, Changes(file, NotifyMethod.MONITOR) as changes, Party(path) as writer:
        assert writer.hear() == "ready"
        with file.allow_writing():
            assert not changes.take()
        for _ in range(2):
            select.select([changes], [], [], 60)
            assert changes.take()
            locks.append(ours(file).lock)
            assert writer.do("append search") == "appended"
    return " ".join(locks)


def test_one_that_is_open_for_writing_stays_so(path: str) -> None:
    with LogFile(path, writable=True) as file:
        with file.allow_writing(), file.writing():
            file.pwrite(b"N", 0)
        with file.writing():
            file.pwrite(b"N", 0)


def test_what_fails_in_the_scope_ends_it(file: LogFile) -> None:
    with pytest.raises(NhlogError), file.allow_writing():
        raise NhlogError("no")
    assert not file.writable
    assert role_of(Holder(os.getpid(), "", os.getuid(), 0, False), file.status()) is Role.WATCHES


def test_another_file_of_that_name_is_not_written(file: LogFile, path: str, tmp_path: Path) -> None:
    played(3).write(tmp_path / "other")
    os.replace(tmp_path / "other", path)
    with pytest.raises(CannotOpen, match="replaced meanwhile"), file.allow_writing():
        pass
    assert not file.writable
