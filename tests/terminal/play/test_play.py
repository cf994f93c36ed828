"""A game played in a terminal: by keys, from two terminals, through a lost connection, to its end."""

import os
import re
import signal
from pathlib import Path

import pytest

from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.verify import Finding, verify
from tests.corpus import ROOT
from tests.processes import Child
from tests.terminal.pty import NHLOG, Pty
from tests.terminal.screen.test_console import assert_restored
from tests.waiting import eventually


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """An environment with a home of its own."""
    return {
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_CONFIG_DIRS": str(tmp_path / "system"),
        "LOGNAME": "ann",
    }


def new_game(*arguments: str) -> tuple[str, ...]:
    return (*NHLOG, "play", "--new", "--name", "Ann", "--role", "Wiz", "--seed", "7", *arguments)


def the_log(home: dict[str, str]) -> str:
    [path] = (Path(home["XDG_DATA_HOME"]) / "nhlog" / "games").glob("*.nhgame")
    return str(path)


def lines(path: str) -> list[str]:
    with LogFile(path) as file:
        log = Log(file)
        assert [found for found in verify(log) if isinstance(found, Finding)] == []
        return [log.raw(number).data.decode("latin-1") for number in range(len(log))]


def turn(rows: list[str]) -> int:
    """The turn in the status rows."""
    status = next((row for row in rows if " T:" in row), " T:0")
    return int(status.rpartition(" T:")[2].split()[0])


def test_a_game_is_begun_played_left_and_gone_on_with(home: dict[str, str]) -> None:
    with Pty(*new_game(), **home) as pty:
        pty.wait(lambda rows: turn(rows) == 1)
        pty.send("20s")
        pty.wait(lambda rows: turn(rows) == 21)
        pty.send("?")
        pty.wait_for("walk west")
        pty.send("?i")
        pty.wait_for("book of force bolt")
        pty.send(" S")
        assert pty.end() == 0
        assert_restored(pty)
    path = the_log(home)
    written = lines(path)
    assert "search L20" in written
    assert written.count("repeat") == 19
    with Pty(*NHLOG, "play", "--name", "Ann", **home) as pty:
        pty.wait(lambda rows: turn(rows) == 21)
        pty.send("S")
        assert pty.end() == 0
    assert lines(path).count("welcome") == 2


def test_a_lost_connection_loses_nothing(home: dict[str, str]) -> None:
    with Pty(*new_game(), **home) as pty:
        pty.wait(lambda rows: turn(rows) == 1)
        pty.send("sss")
        pty.wait(lambda rows: turn(rows) == 4)
        pty.signal(signal.SIGKILL)
        assert pty.end() == -signal.SIGKILL
    with Pty(*NHLOG, "play", the_log(home), **home) as pty:
        pty.wait(lambda rows: turn(rows) == 4)
        pty.send("sS")
        assert pty.end() == 0
    assert lines(the_log(home)).count("search") == 4


def test_a_player_sees_who_else_is_there(home: dict[str, str]) -> None:
    with Pty(*new_game(), **home) as old:
        old.wait(lambda rows: turn(rows) == 1)
        with Pty(*NHLOG, "watch", the_log(home), **home) as spectator:
            old.wait_for("1 watching")
            with Pty(*NHLOG, "play", the_log(home), **home) as new:
                new.wait_for("with your other terminal, 1 watching")
                new.send("S")
                assert new.end() == 0
            spectator.send("q")
            assert spectator.end() == 0
        old.send("s")
        old.wait(lambda rows: not any("watching" in row or "other terminal" in row for row in rows))


def state(path: str) -> str:
    """What line 2 of the header says."""
    return Path(path).read_bytes()[31:109].decode().strip()


@pytest.mark.parametrize("ending", ["S", "SIGHUP", "SIGTERM", "hang up"])
def test_line_2_is_right_however_a_player_leaves(home: dict[str, str], ending: str) -> None:
    with Pty(*new_game(), **home) as pty:
        pty.wait(lambda rows: turn(rows) == 1)
        pty.send("ss")
        pty.wait(lambda rows: turn(rows) == 3)
        if ending == "S":
            pty.send("S")
        elif ending == "hang up":
            pty.hang_up()
        else:
            pty.signal(signal.Signals[ending])
        pty.exit_code()
    assert state(the_log(home)) == "Exp:1, 3 turns, on Delve:1"


def test_line_2_is_right_after_a_kill_and_the_next_opening(home: dict[str, str]) -> None:
    with Pty(*new_game(), **home) as pty:
        pty.wait(lambda rows: turn(rows) == 1)
        pty.send("ss")
        pty.wait(lambda rows: turn(rows) == 3)
        pty.signal(signal.SIGKILL)
        pty.end()
    with Pty(*NHLOG, "play", the_log(home), **home) as pty:
        pty.wait(lambda rows: turn(rows) == 3)
        assert eventually(lambda: state(the_log(home)) == "Exp:1, 3 turns, on Delve:1")
        pty.signal(signal.SIGKILL)


DYING = f"""
sys.path.insert(0, {str(ROOT)!r})
from nhlog.log.file import LogFile
with LogFile(path, writable=True) as file, file.writing():
    file.pwrite(b"sear", file.size())
    os.kill(os.getpid(), 9)
"""
"""A player whose process dies while it writes a line."""


def test_a_half_written_line_is_cut_off_by_an_idle_player_and_nobody_is_told_of_a_rewind(home: dict[str, str]) -> None:
    with Pty(*new_game(), **home) as pty:
        pty.wait(lambda rows: turn(rows) == 1)
        path = Path(the_log(home))
        with Child(DYING, str(path)) as dying:
            assert dying.wait() == -signal.SIGKILL
        assert eventually(lambda: path.read_bytes().endswith(b"\n"))
        assert path.read_bytes().startswith(b"NHGAME save 00000002 ")
        pty.send("s")
        rows = pty.wait(lambda rows: turn(rows) == 2)
        assert not any("taken back" in row or "recovered" in row for row in rows)
        pty.send("S")
        assert pty.end() == 0
    assert lines(str(path)).count("search") == 1


def test_a_question_is_for_who_made_the_game_ask_until_another_takes_it_over(home: dict[str, str]) -> None:
    with Pty(*new_game(), **home) as old:
        old.wait(lambda rows: turn(rows) == 1)
        with Pty(*NHLOG, "play", the_log(home), **home) as new:
            new.wait(lambda rows: turn(rows) == 1)
            old.send("p")
            new.wait_for("Do you want to pray?")
            new.wait_for("answers for your other terminal")
            new.send("n\r i")  # neither is an answer; the pack can be looked at
            new.wait_for("book of force bolt")
            new.send(" \x14n")  # ^T takes the question over
            new.wait(lambda rows: "pray" not in rows[0])
            old.wait_for("your other terminal: answer: n")
            new.send("S")
            assert new.end() == 0
        old.send("S")
        assert old.end() == 0
    assert [line for line in lines(the_log(home)) if line[0] in "pY"] == ["pray", "Yn"]


def test_two_terminals_play_the_same_game_and_each_sees_what_the_other_does(home: dict[str, str]) -> None:
    with Pty(*new_game(), **home) as old:
        old.wait(lambda rows: turn(rows) == 1)
        with Pty(*NHLOG, "play", the_log(home), **home) as new:
            new.wait(lambda rows: turn(rows) == 1)
            old.wait_for("your other terminal: enters the game")
            new.send("ss")
            new.wait(lambda rows: turn(rows) == 3)
            old.wait(lambda rows: turn(rows) == 3)
            old.wait_for("your other terminal: searches")
            old.send("\r")  # nobody is put away by it
            old.send("s")
            new.wait_for("your other terminal: searches")
            old.wait(lambda rows: turn(rows) == 4)
            new.wait(lambda rows: turn(rows) == 4)
            new.send("S")
            assert new.end() == 0
        old.send("S")
        assert old.end() == 0
    assert lines(the_log(home)).count("search") == 3


def test_a_game_ends_is_watched_again_and_stands_in_the_lobby_as_finished(home: dict[str, str]) -> None:
    with Pty(*NHLOG, **home) as pty:
        pty.wait_for("There are no games yet")
        pty.send("n")
        pty.pick_delve()
        pty.wait_for("What is your name?")
        pty.send("\x7f" * 20 + "Zoe\r")
        pty.wait_for("Who are you?")
        pty.send("a")
        pty.wait(lambda rows: turn(rows) == 1)
        pty.send("ss#quit\r")
        pty.wait_for("[y")
        pty.send("y")
        pty.wait_for("The game is over: quit")
        pty.send("R")
        pty.wait_for("watching again")
        pty.send("g")
        pty.wait(lambda rows: turn(rows) == 1)
        pty.send("q")
        pty.wait_for("The game is over: quit")
        pty.send("q")
        pty.wait_for("finished games")
        assert any("Zoe" in row and "quit" in row for row in pty.rows)
        pty.send("q")
        assert pty.end() == 0
        assert_restored(pty)


def test_a_game_from_the_lobby_is_in_the_world_that_its_tournament_asks_for(
    nhlog, home: dict[str, str], tmp_path: Path
) -> None:
    rules, config = tmp_path / "one.toml", Path(home["XDG_CONFIG_HOME"]) / "nhlog" / "config.toml"
    times = "begin = 2020-01-01T00:00:00Z\nend = 2100-01-01T00:00:00Z"
    rules.write_text(f'title = "One"\n{times}\nseeds = [42]\n[[trophies]]\ntitle = "T"\ncount = true\n')
    config.parent.mkdir(parents=True)
    config.write_text(f'tournaments = ["{rules}"]\n')
    with Pty(*NHLOG, **home) as pty:
        pty.wait_for("There are no games yet")
        pty.send("n")
        pty.pick_delve()
        pty.wait_for("What is your name?")
        pty.send("Zoe\r")
        pty.send(re.findall(r"(\w) - that of seed 42: One", "".join(pty.wait_for(": One")))[0])
        pty.wait_for("in the world of seed 42")
        pty.send("\r")
        pty.wait(lambda rows: turn(rows) == 1)
        pty.send("#quit\r")
        pty.wait_for("[y")
        pty.send("y")
        pty.wait_for("The game is over: quit")
    assert nhlog("info", the_log(home), "--json").records[0]["mode"] == "set seed"
    assert [record["player"] for record in nhlog("tournament", rules, the_log(home), "--json").records] == ["Zoe"]


def test_a_spectator_of_a_live_game_sees_each_turn_and_looks_back(home: dict[str, str]) -> None:
    with Pty(*new_game(), **home) as player:
        player.wait(lambda rows: turn(rows) == 1)
        with Pty(*NHLOG, "watch", the_log(home), **home) as watcher:
            watcher.wait(lambda rows: turn(rows) == 1)
            player.send("ss")
            watcher.wait(lambda rows: turn(rows) == 3)
            watcher.send("g")
            watcher.wait(lambda rows: turn(rows) == 1)
            player.send("s")
            player.wait(lambda rows: turn(rows) == 4)
            watcher.send("F")
            watcher.wait(lambda rows: turn(rows) == 4)
            watcher.send("q")
            assert watcher.end() == 0
        player.send("S")
        assert player.end() == 0


@pytest.mark.parametrize("mode", ["normal", "explore"])
def test_a_game_is_taken_back_from_the_client_by_those_who_may(home: dict[str, str], mode: str) -> None:
    with Pty(*NHLOG, "play", "--new", "--name", "Ann", "--mode", mode, **home) as player:
        player.wait(lambda rows: turn(rows) == 1)
        player.send("ssss")
        player.wait(lambda rows: turn(rows) == 5)
        with Pty(*NHLOG, "replay", the_log(home), "--at", "turn:3", **home) as admin:
            admin.wait(lambda rows: turn(rows) == 3)
            admin.send("#rewind\r")
            if mode == "normal":
                admin.wait_for("nhlog rewind --force")
                admin.send("q")
                assert admin.end() == 0
                assert turn(player.rows) == 5
                return
            admin.wait_for("Lost: 2 turns")
            admin.send("y\r")
            admin.wait_for("back to turn 3")
            admin.send("q")
            assert admin.end() == 0
        player.wait(lambda rows: turn(rows) == 3)
        player.send("s")
        player.wait(lambda rows: turn(rows) == 4)
        player.send("S")
        assert player.end() == 0


def test_the_hero_of_an_earlier_game_is_seen_at_the_same_turn(home: dict[str, str]) -> None:
    with Pty(*new_game(), **home) as first:
        first.wait(lambda rows: turn(rows) == 1)
        first.send("hsssS")
        assert first.end() == 0
    ghost = the_log(home)
    os.rename(ghost, os.path.join(home["HOME"], "ghost.nhgame"))
    with Pty(*new_game("--ghost", os.path.join(home["HOME"], "ghost.nhgame")), **home) as pty:
        pty.wait(lambda rows: turn(rows) == 1)
        pty.send("s")
        rows = pty.wait(lambda rows: turn(rows) == 2 and sum(row.count("@") for row in rows) == 2)
        assert sum(row.count("@") for row in rows) == 2
        pty.send("S")
        assert pty.end() == 0
