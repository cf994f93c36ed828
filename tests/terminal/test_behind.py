"""Lobbies of players that are forked from a service: real ones, behind the processes that stand in front of them."""

import os
import signal
import sys
from pathlib import Path

import pytest

from nhlog.files.processes import state_of
from nhlog.log.locks.signals import SIGNALS
from nhlog.players import PlayerFolder, Players
from nhlog.players.sessions import present
from scripts.measures.processes import children_of, parent_of
from terminal.screen.tty import waiting
from tests.terminal.pty import NHLOG, Pty
from tests.waiting import eventually

SHOWN = "no games yet"
LOBBY = (*NHLOG, "lobby", "--player", "ann")
BY_INTERPRETER = (sys.executable, "-u", *LOBBY[1:])  # which has nothing of what those have that start at once
PLAYED = "trap 'stty size' WINCH; echo begun; while :; do read key && echo $key; done"


@pytest.fixture
def ann(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlayerFolder:
    """A player of a server."""
    players, config = tmp_path / "players", tmp_path / "etc" / "nhlog" / "config.toml"
    players.mkdir()
    config.parent.mkdir(parents=True)
    game = f"[games.it]\ntitle = 'It'\ncommand = ['sh', '-c', \"\"\"{PLAYED}\"\"\"]\n"
    game += "[games.short]\ntitle = 'Short'\ncommand = ['sh', '-c', 'echo begun; read key']\n"
    config.write_text(f"players = '{players}'\nmotd = 'À tous'\n{game}")
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / "etc"))
    return Players(players).folder("ann")


def lobby_of(ann: PlayerFolder) -> int:
    """The process that is the player's only lobby."""
    [there] = present(ann)
    return there.process.pid


def list_of(lobby: int) -> int:
    """The process of this lobby that has the list."""
    [there] = children_of(lobby)
    return there


def command_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/cmdline").read_text().split("\0")[1:-1]


def is_gone(pid: int) -> bool:
    return state_of(pid) in ("", "Z", "X")


def test_a_lobby_is_forked_and_who_is_in_front_is_small_and_ends_with_its_code(ann: PlayerFolder) -> None:
    with Pty(*LOBBY) as pty:
        pty.wait_for(SHOWN)
        assert pty.modes() != pty.before
        assert command_of(pty.pid) == ["-I", "-S", waiting.__file__, "front"]
        assert command_of(lobby_of(ann))[1:4] == ["-m", "nhlog.forked", "terminal.behind"]
        pty.send("q")
        assert pty.end() == 0
        assert pty.modes() == pty.before


def test_who_is_in_front_keeps_nothing_open_but_the_terminal_the_channel_and_who_is_behind(ann: PlayerFolder) -> None:
    with Pty(*LOBBY) as pty:
        pty.wait_for(SHOWN)
        files = {name: os.readlink(f"/proc/{pty.pid}/fd/{name}") for name in os.listdir(f"/proc/{pty.pid}/fd")}
        assert {files.pop(name) for name in "012"} == {os.readlink(f"/proc/{lobby_of(ann)}/fd/0")}
        assert {name: file.partition(":")[0] for name, file in files.items()} == {"3": "socket", "4": "anon_inode"}


def test_a_lobby_behind_another_process_has_the_signals_of_the_handshake_blocked(ann: PlayerFolder) -> None:
    with Pty(*BY_INTERPRETER) as pty:
        pty.wait_for(SHOWN)
        status = Path(f"/proc/{lobby_of(ann)}/status").read_text()
        [blocked] = [int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigBlk:")]
        assert {number for number in SIGNALS if not blocked >> (number - 1) & 1} == set()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGQUIT, 131)]
)
def test_a_signal_to_who_is_in_front_ends_the_lobby(ann: PlayerFolder, number: int, code: int) -> None:
    with Pty(*LOBBY) as pty:
        pty.wait_for(SHOWN)
        lobby = lobby_of(ann)
        pty.signal(number)
        assert pty.end() == code
        assert pty.modes() == pty.before
        assert eventually(lambda: is_gone(lobby))


def test_a_game_hears_of_another_size_of_the_terminal(ann: PlayerFolder) -> None:
    with Pty(*LOBBY, size=(80, 24)) as pty:
        begin_it(pty)
        pty.resize(90, 40)
        pty.wait_for("40 90")


@pytest.mark.parametrize("killed", ["lobby", "list"])
def test_a_lobby_that_is_killed_leaves_its_terminal_as_it_was_found(ann: PlayerFolder, killed: str) -> None:
    with Pty(*LOBBY) as pty:
        pty.wait_for(SHOWN)
        lobby = lobby_of(ann)
        shown = list_of(lobby)
        os.kill(lobby if killed == "lobby" else shown, signal.SIGKILL)
        assert pty.end() == (129 if killed == "lobby" else 1)  # the list hangs up with its lobby
        assert pty.modes() == pty.before
        assert b"\x1b[?1049l" in pty.written
        assert eventually(lambda: is_gone(shown) and is_gone(lobby))


def test_a_lobby_that_is_killed_while_a_program_is_played_leaves_its_terminal_too(ann: PlayerFolder) -> None:
    with Pty(*LOBBY) as pty:
        begin_it(pty)
        os.kill(lobby_of(ann), signal.SIGKILL)
        assert pty.end() == 1
        assert pty.modes() == pty.before


def begin_it(pty: Pty) -> None:
    """Begin the game in the lobby."""
    pty.wait_for(SHOWN)
    pty.send("n")
    pick(pty, "It")


def pick(pty: Pty, title: str) -> None:
    """Pick the game of this title, and wait until it has begun."""
    rows = pty.wait(lambda rows: any("Which game?" in row for row in rows) and any(row.endswith(title) for row in rows))
    [row] = [row for row in rows if row.endswith(title)]
    pty.send(row.split()[-3])
    pty.wait_for("begun")


def test_while_a_program_is_played_there_is_no_list_and_the_next_one_stands_where_it_did(ann: PlayerFolder) -> None:
    with Pty(*LOBBY) as pty:
        pty.wait_for(SHOWN)
        lobby = lobby_of(ann)
        first = list_of(lobby)
        pty.send("/zz\r")
        pty.wait_for("No game matches 'zz'")
        pty.send("n")
        pick(pty, "Short")
        assert children_of(lobby) == []
        assert is_gone(first)
        assert lobby_of(ann) == lobby
        pty.send("\r")
        pty.wait_for("press any key")
        pty.send(" ")
        pty.wait_for("Short has ended")
        pty.wait_for("No game matches 'zz'")
        assert lobby_of(ann) == lobby
        assert list_of(lobby) != first
        pty.send("\x1b")  # which shows all again
        pty.wait(lambda rows: any("short" in row for row in rows))
        pty.send("q")
        assert pty.end() == 0
        assert pty.modes() == pty.before
    assert eventually(lambda: is_gone(lobby))
    assert present(ann) == []


@pytest.mark.parametrize("leads", [True, False])
def test_a_lobby_ends_when_who_is_in_front_is_killed(ann: PlayerFolder, leads: bool) -> None:
    """The terminal is gone with who leads the session; where that is a shell, it stays."""
    shell = ("sh", "-c", f"{' '.join(LOBBY)}; echo over; cat")
    with Pty(*(LOBBY if leads else shell)) as pty:
        pty.wait_for(SHOWN)
        lobby = lobby_of(ann)
        [front] = [pty.pid] if leads else children_of(pty.pid)
        os.kill(front, signal.SIGKILL)
        assert eventually(lambda: is_gone(lobby))
        assert eventually(lambda: present(ann) == [])


def test_a_lobby_goes_on_when_the_service_is_killed_and_the_next_one_has_another(
    ann: PlayerFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))  # the service of others is not killed
    with Pty(*LOBBY) as pty:
        begin_it(pty)
        lobby = lobby_of(ann)
        [service] = {parent_of(lobby)}
        os.kill(service, signal.SIGKILL)
        assert eventually(lambda: is_gone(service))
        pty.send("still here\r")
        pty.wait_for("still here")
        assert not is_gone(lobby)
        with Pty(*NHLOG, "lobby", "--spectator") as other:
            other.wait_for("games of others")
            assert command_of(other.pid)[-1] == "front"


def test_without_a_service_a_lobby_is_the_process_that_was_started(
    ann: PlayerFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    with Pty(*LOBBY) as pty:
        pty.wait_for(SHOWN)
        assert lobby_of(ann) == pty.pid


def test_where_a_shell_controls_jobs_a_lobby_is_the_process_that_it_started(ann: PlayerFolder) -> None:
    with Pty("sh", "-mc", f"{' '.join(LOBBY)}; echo over; cat") as pty:
        pty.wait_for(SHOWN)
        assert parent_of(lobby_of(ann)) == pty.pid


@pytest.mark.parametrize(("locale", "drawn"), [({"LANG": "C"}, False), ({"LANG": "C.UTF-8"}, True)])
def test_a_lobby_is_drawn_in_the_characters_of_who_started_it(
    ann: PlayerFolder, locale: dict[str, str], drawn: bool
) -> None:
    with Pty(*BY_INTERPRETER, **locale) as pty:
        pty.wait_for(SHOWN)
        assert command_of(pty.pid)[-1] == "front"
        assert pty.written.isascii() is not drawn
