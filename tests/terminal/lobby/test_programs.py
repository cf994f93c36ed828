"""Programs that are played from the lobby: whose they are, how they are offered, and what the lobby tells of them."""

import shutil
from pathlib import Path

import pytest

from nhlog.config import GameProgram, Walls
from nhlog.players import PlayerFolder, Players
from terminal.hosting.places import new_recording
from terminal.lobby.folders import Folders
from terminal.lobby.model import Lobby
from terminal.lobby.new_game import labelled
from terminal.lobby.rows import OTHERS, RECORDINGS, YOURS
from terminal.lobby.visitors import PlayerVisitor, Spectator
from tests.corpus import SAMPLES, corpus
from tests.processes import holding

GAME = GameProgram(name="it", title="It", command=("it",), save_files=("*.save",))


@pytest.fixture
def player(tmp_path: Path) -> PlayerFolder:
    folder = Players(tmp_path).folder("ann")
    folder.make()
    return folder


def seen(lobby: Lobby) -> tuple[str, str, str]:
    """The only row: its section, whose it is, and the game."""
    while lobby.look():
        pass
    (row,) = lobby.contents.rows
    return row.section, row.title, row.game


def test_a_program_that_runs_is_its_players_game_and_a_recording_afterwards(player: PlayerFolder) -> None:
    recording = new_recording(player.recordings, player.name, GAME)
    shutil.copy(SAMPLES / "nethack.cast", recording)
    lock = player.running / "it.lock"
    lock.write_text(recording)
    lobby = Lobby(Folders([player.recordings]), PlayerVisitor(player))
    with holding(str(lock), "LOCK_EX"):
        assert seen(lobby) == (YOURS, "ann", "it")
        assert lobby.contents.running == {recording: "it"}
        assert labelled(GAME, lobby) == "It (running)"
    assert seen(lobby) == (RECORDINGS, "ann", "it")
    assert labelled(GAME, lobby) == "It"
    (player.home / "level.save").touch()
    assert labelled(GAME, lobby) == "It (saved)"


def test_a_saved_game_may_lie_in_the_players_copy_of_a_folder_of_the_systems(player: PlayerFolder) -> None:
    lobby = Lobby(Folders([]), PlayerVisitor(player))
    walls = Walls(own_folders=(Path("/var/games/it"),))
    game = GameProgram(name="it", title="It", command=("it",), save_files=("/var/games/it/{player}.*",), walls=walls)
    assert labelled(game, lobby) == "It"
    own = player.path / "folders" / "var-games-it"
    own.mkdir(parents=True)
    (own / "ann.gz").touch()
    assert labelled(game, lobby) == "It (saved)"


def test_a_log_that_a_program_writes_is_its_players_game_and_saved_for_that_program(
    player: PlayerFolder, tmp_path: Path
) -> None:
    walls = Walls(own_folders=(Path("/var/games/it"),), logs=Path("/var/games/it/save"))
    game = GameProgram(name="it", title="It", command=("it",), save_files=("/var/games/it/save/*.nhgame",), walls=walls)
    own, others = (Lobby(Folders([], Players(tmp_path)), who) for who in (PlayerVisitor(player), Spectator()))
    assert labelled(game, own) == "It"
    log = shutil.copy(corpus("nethack4", "mid1.nhgame"), player.log_folder("it"))
    assert labelled(game, own) == "It (saved)"
    assert [seen(lobby)[0] for lobby in (own, others)] == [YOURS, OTHERS]
    assert (own.contents.program_of(str(log)), others.contents.program_of(str(log))) == ("it", None)


@pytest.mark.parametrize("key", ["n", "e"])
def test_who_watches_begins_and_edits_nothing(key: str) -> None:
    lobby = Lobby(Folders([]), Spectator())
    lobby.press(key)
    assert (lobby.wants, lobby.message) == ("", "you can only watch here: playing needs a player's key")
