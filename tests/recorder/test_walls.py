"""What a program tries that wants out of its walls, and what becomes of it."""

import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.config import Sandbox, Walls
from nhlog.confined.calls import call_filter
from nhlog.players import PlayerFolder
from nhlog.recorder import CannotRun
from nhlog.recorder.walls import CannotConfine, confined
from tests.corpus import ROOT
from tests.recorder.walls import ENVIRONMENT, as_account, two_players, why_not, within
from tests.waiting import eventually

WALLS = Walls(memory=200 << 20, processes=16)
MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def players() -> Iterator[tuple[PlayerFolder, PlayerFolder]]:
    with two_players() as both:
        if why := why_not(both[0]):
            pytest.skip(why)
        yield both


@pytest.fixture
def ada(players: tuple[PlayerFolder, PlayerFolder]) -> PlayerFolder:
    return players[0]


@pytest.fixture
def bob(players: tuple[PlayerFolder, PlayerFolder]) -> PlayerFolder:
    return players[1]


def test_a_program_writes_in_its_players_home(ada: PlayerFolder) -> None:
    ended = within(ada, "pwd; tty >/dev/tty; echo saved >game.save", WALLS)
    assert (ended.status, ended.lines[0]) == (0, str(ada.home))
    assert (ada.home / "game.save").read_text() == "saved\n"


def test_it_writes_nowhere_else(ada: PlayerFolder, bob: PlayerFolder) -> None:
    places = [
        *("/", "/etc", "/usr", "/usr/local", "/bin", "/dev", "/dev/shm", "/var", "/var/tmp", "/proc", "/sys", "/opt"),
        *map(str, (Path.home(), ROOT, ada.path, ada.recordings, ada.settings, bob.home, bob.recordings)),
        "/proc/1/root/usr",
        "/proc/1/cwd/../..",
        "/proc/self/root/etc",
    ]
    script = "".join(f"(echo x >'{place}/left-by-a-test') 2>/dev/null && echo '{place}'\n" for place in places)
    ended = within(ada, script + "echo 1 >/proc/self/oom_score_adj || echo 'done'", WALLS)
    assert ended.lines[-1] == "done"
    assert [line for line in ended.lines if line in places] == []


def test_it_reads_nothing_of_other_players(ada: PlayerFolder, bob: PlayerFolder) -> None:
    secret = bob.home / "secret"
    ended = within(
        ada,
        f"ls '{ada.path.parent}' '{ada.path}'; ln -s '{bob.home}' link; mkdir -p a/b\n"
        f"cat '{secret}' link/secret a/b/../../../../bob/home/secret /proc/1/root'{secret}' /proc/1/cwd'{secret}'",
        WALLS,
    )
    assert secret.exists()
    assert "xyzzy" not in ended.output
    assert ended.output.count("No such file") == 5
    assert ended.lines[:5] == [f"{ada.path.parent}:", "ada", "", f"{ada.path}:", "home"]


SHOWN = """
import sys
from pathlib import Path
from nhlog.config import Walls
from nhlog.recorder.walls import confined
from tests.recorder.walls import ENVIRONMENT, in_terminal
listing = ["ls", "-R", "/etc/xdg"]
print(in_terminal(confined(listing, Walls(), Path(sys.argv[1]), ENVIRONMENT)).output)
"""


def test_it_does_not_see_who_has_a_key_and_who_is_an_administrator(ada: PlayerFolder, tmp_path: Path) -> None:
    if not Path("/etc/xdg").is_dir():
        pytest.skip("there is no /etc/xdg")
    ours = ("--tmpfs", "/etc/xdg", "--dir", "/etc/xdg/nhlog", "--symlink", "secret", "/etc/xdg/nhlog/config.toml")
    command = ("bwrap", "--dev-bind", "/", "/", *ours, "--", sys.executable, "-c", SHOWN, str(tmp_path))
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.split() == ["/etc/xdg:", "nhlog", "/etc/xdg/nhlog:"]


CONNECT = "perl -MIO::Socket -e '$s = IO::Socket::INET->new(q(127.0.0.1:{port})); print $s ? q(connected) : $!'"


@pytest.mark.parametrize("network", [False, True])
def test_it_has_no_network_unless_it_may(ada: PlayerFolder, network: bool) -> None:
    if not shutil.which("perl"):
        pytest.skip("perl is not installed")
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1]
        ended = within(ada, CONNECT.format(port=port), Walls(network=network))
    assert ("connected" in ended.output) is network


def test_a_fork_bomb_stops_at_its_limit(ada: PlayerFolder) -> None:
    ended = within(
        ada,
        "(for n in 0 1 2 3 4 5 6 7 8 9; do for m in 0 1 2 3 4 5 6 7 8 9; do sleep 1000 & done; done) 2>&1\n"
        "set -- /proc/[0-9]*; echo $#",
        WALLS,
    )
    assert "Cannot fork" in ended.output or "Resource temporarily unavailable" in ended.output
    assert 10 < int(ended.lines[-1]) <= 16


def test_what_it_leaves_behind_ends_with_it(ada: PlayerFolder) -> None:
    marker = f"{os.getpid():07}"
    ended = within(ada, f"setsid sleep 987{marker} & setsid -f sh -c 'trap \"\" HUP TERM; sleep 987{marker}'", WALLS)
    assert ended.status == 0
    name = f"987{marker}".encode()
    assert eventually(lambda: not any(name in _content(Path(f"/proc/{pid}/cmdline")) for pid in os.listdir("/proc"))), (
        "they go on"
    )


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def test_memory_is_limited(ada: PlayerFolder) -> None:
    take = "dd if=/dev/zero of=/dev/null bs={size} count=1 2>&1 | tail -n 1"
    assert "copied" in within(ada, take.format(size="50M"), WALLS).output
    assert "exhausted" in within(ada, take.format(size="250M"), WALLS).output


NO_SUCH_CALL = "Function not implemented"
PERL = pytest.mark.skipif(not shutil.which("perl"), reason="perl is not installed")
KNOWN = pytest.mark.skipif(
    not call_filter(platform.machine()), reason="a machine whose system calls are not known here"
)


@PERL
@KNOWN
def test_there_is_no_memory_that_no_limit_counts(ada: PlayerFolder) -> None:
    taken = within(ada, "perl -e 'defined shmget(0, 1 << 20, 01600) or print $!'", WALLS)
    assert taken.output == NO_SUCH_CALL
    number = {"x86_64": 319, "aarch64": 279}[platform.machine()]
    taken = within(ada, f"""perl -e '$name = "x"; syscall({number}, $name, 0) < 0 and print $!'""", WALLS)
    assert taken.output == NO_SUCH_CALL


def test_what_lies_in_tmp_is_limited_and_gone_afterwards(ada: PlayerFolder) -> None:
    ended = within(ada, "head -c 64M /dev/zero >/tmp/left-by-a-test", WALLS)
    assert "No space left" in ended.output
    assert not Path("/tmp/left-by-a-test").exists()


def test_it_has_its_own_copy_of_a_folder_in_which_it_writes(ada: PlayerFolder) -> None:
    shared = ada.path.parent / "shared"
    (shared / "save").mkdir(parents=True)
    (shared / "record").write_text("best\n")
    walls = Walls(own_folders=(shared,))
    for number in "12":
        ended = within(ada, f"cat {shared}/record; echo {number} >>{shared}/record; ls {shared}/save", walls)
    assert ended.lines == ["best", "1"]
    assert (shared / "record").read_text() == "best\n"
    [own] = (ada.path / "folders").iterdir()
    assert (own / "record").read_text() == "best\n1\n2\n"


def test_its_logs_lie_in_a_part_of_the_players_folder_and_no_link_of_its_leads_elsewhere(
    ada: PlayerFolder, bob: PlayerFolder
) -> None:
    walls = Walls(own_folders=(Path("/var/games/it"),), logs=Path("/var/games/it/save"))
    logs = Path(as_account(lambda: str(ada.log_folder("it"))))
    assert within(ada, "echo x >/var/games/it/save/a.nhgame; echo x >/var/games/it/rest", walls, logs=logs).status == 0
    assert (logs / "a.nhgame").read_text() == "x\n"
    own = ada.path / "folders" / "var-games-it"
    assert sorted(os.listdir(own)) == ["rest", "save"]
    (own / "save").rmdir()
    (own / "save").symlink_to(f"/oldroot{bob.recordings}")
    with pytest.raises(AssertionError, match="not a folder"):
        within(ada, "true", walls, logs=logs)


def test_endless_work_is_ended(ada: PlayerFolder) -> None:
    ended = within(ada, "while :; do :; done", Walls(cpu_minutes=1 / 60))
    assert ended.status == 128 + signal.SIGXCPU


PTRACE = {"x86_64": 101, "aarch64": 117}.get(platform.machine())
ATTACH = 16


def test_other_processes_are_out_of_reach(ada: PlayerFolder) -> None:
    if not shutil.which("perl") or PTRACE is None:
        pytest.skip("needs perl, and a system whose calls are known")

    def attacked() -> str:
        victim = subprocess.Popen(["sleep", "1000"])
        try:
            ended = within(
                ada,
                f"kill -9 {victim.pid}; cat /proc/{victim.pid}/environ; kill -9 {os.getpid()}\n"
                f"perl -e 'syscall({PTRACE}, {ATTACH}, {victim.pid}, 0, 0); print $!'\n"
                "set -- /proc/[0-9]*; echo; echo $#\n"
                "trap '' TERM; kill -TERM -1 2>/dev/null",
                WALLS,
            )
            return f"{victim.poll()} {ended.output.count('No such process')} {ended.lines[-1]} {ended.lines}"
        finally:
            victim.kill()
            victim.wait()

    alive, refused, seen = as_account(attacked).split(maxsplit=3)[:3]
    assert (alive, int(refused)) == ("None", 3), seen
    assert int(seen) <= 3  # what keeps the walls, and itself


def test_it_has_no_rights_and_gets_none(ada: PlayerFolder) -> None:
    ended = within(
        ada,
        "grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status\n"
        "unshare -U true || echo no namespace; mount -t tmpfs none /tmp || echo no mount",
        WALLS,
    )
    assert {tuple(line.split()) for line in ended.lines[:3]} == {
        ("CapEff:", "0" * 16),
        ("CapBnd:", "0" * 16),
        ("NoNewPrivs:", "1"),
    }
    assert {"no namespace", "no mount"} <= set(ended.lines)


def test_it_is_told_that_its_terminal_is_gone_and_its_end_is_waited_for(ada: PlayerFolder) -> None:
    save = "trap 'sleep 0.05; echo told >saved; exit 3' HUP; echo ready; while :; do sleep 0.01; done"
    assert within(ada, save, WALLS, hang_up_at="ready").status == 3
    assert (ada.home / "saved").read_text() == "told\n"


def test_who_does_not_end_can_be_killed(ada: PlayerFolder) -> None:
    ended = within(ada, "trap '' HUP; echo ready; while :; do sleep 0.01; done", WALLS, kill_at="ready")
    assert ended.status == 128 + signal.SIGKILL


def test_the_terminal_is_the_programs(ada: PlayerFolder) -> None:
    assert within(ada, "stty size </dev/tty; trap 'exit 9' INT; kill -INT 0", WALLS).lines == ["24 80"]


# What cannot be walled in is not run.

REFUSED = """
import sys
import time
from pathlib import Path
from nhlog.errors import NhlogError
from nhlog.config import Walls
from nhlog.recorder.walls import confined
try:
    confined(["sh"], Walls(), Path(sys.argv[1]), {"PATH": "/bin"})
except NhlogError as error:
    print(error)
"""


def refused_in(*before: str, home: Path) -> str:
    """What is told by a process that runs under the command `before`."""
    told = subprocess.run(
        [*before, sys.executable, "-c", REFUSED, str(home)], capture_output=True, text=True, cwd=ROOT, check=True
    )
    return told.stdout.strip()


def test_where_there_can_be_no_walls_it_is_told_why(ada: PlayerFolder) -> None:
    without_namespaces = ("bwrap", "--dev-bind", "/", "/", "--unshare-user", "--disable-userns", "--")
    told = refused_in(*without_namespaces, home=ada.home)
    assert told.startswith("the game needs its sandbox: bwrap: ")
    assert 'expected a system where bubblewrap works for this user, or sandbox = "none" in config.toml' in told


def test_where_bubblewrap_is_missing_it_is_told_so(ada: PlayerFolder) -> None:
    found = shutil.which("bwrap")
    assert found
    told = refused_in("bwrap", "--dev-bind", "/", "/", "--ro-bind", "/dev/null", found, "--", home=ada.home)
    assert told.startswith("bwrap is not installed, and the game needs its sandbox: expected bubblewrap and")


@pytest.mark.usefixtures("ada")  # where there are walls
def test_players_do_not_live_in_what_all_may_read(tmp_path: Path) -> None:
    with pytest.raises(CannotConfine, match=f"a player's home lies in {tmp_path}, which all programs may read"):
        confined(["sh"], Walls(readable=(tmp_path,)), tmp_path / "home", ENVIRONMENT)


def test_a_program_that_is_not_there_is_told(ada: PlayerFolder) -> None:
    with pytest.raises(CannotRun):
        confined(["not-there"], Walls(), ada.home, ENVIRONMENT)


def test_a_program_that_cannot_be_seen_is_told(ada: PlayerFolder, tmp_path: Path) -> None:
    program, home = tmp_path / "programs" / "game", tmp_path / "home"
    program.parent.mkdir()
    home.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    with pytest.raises(CannotConfine, match="the program cannot run in its sandbox"):
        confined([str(program)], Walls(), home, ENVIRONMENT)
    confined([str(program)], Walls(readable=(program.parent,)), home, ENVIRONMENT)


def test_without_walls_processes_are_not_limited(tmp_path: Path) -> None:
    walls = Walls(sandbox=Sandbox.NONE, processes=16)
    with pytest.raises(CannotConfine, match="processes and own_folders need a sandbox"):
        confined(["sh"], walls, tmp_path, ENVIRONMENT)


def test_without_walls_there_are_limits_all_the_same(tmp_path: Path) -> None:
    walls = Walls(sandbox=Sandbox.NONE, memory=200 * MEGABYTE, cpu_minutes=2)
    command, begin = confined(["sh", "-c", "ulimit -v; ulimit -t"], walls, tmp_path, ENVIRONMENT)
    assert begin is os.login_tty
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() == ["204800", "120"]
