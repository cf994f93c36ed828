"""A program recorded where there is no terminal does as without a recorder, and all that it writes is recorded."""

import os
import shlex
import signal
import subprocess
from pathlib import Path

import pytest

from tests.corpus import ROOT
from tests.recorder.recordings import events_of, output_of
from tests.starter import Started
from tests.terminal.pty import NHLOG, Pty

EVERY_BYTE = bytes(range(256)) * 2000 + b"\x04\x03\x1a\r\n\n\r"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.ttyrec"


def recorded(path: Path, *command: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    arguments = [*NHLOG, "record", str(path), "--", *command]
    return subprocess.run(arguments, cwd=ROOT, input=given, capture_output=True, check=False)


def begun(path: Path, script: str, **files: int) -> Started:
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **files}
    return Started([*NHLOG, "record", str(path), "--", "sh", "-c", script], cwd=ROOT, **pipes)


def shown(data: bytes) -> bytes:
    """What a terminal shows of it."""
    return data.replace(b"\n", b"\r\n")


def test_every_byte_goes_both_ways_and_is_recorded_as_a_terminal_shows_it(path: Path) -> None:
    done = recorded(path, "cat", given=EVERY_BYTE)
    assert (done.returncode, done.stdout, done.stderr) == (0, EVERY_BYTE, b"")
    assert output_of(path) == shown(EVERY_BYTE)


def test_output_and_errors_go_their_own_ways(path: Path) -> None:
    done = recorded(path, "sh", "-c", "echo out; echo err >&2; exit 7")
    assert (done.returncode, done.stdout, done.stderr) == (7, b"out\n", b"err\n")
    assert sorted(output_of(path).splitlines()) == [b"err", b"out"]


@pytest.mark.parametrize("script", ["test -t 0 || test -t 1 || test -t 2", 'test -n "$TERM"'])
def test_it_has_no_terminal(path: Path, script: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "TERM"}
    command = [*NHLOG, "record", str(path), "--", "sh", "-c", script]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    assert done.returncode == 1


def test_one_that_is_not_read_does_not_hinder_the_other(path: Path) -> None:
    with begun(path, "{ head -c 1000000 /dev/zero; } & echo err >&2; wait; echo end >&2") as recorder:
        assert recorder.stderr.readline() == b"err\n"  # while nobody reads the output
        assert len(recorder.stdout.read(1_000_000)) == 1_000_000
        assert recorder.stderr.readline() == b"end\n"
        assert (recorder.stdout.read(), recorder.wait()) == (b"", 0)
    assert output_of(path).count(b"\0") == 1_000_000


def test_where_nobody_reads_any_more_the_program_is_told(path: Path) -> None:
    with begun(path, "yes") as recorder:
        assert recorder.stdout.readline() == b"y\n"
        recorder.stdout.close()
        assert recorder.wait() == 128 + signal.SIGPIPE


def test_what_it_leaves_behind_may_still_write(path: Path) -> None:
    with begun(path, "exec 3<&0; { read line; echo $line; } <&3 & echo now; exit 3", stdin=subprocess.PIPE) as recorder:
        assert recorder.stdout.readline() == b"now\n"
        recorder.stdin.write(b"later\n")
        recorder.stdin.close()
        assert (recorder.stdout.read(), recorder.wait()) == (b"later\n", 3)
    assert output_of(path) == b"now\r\nlater\r\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_is_the_programs_too(path: Path, number: int) -> None:
    with begun(path, f"trap 'echo told; exit' {number}; echo ready; while :; do sleep 0.01; done") as recorder:
        assert recorder.stdout.readline() == b"ready\n"
        recorder.send_signal(number)
        assert recorder.stdout.read() == b"told\n"
        assert recorder.wait() == 128 + number
    assert output_of(path) == b"ready\r\ntold\r\n"


def test_after_a_signal_what_the_program_left_behind_is_not_waited_for(path: Path) -> None:
    with begun(path, "sleep 1000 & echo $!; trap exit TERM; while :; do sleep 0.01; done") as recorder:
        left = int(recorder.stdout.readline())
        recorder.send_signal(signal.SIGTERM)
        assert recorder.wait() == 128 + signal.SIGTERM
        os.kill(left, signal.SIGKILL)  # it is still there


def test_a_second_signal_does_not_wait_for_a_program_that_hears_none(path: Path) -> None:
    with begun(path, "trap '' TERM; echo $$; while :; do sleep 1; done") as recorder:
        pid = int(recorder.stdout.readline())
        recorder.send_signal(signal.SIGTERM)
        recorder.send_signal(signal.SIGTERM)
        recorder.wait()
        os.kill(pid, signal.SIGKILL)


def test_its_exit_is_recorded_where_the_format_has_one(tmp_path: Path) -> None:
    path = tmp_path / "game.cast"
    assert recorded(path, "sh", "-c", "echo; kill -9 $$").returncode == 137
    assert events_of(path) == [("o", b"\r\n"), ("x", b"137")]


def test_a_shell_that_nobody_types_into_is_not_begun(path: Path) -> None:
    done = subprocess.run([*NHLOG, "record", str(path)], cwd=ROOT, input=b"echo no", capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (
        2,
        b"nhlog: without a terminal a program is needed: nobody could type into a shell\n",
    )
    assert not path.exists()


def test_what_is_typed_is_not_recorded_where_nothing_is_typed(tmp_path: Path) -> None:
    arguments = [*NHLOG, "record", str(tmp_path / "a.cast"), "--input", "--", "cat"]
    done = subprocess.run(arguments, cwd=ROOT, input=b"", capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (2, b"nhlog: --input does not work without a terminal\n")


def test_a_full_disk_ends_the_recorder_and_the_program_is_told(tmp_path: Path) -> None:
    told = tmp_path / "told"
    os.mkfifo(told)
    with open(os.open(told, os.O_RDONLY | os.O_NONBLOCK), "rb") as heard:
        program = f"exec 4>{told}; trap '' PIPE; trap 'echo told >&4; exit' HUP; while echo {'x' * 100}; do :; done"
        recorder = shlex.join([*NHLOG, "record", str(tmp_path / "a.ttyrec"), "--", "sh", "-c", program])
        run = ["sh", "-c", f"ulimit -f 64; exec {recorder}"]
        done = subprocess.run(run, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        os.set_blocking(heard.fileno(), True)
        assert heard.read() == b"told\n"
    assert done.returncode == 1
    assert b"a.ttyrec" in done.stderr


def test_keys_of_a_terminal_at_its_input_are_for_the_program_alone(tmp_path: Path) -> None:
    program = "trap 'echo told; exit 0' INT; echo ready; while :; do sleep 0.01; done"
    recorder = shlex.join([*NHLOG, "record", str(tmp_path / "a.ttyrec"), "--", "sh", "-c", program])
    with Pty("sh", "-c", f"trap : INT; {{ trap : INT; {recorder}; echo code $?; }} | (trap '' INT; cat)") as player:
        player.wait_for("ready")
        player.send("\x03")
        player.wait_for("told")
        player.wait_for("code 0")
