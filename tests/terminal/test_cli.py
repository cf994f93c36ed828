"""The command line: messages of one line, and the exit code of what went wrong."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from unittest.mock import Mock

import click
import pytest

from nhlog import __version__, errors
from nhlog.kernels import COMPILED
from terminal import cli
from terminal.cli import EPILOG, VERBS, main

NHLOG = [sys.executable, "-m", "terminal.cli"]


@pytest.fixture
def verb(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], int | None]], None]:
    """Lets `nhlog ls` be any function."""

    def replace(function: Callable[[], int | None]) -> None:
        command = click.command("ls")(function)
        monkeypatch.setattr(cli.cli, "get_command", lambda context, name: command)

    return replace


def raising(error: BaseException) -> Callable[[], None]:
    def function() -> None:
        raise error

    return function


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (errors.NhlogError("no", file="a b"), 1, "nhlog: a b: no\n"),
        (errors.Usage("what?"), 2, "nhlog: what?\n"),
        (
            errors.Damaged("cut", file="x", offset=7, expected="1", found="2"),
            3,
            "nhlog: x: offset 7: cut: expected 1, found 2\n",
        ),
        (errors.Unsupported("new"), 4, "nhlog: new\n"),
        (errors.LockNotObtained("held"), 5, "nhlog: held\n"),
        (errors.LogRecovered("stale"), 6, "nhlog: stale\n"),
        (errors.RemoteUnreachable("far"), 7, "nhlog: far\n"),
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "x"), 1, "nhlog: x: no such file or directory\n"),
        (IsADirectoryError(errno.EISDIR, "Is a directory", b"x"), 1, "nhlog: x: is a directory\n"),
        (OSError(errno.ENOSPC, "No space left on device"), 1, "nhlog: no space left on device\n"),
        (OSError("odd"), 1, "nhlog: odd\n"),
        (KeyboardInterrupt(), 130, ""),
        (click.Abort(), 1, "nhlog: nothing done\n"),
        (errors.NhlogError("\x1b[2J\n\udcff"), 1, "nhlog: \\x1b[2J\\n\\udcff\n"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else None,
)
def test_an_error_is_one_line_and_its_own_exit_code(verb, capsys, error, code, message) -> None:
    verb(raising(error))
    assert main(["ls"]) == code
    assert capsys.readouterr() == ("", message)


def test_interrupting_a_question_is_an_interrupt(verb, monkeypatch) -> None:
    verb(lambda: click.confirm("sure?") and None)
    monkeypatch.setattr("click.termui.visible_prompt_func", Mock(side_effect=KeyboardInterrupt))
    assert main(["ls"]) == 130


def test_a_verb_returns_its_exit_code(verb) -> None:
    verb(lambda: 3)
    assert main(["ls"]) == 3
    verb(lambda: None)
    assert main(["ls"]) == 0
    verb(lambda: click.get_current_context().exit(4))
    assert main(["ls"]) == 4


def test_with_nhlog_debug_a_bug_shows_where_it_is(verb, monkeypatch) -> None:
    verb(raising(ZeroDivisionError()))
    monkeypatch.setenv("NHLOG_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(["ls"])


def test_a_verb_that_does_not_exist_is_wrong_usage(capsys) -> None:
    assert main(["frobnicate"]) == 2
    assert "There is no verb 'frobnicate'" in capsys.readouterr().err


def test_version(capsys) -> None:
    assert main(["--version"]) == 0
    kernels = "compiled" if COMPILED else "plain Python"
    assert capsys.readouterr().out == f"nhlog {__version__} (kernels: {kernels})\n"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_examples(capsys, verb: str) -> None:
    assert main([verb, "--help"]) == 0
    shown = capsys.readouterr().out
    assert f"  nhlog {verb} " in shown
    assert main(["help", verb]) == 0
    assert capsys.readouterr().out == shown


def test_the_exit_codes_in_the_help_are_those_of_the_errors() -> None:
    listed = {int(line.split()[0]) for line in EPILOG.splitlines() if line[2:3].isdigit()}
    named = [getattr(errors, name) for name in errors.__all__]
    tree = {error.exit_code for error in named if isinstance(error, type)}
    assert listed == tree | {0, 130}


def test_completion_offers_verbs_and_what_they_do() -> None:
    asked = {"_NHLOG_COMPLETE": "zsh_complete", "COMP_WORDS": "nhlog rep", "COMP_CWORD": "1"}
    done = subprocess.run(NHLOG, env=os.environ | asked, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:3] == ["plain", "replay", VERBS["replay"]]


def test_a_reader_that_leaves_ends_it_quietly() -> None:
    with subprocess.Popen([*NHLOG, "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 128 + signal.SIGPIPE


def test_a_full_disk_is_an_error() -> None:
    buffered = os.environ | {"PYTHONUNBUFFERED": ""}
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*NHLOG, "--help"], env=buffered, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (1, "nhlog: no space left on device\n")


def test_without_standard_output_there_is_no_traceback() -> None:
    done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *NHLOG, "--help"], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
