"""Processes that are forked from a service: real ones, which begin as who asked would have started them."""

import json
import os
import resource
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir, suppress
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from nhlog import forked
from nhlog.files.processes import python_command, python_environment, state_of
from nhlog.forked import begin
from scripts.measures.processes import memory
from tests.corpus import ROOT
from tests.waiting import eventually

MODULE = "tests.forkable"
NOBODY = 65534
SOME = 600_000  # bytes: it is 330,000, and 860,000 where the service looks at each of its modules


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the sockets of this test, with no service; those that were started are ended."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(ROOT))
    folder = tmp_path / "cache" / "nhlog" / "forked"
    yield folder
    for pid in services(folder):
        os.kill(pid, signal.SIGKILL)


@pytest.fixture
def held(tmp_path: Path) -> Iterator[str]:
    """What makes a process wait until the test is over."""
    path = tmp_path / "held"
    os.mkfifo(path)
    writing = os.open(path, os.O_RDWR)
    yield str(path)
    os.close(writing)


def services(folder: Path) -> list[int]:
    """The services whose sockets are in this folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cwd"):
        with suppress(OSError):
            if path.readlink() == folder:
                found.append(int(path.parent.name))
    return found


def begun(module: str = MODULE, **given: str) -> dict[str, Any]:
    """What a process says that was begun now."""
    return json.loads(begin(module, json.dumps(given).encode()))


def is_gone(pid: int) -> bool:
    return state_of(pid) in ("", "Z", "X")


def test_a_process_is_forked_as_if_who_asked_had_started_it(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = begun()["service"]  # by somebody who was elsewhere
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OF_PLAYER", "a\udcff")
    few, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    before = os.umask(0o027), signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (few - 1, most))
        told = begun()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (few, most))
        os.umask(before[0])
        signal.signal(signal.SIGUSR1, before[1])
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    pid = told.pop("pid")
    assert told == {
        "session": pid,
        "service": service,
        "folder": str(tmp_path),
        "environment": {"OF_PLAYER": "a\udcff"},
        "umask": 0o027,
        "files": few - 1,
        "priority": os.getpriority(os.PRIO_PROCESS, 0),
        "ignored": True,
        "blocked": [signal.SIGUSR2, signal.SIGURG],  # ours, and that of the module
        "descriptors": [0, 1, 2],
    }


def test_what_is_forked_has_nothing_of_those_that_were_before(place: Path, held: str) -> None:
    first = begun(wait=held)
    second = begun(wait=held)
    assert second["descriptors"] == [0, 1, 2]
    assert first["service"] == second["service"] is not None
    files = [os.readlink(f"/proc/{first['service']}/fd/{name}") for name in os.listdir(f"/proc/{first['service']}/fd")]
    kinds = sorted(file.partition(":")[0] for file in files)
    assert kinds == ["/dev/null", "/dev/null", "anon_inode", "anon_inode", "socket"]  # it listens, and has two children


def test_those_who_come_later_leave_what_is_shared_as_it_is(place: Path, held: str) -> None:
    """What the service writes to, it has a copy of, and the page before is only theirs who were forked before that."""
    first = begun(wait=held)
    before = memory(first["pid"], "Private")
    begun(wait=held)
    assert memory(first["pid"], "Private") - before < SOME


def test_those_who_come_at_once_have_one_service(place: Path) -> None:
    ready = Barrier(6)

    def come(number: int) -> dict[str, Any]:
        ready.wait()
        return begun()

    with ThreadPoolExecutor(6) as pool:
        told = list(pool.map(come, range(6)))
    assert len({one["service"] for one in told}) == 1
    assert told[0]["service"] is not None
    assert len({one["pid"] for one in told}) == 6


def test_a_service_that_is_killed_takes_nothing_along_and_the_next_one_who_asks_starts_another(
    place: Path, held: str
) -> None:
    first = begun(wait=held)
    os.kill(first["service"], signal.SIGKILL)
    assert eventually(lambda: is_gone(first["service"]))
    second = begun(wait=held)
    assert second["service"] not in (None, first["service"])
    assert not is_gone(first["pid"])
    assert not is_gone(second["pid"])


def test_a_service_that_does_not_answer_is_done_without(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = begun()["service"]
    monkeypatch.setattr(forked, "_PATIENCE", 0.05)
    os.kill(service, signal.SIGSTOP)
    try:
        assert begun()["service"] is None
    finally:
        os.kill(service, signal.SIGCONT)


def test_what_was_changed_since_is_not_forked(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    module = tmp_path / "changing.py"
    code = "import os\ndef prepare(): global ready; ready = True\nready = False\ndef main(): os.write(1, WHAT)\n"
    module.write_text(code.replace("WHAT", "b'old %d' % ready"))
    assert begin("changing", b"") == b"old 1"
    module.write_text(code.replace("WHAT", "b'newer %d' % ready"))
    assert begin("changing", b"") == b"newer 0"
    assert eventually(lambda: begin("changing", b"") == b"newer 1")


def test_a_service_does_not_outlive_what_is_installed(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = tmp_path / "packages"
    packages.mkdir()
    monkeypatch.syspath_prepend(str(packages))
    service = begun()["service"]
    (packages / "other.dist-info").mkdir()
    assert begun()["service"] is None
    assert eventually(lambda: begun()["service"] not in (None, service))


def test_who_starts_it_may_end_and_it_goes_on(place: Path) -> None:
    code = f"import json, os, sys; from nhlog.forked import begin; print(begin({MODULE!r}, b'{{}}').decode())"
    done = subprocess.run(python_command("-c", code), capture_output=True, env=python_environment(), check=True)
    assert begun()["service"] == json.loads(done.stdout)["service"] is not None


def test_it_ends_when_nobody_asks_any_more_and_leaves_nothing(place: Path) -> None:
    place.mkdir(parents=True)
    with forked._new_socket() as listener:
        with chdir(place):
            listener.bind("it.socket")
        listener.listen()
        code = f"from nhlog import forked; forked._REST = 0.0; forked._serve('it.socket', {MODULE!r})"
        run = python_command("-c", code)
        subprocess.run(run, stdin=listener.fileno(), cwd=place, env=python_environment(), check=True)
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("wrong", ["others may look into it", "it is a link", "it is another user's", "there is none"])
def test_sockets_are_in_a_folder_that_is_ours_alone_or_nowhere(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    place.parent.mkdir(parents=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(0o700)
    if wrong == "others may look into it":
        place.mkdir()
        place.chmod(0o750)
    elif wrong == "it is a link":
        place.symlink_to(elsewhere)
    elif wrong == "it is another user's":
        if os.geteuid():
            pytest.skip("only root can give a folder away")
        place.mkdir(0o700)
        os.chown(place, NOBODY, NOBODY)
    else:
        monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    assert begun()["service"] is None
    assert list(elsewhere.iterdir()) == []
    assert not place.is_dir() or list(place.iterdir()) == []


def asked(place: Path, shown: list[str], user: int | None = None) -> bytes:
    """What the service answers to somebody who shows these places, and is this user."""
    [name] = place.glob("*.socket")
    ours, theirs = socket.socketpair()
    files = [os.open(path, os.O_RDONLY) for path in shown]
    with forked._new_socket() as connection, ours, theirs:
        with chdir(name.parent):  # its whole path is longer than sockets want it
            os.seteuid(os.getuid() if user is None else user)
            try:
                connection.connect(name.name)
            finally:
                os.seteuid(os.getuid())
        socket.send_fds(connection, [forked._wish()], [theirs.fileno(), *files])
        for file in files:
            os.close(file)
        return connection.recv(16)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_another_user_is_refused_also_where_the_folder_was_opened_to_them(place: Path) -> None:
    begun()
    for path in (place, *place.iterdir()):
        path.chmod(0o777)
    places = [*forked._namespaces(), "/"]
    assert asked(place, places) == b"forked"
    assert asked(place, places, user=NOBODY) == b""


def test_who_cannot_show_our_namespaces_is_refused(place: Path) -> None:
    begun()
    first, *others = forked._namespaces()
    assert asked(place, [first, *others, "/"]) == b"forked"
    assert asked(place, ["/proc/self/ns/net", *others, "/"]) == b""
    assert asked(place, [*others, first, "/"]) == b""
    assert asked(place, []) == b""


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap")
def test_nobody_within_walls_has_anything_forked_outside(place: Path, tmp_path: Path) -> None:
    begun()
    [name] = place.glob("*.socket")
    code = (
        "import json, os, socket, sys; from nhlog import forked\n"
        "ours, theirs = socket.socketpair(); connection = forked._new_socket()\n"
        "os.chdir(os.path.dirname(sys.argv[1])); connection.connect(os.path.basename(sys.argv[1]))\n"
        "files = [os.open(path, os.O_RDONLY) for path in (*forked._namespaces(), '/')]\n"
        "socket.send_fds(connection, [forked._wish()], [theirs.fileno(), *files]); print(connection.recv(16))\n"
    )
    walls = ["bwrap", "--bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--unshare-all"]
    run = [*walls, *python_command("-c", code, str(name))]
    done = subprocess.run(run, capture_output=True, text=True, env=python_environment(), check=False)
    if "bwrap:" in done.stderr:
        pytest.skip("no walls can be built here")
    assert (done.stdout, done.stderr) == ("b''\n", "")
