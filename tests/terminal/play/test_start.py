"""Sitting down at what cannot be played: it is shown instead, and why; or refused before anything begins."""

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from nhlog.config import Config
from nhlog.engines import engine_named
from nhlog.engines.protocol import NewGame
from nhlog.errors import NhlogError, Usage
from nhlog.log.wire.lines import Command, YesNoAnswer
from nhlog.session import Session, new_game
from terminal.lobby.folders import Folders
from terminal.lobby.loop import visit
from terminal.lobby.model import Lobby
from terminal.play.new_game import begin
from terminal.play.start import play_file
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


def test_a_finished_game_is_shown_from_its_start(tmp_path: Path) -> None:
    path = str(tmp_path / "ann.nhgame")
    engine = engine_named("delve")
    writer = new_game(path, engine, ANN)
    session = Session(writer.log, engine, writer=writer)
    session.command(Command("quit"))
    session.answer(YesNoAnswer("y"))
    assert session.over
    writer.log.source.close()
    before = Path(path).read_bytes()
    display = Reader("q")
    play_file(display, path, Config())
    assert "this game is over: it is shown from its start" in display.frames[0]
    assert Path(path).read_bytes() == before


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
    visit(display, Lobby(Folders((Path(game).parent,)), os.getuid()), Config(games=Path(game).parent))
    assert display.heard[-1] is None
    assert len(display.heard) == 2


def test_the_lobby_puts_games_away_that_are_over(tmp_path: Path) -> None:
    games, finished = tmp_path / "games", tmp_path / "finished"
    games.mkdir()
    for name in ("died2", "scripted1"):
        shutil.copy(SAMPLES / f"{name}.nhgame", games)
    display = Reader(lambda: None, lambda: None, "q")
    config = Config(games=games, finished=finished)
    visit(display, Lobby(Folders((games, finished)), os.getuid()), config)
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
        (("--ghost", game, game), "a game is no ghost of its own"),
        (("--new", "--ghost", game + "x"), "no such file"),
        (("--new", "--ghost", str(SAMPLES / "died2.nhgame")), "no ghost comes from"),
    ):
        with Pty(*NHLOG, "play", *arguments, **home) as pty:
            pty.wait_for(told)
            assert pty.end() in (1, 2, 4)
    assert not (Path(home["XDG_DATA_HOME"]) / "nhlog" / "games").exists()
