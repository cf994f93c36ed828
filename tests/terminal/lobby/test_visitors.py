"""Whose a game in the lobby is, and what one may do who is not a user of the system."""

import os
from pathlib import Path

from nhlog.engines.delve import ENGINE
from nhlog.engines.protocol import NewGame
from nhlog.players import PlayerFolder, Players
from nhlog.session import new_game
from terminal.lobby.drawing import draw_lobby
from terminal.lobby.folders import Folders
from terminal.lobby.model import Lobby
from terminal.lobby.rows import OTHERS, YOURS
from terminal.lobby.visitors import PlayerVisitor, Spectator, User, Visitor
from tests.terminal.pty import NHLOG, Pty


def players_with_a_game_each(folder: Path) -> list[PlayerFolder]:
    players = [Players(folder).folder(name) for name in ("ann", "bob")]
    for player in players:
        player.make()
        options = NewGame(player.name, "Wizard", "gnomish", "female", "chaotic", 0, 7)
        new_game(str(player.games / "one.nhgame"), ENGINE, options).log.source.close()
    return players


def sections(visitor: Visitor, players: list[PlayerFolder]) -> dict[str, str]:
    """The section of each player's game."""
    lobby = Lobby(Folders(player.games for player in players), visitor)
    while lobby.look():
        pass
    return {Path(row.folder).parent.name: row.section for row in lobby.contents.rows}


def test_one_account_owns_all_files_and_a_player_has_those_in_their_folder(tmp_path: Path) -> None:
    ann, bob = players = players_with_a_game_each(tmp_path)
    assert sections(PlayerVisitor(ann), players) == {"ann": YOURS, "bob": OTHERS}
    assert sections(PlayerVisitor(bob), players) == {"ann": OTHERS, "bob": YOURS}
    assert sections(Spectator(), players) == {"ann": OTHERS, "bob": OTHERS}
    assert sections(User(os.getuid()), players) == {"ann": YOURS, "bob": YOURS}


def test_a_player_s_heroes_have_the_player_s_name(tmp_path: Path) -> None:
    assert PlayerVisitor(Players(tmp_path).folder("ann")).hero == "ann"
    assert User(os.getuid()).hero is None


def test_who_only_watches_begins_no_game(tmp_path: Path) -> None:
    lobby = Lobby(Folders((tmp_path,)), Spectator())
    told = "\n".join(draw_lobby(lobby, 100, 26).text())
    assert "new game" not in told
    assert "starts one" not in told
    lobby.press("n")
    assert lobby.wants == ""
    assert "you can only watch here" in lobby.message


def test_a_player_with_all_that_the_quota_allows_begins_no_other_game(tmp_path: Path) -> None:
    (tmp_path / "players").mkdir()
    players_with_a_game_each(tmp_path / "players")
    config = tmp_path / "etc" / "nhlog" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f'players = "{tmp_path}/players"\nquota_games = 1\n[games.it]\ncommand = ["true"]\n')
    with Pty(*NHLOG, "lobby", "--player", "ann", XDG_CONFIG_DIRS=str(tmp_path / "etc")) as ann:
        ann.wait_for("your games")
        ann.send("n")
        ann.wait_for("Which game?")
        ann.send("b")
        ann.wait_for("ann has all the games and recordings that are allowed: 1")
    assert not os.listdir(tmp_path / "players" / "ann" / "recordings")
