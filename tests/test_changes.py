"""Being told of a file's changes, and by whom it is open or locked."""

import fcntl
import os
import select
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from nhlog.files import changes as told
from nhlog.files import is_being_written, stamp_of
from nhlog.files.changes import FEW, EventListener, FileChanges, PollingListener
from nhlog.files.processes import all_locks, locks_on, process, processes_with
from tests.processes import Child, as_user

HOLD = """
fd = os.open(path, os.O_RDWR)
say("open")
wait()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "game.cast"
    path.write_text("one\n")
    return path


def heard(changes: FileChanges, patience: float = 60) -> bool:
    select.select([changes], [], [], patience)
    return changes.take()


def append(path: Path) -> None:
    with open(path, "a") as file:
        file.write("more\n")


def replace(path: Path) -> None:
    path.with_name("new").write_text("other")
    path.with_name("new").rename(path)


@pytest.fixture(params=["events", "polling"])
def changes(path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[FileChanges]:
    if request.param == "polling":
        monkeypatch.setattr(told, "is_remote", lambda path: True)
        monkeypatch.setattr(told, "REMOTE_INTERVAL", 0.01)
    changes = FileChanges(str(path))
    assert isinstance(changes._listener, EventListener if request.param == "events" else PollingListener)
    yield changes
    changes.close()


def test_who_listens_keeps_no_process_from_ending_and_leaves_no_thread(path: Path) -> None:
    before = {*threading.enumerate()}
    listeners = [
        EventListener(str(path), lambda: None),
        PollingListener(lambda: stamp_of(str(path)), lambda: 0.01, lambda: None),
    ]
    assert all(thread.daemon for thread in {*threading.enumerate()} - before)
    for listener in listeners:
        listener.stop()
    assert {*threading.enumerate()} == before


@pytest.mark.parametrize("act", [append, replace, Path.unlink])
def test_what_happens_to_the_file_is_heard(changes: FileChanges, path: Path, act: Callable[[Path], None]) -> None:
    assert not changes.take()
    act(path)
    assert heard(changes)


def test_what_happened_in_a_pause_is_heard_after_it(changes: FileChanges, path: Path) -> None:
    changes.pause()
    append(path)
    changes.resume()
    assert heard(changes)
    append(path)
    assert heard(changes)


def test_who_watches_takes_the_processor_from_no_writer(changes: FileChanges) -> None:
    assert os.sched_getscheduler(0) == os.SCHED_BATCH
    changes.pause()
    changes.resume()
    assert os.sched_getscheduler(0) == os.SCHED_BATCH


def test_a_crowd_looks_for_itself(path: Path) -> None:
    """Each who waits for events is woken inside the writer's own write."""
    with ExitStack() as stack:
        for _ in range(FEW + 1):
            assert stack.enter_context(Child(HOLD, str(path))).hear() == "open"
        changes = FileChanges(str(path))
        stack.callback(changes.close)
        assert isinstance(changes._listener, PollingListener)
        append(path)
        assert heard(changes)


def test_who_has_it_open_and_who_locks_it(path: Path) -> None:
    identity = stamp_of(str(path)).identity
    with Child(HOLD, str(path)) as child:
        assert child.hear() == "open"
        assert [*processes_with(identity)] == [child.pid]
        assert process(child.pid).user == os.getuid()
        assert locks_on(identity) == ({}, {}, set())
        with open(path, "r+") as file:
            fcntl.lockf(file, fcntl.LOCK_EX)
            assert locks_on(identity).content == {os.getpid(): True}
            assert [*processes_with(identity)] == sorted([os.getpid(), child.pid])
    assert [*processes_with(identity)] == []


def test_all_locks_are_found_in_a_table_of_many_pages(tmp_path: Path) -> None:
    with ExitStack() as stack:
        files = [stack.enter_context((tmp_path / str(number)).open("w")) for number in range(200)]  # a case: four pages
        for file in files:
            fcntl.lockf(file, fcntl.LOCK_EX)
        found = all_locks()
        for file in files:
            status = os.fstat(file.fileno())
            assert found[status.st_dev, status.st_ino].content == {os.getpid(): True}


CHANGING = """
os.sched_setaffinity(0, {int(arguments[0])})
fds = [os.open(f"{path}/{number}", os.O_RDWR | os.O_CREAT) for number in range(400)]
say("begun")
while True:
    for how in fcntl.LOCK_EX, fcntl.LOCK_UN:
        for fd in fds:
            fcntl.lockf(fd, how)
"""


def test_locks_are_found_while_others_come_and_go(tmp_path: Path) -> None:
    """The system leaves out rows of a table that changes while it is read, so reading it once is not enough.

    It lists locks by the processor that they were taken on, new ones first; here those that change stand before ours.
    """
    held, changing = tmp_path / "held", tmp_path / "changing"
    held.mkdir()
    changing.mkdir()
    with ExitStack() as stack:
        processors = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {max(processors)})
        stack.callback(os.sched_setaffinity, 0, processors)
        for number in range(400):
            fcntl.lockf(stack.enter_context((held / str(number)).open("w")), fcntl.LOCK_EX)
        files = {stamp_of(str(path)).identity for path in held.iterdir()}
        rows = {f":{inode} 0 EOF" for _, inode in files}
        child = stack.enter_context(Child(CHANGING, str(changing), str(min(processors))))
        stack.callback(child.kill)
        assert child.hear() == "begun"
        read_once = found = 0
        while read_once < 12:
            table = Path("/proc/locks").read_text()
            read_once += any(row not in table for row in rows)
            found += not files <= all_locks().keys()
    assert found <= read_once / 3


LOCK = """
fd = os.open(path, os.O_RDWR)
fcntl.lockf(fd, fcntl.LOCK_EX)
say("locked")
wait()
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be others, too")
def test_a_lock_tells_everybody_that_a_file_is_written() -> None:
    with tempfile.TemporaryDirectory(prefix="nhlog-tests-") as folder:
        os.chmod(folder, 0o755)
        path = Path(folder, "game.cast")
        path.write_text("one\n")

        def seen() -> str:
            return as_user(65534, lambda: str(is_being_written(str(path))))

        assert seen() == "False"
        with Child(LOCK, str(path)) as child:
            assert child.hear() == "locked"
            assert seen() == "True"
        assert seen() == "False"
