"""A game that ends on a shared server: its player's client puts it away, and who watches it goes on watching."""

import signal
from pathlib import Path

from tests.terminal.play.test_play import turn
from tests.together.server import NEW, Server


def test_a_game_that_ends_is_put_away_by_its_player_and_watched_on(server: Server) -> None:
    folder = server.put_finished_games_away()
    ann, ben, cyn = server.users
    with ann.opens(*NEW) as player:
        player.wait(lambda rows: turn(rows) == 1)
        name = Path(server.game).name
        with ben.opens("watch", server.game) as bens, cyn.opens("lobby") as cyns:
            cyns.wait_for("games of others")
            bens.wait(lambda rows: turn(rows) == 1)
            player.send("#")
            player.send("quit\r")
            player.wait_for("[yn]")
            player.send("y")
            bens.wait_for("quit: e tells more")
            bens.send("e")
            bens.wait_for("FAREWELL")
            bens.send("q")
            bens.wait_for("You are worth")
            assert ben.does("ls", "--put-away").returncode == 0  # it is not his to put away
            assert Path(server.game).name == name
            player.send("q")
            player.wait_for("lies in")  # the line may be broken anywhere before it
            assert player.end() == 0
            bens.wait_for("the file was moved to")
            cyns.wait_for("finished games")
    kept = {path.name for path in folder.iterdir()} - {f"{name}.mail", f"{name}.talk"}  # since somebody watched
    assert kept == {name, name.replace(".nhgame", ".txt"), "xlogfile"}
    [record] = cyn.scores()
    assert (record["player"], record["death"], record["file"]) == ("Ann", "quit", str(folder / "xlogfile"))


def test_who_comes_back_puts_away_what_nobody_did_and_a_player_appends_after_another(server: Server) -> None:
    folder = server.put_finished_games_away()
    for user in server.users[:2]:
        with user.opens("play", "--new", "--name", user.name) as player:
            player.wait(lambda rows: turn(rows) == 1)
            player.send("#")
            player.send("quit\r")
            player.wait_for("[yn]")
            player.send("y")
            player.wait_for("The game is over: quit")
            player.signal(signal.SIGKILL)
    assert len([*server.games.glob("*.nhgame")]) == 2
    for user in server.users[:2]:
        with user.opens("lobby") as lobby:
            lobby.wait_for("is over and lies in")
            lobby.send("q")
            assert lobby.end() == 0
    assert [*server.games.glob("*.nhgame")] == []
    assert {record["player"] for record in server.users[2].scores()} == {user.name for user in server.users[:2]}
    assert len([*folder.glob("*.nhgame")]) == 2
