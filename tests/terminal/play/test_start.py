"""Sitting down at what cannot be played: it is shown instead, and why; or refused before anything begins."""

import errno
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from nhlog.config import Config
from nhlog.engines import engine_named
from nhlog.engines.protocol import NewGame
from nhlog.errors import NhlogError, Usage
from nhlog.log.append import Writer
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.log.wire.lines import Command, YesNoAnswer
from nhlog.players import Players
from nhlog.players.maintenance import Maintenance
from nhlog.session import Session, new_game
from scripts.measures.processes import children_of
from terminal.commands.play import _unfinished
from terminal.lobby.folders import Folders
from terminal.lobby.loop import visit
from terminal.lobby.model import Lobby
from terminal.lobby.visitors import User
from terminal.play.new_game import begin
from terminal.play.open import bones_place
from terminal.play.start import play_file
from tests.conftest import Done
from tests.corpus import SAMPLES
from tests.terminal.play.test_play import home
from tests.terminal.play.test_trouble import Hand
from tests.terminal.pty import NHLOG, Pty

__all__ = ["home"]

ANN = NewGame("Ann", "Wizard", "human", "female", "neutral", 0, 1)


class Reader(Hand):
    """A display that remembers every frame as one text."""

    def __init__(self, *acts: str | Callable[[], object]) -> None:
        super().__init__(*acts)
        self.frames: list[str] = []

    def draw(self, screen) -> None:
        self.frames.append(" ".join(" ".join(screen.text()).split()))


@pytest.fixture
def game(tmp_path: Path) -> str:
    path = str(tmp_path / "ann.nhgame")
    new_game(path, engine_named("delve"), ANN).log.source.close()
    return path


@pytest.fixture
def finished(game: str) -> str:
    """The game, which its player has quit."""
    engine = engine_named("delve")
    with LogFile(game, writable=True) as file:
        log = Log(file)
        session = Session(log, engine, writer=Writer(log))
        session.command(Command("quit"))
        session.answer(YesNoAnswer("y"))
        assert session.following.over
    return game


def break_save(game: str, number: int) -> int:
    """Break one of its save lines; returns the offset of that."""
    path = Path(game)
    with LogFile(game) as file:
        log = Log(file)
        offset = log.columns.offsets[log.columns.save_lines[number]]
    data = bytearray(path.read_bytes())
    data[offset + 15 : offset + 18] = b"\x01!\x02"
    path.write_bytes(data)
    return offset


def test_a_game_whose_latest_save_is_broken_goes_on_from_the_one_before(game: str) -> None:
    play_file(Reader("s", "s", "s", "S"), game, Config())
    offset = break_save(game, -1)
    display = Reader("s", "S")
    play_file(display, game, Config())
    assert f"offset {offset}: " in display.frames[0]
    assert "what is shown the commands make of the save before" in display.frames[0]
    assert "T:4" in display.frames[0]
    assert "T:5" in display.frames[-1]
    with LogFile(game) as file:
        log = Log(file)
        assert log.save(len(log.columns.save_lines) - 1), "the next save is whole again"


def test_a_game_without_a_sound_save_says_where_it_is_broken_and_what_to_do(game: str) -> None:
    offset = break_save(game, 0)
    display = Reader("q")
    play_file(display, game, Config())
    assert f"you watch this game: offset {offset}: no save; play an old copy" in display.frames[0]


def test_of_a_finished_game_the_end_is_shown_and_from_there_the_game_from_its_start(finished: str) -> None:
    before = Path(finished).read_bytes()
    display = Reader("R", "q", "q")
    play_file(display, finished, Config())
    assert "Ann: quit" in display.frames[0]
    assert "the end, page 1" in display.frames[0]
    assert any("watching again: q returns to its end" in frame and "T:1" in frame for frame in display.frames)
    assert "the end, page 1" in display.frames[-1]
    assert Path(finished).read_bytes() == before
    assert os.listdir(Path(finished).parent) == ["ann.nhgame"]  # nothing is written where only somebody looks


def test_who_ends_a_game_has_a_dump_file_and_is_told_where(game: str) -> None:
    display = Reader("#", *"quit", "enter", "y", " ", *"    ")
    play_file(display, game, Config())
    dump = Path(game).with_suffix(".txt")
    assert f"dumpfile:{dump}" in display.frames[-1].replace(" ", "")
    assert dump.read_text().startswith("Ann the human Wizard")


def test_an_end_that_is_taken_back_is_shown_no_more(finished: str) -> None:
    with Pty(*NHLOG, "play", finished) as player:  # a process of its own: who takes back sends it signals
        player.wait_for("FAREWELL")
        subprocess.run([*NHLOG, "rewind", finished, "--to", "start", "--yes", "--force"], check=True)
        player.wait_for("your other terminal took the game back to turn 1")
        player.wait(lambda rows: not any("FAREWELL" in row for row in rows))
        player.send("S")
        assert player.end() == 0


def test_a_dump_file_replaces_nothing_but_an_older_one_of_the_same_game(finished: str) -> None:
    dump = Path(finished).with_suffix(".txt")
    for before, told in (("notes", "is something else"), (None, "dump file: ")):
        dump.unlink(missing_ok=True)
        if before is not None:
            dump.write_text(before)
        display = Reader("d", "q")
        play_file(display, finished, Config())
        assert told in display.frames[-1]
        assert (dump.read_text() == before) is (before is not None)
    whole = dump.read_text()
    dump.write_text(whole + "an earlier end\n")
    play_file(Reader("d", "q"), finished, Config())
    assert dump.read_text() == whole


def test_a_game_that_may_not_be_written_is_watched(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    really = os.open

    def kept(path, flags: int, *rest, **named) -> int:
        if path == game and flags & os.O_ACCMODE:
            raise PermissionError(errno.EACCES, "Permission denied")
        return really(path, flags, *rest, **named)

    monkeypatch.setattr(os, "open", kept)
    before = Path(game).read_bytes()
    display = Reader("q")
    play_file(display, game, Config())
    assert "you watch this game: permission denied" in display.frames[0]
    assert Path(game).read_bytes() == before


def test_a_game_that_no_engine_here_plays_is_watched(tmp_path: Path) -> None:
    path = shutil.copy(SAMPLES / "scripted1.nhgame", tmp_path)
    display = Reader("q")
    play_file(display, path, Config())
    assert "you watch this game: no engine for NetHack 4" in display.frames[0]


def test_what_is_no_game_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "notes.nhgame").write_text("no game")
    for name in ("notes.nhgame", "not there.nhgame"):
        with pytest.raises(NhlogError):
            play_file(Reader(), str(tmp_path / name), Config())


def test_after_a_game_the_lobby_listens_to_nobody(game: str) -> None:
    display = Reader("enter", "S", "q")
    visit(display, Lobby(Folders((Path(game).parent,)), User(os.getuid())), Config(games=Path(game).parent))
    assert display.heard[-1] is None
    assert all(one is None for one in display.heard[1::2])  # a case: after each key


def test_in_maintenance_the_lobby_does_not_go_on_with_a_game(game: str, tmp_path: Path) -> None:
    keys, folder = tmp_path / "authorized_keys", Path(game).parent
    Maintenance(1_800_000_000, "new disks").begin(keys)
    display = Reader("enter", "q")
    visit(display, Lobby(Folders((folder,)), User(os.getuid())), Config(games=folder, authorized_keys=keys))
    assert "no new games: maintenance from 2027-01-15 08:00 UTC: new disks" in display.frames[-1]


def test_while_a_game_is_played_no_process_reads_for_the_list(game: str) -> None:
    folder = Path(game).parent
    shutil.copy(SAMPLES / "nethack.cast", folder)  # which is left to that process
    there: list[bool] = []

    def look() -> None:
        commands = [Path(f"/proc/{child}/cmdline").read_bytes() for child in children_of(os.getpid())]
        there.append(any(b"terminal.lobby.reading.jobs" in command for command in commands))

    visit(Reader(look, "enter", look, "S", "q"), Lobby(Folders((folder,)), User(os.getuid())), Config(games=folder))
    assert there == [True, False]


def test_the_lobby_puts_games_away_that_are_over(tmp_path: Path) -> None:
    games, finished = tmp_path / "games", tmp_path / "finished"
    games.mkdir()
    for name in ("died2", "scripted1"):
        shutil.copy(SAMPLES / f"{name}.nhgame", games)
    display = Reader(lambda: None, lambda: None, "q")
    config = Config(games=games, finished=finished)
    visit(display, Lobby(Folders((games, finished)), User(os.getuid())), config)
    assert os.listdir(games) == ["scripted1.nhgame"]
    assert sorted(os.listdir(finished)) == ["died2.nhgame", "died2.txt", "xlogfile"]
    assert any("died2.nhgame is over and lies in /" in frame for frame in display.frames)


@pytest.mark.parametrize("name", ["", "x" * 32, "é" * 16, "caf\udce9"])
def test_a_name_that_the_log_has_no_room_for_begins_no_game(tmp_path: Path, name: str) -> None:
    with pytest.raises(Usage):
        begin("delve", NewGame(name, *("Wizard", "human", "female", "neutral"), 0, 1), Config(games=tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_ghost_that_cannot_be_seen_begins_no_game(home: dict[str, str], game: str) -> None:
    for arguments, told in (
        (("--ghost", game, game), "a game cannot be its own ghost"),
        (("--new", "--ghost", game + "x"), "no such file"),
        (("--new", "--ghost", str(SAMPLES / "died2.nhgame")), "only a game that can be played"),
    ):
        with Pty(*NHLOG, "play", *arguments, size=(1000, 28), **home) as pty:  # the row has the file's whole name
            pty.wait_for(told)
            assert pty.end() in (1, 2, 4)
    assert not (Path(home["XDG_DATA_HOME"]) / "nhlog" / "games").exists()


def test_players_find_each_other_s_bones(tmp_path: Path) -> None:
    players = Players(tmp_path)
    game = players.folder("ann").games / "one.nhgame"
    assert bones_place(game, Config(players=tmp_path)) == tmp_path
    assert bones_place(game, Config()) == game.parent
    assert bones_place(Path("/home/eve/one.nhgame"), Config(players=tmp_path)) == Path("/home/eve")


def test_without_a_name_the_latest_game_of_ones_own_goes_on_whatever_its_hero_is_called(tmp_path: Path) -> None:
    """Also one that was begun with another name, and whose client was killed."""
    config = Config(games=tmp_path)
    for number, name in enumerate(("Ann", "Zed")):
        path = str(tmp_path / f"{name}.nhgame")
        new_game(path, engine_named("delve"), replace(ANN, name=name)).log.source.close()
        os.utime(path, (1000 + number,) * 2)
    assert _unfinished(config, None, None) == str(tmp_path / "Zed.nhgame")
    assert _unfinished(config, "Ann", None) == str(tmp_path / "Ann.nhgame")
    assert _unfinished(config, "Bob", None) is None


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file away")
def test_a_game_of_somebody_else_in_the_same_folder_is_not_gone_on_with(game: str, tmp_path: Path) -> None:
    os.chown(game, 61001, 61001)
    assert _unfinished(Config(games=tmp_path), None, None) is None


def test_a_game_is_played_on_from_an_earlier_turn_in_another_file(home: dict[str, str], game: str) -> None:
    before, other = Path(game).read_bytes(), game + ".again"
    with Pty(*NHLOG, "play", game, "--from", "turn:1", "--as", other, **home) as pty:
        pty.wait_for("Ann")
        pty.send("S")
        pty.end()
    assert Path(game).read_bytes() == before
    assert Path(other).exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("GAME", "--from", "turn:1"), "--from and --as belong together"),
        (("GAME", "--as", "other"), "--from and --as belong together"),
        (("--from", "turn:1", "--as", "other"), "--from plays a game on that there is"),
        (("GAME", "--new", "--from", "turn:1", "--as", "other"), "--from plays a game on that there is"),
    ],
)
def test_a_branch_needs_a_game_a_place_and_a_new_file(
    nhlog: Callable[..., Done], game: str, arguments: tuple[str, ...], told: str
) -> None:
    done = nhlog("play", *(game if word == "GAME" else word for word in arguments))
    assert told in done.err
    assert done.code == 2
    assert not (Path(game).parent / "other").exists()
