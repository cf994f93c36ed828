"""Whatever ends a recorder: what was shown is in the file, the program is told, the terminal is as it was found."""

import bz2
import errno
import os
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nhlog.compression import OpenMember
from nhlog.errors import Unsupported
from nhlog.files import CannotWrite, is_being_written
from nhlog.files.cuts import kept_of
from nhlog.files.processes import state_of
from nhlog.formats import format_of
from nhlog.recorder import Recording, open_recording_for
from nhlog.screencast import OUTPUT, Header
from nhlog.vt import Size
from nhlog.vt.redraw import NEW
from scripts.measures.processes import children_of
from terminal.screen.tty import waiting
from tests.corpus import ROOT
from tests.outcomes import error_of
from tests.recorder.recordings import events_of, output_of
from tests.terminal.pty import NHLOG, Pty
from tests.waiting import eventually

HEADER = Header(size=Size(80, 24), start=1_700_000_000_000_000)
FORMS = (".cast", ".cast.gz", ".cast.zst", ".ttyrec", ".ttyrec.gz", ".ttyrec.zst")


@pytest.fixture(autouse=True)
def leaves_nothing() -> Iterator[None]:
    """A test leaves no child of ours that ended and that nobody waited for, and no limit on files."""
    before = children_of(os.getpid())
    yield
    assert [pid for pid in children_of(os.getpid()) if pid not in before and state_of(pid) == "Z"] == []
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.cast"


def telling(marker: Path, script: str) -> list[str]:
    """A program that leaves a mark when its terminal is gone."""
    return ["sh", "-c", f"trap 'echo told >{marker}; exit 4' HUP; {script}"]


WAITS = "echo ready; while :; do sleep 0.01; done"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT])
def test_a_signal_ends_the_recorder_and_hangs_the_program_up(path: Path, tmp_path: Path, number: int) -> None:
    marker = tmp_path / "marker"
    with Pty(*NHLOG, "record", str(path), "--", *telling(marker, WAITS)) as player:
        player.wait_for("ready")
        player.signal(number)
        assert player.end() == 128 + number
        assert player.modes() == player.before
    assert marker.read_text() == "told\n"
    assert events_of(path) == [("o", b"ready\r\n"), ("x", b"4")]


def test_who_is_killed_leaves_the_alternate_screen_and_the_mouse_of_the_program_to_nobody(path: Path) -> None:
    with Pty(*NHLOG, "record", str(path), "--", "sh", "-c", f"printf '\\033[?1049h\\033[?1003h'; {WAITS}") as player:
        player.wait_for("ready")
        player.signal(signal.SIGKILL)
        assert player.exit_code() == -signal.SIGKILL
        player.wait(lambda _: player.written.endswith(NEW) and player.modes() == player.before)  # the guardian's turn


def test_a_terminal_that_is_closed_hangs_the_program_up(path: Path, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    with Pty(*NHLOG, "record", str(path), "--", *telling(marker, WAITS)) as player:
        player.wait_for("ready")
        player.hang_up()
        assert player.exit_code() == 128 + signal.SIGHUP
    assert marker.read_text() == "told\n"
    assert events_of(path) == [("o", b"ready\r\n"), ("x", b"4")]


def test_a_program_that_does_not_end_is_left_alone_when_told_so_twice(path: Path) -> None:
    with Pty(*NHLOG, "record", str(path), "--", "sh", "-c", f"trap '' HUP; echo $$; {WAITS}") as player:
        player.wait_for("ready")
        program = int(player.written.split()[0])
        player.signal(signal.SIGTERM)
        assert eventually(lambda: not output_open(program)), "its terminal is there"
        player.signal(signal.SIGTERM)
        assert player.end() == 128 + signal.SIGTERM
        os.kill(program, signal.SIGKILL)
    assert {code for code, _ in events_of(path)} == {"o"}


def output_open(pid: int) -> bool:
    """Whether the process's terminal is not hung up."""
    try:
        os.close(os.open(f"/proc/{pid}/fd/1", os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK))
    except OSError:
        return False
    return True


def test_a_recorder_that_is_killed_leaves_the_terminal_and_a_recording_to_go_on_with(path: Path) -> None:
    with Pty(*NHLOG, "record", str(path), "--", "sh", "-c", "stty -echo; " + WAITS) as player:
        player.wait_for("ready")
        assert player.modes() != player.before
        player.signal(signal.SIGKILL)
        assert player.exit_code() == -signal.SIGKILL
        assert eventually(lambda: player.modes() == player.before), "the terminal is raw"
    assert eventually(lambda: not is_being_written(str(path))), "somebody writes it"
    done = headless(path, "echo", "more", options=("--append",))
    assert (done.returncode, done.stderr) == (0, "")
    assert output_of(path) == b"ready\r\nmore\r\n"
    assert kept_of(str(path)) == {}


def test_a_list_of_processes_tells_of_the_guardian_what_it_runs_and_no_more(path: Path) -> None:
    with Pty(*NHLOG, "record", str(path), "--", "sh", "-c", WAITS) as player:
        player.wait_for("ready")
        command = Path(f"/proc/{guardian_of(player.pid)}/cmdline")
        assert eventually(lambda: b"waiting.py" in command.read_bytes()), "it never becomes a program of its own"
        assert command.read_bytes().split(b"\0")[1:] == [b"-I", b"-S", waiting.__file__.encode(), b""]


def test_modes_that_others_gave_the_terminal_meanwhile_stay(path: Path) -> None:
    with Pty(*NHLOG, "record", str(path), "--", "sh", "-c", WAITS) as player:
        player.wait_for("ready")
        guardian = guardian_of(player.pid)
        theirs = [*player.before]
        theirs[3] &= ~termios.ECHO
        player.set_modes(theirs)
        player.signal(signal.SIGKILL)
        assert player.exit_code() == -signal.SIGKILL
        assert eventually(lambda: state_of(guardian) in ("", "Z")), "the guardian stays"
        assert player.modes() == theirs


def guardian_of(player: int) -> int:
    return next(pid for pid in children_of(player) if os.getpgid(pid) == pid != os.getsid(pid))


def headless(
    path: Path, *command: str, options: tuple[str, ...] = (), limit: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*NHLOG, "record", str(path), "--headless", *options, "--", *command],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
    )


# What a killed recorder left


def recording(path: Path, *, append: bool = False, **options: object) -> Recording:
    return open_recording_for(str(path), format_of(str(path)).load(), HEADER, append=append, **options)


def record(path: Path, *pieces: bytes, append: bool = False) -> None:
    made = recording(path, append=append)
    for piece in pieces:
        made.add(OUTPUT, piece)
    made.finish(0)
    made.close()


@pytest.mark.parametrize("form", FORMS)
def test_a_torn_event_is_cut_off_and_kept(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"game{form}"
    record(path, b"one", b"two")
    whole, before = output_of(path), path.read_bytes()
    made = recording(path, append=True)
    made.add(OUTPUT, b"three")
    made.close()  # as a kill does
    torn = path.read_bytes()[:-12]
    path.write_bytes(torn)
    record(path, b"four", append=True)
    assert output_of(path).startswith(whole)
    assert output_of(path).endswith(b"four")
    assert b"thr" not in output_of(path)
    [kept] = kept_of(str(path))
    tail = torn if form.endswith(("gz", "zst")) else torn.removeprefix(before)
    assert torn.endswith(Path(kept).read_bytes())
    assert tail.endswith(Path(kept).read_bytes())


@pytest.mark.parametrize("form", FORMS)
def test_a_recording_that_ended_well_is_gone_on_with_as_it_is(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"game{form}"
    record(path, b"one")
    before, shown = path.read_bytes(), output_of(path)
    record(path, b"two", append=True)
    assert path.read_bytes().startswith(before)
    assert output_of(path).startswith(shown)
    assert output_of(path).endswith(b"two")
    assert kept_of(str(path)) == {}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("left", [b"", b"{", b"\x1f\x8b", b"\0" * 4])
def test_a_recording_in_which_nothing_is_whole_is_begun_anew(tmp_path: Path, form: str, left: bytes) -> None:
    path = tmp_path / f"game{form}"
    path.write_bytes(left)
    if error_of(lambda: record(path, b"one", append=True)) is None:
        assert output_of(path).endswith(b"one")
        assert [Path(kept).read_bytes() for kept in kept_of(str(path))] == ([left] if left else [])
    else:
        assert path.read_bytes() == left, "what is no recording is left alone"


def test_what_is_compressed_can_be_read_up_to_the_last_event(tmp_path: Path) -> None:
    for form in FORMS:
        path = tmp_path / f"live{form}"
        made = recording(path)
        for number in range(3):
            made.add(OUTPUT, b"%d" % number)
            copied = Path(shutil.copy(path, tmp_path / f"copy{form}"))  # a recorder has one descriptor of its file
            assert output_of(copied).endswith(b"012"[: number + 1])
        made.close()


def test_to_what_another_method_compressed_nothing_is_added(tmp_path: Path) -> None:
    path = tmp_path / "game.cast"
    record(path, b"one")
    packed = bz2.compress(path.read_bytes())
    path.write_bytes(packed)
    with pytest.raises(Unsupported, match="bzip2"):
        record(path, b"two", append=True)
    assert path.read_bytes() == packed


def test_a_member_that_is_open_can_be_ended_with_nothing() -> None:
    for kind in ("gzip", "zstd"):
        member = OpenMember(kind)
        assert member.add(b"x") + member.end()


# Where nothing more can be written


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("room", [0, 1, 9])
def test_a_refused_write_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, room: int) -> None:
    path = tmp_path / f"game{form}"
    made = recording(path)
    made.add(OUTPUT, b"one")
    before, write, left = path.read_bytes(), os.write, [room]

    def refusing(fd: int, data: bytes) -> int:
        if not left:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(fd, data[: left.pop()])

    monkeypatch.setattr(os, "write", refusing)
    for _ in range(2):  # it is final
        with pytest.raises(CannotWrite, match="no space left"):
            made.add(OUTPUT, b"a longer piece, and every letter in it " * 20 + os.urandom(64).hex().encode())
    monkeypatch.undo()
    made.close()
    assert path.read_bytes() == before
    record(path, b"two", append=True)
    assert output_of(path).endswith(b"two")


def test_a_recording_that_cannot_be_begun_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(fd: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", refusing)
    with pytest.raises(CannotWrite):
        recording(tmp_path / "game.cast")
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize("form", [".cast", ".ttyrec"])
def test_where_a_file_may_not_grow_the_program_is_told_and_the_recorder_says_so(tmp_path: Path, form: str) -> None:
    path, marker = tmp_path / f"game{form}", tmp_path / "marker"
    command = shlex.join([*NHLOG, "record", str(path), "--", *telling(marker, "while :; do echo 12345678; done")])
    with Pty("bash", "-c", f"export PYTHONDONTWRITEBYTECODE=1; ulimit -f 32; exec {command}", size=(200, 30)) as player:
        assert player.end() == 1
        assert player.modes() == player.before
        shown, told = player.written.split(b"nhlog: ")
        assert told.decode() == f"{path}: file too large\r\n"
    assert marker.read_text() == "told\n"
    recorded = output_of(path)
    assert recorded.endswith(shown)
    assert recorded.count(b"12345678") == shown.count(b"12345678") > 100


def test_a_full_disk(full: Path, tmp_path: Path) -> None:
    path, marker = full / "game.cast", tmp_path / "marker"
    done = headless(path, *telling(marker, "while :; do echo 12345678; done"))
    assert (done.returncode, done.stderr) == (1, f"nhlog: {path}: no space left on device\n")
    assert marker.read_text() == "told\n"
    assert events_of(path)[-1][0] == "o"
    assert path.read_bytes().endswith(b"\n"), "no event is torn"


# Job control


def test_control_z_is_the_programs(path: Path) -> None:
    script = "import signal; signal.signal(signal.SIGTSTP, lambda *_: print('heard', flush=True)); print('ready')"
    loop = f"{script}; signal.pause()"
    with Pty(*NHLOG, "record", str(path), "--", sys.executable, "-uc", loop) as player:
        player.wait_for("ready")
        player.send("\x1a")
        player.wait_for("heard")
        assert player.end() == 0
        assert player.modes() == player.before


def test_a_stopped_recorder_leaves_the_terminal_to_the_shell_and_takes_it_again(path: Path) -> None:
    record = shlex.join([*NHLOG, "record", str(path), "--", "sh", "-c", "echo pid $PPID; read line; echo got $line"])
    with Pty("bash", "--norc", "--noediting", "-i", size=(100, 30)) as shell:
        shell.send(f"PS1=prompt:; {record}\n")
        rows = shell.wait(lambda rows: any(row.startswith("pid ") for row in rows))
        recorder = int(next(row for row in rows if row.startswith("pid ")).split()[1])
        os.kill(recorder, signal.SIGTSTP)
        shell.wait_for("Stopped")
        shell.send("stty -a | grep -o '.icanon'; echo still $((40+2))\n")
        shell.wait_for("still 42")
        assert any(" icanon" in row for row in shell.rows)
        shell.send("fg\n")
        assert eventually(lambda: raw(shell)), "it is not raw again"
        shell.send("word\r")
        shell.wait_for("got word")
        shell.send("exit\n")
        shell.end()
    assert b"still 42" not in output_of(path)


def raw(shell: Pty) -> bool:
    return not shell.modes()[3] & 0o2


# What may block


def test_a_terminal_that_takes_nothing_costs_nothing_of_the_recording(path: Path) -> None:
    """It is held up, and the program with it; all that was shown by then is in the file."""
    with Pty(*NHLOG, "record", str(path), "--", "sh", "-c", "yes | head -c 1000000; echo; echo end") as player:
        assert eventually(lambda: path.exists() and path.stat().st_size > 2000), "nothing is recorded"
        size = -1
        while size != path.stat().st_size:  # until both wait
            size = path.stat().st_size
            time.sleep(0.1)
        assert size < 1_000_000
        assert player.end() == 0
        assert output_of(path) == player.written
        assert player.written.endswith(b"end\r\n")
        assert player.modes() == player.before
