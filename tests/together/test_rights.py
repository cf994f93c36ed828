"""Who may take back Ann's game on a shared server, asked as the users they are."""

from pathlib import Path

import pytest

from tests.terminal.play.test_play import turn
from tests.together.server import NEW, Server, User


@pytest.fixture
def played(server: Server) -> Server:
    """Ann has played for three turns, and left."""
    [ann, *_] = server.users
    with ann.opens(*NEW) as player:
        player.wait(lambda rows: turn(rows) == 1)
        player.send("ss")
        player.wait(lambda rows: turn(rows) == 3)
        player.send("S")
        assert player.end() == 0
    return server


def test_who_may_not_take_a_game_back_is_told_whom_to_ask(played: Server) -> None:
    ann, ben, cyn = played.users
    before = Path(played.game).read_bytes()

    def refusal(user: User, *options: str) -> str:
        done = user.does("rewind", played.game, "--to", "turn:2", *options)
        assert (done.returncode, done.stdout) == (1, "")  # nobody was asked anything
        return done.stderr.strip().removeprefix(f"nhlog: {played.game}: ")

    assert refusal(ben) == f"the game is {ann.name}'s, and there are no administrators; ask {ann.name}"
    played.configure(cyn.name)
    no_right = "is no administrator, and this is no explore or wizard game of theirs"
    assert refusal(ben) == f"{ben.name} {no_right}: ask {cyn.name}"
    assert refusal(ann, "--force", "--yes") == f"{ann.name} {no_right}: ask {cyn.name}"
    way = f"sudo -u {ann.name} nhlog rewind does it, or write permission for the game's group (docs/server.md)"
    assert refusal(cyn, "--yes") == f"{cyn.name} cannot write to this game: {way}"
    assert Path(played.game).read_bytes() == before


def test_an_administrator_who_cannot_write_is_told_so_in_the_client_before_any_question(played: Server) -> None:
    ann, _, cyn = played.users
    played.configure(cyn.name)
    with cyn.opens("replay", played.game, "--at", "turn:2") as admin:
        admin.wait(lambda rows: turn(rows) == 2)
        admin.send("#rewind\r")
        admin.wait_for(f"{cyn.name} cannot write to this game: sudo -u {ann.name} nhlog rewind does it")
        assert b"Lost:" not in admin.written


@pytest.mark.parametrize("may", [True, False], ids=["an administrator", "no administrator"])
def test_who_plays_is_told_which_user_cut_something_off_and_puts_it_back_where_allowed(
    server: Server, may: bool
) -> None:
    ann, ben, cyn = server.users
    server.configure(ben.name, *[ann.name] * may)
    with ann.opens(*NEW) as player:
        player.wait(lambda rows: turn(rows) == 1)
        player.send("ssss")
        player.wait(lambda rows: turn(rows) == 5)
        Path(server.game).chmod(0o664)
        before = server.lines()
        with cyn.opens("watch", server.game) as watcher:
            watcher.wait(lambda rows: turn(rows) == 5)
            assert ben.does("rewind", server.game, "--to", "turn:3", "--yes").returncode == 0
            for seat in (player, watcher):
                seat.wait_for(f"{ben.name} took the game back from turn 5 to 3")
            player.wait(lambda rows: turn(rows) == 3)
            player.send("\x15\x15")
            player.wait_for("put back: " if may else "nobody cut off anything that can be put back now")
            watcher.wait(lambda rows: turn(rows) == (5 if may else 3))
    assert (server.lines() == before) is may
