"""Programs that are played as games, by real players in real terminals, who lose them and come back."""

import os
import re
import shutil
import signal
import socket
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from nhlog.beside.file import NotTaken
from nhlog.beside.mail import mail_file, send
from nhlog.beside.talk import say, talk_file
from nhlog.config import GameProgram, Sandbox, Walls
from nhlog.errors import NhlogError
from nhlog.files import File, is_being_written
from nhlog.files.processes import processes_with
from nhlog.players import PlayerFolder
from nhlog.players.sessions import games_of
from nhlog.recorder import Exchange, Program, exchange
from nhlog.vt import Size
from scripts.measures.processes import children_of, parent_of
from terminal.hosting.editing import edit_options
from terminal.hosting.host import _Host, _Mirror, _recording
from terminal.hosting.job import Job
from terminal.hosting.messages import Lent
from terminal.hosting.places import made, running_games
from terminal.hosting.playing import come, play_program
from terminal.input import noted
from tests.audited import Hand
from tests.corpus import corpus
from tests.recorder.recordings import events_of, output_of
from tests.terminal.pty import Pty
from tests.waiting import eventually

SAVING = (
    "trap 'echo saved >save; exit 0' HUP; printf 'begun '; cat save 2>/dev/null; while read key; do echo got $key; done"
)


def table(script: str, **more: str) -> str:
    """A game that is a script of the shell, with more settings, as TOML has them."""
    return "\n".join([f"command = ['sh', '-c', '''{script}''']", *(f"{key} = {value}" for key, value in more.items())])


class Playing(Pty):
    """A player of the game `it`."""

    def __init__(
        self, folder: Path, table: str, *act: str, size: tuple[int, int] = (80, 24), **environment: str
    ) -> None:
        player = [sys.executable, "-m", "tests.terminal.hosting.player", str(folder), table, *act]
        super().__init__(*player, size=size, **environment)

    def read_end(self) -> None:
        """Read what the program said last."""
        self.wait_for("[press any key to go back]")
        self.send(" ")

    def afterwards(self) -> str:
        """What there was to say after the game."""
        assert self.end() == 0
        return self.written.decode().rpartition("afterwards: ")[2].strip()


def recordings(folder: Path) -> list[Path]:
    return sorted((folder / "recordings").iterdir())


def ended(folder: Path) -> None:
    """Wait until the game's host is gone."""
    assert eventually(lambda: not running_games(PlayerFolder("ann", folder / "ann")))


def test_a_game_is_played_in_a_recording_and_knows_whose_it_is_and_nothing_else_of_ours(tmp_path: Path) -> None:
    script = "echo begun; read key; echo got $key; pwd >seen; env >>seen; exit 3"
    game = table(script, cwd="'here'", env="{ GAME = '{player} in {home}' }")
    with Playing(tmp_path, game, SECRET="key", LC_ALL="../../etc", TZ="UTC") as player:
        player.wait_for("begun")
        player.send("north\n")
        player.read_end()
        assert player.afterwards() == "it ended with exit code 3"
        assert player.modes() == player.before
    ended(tmp_path)
    (file,) = recordings(tmp_path)
    assert re.fullmatch(r"ann\.it\.\d{4}-\d\d-\d\d\.\d{6}\.cast", file.name)
    assert output_of(file) == b"begun\r\nnorth\r\ngot north\r\n"
    assert events_of(file)[-1] == ("x", b"3")
    home = tmp_path / "ann" / "home"
    where, *told = (home / "here" / "seen").read_text().splitlines()
    environment = dict(line.split("=", 1) for line in told)
    assert where == environment.pop("PWD") == str(home / "here")
    assert environment.pop("PATH").endswith(":/usr/games")
    assert {name: value for name, value in environment.items() if name not in ("OLDPWD", "_", "SHLVL")} == {
        "GAME": f"ann in {home}",
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "LOGNAME": "ann",
        "NHLOG_RECORDING": str(file),
        "SHELL": "/bin/false",
        "TERM": "xterm-256color",
        "TZ": "UTC",
        "USER": "ann",
    }


def test_games_of_two_players_are_kept_by_processes_that_one_service_forked(tmp_path: Path) -> None:
    game = table("echo begun; read key")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    with Playing(tmp_path / "one", game) as first, Playing(tmp_path / "two", game) as second:
        first.wait_for("begun")
        second.wait_for("begun")
        hosts = [games_of(PlayerFolder("ann", tmp_path / name / "ann"))["it"].pid for name in ("one", "two")]
        services = {parent_of(host) for host in hosts}
        assert len(services) == 1
        command = Path(f"/proc/{services.pop()}/cmdline").read_text().split("\0")
        assert command[2:5] == ["-m", "nhlog.forked", "terminal.hosting.host"]


def test_a_game_whose_player_is_gone_is_told_and_saves(tmp_path: Path) -> None:
    with Playing(tmp_path, table(SAVING)) as first:
        first.wait_for("begun")
        first.hang_up()
        with Playing(tmp_path, table(SAVING)) as second:  # waits until it is saved
            second.wait_for("begun saved")
            (tmp_path / "ann" / "home" / "save").unlink()
            second.signal(signal.SIGKILL)
            with Playing(tmp_path, table(SAVING)) as third:
                third.wait_for("begun saved")
                third.send(b"\x04")
                third.read_end()
                third.afterwards()
    assert [events_of(file)[-1] for file in recordings(tmp_path)] == [("x", b"0")] * 3


def test_a_player_who_types_nothing_for_too_long_is_gone(tmp_path: Path) -> None:
    with Playing(tmp_path, table(SAVING), IDLE_MINUTES="0.001") as player:
        assert player.end() == 0
        assert b"ended after 0.001 minutes without a key" in player.written
        assert player.modes() == player.before
    ended(tmp_path)
    assert events_of(recordings(tmp_path)[0])[-1][0] == "x"


KEPT = table("echo begun; while read key; do echo got $key; done; echo over", on_disconnect="'keep'")


def goes_north_and_is_gone(player: Playing) -> int:
    """Once the game has begun, one turn of it; gives the exit code of who hung up."""
    player.wait_for("begun")
    player.send("north\n")
    player.wait_for("got north")
    player.hang_up()
    return player.exit_code()


def test_a_game_that_is_kept_goes_on_and_its_player_comes_back_to_it(tmp_path: Path) -> None:
    with Playing(tmp_path, KEPT) as player:
        assert goes_north_and_is_gone(player) == 128 + signal.SIGHUP
    with Playing(tmp_path, KEPT, size=(60, 20)) as again:
        rows = again.wait_for("got north")
        assert [row for row in rows if row] == ["begun", "north", "got north"]
        again.send("south\n")
        again.wait_for("got south")
        again.send(b"\x04")
        again.read_end()
        assert again.afterwards() == "it has ended"
    ended(tmp_path)
    (file,) = recordings(tmp_path)
    assert output_of(file).endswith(b"got south\r\nover\r\n")
    assert ("r", b"60x20") in events_of(file)


@pytest.mark.parametrize(("behind", "shown"), [("", "before"), (r"\033[2J\033[Hbehind", "behind")])
def test_a_game_that_prints_what_the_emulator_falls_over_goes_on_and_its_player_comes_back(
    tmp_path: Path, behind: str, shown: str
) -> None:
    fatal = corpus("emulator", "segv-80x24.bin")
    script = f'printf before; read a; cat "{fatal}"; printf "{behind}"; echo done; while read a; do echo got $a; done'
    game = table(script, on_disconnect="'keep'")
    with Playing(tmp_path, game) as player:
        player.wait_for("before")
        player.send("go\n")
        player.wait(lambda rows: b"done" in player.written)
        player.hang_up()
        player.exit_code()
    for key in ("south", "north"):
        with Playing(tmp_path, game) as again:
            again.wait_for(shown)
            again.send(f"{key}\n")
            wanted = f"got {key}".encode()
            again.wait(lambda rows, player=again, wanted=wanted: wanted in player.written)
            again.hang_up()
            again.exit_code()
    with Playing(tmp_path, game) as last:
        last.wait_for(shown)
        last.send(b"\x04")
        last.read_end()
    ended(tmp_path)
    (file,) = recordings(tmp_path)
    assert fatal.read_bytes() in output_of(file).replace(b"\r\n", b"\n")


MUCH = table("yes | head -n 800000; echo begun; while read key; do echo got $key; done", on_disconnect="'keep'")


def test_a_host_whose_emulator_is_killed_shows_the_same_to_whoever_comes_back(tmp_path: Path) -> None:
    with Playing(tmp_path, MUCH) as player:
        goes_north_and_is_gone(player)
    (file,) = recordings(tmp_path)
    (host,) = processes_with((file.stat().st_dev, file.stat().st_ino))
    (emulating,) = [pid for pid in children_of(host) if b"nhlog.emulator" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    os.kill(emulating, signal.SIGKILL)
    for _ in range(2):  # the second time none was there
        with Playing(tmp_path, MUCH) as again:
            rows = again.wait_for("got north")
            assert [row for row in rows if row][-4:] == ["y", "begun", "north", "got north"]
            again.hang_up()
            again.exit_code()
    with Playing(tmp_path, MUCH) as last:
        last.wait_for("got north")
        last.send(b"\x04")
        last.read_end()
    ended(tmp_path)


def test_a_game_is_played_at_one_terminal_and_by_no_more_players_than_it_may_have(tmp_path: Path) -> None:
    game = table(f"echo $PPID; {SAVING}", size="'50x10'", max_players="1")
    with Playing(tmp_path, game) as first:
        first.wait_for("begun")
        with Playing(tmp_path, game, size=(100, 40)) as second:
            rows = second.wait_for("begun")
            assert first.afterwards() == "it: it is now played in another terminal"
            with pytest.raises(NhlogError, match="it is full: at most 1 may play at the same time"):
                come(job(tmp_path, "ben", "sh", most=1))
            (file,) = recordings(tmp_path)
            letter = f"{written_to(file, 'well played')}  [Ctrl-] answers]"
            assert second.wait_for(letter)[-1] == letter
            assert f"\x1b]2;{letter}\x07\x07".encode() in second.written
            assert second.rows[:2] == rows[:2]
            os.kill(int(rows[0]), signal.SIGKILL)
            assert second.afterwards() == "it: the process that ran it was killed"
            assert second.modes() == second.before
    assert eventually((tmp_path / "ann" / "home" / "save").exists)
    assert not is_being_written(str(file))
    assert b"bob" not in file.read_bytes()
    assert "r" not in [code for code, _ in events_of(file)]  # it keeps its size


def test_nobody_talks_any_more_beside_a_game_that_is_over(tmp_path: Path) -> None:
    with Playing(tmp_path, table(SAVING)) as player:
        player.wait_for("begun")
        (file,) = recordings(tmp_path)
        with File(str(file)) as watching:
            watching.mark()
            assert eventually(Path(talk_file(str(file))).exists)
        say(str(file), "bob", "hello")
        player.send(b"\x04")
        player.read_end()
        player.afterwards()
    with pytest.raises(NotTaken, match="the player does not accept talk"):
        say(str(file), "bob", "well played")


def written_to(recording: Path, text: str) -> str:
    """Write to who plays, as one who watches; returns what is to be shown."""
    with File(str(recording)) as file:
        file.mark()
        assert eventually(Path(mail_file(file.name)).exists)
    send(file.name, "bob", text)
    return f"bob writes: {text}"


def test_what_cannot_be_played_is_told_and_leaves_no_recording(tmp_path: Path) -> None:
    with pytest.raises(NhlogError, match="nosuch: there is no such program"):
        come(job(tmp_path, "ann", "nosuch"))
    assert recordings(tmp_path) == []


def test_no_folder_is_made_where_a_link_of_a_program_leads(tmp_path: Path) -> None:
    ann, bob = job(tmp_path, "ann", "true"), job(tmp_path, "bob", "true")
    (ann.folder.home / "link").symlink_to(bob.folder.home)
    with pytest.raises(NhlogError, match="outside of the player's folder"):
        come(replace(ann, program=replace(ann.program, cwd=Path("link/new"))))
    assert os.listdir(bob.folder.home) == []


def job(folder: Path, player: str, command: str, most: int | None = None) -> Job:
    game = GameProgram(name="it", title="it", command=(command,), max_players=most, walls=Walls(sandbox=Sandbox.NONE))
    everywhere = folder / "recordings"
    return Job(
        program=game,
        folder=made(game, PlayerFolder(player, folder / player)),
        recordings=everywhere,
        everywhere=(everywhere,),
        size=Size(80, 24),
        modes=None,
        environment={"TERM": "xterm", "PATH": os.environ["PATH"]},
    )


OPTIONS = table(":", rcfile="'.options/it'")


@pytest.mark.skipif(shutil.which("nano") is None, reason="nano is not installed")
def test_the_options_of_a_game_are_edited_and_no_other_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("a secret")
    with Playing(tmp_path, OPTIONS, "edit") as player:
        player.wait_for("Restricted")
        player.send(f"color\x12{secret}\r")  # Ctrl-R reads another file, where that is not forbidden
        player.wait(lambda rows: rows[1].startswith("color"))
        player.send("\x1a\x14")  # Ctrl-Z, and Ctrl-T, which runs a program
        player.send("\x0f\r")
        player.wait_for("Wrote")
        player.send("\x18")
        assert player.afterwards() == ""
        assert player.modes() == player.before
    options = tmp_path / "ann" / "home" / ".options" / "it"
    assert "color" in options.read_text()
    assert "a secret" not in options.read_text()
    options.unlink()
    options.symlink_to(secret)
    game = GameProgram(name="it", title="it", command=("it",), rcfile=".options/it")
    with pytest.raises(NhlogError, match="outside of the player's folder"):
        edit_options(Hand(), game, PlayerFolder("ann", tmp_path / "ann"))


def test_a_game_that_has_a_size_is_played_where_there_is_room_for_it(tmp_path: Path) -> None:
    game = GameProgram(name="it", title="It", command=("it",), size=Size(80, 25))
    with pytest.raises(NhlogError, match="It needs a terminal of 80x25, and yours has 80x24"):
        play_program(Hand(), game, PlayerFolder("ann", tmp_path / "ann"), tmp_path, [])


def test_a_program_at_which_nobody_types_for_too_long_is_told_that_its_terminal_is_gone(tmp_path: Path) -> None:
    recording = Kept()
    script = "trap 'echo told; exit 4' HUP; : > heeds; read key; echo got $key; while :; do sleep 0.01; done"
    with noted([signal.SIGCHLD]) as signals:
        program = Program(["sh", "-c", f"cd {tmp_path}; {script}"], os.environ, Size(80, 24))
        assert eventually(lambda: (tmp_path / "heeds").exists())
        exchange = Exchange(program, recording, signals, None, idle_limit=0.1)
        assert exchange.run() == 128 + signal.SIGHUP
    assert exchange.idle
    assert recording.status == 4


def test_a_program_that_heeds_no_hang_up_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "LAST_WORDS", 0.005)
    its = job(tmp_path, "ann", "sh")
    (keyboard, typed), (shown, screen) = os.pipe(), os.pipe()
    connection, player = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)

    def leave() -> None:
        os.read(shown, 1 << 10)  # the program ignores signals from now on
        player.close()

    with (
        noted([signal.SIGCHLD]) as signals,
        _recording(str(tmp_path / "it.cast"), its, its.environment) as recording,
        closing(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)) as listener,
    ):
        listener.bind(str(tmp_path / "door"))
        listener.listen()
        program = Program(["sh", "-c", "trap '' HUP; echo begun; exec sleep 5"], os.environ, its.size)
        leaving = Thread(target=leave)
        leaving.start()
        lent = Lent(keyboard, screen, its.size)
        _Host(its, _Mirror(recording, its.size), listener, signals).play(program, (connection, lent))
        leaving.join()
        for fd in (typed, shown):
            os.close(fd)
        assert eventually(lambda: program.status is not None)
    assert program.status == 128 + signal.SIGKILL


class Kept:
    """What was recorded (see :class:`nhlog.recorder.Recorded`)."""

    status: int | None = None

    def add(self, code: str, data: bytes) -> None:
        pass

    def finish(self, status: int | None) -> None:
        self.status = status
