"""`nhlog record FILE -- COMMAND`: real programs in real terminals."""

import fcntl
import json
import os
import shlex
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path

import pytest

from nhlog.files import is_being_written
from nhlog.recorder import Program, pixels_of
from nhlog.vt import Size
from tests.corpus import ROOT
from tests.recorder.recordings import events_of, output_of
from tests.terminal.pty import NHLOG, Pty

FORMS = (".cast", ".cast.gz", ".cast.zst", ".ttyrec", ".ttyrec.gz", ".ttyrec.zst")
TEXT = ("\x1b[1mGröße\x1b[m ┌──┐ 日本 " * 3000 + "\n").encode()


class Recorder(Pty):
    """`nhlog record` of a shell's script in a terminal of the test's."""

    def __init__(self, path: Path, script: str, *options: str, **more: object) -> None:
        super().__init__(*NHLOG, "record", str(path), *options, "--", "sh", "-c", script, **more)


def headless(path: Path, *command: str, options: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*NHLOG, "record", str(path), "--headless", *options, "--", *command],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.cast"


@pytest.mark.parametrize("form", FORMS)
def test_the_file_and_the_terminal_get_what_the_program_writes(tmp_path: Path, form: str) -> None:
    text, path = tmp_path / "text", tmp_path / f"game{form}"
    text.write_bytes(TEXT)
    with Recorder(path, f"stty raw; cat {text}") as player:
        assert player.end() == 0
        assert player.written == TEXT
        assert player.modes() == player.before
    assert output_of(path) == TEXT


def test_a_ttyrec_has_every_byte(tmp_path: Path) -> None:
    text, path = tmp_path / "text", tmp_path / "game.ttyrec"
    text.write_bytes(bytes(range(256)) * 100)
    with Recorder(path, f"stty raw; cat {text}") as player:
        assert player.end() == 0
        assert player.written == text.read_bytes()
    assert output_of(path) == text.read_bytes()


@pytest.mark.parametrize(
    ("script", "code"), [("exit 0", 0), ("exit 3", 3), ("kill -9 $$", 137), ("kill -TERM $$", 143), ("nosuch", 127)]
)
def test_the_exit_code_is_the_programs(path: Path, script: str, code: int) -> None:
    for version in (2, 3):
        done = headless(path, "sh", "-c", script, options=("--version", str(version), "--force"))
        assert (done.returncode, done.stdout, done.stderr) == (code, "", "")
        assert events_of(path)[-1] == ("x", b"%d" % code)
        assert json.loads(path.read_text().partition("\n")[0])["version"] == version


def test_half_a_character_at_the_end_comes_before_the_exit(path: Path) -> None:
    assert headless(path, "printf", r"a\303").returncode == 0
    assert events_of(path) == [("o", b"a"), ("o", "\ufffd".encode()), ("x", b"0")]


def test_a_program_that_is_not_there_makes_no_recording(path: Path) -> None:
    done = headless(path, "no-such-program")
    assert (done.returncode, done.stderr) == (127, "nhlog: no-such-program: there is no such program\n")
    assert not path.exists()


def test_a_program_that_cannot_be_run_says_so_in_the_recording(path: Path, tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text("#!/no/such/interpreter\n")
    program.chmod(0o755)
    assert headless(path, str(program)).returncode == 127
    assert output_of(path) == f"nhlog: {program}: no such file or directory\r\n".encode()


@pytest.mark.parametrize("form", [".cast", ".ttyrec"])
def test_the_terminals_size_is_the_programs_and_each_new_one_is_recorded(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"game{form}"
    script = "trap 'stty size; exit' WINCH; stty size; while :; do sleep 0.01; done"
    with Recorder(path, script, size=(81, 25)) as player:
        player.wait_for("25 81")
        player.resize(100, 40)
        assert player.end() == 0
        assert player.written == b"25 81\r\n40 100\r\n"
    events = [("o", b"25 81\r\n"), ("r", b"100x40"), ("o", b"40 100\r\n")]
    assert events_of(path) == ([*events, ("x", b"0")] if form == ".cast" else [("r", b"81x25"), *events])


def test_a_size_that_is_given_stays(path: Path) -> None:
    with Recorder(path, "stty size; read line; stty size", "--size", "132x50") as player:
        player.wait_for("50 132")
        player.resize(100, 40)
        player.send("\r")
        assert player.end() == 0
    assert {code for code, _ in events_of(path)} == {"o", "x"}
    assert output_of(path) == b"50 132\r\n\r\n50 132\r\n"


def test_headless_it_has_a_terminal_of_the_usual_size(path: Path) -> None:
    assert headless(path, "stty", "size").returncode == 0
    assert output_of(path) == b"24 80\r\n"


def pixels(fd: int) -> tuple[int, ...]:
    return struct.unpack("4H", fcntl.ioctl(fd, termios.TIOCGWINSZ, bytes(8)))


@pytest.mark.parametrize(("options", "told"), [((), "30 100 900 600"), (("--size", "50x20"), "20 50 450 400")])
def test_the_terminals_size_in_pixels_is_the_programs(path: Path, options: tuple[str, ...], told: str) -> None:
    tell = "import fcntl, struct, termios; print(*struct.unpack('4H', fcntl.ioctl(0, termios.TIOCGWINSZ, bytes(8))))"
    script = f"tell() {{ {shlex.join([sys.executable, '-c', tell])}; }}; trap 'tell; exit' WINCH; echo ready"
    with Recorder(path, f"{script}; while :; do sleep 0.01; done", *options, size=(100, 30)) as player:
        player.wait_for("ready")
        player.set_pixels(900, 600)
        player.wait_for(told)
        assert player.end() == 0
    assert not [code for code, _ in events_of(path) if code == "r"]


def test_it_has_them_from_the_beginning() -> None:
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 30, 100, 805, 480))
    for size, told in ((Size(100, 30), (805, 480)), (Size(50, 15), (402, 240)), (Size(1000, 500), (8050, 8000))):
        program = Program(["cat"], dict(os.environ), size, pixels=pixels_of(theirs, size))
        assert pixels(program.fd) == (size.rows, size.columns, *told)
        program.hang_up()
        os.waitpid(program.pid, 0)
    os.close(ours)
    os.close(theirs)
    with Path(os.devnull).open() as none:
        assert pixels_of(none.fileno(), Size(1, 1)) == (0, 0)


def test_a_file_that_cannot_be_run_is_not_one_that_is_not_there(path: Path, tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text("echo ran as the shell would run it: $1\n")
    for name, told in ((program, "it may not be executed"), (tmp_path, "this is a folder")):
        done = headless(path, str(name))
        assert (done.returncode, done.stderr) == (126, f"nhlog: {name}: {told}\n")
    assert not path.exists()
    program.chmod(0o755)
    assert headless(path, str(program), "once").returncode == 0
    assert output_of(path) == b"ran as the shell would run it: once\r\n"


def test_the_header_says_what_was_wished(path: Path) -> None:
    wishes = ("--title", "a try", "--idle-limit", "1.5", "--size", "90x30", "--version", "3")
    assert headless(path, "true", options=wishes).returncode == 0
    header = json.loads(path.read_text().partition("\n")[0])
    assert header["title"] == "a try"
    assert header["idle_time_limit"] == 1.5
    assert header["command"] == "true"
    assert (header["term"]["cols"], header["term"]["rows"]) == (90, 30)


def test_what_is_typed_is_recorded_if_that_is_wanted_and_if_it_is_shown(path: Path) -> None:
    script = "echo name; read name; stty -echo; echo secret; read secret; stty echo; echo more; read more; echo end"
    for wished, kept in (((), []), (("--input",), [b"ann\r", b"yes\r"])):
        with Recorder(path, script, "--force", *wished) as player:
            for asked, answer in (("name", "ann\r"), ("secret", "xyzzy\r"), ("more", "yes\r")):
                player.wait_for(asked)
                player.send(answer)
            assert player.end() == 0
        assert [data for code, data in events_of(path) if code == "i"] == kept
        assert b"xyzzy" not in path.read_bytes()


PROBE = """
import os, signal, sys, termios
print(sorted(os.listdir("/proc/self/fd"))[:-1], os.getsid(0) == os.getpid(), os.tcgetpgrp(0) == os.getpgrp())
ours = {signal.SIGINT}
print([int(n) for n in signal.valid_signals() - ours if n < 32 and n not in (13, 25) and signal.getsignal(n) != 0])
print(signal.pthread_sigmask(signal.SIG_BLOCK, []), os.environ["TERM"], os.environ["NHLOG_RECORDING"])
print(bool(termios.tcgetattr(0)[0] & 0o40000))
"""


def test_the_program_begins_as_after_a_login(path: Path, tmp_path: Path) -> None:
    probe = tmp_path / "probe.py"
    probe.write_text(PROBE)
    status = "grep -E 'Sig(Blk|Ign)' /proc/self/status"
    record = shlex.join([*NHLOG, "record", str(path), "--", "sh", "-c", f"{sys.executable} {probe}; {status}"])
    with Pty("sh", "-c", f"trap '' USR1; exec {record} 9<{probe}", size=(200, 30)) as player:
        assert player.end() == 0
        assert player.written.decode().replace("\t", " ").splitlines() == [
            "['0', '1', '2'] False True",
            "[]",
            f"set() xterm-256color {path}",
            str(bool(player.before[0] & 0o40000)),
            "SigBlk: 0000000000000000",
            "SigIgn: 0000000000000000",
        ]


def test_a_terminal_that_is_recorded_is_not_recorded_once_more(path: Path, tmp_path: Path) -> None:
    inner = tmp_path / "inner.cast"
    command = f"{sys.executable} -m terminal.cli record {inner} -- true"
    with Recorder(path, command, size=(200, 30)) as player:
        assert player.end() == 2
        assert player.written.decode() == f"nhlog: {path}: this terminal is already being recorded\r\n"
    assert not inner.exists()


def test_a_second_recorder_is_refused_while_there_is_one(path: Path) -> None:
    with Recorder(path, "echo ready; read line") as player:
        player.wait_for("ready")
        assert is_being_written(str(path))
        for options in ((), ("--append",), ("--force",)):
            done = headless(path, "true", options=options)
            assert (done.returncode, done.stderr) == (5, f"nhlog: {path}: another recorder is recording here\n")
        player.send("\r")
        assert player.end() == 0
    assert not is_being_written(str(path))
    done = headless(path, "true")
    assert done.returncode == 2
    assert done.stderr == f"nhlog: {path}: the file exists: --append continues it, --force replaces it\n"
    assert headless(path, "echo", "more", options=("--append",)).returncode == 0
    assert output_of(path) == b"ready\r\n\r\nmore\r\n"


def test_who_records_and_who_watches_is_listed(path: Path, nhlog: Callable) -> None:
    with Recorder(path, "echo ready; read line") as player:
        player.wait_for("ready")
        with Pty(*NHLOG, "watch", str(path)) as viewer:
            viewer.wait_for("ready")
            listed = [(one["pid"], one["lock"]) for one in nhlog("watchers", path, "--json").records]
            assert listed == [(player.pid, "write"), (viewer.pid, "no")]
        player.send("\r")
        assert player.end() == 0
    assert nhlog("watchers", path).out == ""
    assert nhlog("watchers", path, "--free").code == 2


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--ring", "5"), "--ring does not apply to a program"),
        (("--idle-limit", "1", "--append"), "--idle-limit does not work with an existing recording"),
        (("--version", "4"), "'4' is not one of '1', '2', '3'"),
        (("--input",), "--input does not work with --headless"),
        (("--size", "0x0"), "not a terminal size"),
        (("--headless",), "--headless needs a program"),
    ],
)
def test_what_means_nothing_is_refused(path: Path, options: tuple[str, ...], told: str) -> None:
    path.write_text("") if "--append" in options else None
    done = headless(path, *(["true"] if options != ("--headless",) else []), options=options)
    assert done.returncode == 2
    assert told in done.stderr
    assert not path.exists() or not path.read_bytes()


@pytest.mark.parametrize("option", ["--title=x", "--idle-limit=1", "--version=4"])
def test_what_a_ttyrec_cannot_say_is_refused(tmp_path: Path, option: str) -> None:
    assert headless(tmp_path / "game.ttyrec", "true", options=(option,)).returncode == 2
    assert not os.listdir(tmp_path)


def test_programs_are_recorded_in_no_other_format(tmp_path: Path) -> None:
    done = headless(tmp_path / "run", "true")
    assert (done.returncode, done.stderr) == (
        2,
        f"nhlog: {tmp_path / 'run'}: a program can only be recorded into a .cast or .ttyrec\n",
    )
    done = headless(tmp_path / "game.cast.xz", "true")
    assert done.returncode == 4
    assert not os.listdir(tmp_path)


def test_a_viewer_sees_what_is_shown_and_steps_back(path: Path) -> None:
    with Recorder(path, "echo first; read line; clear; echo second; read line") as player:
        player.wait_for("first")
        with Pty(*NHLOG, "watch", str(path), size=(90, 40)) as viewer:
            viewer.wait_for("first")
            player.send("\r")
            viewer.wait_for("second")
            viewer.send("g")
            viewer.wait_for("first")
            viewer.send("F")
            viewer.wait_for("second")
            viewer.send("q")
            assert viewer.end() == 0
        player.send("\r")
        assert player.end() == 0
