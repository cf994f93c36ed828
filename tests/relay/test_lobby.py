"""Games that relays announce, as rows of the lobby."""

import os
import time
from dataclasses import replace

import pytest

from nhlog.relay.connection import Stored
from nhlog.relay.wire import Game, encode_announcement
from terminal.lobby.drawing import draw_lobby
from terminal.lobby.elsewhere import Elsewhere
from terminal.lobby.folders import Folders
from terminal.lobby.model import Lobby
from terminal.lobby.visitors import User
from tests.relay.made import ANNOUNCED

URL = "nats://hub"
GAME = Game("north", "Ann", "game.nhgame")


@pytest.fixture
def lobby() -> Lobby:
    made = Lobby(Folders([]), User(os.getuid()))
    made.elsewhere = Elsewhere(URL, {})
    return made


def hear(lobby: Lobby, body: bytes, subject: str = GAME.announcement) -> None:
    assert lobby.elsewhere is not None
    lobby.elsewhere.note(Stored(1, subject, {}, body))
    lobby.look()


def said(**changed: object) -> bytes:
    return encode_announcement(replace(ANNOUNCED, told=time.time_ns() // 1000, **changed))


def test_an_announced_game_is_a_row_among_the_others_games(lobby: Lobby) -> None:
    hear(lobby, said())

    assert [(row.file, row.section) for row in lobby.rows] == [("nats://hub/north/Ann/game.nhgame", "games of others")]
    shown = "\n".join(draw_lobby(lobby, 120, 30).text())
    assert "Ann, human Valkyrie" in shown
    assert "Dungeons:2" in shown
    lobby.enter()
    assert lobby.wants == "watch"
    assert lobby.wanted(lobby.rows, (80, 10)) == []


def test_a_game_that_is_over_or_not_heard_of_any_more_is_no_row(lobby: Lobby) -> None:
    hear(lobby, said())
    hear(lobby, said(status="finished"))
    assert [*lobby.rows] == []

    hear(lobby, said())
    assert len(lobby.rows) == 1
    hear(lobby, encode_announcement(ANNOUNCED))
    assert [*lobby.rows] == []


def test_what_is_forged_is_no_row_or_does_no_harm(lobby: Lobby) -> None:
    hear(lobby, b"{")
    hear(lobby, said(), "nhlog.*.x.y.announcement")
    assert [*lobby.rows] == []

    hear(lobby, said(title="\x1b[2J\x07", place="\n\n"))
    assert not set("".join(draw_lobby(lobby, 100, 30).text())) & set("\x1b\x07\n")
