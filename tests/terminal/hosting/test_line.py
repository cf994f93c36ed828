"""The line that who plays a program says to those who watch, typed over the game, which never sees it."""

import signal
from pathlib import Path
from typing import Any

import pytest

from nhlog.beside.talk import Talk
from nhlog.players.bans import Ban
from nhlog.players.mutes import mutes
from nhlog.vt import Size, Terminal
from terminal.hosting.line import Line
from terminal.hosting.mail import typed
from tests.recorder.recordings import output_of
from tests.terminal.hosting.test_hosting import Playing, ended, recordings, table
from tests.waiting import eventually

SCREEN = (
    r"stty -echo; printf '\033[9;9Hmain\033[?1049h\033[2J\033[3;5Hbegun\033[31m'; "
    "while read key; do printf 'got %s.' $key; done"
)
GAME = table(SCREEN, on_disconnect="'keep'")
CALL = "\x1d"


def state_of(player: Playing) -> tuple[Any, ...]:
    """What the player's terminal has, on its main screen, too, but for the title."""
    terminal = Terminal(Size(80, 24))
    terminal.feed(player.written)
    state, grid = terminal.state.removesuffix(b"\x1b(B"), terminal.grid()
    terminal.feed(b"\x1b[?1049l")
    return state, grid.rows, grid.cursor, terminal.grid().rows


def said(folder: Path) -> list[str]:
    talk = Talk(str(recordings(folder)[0]))
    talk.look()
    return [str(line) for line in talk.said]


def test_a_line_is_said_to_those_who_watch_and_the_game_is_as_before(tmp_path: Path) -> None:
    with Playing(tmp_path, GAME) as player:
        player.wait_for("begun")
        before = state_of(player)
        player.send(CALL)
        assert player.wait_for("To all who watch:")[2] == "    begun"
        player.send("thänks\x7fs!\x1b[A")
        assert player.wait_for("thänks!")[23] == "To all who watch: thänks!"
        player.send("\r")
        player.wait(lambda rows: state_of(player) == before)
        assert eventually(lambda: said(tmp_path) == ["ann: thänks!"])
        player.send("north\n")
        assert player.wait_for("got north.")[2] == "    begungot north."
        player.send("\x04")
        player.read_end()
        player.afterwards()
        assert player.modes() == player.before
    ended(tmp_path)
    assert b"th" not in output_of(recordings(tmp_path)[0]).replace(b"north", b"")


def test_what_is_typed_at_once_goes_each_where_it_belongs(tmp_path: Path) -> None:
    with Playing(tmp_path, GAME) as player:
        player.wait_for("begun")
        player.send(f"west\n{CALL}one\reast\n{CALL}two\x1bsouth\n{CALL}three\rnorth\n")
        assert player.wait_for("got north.")[2] == "    begungot west.got east.got south.got north."
        assert eventually(lambda: said(tmp_path) == ["ann: one", "ann: three"])
        player.send("\x04")
        player.read_end()
    ended(tmp_path)


def test_what_the_game_writes_meanwhile_is_shown_beneath_the_line_which_escape_drops(tmp_path: Path) -> None:
    script = r"printf begun; read key; stty -echo; mkfifo go; read word <go; printf ' and %s' $word; read key"
    with Playing(tmp_path, table(script)) as player:
        player.wait_for("begun")
        player.send("\n")
        assert eventually((tmp_path / "ann" / "home" / "go").exists)
        player.send(f"{CALL}hello")
        player.wait_for("hello")
        (tmp_path / "ann" / "home" / "go").write_text("on\n")
        player.wait(lambda rows: rows[23] == "To all who watch: hello" and any("and on" in row for row in rows))
        player.send("\x1b")
        player.wait(lambda rows: rows[23] == "" and any("and on" in row for row in rows))
        assert said(tmp_path) == []


def test_what_the_game_draws_at_another_size_is_shown_beneath_the_line(tmp_path: Path) -> None:
    script = "trap 'stty size' WINCH; echo begun; while :; do read key; done"
    with Playing(tmp_path, table(script)) as player:
        player.wait_for("begun")
        player.send(f"{CALL}hello")
        player.wait_for("hello")
        player.resize(90, 30)
        player.wait(lambda rows: rows[1] == "30 90" and rows[29] == "To all who watch: hello")
        player.send(" you\r")
        player.wait(lambda rows: rows[1] == "30 90" and rows[29] == "")
    assert eventually(lambda: said(tmp_path) == ["ann: hello you"])


def test_a_game_that_leaves_the_alternate_screen_meanwhile_is_on_the_main_one_afterwards(tmp_path: Path) -> None:
    script = r"printf '\033[9;9Hmain\033[?1049h\033[2J\033[Hbegun'; mkfifo go; read word <go; "
    with Playing(tmp_path, table(script + r"printf '\033[?1049l and %s' $word; read key")) as player:
        player.wait_for("begun")
        player.send(f"{CALL}hello")
        player.wait_for("hello")
        (tmp_path / "ann" / "home" / "go").write_text("on\n")
        assert eventually(lambda: b"and on" in output_of(recordings(tmp_path)[0]))
        player.send("\x1b")
        assert player.wait_for("main and on")[8] == "        main and on"
        _, shown, _, behind = state_of(player)
        assert shown == behind  # there is no screen before it


def test_a_game_that_ends_meanwhile_shows_what_it_said_last(tmp_path: Path) -> None:
    script = "mkfifo go; printf begun; read word <go; printf ' and %s' $word"
    with Playing(tmp_path, table(script)) as player:
        player.wait_for("begun")
        player.send(f"{CALL}hello")
        player.wait_for("hello")
        (tmp_path / "ann" / "home" / "go").write_text("over\n")
        rows = player.wait_for("[press any key to go back]")
        assert [row for row in rows if row] == ["begun and over", "[press any key to go back]"]
        player.send(" ")
        player.afterwards()
        assert player.modes() == player.before


def test_who_is_resized_killed_or_replaced_meanwhile_leaves_the_game_unharmed(tmp_path: Path) -> None:
    with Playing(tmp_path, GAME) as first:
        first.wait_for("begun")
        first.send(f"{CALL}hello")
        first.wait_for("hello")
        first.resize(90, 30)
        first.wait(lambda rows: rows[29] == "To all who watch: hello" and not rows[23] and rows[2] == "    begun")
        first.send("\x1b")
        first.wait(lambda rows: rows[2] == "    begun" and not rows[29])
        first.send(f"{CALL}hello")
        first.wait_for("hello")
        first.signal(signal.SIGKILL)
        first.exit_code()
        assert eventually(lambda: first.modes() == first.before)
    with Playing(tmp_path, GAME) as second:
        second.wait_for("begun")
        second.send(f"{CALL}hello")
        second.wait_for("hello")
        with Playing(tmp_path, GAME) as third:
            third.wait_for("begun")
            assert second.afterwards() == "it: it is now played in another terminal"
            assert second.modes() == second.before
            third.send("north\n")
            third.wait_for("got north.")
            third.send("\x04")
            third.read_end()
    ended(tmp_path)
    assert said(tmp_path) == []


def test_of_a_large_game_all_is_drawn_again_beneath_the_line(tmp_path: Path) -> None:
    cell = r"\033[38;2;%d;%d;%dmx"
    fill = f"awk 'BEGIN {{ for (y = 60; y; y--) for (x = 1; x < 201; x++) printf \"{cell}\", x, y, x * y % 256 }}'"
    with Playing(tmp_path, table(f"{fill}; read key"), size=(200, 60)) as player:
        player.wait(lambda rows: rows == ["x" * 200] * 60)
        player.send(f"{CALL}hello")
        player.wait_for("hello")
        before = len(player.written)
        player.resize(200, 61)
        player.wait(lambda rows: rows[:60] == ["x" * 200] * 60 and rows[60] == "To all who watch: hello")
        assert len(player.written) - before > 1 << 17  # more than a terminal takes at once


def test_who_is_muted_is_told_so(tmp_path: Path) -> None:
    mutes(tmp_path / "keys").put(Ban("ann", None, "no insults"))
    with Playing(tmp_path, table(SCREEN, size="'80x20'")) as player:
        player.wait_for("begun")
        player.send(f"{CALL}hello\r")
        player.wait_for("you may not write to others")
    assert said(tmp_path) == []


def test_a_line_is_no_longer_than_is_taken_and_its_end_is_shown() -> None:
    line = Line("> ", 5)
    assert line.feed("abcdéfg".encode()) is None
    assert line.text == "abcdé"
    terminal = Terminal(Size(5, 2))
    terminal.feed(b"\x1b[4h\x1b[?6h\x1b(0\x1b]2;begun" + typed(str(line), Size(5, 2)))
    assert terminal.grid().text()[1] == "bcdé"
    assert terminal.grid().cursor == (4, 1)


@pytest.mark.parametrize("data", [b"\x1b", b"\x1b[A\x1b", b"a\x7f\x7fnorth", b"a\x1bnorth", b"\rnorth", b"a\nnorth"])
def test_what_follows_the_end_of_a_line_is_the_games(data: bytes) -> None:
    line = Line("> ", 5)
    rest = line.feed(data)
    assert (line.flush() if rest is None else rest) == (b"north" if data.endswith(b"north") else b"")
