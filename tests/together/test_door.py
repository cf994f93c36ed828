"""A server as docs/server.md sets it up, behind a real sshd: who has a key plays or watches, and nothing else runs."""

import re
import shlex
import shutil
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nhlog.log.file import LogFile
from nhlog.log.log import Log
from tests.terminal.pty import Pty
from tests.terminal.web.site import Served, serving
from tests.together.door import Door

ELSEWHERE = "../../../../etc/passwd\x1b]0;x\x07"
LEADING = ("EDITOR", "NHLOG_PAGER", "PYTHONSTARTUP", "LD_PRELOAD")


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    with Door(tmp_path_factory.mktemp("door")) as door:
        for name in ("ann", "bob", "cyn"):
            door.let_in(name)
        door.let_in("guest", "--spectator")
        yield door


def turn(turn: int) -> Callable[[list[str]], bool]:
    return lambda rows: any(f"T:{turn}" in row.split() for row in rows)


def test_one_plays_and_one_watches_and_a_lost_connection_loses_nothing(door: Door) -> None:
    with door.opens("ann") as ann, opened_by_force(door, "guest") as guest:
        ann.wait_for("no games yet")
        ann.send("n")
        ann.wait_for("Which game?")
        ann.send("a")
        ann.wait_for("Who are you?")
        ann.send("c")
        ann.wait_for("Welcome to the Delve, ann the")
        ann.send("..")
        ann.wait(turn(3))
        guest.wait_for("games of others")
        guest.send("!\x1a|")
        guest.wait_for("no such key")
        guest.send("\r")
        guest.wait(turn(3))
        only_the_lobby_runs(door)
        ann.send("O")
        ann.wait_for("colours")
        ann.send("kkk\x1b[D")
        ann.wait_for("ascii")
        ann.signal(signal.SIGKILL)
        ann.exit_code()
        with door.opens("ann") as again:
            again.wait_for("your games")
            again.send("\r")
            again.wait(turn(3))
            again.send(".")
            again.wait(turn(4))
            guest.wait(turn(4))
    [game] = (door.players / "ann" / "games").glob("*.nhgame")
    with LogFile(str(game)) as file:
        assert Log(file).header.player == "ann"
    assert 'symbols = "ascii"' in (door.players / "ann" / "settings" / "nhlog" / "options.toml").read_text()
    assert [*door.own.iterdir()] == []


@pytest.mark.skipif(not Path("/usr/games/nethack").exists(), reason="no NetHack on this machine: nethack-console")
@pytest.mark.skipif(not shutil.which("bwrap"), reason="no walls on this machine: bubblewrap")
@pytest.mark.skipif(not shutil.which("nano"), reason="no editor on this machine: nano")
def test_a_lost_connection_saves_a_game_of_nethack(door: Door) -> None:
    with door.opens("bob") as bob:
        bob.wait_for("nhlog: ")
        bob.send("e")
        bob.wait_for("Edit the options of which game?")
        bob.send("a")
        bob.wait_for("Restricted")
        bob.send("OPTIONS=race:elf,role:wizard\r\x1a\x14\x12#/etc/passwd\r")  # to stop, to run, to read
        only_the_lobby_runs(door)
        bob.send("\x0f\r")
        bob.wait_for("Wrote")
        bob.send("\x18")
        bob.wait_for("Enter open")
        bob.send("n")
        bob.wait_for("Which game?")
        bob.send("b")
        bob.wait_for("Shall I pick")
        bob.send("y")
        bob.wait_for("bob, chaotic ")
        bob.send("y")
        bob.wait_for("--More--")
        bob.send("\x1b\x1b!")
        bob.wait_for("Unknown command")
        only_the_lobby_runs(door)
        bob.signal(signal.SIGKILL)
        bob.exit_code()
    with door.opens("bob") as bob:
        bob.wait_for("nhlog: ")
        bob.send("n")
        bob.wait_for("Which game?")
        bob.send("b")
        bob.wait_for("Restoring save file...")
        bob.send(" ")
        bob.wait_for("welcome back to NetHack")
        bob.send("Sy")
        bob.wait_for("[press any key to go back]")
        bob.send(" ")
        bob.wait_for("NetHack has ended")


@pytest.mark.skipif(not Path("/usr/games/crawl").exists(), reason="no Dungeon Crawl on this machine: crawl")
@pytest.mark.skipif(not shutil.which("bwrap"), reason="no walls on this machine: bubblewrap")
def test_a_game_of_crawl_goes_on_without_its_player_and_is_watched_in_the_lobby_and_on_the_page(door: Door) -> None:
    with door.opens("cyn") as cyn:
        cyn.wait_for("nhlog: ")
        cyn.send("n")
        cyn.wait_for("Which game?")
        cyn.send(letter_of("Dungeon Crawl", cyn) + "\r")
        for chosen in ("Human", "Conjurer"):  # who has no choice of weapons
            cyn.wait_for(f"- {chosen}")
            cyn.send(letter_of(chosen, cyn))
        cyn.wait_for("cyn the Human Conjurer.")
        cyn.send("s" * 3)
        cyn.wait(crawled(3))
        only_the_lobby_runs(door)
        cyn.signal(signal.SIGKILL)
        cyn.exit_code()
    with door.opens("guest") as guest:
        guest.wait(lambda rows: any(crawling(row) for row in rows))
        guest.send("/cyn\r\r")
        guest.wait(crawled(3))
        with door.opens("cyn") as cyn, serving(door.players / "cyn" / "recordings") as served:
            cyn.wait_for("your games")
            cyn.send("\r")
            cyn.wait(crawled(3))
            cyn.send("s")
            guest.wait(crawled(4))
            row = row_of("cyn", served)
            assert (row["game"], row["place"], row["turn"] in (3, 4)) == ("Dungeon Crawl", "Dungeon:1", True)
            with served.page(f"/ws/view/{row['id']}") as page:
                page.shows("Time: 4.0")
                cyn.send("s")
                page.shows("Time: 5.0")
            cyn.send("\x13")
            cyn.wait_for("Dungeon Crawl has ended")
            cyn.send("n")
            cyn.wait_for("Dungeon Crawl (saved)")
            cyn.send(letter_of("Dungeon Crawl", cyn) + "\r")
            cyn.wait_for("Welcome back, cyn")
            cyn.send("\x13")  # or it would go on without its player
            cyn.wait_for("Dungeon Crawl has ended")


def row_of(player: str, served: Served) -> dict[str, Any]:
    """What the page tells of this player's game, once it knows where it is played."""
    with served.page("/ws/lobby") as page:
        while True:
            told = page.next()
            for row in told.get("rows", told.get("put", ())):
                if (row["player"], row["place"] != "") == (player, True):
                    return dict(row)


def letter_of(choice: str, terminal: Pty) -> str:
    """The key of a menu's row on this screen."""
    [letter] = re.findall(rf"(\w) [->] {choice}", "\n".join(terminal.rows))
    return str(letter)


def crawled(turns: int) -> Callable[[list[str]], bool]:
    return lambda rows: any(f"Time: {turns}.0 " in row for row in rows)


def crawling(row: str) -> bool:
    return "cyn " in row and "Dungeon Crawl" in row and "Dungeon:1" in row and "playing" in row


def opened_by_force(door: Door, name: str) -> Pty:
    """A terminal of a name that leads elsewhere, with variables that would."""
    return door.opens(name, "-A", "-o", f"SetEnv={' '.join(f'{variable}=sh' for variable in LEADING)}", term=ELSEWHERE)


def only_the_lobby_runs(door: Door) -> None:
    """But for the shell of the account, by which sshd starts it; nothing has a variable of ours."""
    assert not {*LEADING} & door.variables()
    lobby, game = (
        (
            "lobby --player",
            "lobby --spectator",
            "-m terminal.lobby.reading",
            "-m nhlog.emulator.worker",
            "/tty/waiting.py",
        ),
        ("terminal.hosting", "nethack", "crawl", "nano --restricted"),
    )
    for line in map(shlex.join, door.runs()):
        assert any(part in line for part in (*lobby, *game)), line


def test_what_a_player_asks_to_have_run_is_not_run(door: Door, tmp_path: Path) -> None:
    made = tmp_path / "made"
    done = door.tries("bob", f"touch {made}; \x1b[2J$(touch {made})")
    assert "only the lobby can run here" in done.stderr
    assert (done.returncode, done.stdout, made.exists()) == (2, "", False)


def test_no_files_are_copied(door: Door) -> None:
    done = door.tries("bob", "sftp", options=("-s",))
    assert (done.returncode, done.stdout) == (2, "")


def test_no_port_is_forwarded(door: Door) -> None:
    with socket.create_server(("127.0.0.1", 0)) as within:
        port = within.getsockname()[1]
        assert "administratively prohibited" in door.tries("bob", options=("-W", f"127.0.0.1:{port}")).stderr
        within.setblocking(False)
        with pytest.raises(BlockingIOError):
            within.accept()
    back = door.tries("bob", options=("-N", "-R", "0:127.0.0.1:9", "-o", "ExitOnForwardFailure=yes"))
    assert "remote port forwarding failed" in back.stderr


def test_who_is_removed_is_not_let_in_any_more(door: Door) -> None:
    door.shut_out("bob")
    assert "Permission denied" in door.tries("bob").stderr
