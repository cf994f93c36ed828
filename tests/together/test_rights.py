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
