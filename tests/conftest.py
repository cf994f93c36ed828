"""What holds for every test: it never touches the user's own files, and its processes neither.

And the command line as tests call it.
"""

import fcntl
import gc
import io
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from nhlog.plugins import ADDRESSES, ENGINES, FORMATS, VERBS, VIEWS, plugins
from nhlog.vt import USUAL_SIZE, Terminal
from nhlog.vt.process import shared
from tests.doses import SIZE, dose
from tests.imports import announced
from tests.processes import forked
from tests.waiting import eventually

GROUPS = (ADDRESSES, ENGINES, FORMATS, VERBS, VIEWS)
pytest_plugins = ("tests.tiers",)
SOAKING = 3600  # seconds that a test may take in `scripts/soak`
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1  # linux/sockios.h, linux/if.h

_HOME = tempfile.TemporaryDirectory(prefix="nhlog-tests-")

for variable in ("XDG_CACHE_HOME", "XDG_CONFIG_DIRS", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
    os.environ[variable] = _HOME.name
for variable in ("COLUMNS", "NHLOG_DEBUG", "NHLOG_PAGER", "PAGER", "_NHLOG_COMPLETE"):
    os.environ.pop(variable, None)
os.environ["TZ"] = "UTC"
# Whoever starts us may ignore signals (nohup, or a script that has us in the background): what we start inherits it.
signal.signal(signal.SIGINT, signal.default_int_handler)
for number in (signal.SIGHUP, signal.SIGQUIT):
    signal.signal(number, signal.SIG_DFL)
# Some images set it: each of a thousand processes would compile what it imports anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
os.umask(0o022)  # with another one the group may write each log, and nobody rests in a lock on it


def raise_loopback() -> None:
    """Let servers of tests be reached where there is no network: in a new namespace even 127.0.0.1 is down."""
    number, name = struct.Struct("16sh"), b"lo"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket, suppress(OSError):
        _, flags = number.unpack_from(fcntl.ioctl(any_socket, SIOCGIFFLAGS, number.pack(name, 0).ljust(40, b"\0")))
        if not flags & IFF_UP:
            fcntl.ioctl(any_socket, SIOCSIFFLAGS, number.pack(name, flags | IFF_UP).ljust(40, b"\0"))


if sys.platform == "linux":
    raise_loopback()

# A busy machine makes nothing fail; the same examples each time, except where one soaks.
settings.register_profile(
    "tests",
    max_examples=dose("hypothesis"),
    deadline=None,
    derandomize=os.environ.get(SIZE) != "soak",
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("tests")


def pytest_configure() -> None:
    """Without its entry points nhlog knows no format but the log: what failed then would not say why."""
    installed = {place for group in GROUPS for place in plugins(group).values()}
    if missing := announced() - {place.partition(":")[0] for place in installed}:
        pytest.exit(f"pyproject.toml announces what is not installed: {min(missing)}; run scripts/test once", 4)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays to the end: it is not searched for garbage again and again, a tenth of all the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where one soaks, doses are larger than the time limits of single tests were made for."""
    if os.environ.get(SIZE) == "soak":
        for item in items:
            item.add_marker(pytest.mark.timeout(SOAKING), append=False)


@pytest.fixture(scope="session", autouse=True)
def own_place_within(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A pytest that a test starts has its temporary folders in ours.

    Each pytest closes the folder above its own to other users: the usual one, while tests beside it run as these.
    """
    os.environ["PYTEST_DEBUG_TEMPROOT"] = str(tmp_path_factory.getbasetemp())


@dataclass(frozen=True)
class Done:
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def records(self) -> list[dict]:
        """Its output as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def nhlog(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """Runs `nhlog` with these arguments, and with `stdin`; a bug is a traceback."""
    from terminal.cli import main

    monkeypatch.setenv("NHLOG_DEBUG", "1")

    def run(*arguments: object, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Done(code, out, err)

    return run


@pytest.fixture
def memory() -> Generator[Path, None, None]:
    """A folder in memory, if there is such a place: a disk takes most of its time to sync, and no test cuts the power.

    For tests that sync thousands of times; in memory no file ever has the inode of one before it.
    """
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=place, prefix="nhlog-tests-") as folder:
        yield Path(folder)


@pytest.fixture(scope="session", autouse=True)
def _emulating() -> None:
    """The process that emulates is there: no test starts one that only looks at terminals."""
    Terminal(USUAL_SIZE).grid()


@pytest.fixture(scope="session", autouse=True)
def _nothing_goes_on(tmp_path_factory: pytest.TempPathFactory) -> Generator[None, None, None]:
    """After the tests nothing goes on that they began: neither a game that is kept for its player, nor who forks it."""
    yield
    places = _HOME.name, str(tmp_path_factory.getbasetemp())
    for pid in forked(*places):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    assert eventually(lambda: not forked(*places))


@pytest.fixture
def no_emulator(monkeypatch: pytest.MonkeyPatch) -> Generator[None, None, None]:
    """There is none: the process that emulates is started anew, and finds no library."""
    shared().end()
    monkeypatch.setenv("PYGHOSTTY_LIB", "/dev/null/nowhere.so")
    yield
    shared().end()


@pytest.fixture
def full(tmp_path: Path) -> Generator[Path, None, None]:
    """A file system of 64 KB."""
    folder = tmp_path / "full"
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", "size=64k", "nhlog-test", str(folder)]
    if os.getuid() or subprocess.run(["mount", *options], capture_output=True, check=False).returncode:
        pytest.skip("file systems cannot be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)
