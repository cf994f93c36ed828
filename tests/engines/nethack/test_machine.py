"""The process in which NetHack runs: it may fall, has few rights, leaves nothing behind, and is the same everywhere."""

import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nhlog.engines.nethack.engine import NetHack
from nhlog.engines.nethack.machine import machine as module
from nhlog.engines.nethack.machine.folder import Folder
from nhlog.engines.nethack.machine.machine import Machine, NotReproducible, build
from nhlog.engines.nethack.machine.wire import MOST_OPTIONS
from nhlog.engines.nethack.machines import MOST, Machines
from nhlog.engines.nethack.past import Past, start_of
from nhlog.errors import NhlogError
from tests.doses import dose
from tests.engines.nethack.games import BEGUN
from tests.engines.nethack.installed import needs_nethack

pytestmark = needs_nethack

KEYS = b"\r20s" + b"hjkl" * 5
START = start_of(BEGUN)


@pytest.fixture
def machines() -> Iterator[Machines]:
    made = Machines()
    yield made
    made.end()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders are made where no other test makes any."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)


def begun() -> Machine:
    return Machine(build().package, START.second, START.seeds, START.options)


def folders() -> set[str]:
    return {name for name in os.listdir(tempfile.gettempdir()) if name.startswith("nhlog-nethack-")}


def test_keys_one_by_one_and_all_at_once_lead_to_the_same(machines: Machines) -> None:
    past = Past(START)
    for code in KEYS:
        past = past.then(bytes((code,)))
        seen = machines.seen(past)
    machines.end()
    assert machines.seen(Past(START, KEYS))[4:] == seen[4:]


def test_a_machine_that_was_killed_is_made_again_and_nothing_is_lost(machines: Machines) -> None:
    past, seen = Past(START), b""
    for number, code in enumerate(KEYS):
        past = past.then(bytes((code,)))
        seen = machines.seen(past)
        if number % 7 == 3:
            os.kill(machines._running[-1][1].pid, signal.SIGKILL)
    machines.end()
    assert machines.seen(Past(START, KEYS))[4:] == seen[4:]


def test_whoever_kills_all_machines_at_once_ends_no_game(machines: Machines) -> None:
    seen = machines.seen(Past(START, KEYS))
    machines.seen(Past(START, KEYS[:-1]))
    machines.seen(Past(START, KEYS[:-2]))
    assert len(machines._running) == MOST
    for _, machine in machines._running:
        os.kill(machine.pid, signal.SIGKILL)
    assert machines.seen(Past(START, KEYS))[4:] == seen[4:]


def test_an_earlier_past_is_come_to_again(machines: Machines) -> None:
    first = machines.seen(Past(START, KEYS[:10]))
    machines.seen(Past(START, KEYS))
    assert machines.seen(Past(START, KEYS[:10]))[4:] == first[4:]
    for number in range(5):
        machines.seen(Past(START, KEYS[:number]))
        assert len(machines._running) <= MOST


@pytest.mark.usefixtures("place")
def test_who_ends_machines_leaves_no_folder() -> None:
    build()  # by a machine of its own, the first time
    machine = begun()
    assert len(folders()) == 1
    machine.end()
    assert not folders()


@pytest.mark.usefixtures("place")
def test_a_folder_whose_processes_were_all_killed_is_removed_by_the_next() -> None:
    code = (
        "import os, signal; from tests.engines.nethack.test_machine import begun; machine = begun();"
        "os.kill(machine.pid, signal.SIGKILL); os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", code], check=False)
    assert folders()
    begun().end()
    assert not folders()


def test_it_ends_with_its_user() -> None:
    code = (
        "import os, signal; from tests.engines.nethack.test_machine import begun; machine = begun();"
        "print(machine.pid, machine._folder.path, flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    told = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True).stdout
    pid, folder = told.split()
    try:
        ended = os.pidfd_open(int(pid))
    except ProcessLookupError:
        pass
    else:
        assert select.select([ended], [], [], 60)[0]
        os.close(ended)
    assert not Path(folder).exists()


@pytest.mark.usefixtures("place")
def test_folders_that_are_made_at_once_are_not_taken_for_those_that_were_left() -> None:
    """One has no lock yet, when another one is made and looks for those without."""

    def make(number: int) -> None:
        folder = Folder()
        assert os.path.isdir(folder.path)
        folder.remove()

    with ThreadPoolExecutor(4) as threads:
        for _ in threads.map(make, range(dose("nethack.folders"))):
            pass
    assert folders() == set()


def test_it_has_its_folder_and_nothing_else() -> None:
    machine = begun()
    try:
        status = Path(f"/proc/{machine.pid}/status").read_text()
        assert "\nNoNewPrivs:\t1\n" in status
        assert "\nSeccomp:\t2\n" in status
        opened = [os.readlink(path) for path in Path(f"/proc/{machine.pid}/fd").iterdir()]
        own = {"/dev/null", machine._folder.path, os.path.join(build().package, "nethackdir", "nhdat")}
        assert {name for name in opened if not name.startswith("socket:")} <= own
    finally:
        machine.end()


def test_a_game_that_goes_otherwise_here_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_TESTED", bytes(16))
    with pytest.raises(NotReproducible, match="not reproducible here"):
        NetHack().new(BEGUN)


def test_too_many_options_are_refused() -> None:
    with pytest.raises(NhlogError, match="options"):
        Machine(build().package, 0, (1, 2, 3), b"x" * (MOST_OPTIONS + 1))


SHIM = """
#include <time.h>
#include <sys/time.h>
time_t time(time_t *t) { if (t) *t = FAKED; return FAKED; }
int gettimeofday(struct timeval *tv, void *zone) { tv->tv_sec = FAKED; tv->tv_usec = 0; return 0; }
"""
PLAYED = """
import sys, tempfile, os
from nhlog.engines.nethack.machine import worker
from nhlog.engines.nethack.machine.library import Library, system_slots, lay_out
from nhlog.engines.nethack.machine.machine import build
from hashlib import blake2b
os.chdir(tempfile.mkdtemp(dir=sys.argv[1]))
lay_out(build().package, os.getcwd())
path = os.path.join(build().package, "libnethack.so")
library = Library(path, system_slots(path))
print(worker._digest(library).hex())
"""


@pytest.mark.parametrize(
    ("faked", "zone", "language"),
    [
        (1_000_000_000, "America/New_York", "C.UTF-8"),
        (1_709_251_200, "Asia/Kolkata", "C"),  # midnight
        (1_726_228_800, "XYZ-14", "tr_TR.UTF-8"),  # a Friday 13th
    ],
)
def test_no_clock_zone_or_language_of_the_system_reaches_the_game(
    faked: int, zone: str, language: str, tmp_path: Path
) -> None:
    """Which is what the digest of the test game says; the system's clock is another library's here."""
    source, shim = tmp_path / "shim.c", tmp_path / "shim.so"
    source.write_text(SHIM.replace("FAKED", str(faked)))
    try:
        subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, source], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("no C compiler")
    environment = os.environ | {"LD_PRELOAD": str(shim), "TZ": zone, "LC_ALL": language}
    done = subprocess.run(
        [sys.executable, "-c", PLAYED, str(tmp_path)], env=environment, capture_output=True, text=True, check=True
    )
    assert bytes.fromhex(done.stdout.strip()) == module._TESTED
