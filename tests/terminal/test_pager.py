"""What is long is read in a pager, where somebody reads; programs get what they always got."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from terminal.cli import main
from terminal.pager import paged, pager_command
from tests.corpus import SAMPLES
from tests.terminal.pty import NHLOG, Pty

GAME = str(SAMPLES / "died2.nhgame")
SHOW, PLOT = ("show", GAME), ("plot", GAME, "hp")


@pytest.fixture
def on_terminal(monkeypatch: pytest.MonkeyPatch, capfd) -> Callable[..., tuple[int, str]]:
    """Runs `nhlog` as if standard output were a terminal, with this pager."""

    def run(pager: str, *arguments: str, **environment: str) -> tuple[int, str]:
        monkeypatch.setenv("NHLOG_PAGER", pager)
        monkeypatch.setenv("TERM", "xterm")
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        return main([*arguments]), capfd.readouterr().out

    monkeypatch.delenv("NO_COLOR", raising=False)
    return run


@pytest.mark.parametrize(
    ("environment", "command"),
    [
        ({}, "less"),
        ({"PAGER": "more -d"}, "more -d"),
        ({"PAGER": "more", "NHLOG_PAGER": "less -S"}, "less -S"),
        ({"PAGER": "LESS=-S less"}, "LESS=-S less"),
        ({"PAGER": "more", "NHLOG_PAGER": ""}, None),
        ({"PAGER": "cat"}, None),
        ({"PAGER": "no-such-pager"}, None),
        ({"TERM": "dumb"}, None),
    ],
)
def test_the_pager_is_the_one_that_is_asked_for(environment: dict[str, str], command: str | None) -> None:
    assert pager_command({"TERM": "xterm", **environment}) == command


@pytest.mark.parametrize("verb", [("info", GAME), ("ls", str(SAMPLES)), ("stats", GAME), ("events", GAME), SHOW, PLOT])
def test_what_is_long_goes_through_the_pager(on_terminal, verb: tuple[str, ...]) -> None:
    code, out = on_terminal("sed s/^/paged:/", *verb)
    assert code == 0
    assert all(line.startswith("paged:") for line in out.splitlines())
    for plain in (("--no-pager", *verb), (*verb, "--no-pager"), (*verb, "--json")):
        assert "paged:" not in on_terminal("sed s/^/paged:/", *plain)[1]


def test_where_there_is_nothing_to_read_no_pager_starts(on_terminal, tmp_path: Path) -> None:
    started = tmp_path / "started"
    assert on_terminal(f"touch {started}; cat", "info", str(tmp_path / "missing"))[0] == 1
    assert not started.exists()
    assert on_terminal(f"touch {started}; cat", "info", GAME)[0] == 0
    assert started.exists()


def test_a_reader_who_leaves_has_seen_enough(on_terminal, capfd) -> None:
    code, out = on_terminal("head -n 1", "dump", GAME)
    assert (code, out.count("\n"), capfd.readouterr().err) == (0, 1, "")


def test_what_goes_wrong_is_said_and_keeps_its_exit_code(on_terminal, capfd) -> None:
    code, out = on_terminal("sed s/^/paged:/", "info", "/nowhere")
    assert (code, out) == (1, "")


def test_colours_are_for_terminals_that_have_them(on_terminal) -> None:
    assert "\x1b[0;4;38;5;109m" in on_terminal("", "ls", str(SAMPLES))[1]
    assert "\x1b" not in on_terminal("", "ls", str(SAMPLES), NO_COLOR="1")[1]
    assert "\x1b" not in on_terminal("", "ls", str(SAMPLES), NO_COLOR="", TERM="dumb")[1]


def test_lines_fit_where_somebody_looks_or_says_how_wide(nhlog, monkeypatch: pytest.MonkeyPatch) -> None:
    long = max(map(len, nhlog("stats", SAMPLES / "arena.butter").out.splitlines()))
    assert long > 200
    monkeypatch.setenv("COLUMNS", "60")
    for verb in ("stats", "info", "events", "state"):
        assert max(map(len, nhlog(verb, SAMPLES / "arena.butter").out.splitlines())) <= 60


def test_what_another_program_reads_is_never_wrapped(nhlog, monkeypatch: pytest.MonkeyPatch) -> None:
    verbs = [("show", GAME, "--svg"), ("show", GAME, "--html"), ("completion", "bash")]
    monkeypatch.delenv("COLUMNS", raising=False)
    whole = [nhlog(*verb).out for verb in verbs]
    monkeypatch.setenv("COLUMNS", "60")
    assert [nhlog(*verb).out for verb in verbs] == whole


@contextmanager
def paged_to(pages: Path) -> Iterator[None]:
    """Standard output and standard error are terminals, and the pager shows what it is given in this file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NHLOG_PAGER", f"cat >{pages}")
        patch.setenv("TERM", "xterm")
        for stream in (sys.stdout, sys.stderr):
            patch.setattr(stream, "isatty", lambda: True)
        with paged():
            yield


def test_an_interrupt_ends_what_is_printed_and_nothing_else(tmp_path: Path) -> None:
    before, after = signal.getsignal(signal.SIGINT), []
    with paged_to(tmp_path / "pages"):
        print("one")
        signal.raise_signal(signal.SIGINT)
        after.append("two")
    assert (after, (tmp_path / "pages").read_text()) == ([], "one\n")
    assert signal.getsignal(signal.SIGINT) is before


def test_what_goes_wrong_is_told_among_the_pages_once_there_are_some(tmp_path: Path, capsys) -> None:
    with paged_to(tmp_path / "pages"):
        print("before", file=sys.stderr)
        print("one")
        print("wrong", file=sys.stderr)
        print("two")
    assert (tmp_path / "pages").read_text() == "one\nwrong\ntwo\n"
    assert capsys.readouterr() == ("", "before\n")


def test_less_is_left_after_an_interrupt_and_there_is_no_traceback(tmp_path: Path) -> None:
    with Pty(*NHLOG, "dump", GAME) as pty:
        pty.wait(lambda rows: rows[-1].startswith(":"))
        pty.send("\x03")
        pty.send("q")
        assert pty.end() == 0
    assert b"Traceback" not in pty.written
