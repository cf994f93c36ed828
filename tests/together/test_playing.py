"""Ann and Ben, two users, play one game on a shared server; Cyn watches it."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.terminal.play.test_play import turn
from tests.terminal.pty import Pty
from tests.together.server import NEW, Server, User
from tests.waiting import eventually


@contextmanager
def seats(server: Server) -> Iterator[tuple[Pty, Pty, Pty]]:
    """Ann and Ben at Ann's game, which her group may write from the moment when Ben comes, and Cyn, who watches."""
    ann, ben, cyn = server.users
    with ann.opens(*NEW) as anns:
        anns.wait(at_turn(1))
        os.chmod(server.game, 0o664)
        with ben.opens("play", server.game) as bens, cyn.opens("watch", server.game) as cyns:
            bens.wait_for("Welcome back")
            cyns.wait_for("Welcome back")
            yield anns, bens, cyns
            for player in (anns, bens):
                player.send("S")
                assert player.end() == 0
                assert b"lock" not in player.written
                assert b"wrote first" not in player.written


def at_turn(number: int) -> Callable[[list[str]], bool]:
    return lambda rows: turn(rows) == number


def test_two_users_play_one_game_and_see_what_the_other_does(server: Server) -> None:
    ann, ben, _ = server.users
    with seats(server) as (anns, bens, cyns):
        anns.wait_for(f"{ben.name}: enters the game")
        for count, (player, keys, other, does) in enumerate(
            (
                (bens, "s", anns, f"{ben.name}: searches"),
                (anns, "\r.", bens, f"{ann.name}: rest"),  # Enter puts nobody away
                (bens, "\rs", anns, f"{ben.name}: searches"),
                (anns, "\r.", bens, f"{ann.name}: rest"),
            ),
            start=2,
        ):
            player.send(keys)
            for seat in (anns, bens, cyns):
                seat.wait(at_turn(count))
            other.wait_for(does)
    assert server.typed() == ["welcome", "welcome", "search", "rest", "search", "rest"]


def test_a_question_is_its_users_until_another_takes_it_over(server: Server) -> None:
    ann, ben, _ = server.users
    with seats(server) as (anns, bens, cyns):
        anns.send("p")
        for seat in (anns, bens, cyns):
            seat.wait_for("Do you want to pray?")
        bens.wait_for(f"Ctrl-T answers for {ann.name}")
        bens.send("n\r i")  # neither is an answer; the pack can be looked at
        bens.wait_for("book of force bolt")
        assert "pray?" in anns.rows[0]
        bens.send(" \x14n")
        anns.wait_for(f"{ben.name}: answer: n")
        for seat in (anns, bens, cyns):
            seat.wait(lambda rows: not any("pray?" in row for row in rows))
    assert server.typed() == ["welcome", "welcome", "pray", "Yn"]


_DYING = """
import os, sys
from nhlog.log.file import LogFile
with LogFile(sys.argv[1], writable=True) as file, file.writing():
    file.pwrite(b"sear", file.size())
    os.kill(os.getpid(), 9)
"""
"""A player whose process dies while it writes a line."""


def die_writing(user: User, path: str) -> None:
    with user.runs(_DYING, path) as dying:
        assert dying.wait() == -signal.SIGKILL
    assert Path(path).read_bytes().endswith(b"\nsear")


def test_a_half_written_line_of_another_user_is_cut_off_and_no_key_is_lost(server: Server) -> None:
    ann, ben, cyn = server.users
    with ann.opens(*NEW) as anns:
        anns.wait(at_turn(1))
    game = Path(server.game)
    game.chmod(0o664)
    with ben.opens("play", server.game) as bens, cyn.opens("watch", server.game) as cyns:
        cyns.wait_for("Welcome back")
        die_writing(ann, server.game)
        assert eventually(lambda: game.read_bytes().endswith(b"\n"))  # by Ben, who sits there and does nothing
        die_writing(ann, server.game)
        bens.send("s")
        for seat in (bens, cyns):
            seat.wait(at_turn(2))
        assert game.read_bytes().startswith(b"NHGAME save 00000003 ")
        assert b"taken back" not in bens.written
        assert b"recovered" not in cyns.written
    assert server.typed() == ["welcome", "welcome", "search"]
