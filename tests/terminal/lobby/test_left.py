"""What a lobby that is left for a program leaves to the next one."""

import pickle
from pathlib import Path

from nhlog.players import Players
from nhlog.players.notices import Notices, broadcast
from terminal.lobby.folders import Folders
from terminal.lobby.left import Left
from terminal.lobby.model import Lobby
from terminal.lobby.visitors import PlayerVisitor
from tests.corpus import SAMPLES


def lobby_of(tmp_path: Path) -> Lobby:
    lobby = Lobby(Folders([SAMPLES]), PlayerVisitor(Players(tmp_path).folder("ann")))
    while lobby.look():
        pass
    return lobby


def test_the_next_lobby_stands_where_the_one_before_was_left(tmp_path: Path) -> None:
    before, after = lobby_of(tmp_path), lobby_of(tmp_path)
    before.contents.filter = "nethack"
    before.turn_sort()
    before.next_sort()
    before.move(2)
    before.program, before.notice = "it", "to all"
    left = Left.of(before, b"keys")
    left._replace(message="it has ended").give(after)
    assert (left.program, left.typed) == ("it", b"keys")
    assert after.chosen == before.chosen
    assert after.chosen != lobby_of(tmp_path).chosen
    assert [row.file for row in after.contents.rows] == [row.file for row in before.contents.rows]
    assert (after.notice, after.message, after.done) == ("to all", "it has ended", False)


def test_the_next_lobby_tells_what_was_told_while_the_program_was_played(tmp_path: Path) -> None:
    keys = tmp_path / "authorized_keys"
    before, after = lobby_of(tmp_path), lobby_of(tmp_path)
    broadcast(keys, "before")
    before.notices, before.program = Notices(keys), "it"
    left = pickle.loads(pickle.dumps(Left.of(before, b"")))
    broadcast(keys, "meanwhile")
    left.give(after)
    assert after.notices.news() == ["meanwhile"]
