"""The client in a terminal: what it shows there, and that the terminal is as before whatever ends it."""

import os
import re
import shlex
import signal
import sys
import termios
from pathlib import Path

import pyte
import pytest
from blessed.formatters import ParameterizingString
from hypothesis import given
from hypothesis import strategies as st

from nhlog.screen import Screen, Style
from terminal.screen.console import known_terminal, painter
from terminal.screen.encoding import speaks_utf8
from terminal.screen.painter import Painter
from terminal.screen.tty.mouse import OFF, ON
from tests.corpus import SAMPLES
from tests.terminal.pty import NHLOG, Pty

GAME = str(SAMPLES / "scripted1.nhgame")
REPLAY = (*NHLOG, "replay", GAME)
PROGRAM = (sys.executable, "-m", "tests.terminal.screen.program")
ENTERED, LEFT = b"\x1b[?1049h", b"\x1b[?1049l"
HIDDEN, SHOWN = b"\x1b[?25l", b"\x1b[?25h"


def here(rows: list[str]) -> str:
    """The map's message row: what was done."""
    return rows[1]


def is_half_way(rows: list[str]) -> bool:
    """Whether the bar says so."""
    return any("●" in row and " 50%" in row for row in rows)


def assert_restored(pty: Pty) -> None:
    assert pty.modes() == pty.before
    assert pty.written.count(ENTERED) == pty.written.count(LEFT) == 1
    assert pty.written.rindex(SHOWN) > pty.written.rindex(HIDDEN)
    assert pty.written.count(ON) == pty.written.count(OFF) == 1
    assert pty.written.rindex(OFF) > pty.written.rindex(ON)


def test_a_session_with_a_real_game() -> None:
    with Pty(*REPLAY) as pty:
        first = here(pty.wait_for("the game begins"))
        pty.send(".")
        assert here(pty.wait(lambda rows: here(rows) not in ("", first)))
        pty.send("50%G")
        pty.wait(is_half_way)
        pty.send("g/move\r")
        assert "move" in here(pty.wait_for(" /move  "))
        pty.send("h")
        pty.wait_for("twice as fast")
        pty.send("hq")
        assert pty.end() == 0
        assert_restored(pty)


def test_it_follows_the_size_of_the_window() -> None:
    with Pty(*REPLAY) as pty:
        pty.wait_for("h help  q quit")
        for width, height in ((132, 40), (40, 10), (80, 28)):
            pty.resize(20, 3)
            pty.wait(lambda rows: rows == ["too small", "", ""])
            pty.resize(width, height)
            assert here(pty.wait(lambda rows: rows[-1].endswith("h help  q quit")))
        pty.send("q")
        assert pty.end() == 0


def test_a_window_of_any_size_is_drawn_on_as_far_as_windows_go() -> None:
    with Pty(*REPLAY) as pty:
        pty.wait_for("h help  q quit")
        pty.grow(60_000)
        pty.wait(lambda rows: b"\x1b[500;" in pty.written)
        pty.send("q")
        assert pty.end() == 0
    assert max(map(int, re.findall(rb"\x1b\[(\d+);", pty.written))) < 1000  # on leaving a mode is set, too


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGQUIT, 131), (signal.SIGINT, 130)],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_signal_ends_it_and_the_terminal_is_restored(number: int, code: int) -> None:
    with Pty(*REPLAY) as pty:
        pty.wait_for("h help  q quit")
        assert pty.modes() != pty.before
        pty.signal(number)
        assert pty.end() == code
        assert_restored(pty)


def test_a_terminal_that_is_closed_ends_it_even_where_hang_ups_are_ignored() -> None:
    """What comes with a hang-up is SIGCONT, after which a terminal gets its modes again."""
    with Pty("sh", "-c", 'trap "" HUP; exec "$@"', "-", *REPLAY) as pty:
        pty.wait_for("h help  q quit")
        pty.signal(signal.SIGSTOP)
        os.waitid(os.P_PID, pty.pid, os.WSTOPPED | os.WNOWAIT)
        pty.hang_up()
        assert pty.exit_code() == 128 + signal.SIGHUP


def test_a_guardian_restores_the_terminal_of_a_client_that_is_killed() -> None:
    with Pty(*REPLAY) as pty:
        pty.wait_for("the game begins")
        pty.signal(signal.SIGKILL)
        assert pty.exit_code() == -signal.SIGKILL
        pty.wait(
            lambda _: pty.modes() == pty.before and ON in pty.written and OFF in pty.written
        )  # the guardian's turn
        assert_restored(pty)


def test_a_signal_ends_it_where_python_drops_what_its_handler_raises() -> None:
    with Pty(*PROGRAM, "dropped") as pty:
        pty.wait_for("moves 0")
        pty.send("..")
        assert pty.end() == 143
        assert_restored(pty)


def test_ctrl_c_ends_it_while_it_plays() -> None:
    with Pty(*REPLAY) as pty:
        pty.wait_for("h help  q quit")
        pty.send(" ")
        pty.wait_for("▶ playing")
        pty.send("\x03")
        assert pty.end() == 130
        assert_restored(pty)


def test_a_bug_ends_it_and_the_terminal_is_restored_before_it_is_reported() -> None:
    with Pty(*PROGRAM, "boom") as pty:
        pty.wait_for("moves 0")
        pty.send("..")
        assert pty.end() == 1
        assert_restored(pty)
        assert pty.written.index(LEFT) < pty.written.index(b"RuntimeError: boom")


def test_a_terminal_that_is_closed_ends_it() -> None:
    with Pty(*PROGRAM) as pty:
        pty.wait_for("moves 0")
        pty.hang_up()
        assert pty.exit_code() == 129


VERBS = {
    "play": ("play", "--new", "--name", "Ann", "--seed", "7"),
    "watch": ("watch", GAME),
    "replay": ("replay", GAME),
    "a list": ("replay", str(SAMPLES)),
    "lobby": ("lobby",),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_client_that_nobody_uses_ends_and_says_so(verb: str, tmp_path: Path) -> None:
    (tmp_path / "nhlog").mkdir()
    (tmp_path / "nhlog" / "config.toml").write_text("idle_minutes = 0.01\n")
    with Pty(*NHLOG, *VERBS[verb], XDG_CONFIG_HOME=str(tmp_path), XDG_DATA_HOME=str(tmp_path)) as pty:
        assert pty.end() == 0
        assert_restored(pty)
        assert pty.written.endswith(b"\r\n")
        assert pty.written.index(LEFT) < pty.written.index(b"ended after 0.01 minutes without a key")


def test_it_can_be_suspended_and_goes_on() -> None:
    with Pty("/bin/bash", "--norc", "--noediting", "-i", PS1="$ ") as pty:
        pty.wait_for("$")
        shell = pty.modes()
        pty.send(f"{shlex.join(PROGRAM)}\n")
        pty.wait_for("moves 0")
        pty.send("\x1a")
        pty.wait_for("Stopped")
        assert (pty.written.count(ENTERED), pty.written.count(LEFT)) == (1, 1)
        assert pty.modes() == shell
        pty.send("fg\n")
        pty.wait(lambda rows: pty.written.count(ENTERED) == 2)
        assert not pty.modes()[3] & termios.ICANON
        pty.send(".")
        pty.wait(lambda rows: any(row.startswith("▶") and "moves" in row for row in rows))
        pty.send("q")
        pty.wait(lambda rows: pty.written.count(LEFT) == 2)
        pty.send("echo code $?\n")
        pty.wait_for("code 0")
        assert pty.modes() == shell


def test_it_draws_anew_after_something_else_stopped_it() -> None:
    with Pty(*PROGRAM) as pty:
        pty.wait_for("moves 0")
        pty.signal(signal.SIGSTOP)
        os.waitpid(pty.pid, os.WUNTRACED)
        drawn = pty.written.count(b"moves 0")
        pty.signal(signal.SIGCONT)
        pty.wait(lambda rows: pty.written.count(b"moves 0") > drawn)
        pty.send("q")
        assert pty.end() == 0
        assert_restored(pty)


def test_frames_that_a_slow_line_cannot_take_are_dropped() -> None:
    """Nobody reads: it still plays, obeys, and has not queued what nobody saw."""
    with Pty(*PROGRAM, size=(200, 60)) as pty:
        pty.wait_for("moves 0")
        pty.send(" }}}}" + "." * 500)
        pty.send("q")
        assert pty.exit_code() == 0
        seen = len(pty.written)
        pty.end()
        assert len(pty.written) - seen < 100_000


@pytest.mark.parametrize(
    ("environment", "options", "colored"),
    [
        ({}, (), True),
        ({"NO_COLOR": "1"}, (), False),
        ({"NO_COLOR": "1"}, ("--color", "always"), True),
        ({}, ("--color", "never"), False),
        ({"NO_COLOR": ""}, (), True),
    ],
)
def test_colours_are_shown_where_they_are_wanted(
    environment: dict[str, str], options: tuple[str, ...], colored: bool
) -> None:
    with Pty(*REPLAY, *options, **environment) as pty:
        pty.wait_for("h help  q quit")
        pty.send("q")
        pty.end()
    assert (b"38;5;" in pty.written) is colored
    assert b"\x1b[0;1" in pty.written


@pytest.mark.parametrize(
    ("term", "colored"), [("xterm", True), ("linux", True), ("vt100", False), ("no-such-thing", True)]
)
def test_lesser_and_unknown_terminals_are_drawn_on(term: str, colored: bool) -> None:
    with Pty(*REPLAY, term=term) as pty:
        pty.wait_for("h help  q quit")
        pty.send(".")
        pty.wait(lambda rows: "begins" not in here(rows))
        pty.send("q")
        assert pty.end() == 0
        assert pty.modes() == pty.before
    assert b"38;5;" not in pty.written
    assert (b";37;44m" in pty.written) is colored


@pytest.mark.parametrize("environment", [{"LANG": "C"}, {"LC_ALL": "POSIX"}, {"LANG": "de_DE.ISO-8859-1"}])
def test_a_terminal_without_utf8_gets_ascii(environment: dict[str, str]) -> None:
    with Pty(*REPLAY, **environment) as pty:
        pty.wait_for("h help  q quit")
        assert any("|" in row for row in pty.rows[2:23])
        pty.send(" ")
        pty.wait_for("> playing")
        pty.send("q")
        pty.end()
    assert pty.written.isascii()


@pytest.mark.parametrize(
    ("program", "environment", "reason"),
    [
        (REPLAY, {"term": "dumb"}, "cannot move its cursor"),
        (REPLAY, {"term": ""}, "TERM is not set"),
        (("/bin/sh", "-c", f"{shlex.join(REPLAY)} < /dev/null"), {}, "not a terminal"),
        (("/bin/sh", "-c", f"{shlex.join(REPLAY)} 2>&1 | cat; exit 2"), {}, "not a terminal"),
    ],
)
def test_where_nothing_can_be_drawn_it_says_what_else_there_is(
    program: tuple[str, ...], environment: dict[str, str], reason: str
) -> None:
    with Pty(*program, **environment) as pty:  # type: ignore[arg-type]
        assert pty.end() == 2
    told = pty.written.decode()
    assert reason in told
    assert "nhlog show" in told
    assert "\x1b" not in told


def test_a_list_of_recordings_is_chosen_from() -> None:
    with Pty(*NHLOG, "replay", str(SAMPLES)) as pty:
        pty.wait_for("Enter open")
        pty.send("\x1b[B")
        second = pty.wait(lambda rows: rows[3].startswith("▶") and "finished" in rows[3])[3].split()[1]
        pty.send("\r")
        assert second in pty.wait_for("h help  q quit")[0]
        pty.send("q")
        pty.wait_for("Enter open")
        pty.send("q")
        assert pty.end() == 0
        assert_restored(pty)


@pytest.mark.parametrize(
    ("environment", "utf8_mode", "spoken"),
    [
        ({"LANG": "C.UTF-8"}, False, True),
        ({"LANG": "de_DE.utf8"}, False, True),
        ({"LANG": "C"}, False, False),
        ({}, True, False),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, True, False),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, False, True),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "C"}, True, False),
        ({"LANG": "C", "LC_ALL": "en_US.UTF-8"}, False, True),
        ({"LANG": "en_US.UTF-8", "LC_ALL": ""}, False, True),
    ],
)
def test_the_locale_tells_the_encoding(environment: dict[str, str], utf8_mode: bool, spoken: bool) -> None:
    assert speaks_utf8(environment, utf8_mode) is spoken


@pytest.fixture(scope="module")
def xterm() -> Painter:
    return painter(known_terminal("xterm-256color"), "auto", utf8=True)


def styled(fg: int | None, bold: bool, reverse: bool) -> Style:
    return Style(fg=fg, bold=bold, reverse=reverse)


screens = st.lists(
    st.tuples(
        st.integers(-3, 12),
        st.integers(0, 3),
        st.text("ab 世é─\x1b\n", max_size=12),
        st.builds(styled, st.none() | st.integers(0, 255), st.booleans(), st.booleans()),
    ),
    max_size=6,
)


@given(st.lists(screens, min_size=1, max_size=5))
def test_a_terminal_shows_the_last_screen_that_was_painted(
    xterm: Painter, frames: list[list[tuple[int, int, str, Style]]]
) -> None:
    terminal = pyte.Screen(13, 4)
    stream = pyte.ByteStream(terminal)
    shown: Screen | None = None
    for frame in frames:
        screen = Screen(12, 4)
        for x, y, text, style in frame:
            screen.put(x, y, text, style)
        stream.feed(xterm.paint(screen, shown))
        shown = screen
    assert shown is not None
    assert [row.rstrip() for row in terminal.display] == shown.text()
    for y, row in enumerate(shown.text()):
        for x in range(len(row)):
            cell, style = terminal.buffer[y][x], shown.style_at(x, y)
            assert (cell.bold, cell.reverse) == (style.bold, style.reverse)


@pytest.mark.parametrize("place", [(0, 0), (8, 9), (59, 199), (998, 998)])
def test_the_cursor_goes_where_terminfo_sends_it_without_asking_it(
    place: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = known_terminal("xterm-256color")
    told = terminal.move_yx(*place)
    monkeypatch.delattr(ParameterizingString, "__call__")  # what asks it
    assert painter(terminal, "auto", utf8=True).move(*place) == told


def test_a_terminal_that_moves_its_cursor_in_another_way_is_sent_that() -> None:
    terminal = known_terminal("xterm-256color")
    terminal.move = ParameterizingString("\x1bY%p1%' '%+%c%p2%' '%+%c", "", "move")  # a VT52's
    assert painter(terminal, "auto", utf8=True).move(1, 2) == '\x1bY!"'


def test_an_unchanged_screen_costs_nothing(xterm: Painter) -> None:
    screen = Screen(80, 24)
    screen.put(0, 0, "hello")
    assert xterm.paint(screen, screen) == b""
