"""Opening and locking log files, with other processes in the way."""

import os
import re
import signal
import socket
from pathlib import Path

import pytest

from nhlog.errors import LockNotObtained
from nhlog.files import CannotOpen, Fate
from nhlog.log.file import LogBytes, LogFile
from nhlog.log.locks import keeper
from tests.builders import played
from tests.corpus import ROOT
from tests.processes import Child, holding

NOBODY = 65534
as_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")


@pytest.fixture
def path(tmp_path: Path) -> str:
    return played(3).write(tmp_path / "game.nhgame")


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "PATIENCE", 0.03)


impatient = pytest.mark.usefixtures("_impatient")


# opening


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(CannotOpen, match="no such file or directory") as error:
        LogFile(str(tmp_path / "no"))
    assert error.value.exit_code == 1
    assert str(error.value).startswith(str(tmp_path / "no"))


def test_a_directory(tmp_path: Path) -> None:
    with pytest.raises(CannotOpen, match="not a regular file but a directory"):
        LogFile(str(tmp_path))


@pytest.mark.timeout(10)
def test_a_fifo_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(CannotOpen, match="not a regular file but a FIFO"):
        LogFile(str(tmp_path / "fifo"))


@pytest.mark.timeout(10)
def test_a_fifo_that_takes_a_files_place_just_then_is_not_waited_for(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "fifo")
    status = os.stat(path)
    with monkeypatch.context() as just_then:
        just_then.setattr(os, "lstat", lambda _: status)
        with pytest.raises(CannotOpen, match="replaced while being opened"):
            LogFile(str(tmp_path / "fifo"))


def test_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
        with pytest.raises(CannotOpen, match="not a regular file but a socket"):
            LogFile("s")


def test_a_device() -> None:
    with pytest.raises(CannotOpen, match="not a regular file but a device"):
        LogFile("/dev/null")


def test_a_link_that_leads_nowhere_or_to_itself(tmp_path: Path) -> None:
    (tmp_path / "nowhere").symlink_to("gone")
    (tmp_path / "self").symlink_to("self")
    for name in ("nowhere", "self"):
        with pytest.raises(CannotOpen):
            LogFile(str(tmp_path / name))


@as_root
@pytest.mark.parametrize(
    ("mode", "writable", "opens"), [(0o444, True, False), (0o000, False, False), (0o444, False, True)]
)
def test_permissions_are_the_systems(tmp_path: Path, mode: int, writable: bool, opens: bool) -> None:
    path = Path("/tmp") / f"nhlog-{os.getpid()}-{tmp_path.name}.nhgame"  # tmp_path itself is root's alone
    played(1).write(path)
    path.chmod(mode)
    code = f"""
sys.path.insert(0, {str(ROOT)!r})
from nhlog.log.file import CannotOpen, LogFile
os.setuid({NOBODY})
try:
    LogFile(path, writable={writable}).close()
    say("opened")
except CannotOpen as error:
    say(error)
"""
    try:
        with Child(code, str(path)) as child:
            assert child.hear() == ("opened" if opens else f"{path}: permission denied")
    finally:
        path.unlink()


@pytest.mark.parametrize(
    ("acts", "fate"),
    [
        ((), Fate.KEPT),
        (("append",), Fate.KEPT),
        (("link", "remove"), Fate.MOVED),
        (("move",), Fate.MOVED),
        (("move folder",), Fate.MOVED),
        (("remove",), Fate.DELETED),
        (("replace",), Fate.REPLACED),
        (("move", "begin"), Fate.REPLACED),
        (("remove", "begin"), Fate.REPLACED),
        (("move", "move back"), Fate.KEPT),
        (("move", "begin", "move back"), Fate.KEPT),
    ],
    ids=lambda value: ", ".join(value) if isinstance(value, tuple) else None,
)
def test_what_becomes_of_the_name_of_an_open_log(tmp_path: Path, acts: tuple[str, ...], fate: Fate) -> None:
    (tmp_path / "games").mkdir()
    path = Path(played(3).write(tmp_path / "games" / "game.nhgame"))
    other, new = path.with_name("other"), path.with_name("new")
    new.touch()
    does = {
        "append": lambda: path.open("ab").close(),
        "link": lambda: other.hardlink_to(path),
        "remove": path.unlink,
        "move": lambda: path.rename(other),
        "move back": lambda: other.rename(path),
        "move folder": lambda: path.parent.rename(tmp_path / "elsewhere"),
        "replace": lambda: new.rename(path),
        "begin": path.touch,
    }
    with LogFile(str(path)) as file:
        for act in acts:
            does[act]()
        assert file.fate is fate


def test_a_name_that_may_not_be_looked_at_tells_nothing(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: str) -> None:
        raise PermissionError

    with LogFile(path) as file:
        monkeypatch.setattr(os, "stat", refuse)
        assert file.fate is Fate.KEPT


# one descriptor per log and process


@pytest.mark.parametrize("way", ["same", "relative", "symlink", "hardlink", "dots"])
def test_a_log_is_opened_once_whatever_it_is_called(path: str, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(path).parent
    monkeypatch.chdir(folder)
    (folder / "symlink").symlink_to(path)
    os.link(path, folder / "hardlink")
    (folder / "sub").mkdir()
    other = {"same": path, "relative": Path(path).name, "dots": "sub/../game.nhgame"}.get(way, way)
    with LogFile(path, writable=True) as log, log.writing():
        with pytest.raises(CannotOpen, match="this process already has this log open") as error:
            LogFile(other)
        assert error.value.file == other
        assert locks(path) == "WRITE", "the refusal cost the lock"
    LogFile(other).close()


def test_another_file_in_its_place_is_another_log(path: str) -> None:
    with LogFile(path) as old:
        os.rename(path, path + ".old")
        played(5).write(Path(path))
        with LogFile(path) as new:
            assert new.identity != old.identity
            assert new.size() > old.size()


def test_closing_twice_does_not_close_somebody_elses_descriptor(path: str) -> None:
    log = LogFile(path)
    log.close()
    other = os.open("/dev/null", os.O_RDONLY)
    log.close()
    os.close(other)


def test_a_failed_opening_leaves_nothing_open(tmp_path: Path) -> None:
    before = os.listdir("/proc/self/fd")
    for name in (tmp_path, tmp_path / "no"):
        with pytest.raises(CannotOpen):
            LogFile(str(name))
    assert os.listdir("/proc/self/fd") == before


def test_children_do_not_inherit_the_descriptor(path: str) -> None:
    with LogFile(path) as log:
        assert not os.get_inheritable(log._fd)


# locks


def locks(path: str) -> str:
    """What lock another process finds on the file: READ, WRITE or nothing."""
    code = """
fd = os.open(path, os.O_RDWR)
for kind, found in (("LOCK_EX", "READ"), ("LOCK_SH", "WRITE")):
    try:
        fcntl.lockf(fd, getattr(fcntl, kind) | fcntl.LOCK_NB)
    except OSError:
        answer = found
    else:
        if kind == "LOCK_EX":
            answer = ""
        break
say("=" + answer)
"""
    with Child(code, path) as child:
        return child.hear().removeprefix("=")


def test_a_lock_lasts_as_long_as_its_scope(path: str) -> None:
    with LogFile(path, writable=True) as log:
        assert locks(path) == ""
        with log.writing():
            assert locks(path) == "WRITE"
        assert locks(path) == ""


def test_an_inner_scope_keeps_the_outer_lock(path: str) -> None:
    with LogFile(path, writable=True) as log, log.writing():
        with log.writing():
            assert locks(path) == "WRITE"
        assert locks(path) == "WRITE"
        log.pwrite(b"x", 0)


def test_a_lock_goes_when_its_scope_is_left_by_an_exception(path: str) -> None:
    with LogFile(path, writable=True) as log:
        with pytest.raises(ZeroDivisionError), log.writing():
            raise ZeroDivisionError
        assert locks(path) == ""


def test_nothing_is_written_without_its_lock(path: str) -> None:
    with LogFile(path, writable=True) as log:
        for act in (lambda: log.pwrite(b"x", 0), lambda: log.truncate(0)):
            with pytest.raises(RuntimeError, match="written without its lock"):
                act()
    assert Path(path).read_bytes() == bytes(played(3).data)


@pytest.mark.parametrize("lock", ["LOCK_SH", "LOCK_EX"])
def test_whatever_others_hold_bytes_can_be_read(path: str, lock: str) -> None:
    with holding(path, lock) as other, LogFile(path) as log:
        assert log.pread(6, 0) == b"NHGAME"
        assert log.written is (lock == "LOCK_EX")
        assert (log.writer() is not None and log.writer().pid == other.pid) is (lock == "LOCK_EX")


def test_a_reader_starts_no_thread_and_takes_no_lock(path: str) -> None:
    reader = f"sys.path.insert(0, {str(ROOT)!r})\nimport threading\nfrom nhlog.log.file import LogFile\n"
    reads = "log = LogFile(path)\nlog.pread(6, 0)\nsay(threading.active_count())\nwait()\n"
    with Child(reader + reads, path) as other:
        assert other.hear() == "1"
        assert locks(path) == ""


@impatient
@pytest.mark.parametrize(("theirs", "found"), [("LOCK_EX", "write"), ("LOCK_SH", "read")])
def test_a_lock_that_is_not_obtained_names_who_has_it(path: str, theirs: str, found: str) -> None:
    with holding(path, theirs) as other, LogFile(path, writable=True) as log:
        with pytest.raises(LockNotObtained) as error, log.writing():
            pytest.fail("the lock was obtained")
        assert re.fullmatch(
            rf"{re.escape(path)}: no write lock after 0.03 s, .*: "
            rf"found {found} lock of process {other.pid} \(python.*\)",
            str(error.value),
        )
        assert error.value.exit_code == 5
        other.tell()
        other.wait(10)
        with log.writing():
            assert log.pread(6, 0) == b"NHGAME", "after a refusal the lock can still be had"


def test_we_wait_for_a_lock_as_long_as_the_game_itself_would() -> None:
    assert (keeper.PATIENCE, keeper.RELOCK_PATIENCE) == (2, 3)


def test_a_lock_is_obtained_as_soon_as_the_other_lets_go(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    attempt = keeper._try
    attempts = []
    with holding(path, "LOCK_EX") as other, LogFile(path, writable=True) as log:

        def try_and_let_go(*arguments: object) -> bool:
            attempts.append(attempt(*arguments))
            if not attempts[-1]:
                other.tell()
                other.wait(10)
            return attempts[-1]

        monkeypatch.setattr(keeper, "_try", try_and_let_go)
        with log.writing():
            assert log.pread(6, 0) == b"NHGAME"
    assert attempts == [False, True]


def test_a_write_lock_needs_a_log_opened_for_writing(path: str) -> None:
    with LogFile(path) as log, pytest.raises(LockNotObtained, match="cannot be locked"), log.writing():
        pass


def test_the_lock_dies_with_the_process(path: str) -> None:
    with holding(path, "LOCK_EX") as other, LogFile(path, writable=True) as log:
        other.kill()
        other.wait()
        with log.writing():
            assert log.size() > 0


# reading and writing


def test_reads_give_all_there_is_and_no_more(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = Path(path).read_bytes()
    read = os.pread
    monkeypatch.setattr(os, "pread", lambda fd, size, offset: read(fd, min(size, 7), offset))
    with LogFile(path) as log:
        assert log.pread(50, 10) == data[10:60]
        assert log.pread(1 << 20, 10) == data[10:]
        assert log.pread(10, len(data)) == b""
        assert log.pread(10, len(data) + (5 << 32)) == b""
        assert log.pread(0, 0) == b""


def test_writes_are_whole_even_where_the_system_writes_piecewise(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda fd, data, offset: write(fd, bytes(data[:3]), offset))
    with LogFile(path, writable=True) as log, log.writing():
        size = log.size()
        log.pwrite(b"0123456789", 5)
        assert log.pread(10, 5) == b"0123456789"
        assert log.size() == size
        log.truncate(9)
        assert log.size() == 9


def test_offsets_beyond_4_gib(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    with open(path, "wb") as sparse:
        sparse.truncate(5 << 30)
    with LogFile(str(path), writable=True) as log, log.writing():
        log.pwrite(b"end", (5 << 30) - 3)
        assert log.size() == 5 << 30
        assert log.pread(10, (5 << 30) - 4) == b"\0end"


def test_bytes_in_memory_read_like_a_file(path: str) -> None:
    data = Path(path).read_bytes()
    memory = LogBytes("standard input", data)
    with LogFile(path) as log:
        assert memory.size() == log.size()
        for size, offset in ((0, 0), (10, 3), (1 << 20, 5), (5, len(data)), (5, 1 << 40)):
            assert memory.pread(size, offset) == log.pread(size, offset)
    assert memory.identity is None


# the handshake's signals

FOLLOWER = f"""
sys.path.insert(0, {str(ROOT)!r})
from nhlog.log.file import LogFile
log = LogFile(path, writable=True)
with log.writing():
    say("writing")
    wait()
    os.unlink(path + ".held")
say("released")
wait()
"""

ASKER = """
signal.pthread_sigmask(signal.SIG_BLOCK, range(signal.SIGRTMIN, signal.SIGRTMIN + 5))
pid = int(arguments[0])
say("ready")
while True:
    what, _, number = wait().partition(" ")
    if what == "queue":
        queue(pid, signal.SIGRTMIN + int(number))
    elif what == "kill":
        os.kill(pid, signal.SIGRTMIN + int(number))
    else:
        answer = signal.sigtimedwait([signal.SIGRTMIN + 4], float(number))
        say("nothing" if answer is None else f"{answer.si_pid} {os.path.exists(path + '.held')}")
"""

needs_handshake = pytest.mark.skipif(not hasattr(signal, "SIGRTMIN"), reason="no real-time signals here")


class Handshake:
    """Somebody who has the log open and somebody who asks them to let go of it."""

    def __init__(self, path: str) -> None:
        Path(path + ".held").touch()
        self.follower = Child(FOLLOWER, path)
        assert self.follower.hear() == "writing"
        self.asker = Child(ASKER, path, str(self.follower.pid))
        assert self.asker.hear() == "ready"

    def answer(self, patience: float = 10) -> str:
        self.asker.tell(f"wait {patience}")
        return self.asker.hear()

    def stop_writing(self) -> None:
        self.follower.tell()
        assert self.follower.hear() == "released"


@pytest.fixture
def handshake(path: str):
    both = Handshake(path)
    with both.follower, both.asker:
        yield both


@needs_handshake
@pytest.mark.parametrize("request_", ["queue 0", "queue 1"])
def test_a_request_is_answered_at_once_where_no_lock_is_held(handshake: Handshake, request_: str) -> None:
    handshake.stop_writing()
    handshake.asker.tell(request_)
    assert handshake.answer() == f"{handshake.follower.pid} False"
    assert handshake.follower.poll() is None, "the request killed it"


@needs_handshake
def test_a_request_is_answered_when_the_lock_is_released_and_not_before(handshake: Handshake) -> None:
    handshake.asker.tell("queue 1")
    assert handshake.answer(0.1) == "nothing"
    handshake.stop_writing()
    assert handshake.answer() == f"{handshake.follower.pid} False"


@needs_handshake
def test_every_request_has_its_answer(handshake: Handshake) -> None:
    for _ in range(3):
        handshake.asker.tell("queue 1")
    handshake.stop_writing()
    for _ in range(3):
        assert handshake.answer() == f"{handshake.follower.pid} False"
    assert handshake.answer(0) == "nothing"


@needs_handshake
def test_a_request_sent_by_kill_is_neither_answered_nor_deadly(handshake: Handshake) -> None:
    handshake.stop_writing()
    handshake.asker.tell("kill 1")
    handshake.asker.tell("queue 1")
    assert handshake.answer() == f"{handshake.follower.pid} False"
    handshake.asker.tell("queue 1")
    assert handshake.answer() == f"{handshake.follower.pid} False"
    assert handshake.answer(0) == "nothing"


@needs_handshake
def test_releases_and_stray_answers_do_no_harm(handshake: Handshake) -> None:
    handshake.stop_writing()
    for number in (2, 3, 4):
        handshake.asker.tell(f"queue {number}")
    handshake.asker.tell("queue 1")
    assert handshake.answer() == f"{handshake.follower.pid} False"
    assert handshake.answer(0) == "nothing"


@needs_handshake
def test_a_request_of_a_process_that_has_gone_is_forgotten(handshake: Handshake, path: str) -> None:
    with Child(ASKER, path, str(handshake.follower.pid)) as other:
        assert other.hear() == "ready"
        other.tell("queue 1")
        other.tell("wait 0")
        assert other.hear() == "nothing"
    handshake.stop_writing()
    handshake.asker.tell("queue 1")
    assert handshake.answer() == f"{handshake.follower.pid} False"


@needs_handshake
@as_root
def test_a_request_of_somebody_we_may_not_signal_does_not_end_our_answering(path: str) -> None:
    """A game server may run as root: its spectators cannot answer it, and must go on answering each other."""
    os.chmod(path, 0o666)
    code = FOLLOWER.replace("\nwith", f"\nos.setuid({NOBODY})\nwith")
    with Child(code.replace('os.unlink(path + ".held")', "pass"), path) as follower:
        assert follower.hear() == "writing"
        follower.tell()
        assert follower.hear() == "released"
        with Child(ASKER, path, str(follower.pid)) as root:
            assert root.hear() == "ready"
            root.tell("queue 1")
            with Child(f"os.setuid({NOBODY})\n" + ASKER, path, str(follower.pid)) as peer:
                assert peer.hear() == "ready"
                peer.tell("queue 1")
                peer.tell("wait 5")
                assert peer.hear() == f"{follower.pid} False"
            root.tell("wait 0")
            assert root.hear() == "nothing"


@needs_handshake
def test_the_signals_are_blocked_in_every_thread_but_the_one_that_waits_for_them(handshake: Handshake) -> None:
    wanted = sum(1 << (signal.SIGRTMIN + number - 1) for number in range(5))
    blocked = {}
    for task in os.listdir(f"/proc/{handshake.follower.pid}/task"):
        status = Path(f"/proc/{handshake.follower.pid}/task/{task}/status").read_text()
        blocked[int(task)] = int(re.search(r"SigBlk:\s*(\w+)", status)[1], 16) & wanted == wanted
    assert blocked.pop(handshake.follower.pid)
    assert len(blocked) == 1
