"""Games that relays announce, as rows of the lobby."""

import asyncio
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from nhlog.relay.connection import Stored, connected
from nhlog.relay.relaying import relay
from nhlog.relay.said.announcing import HEARD
from nhlog.relay.wire import Game, encode_announcement
from terminal.lobby.drawing import draw_lobby
from terminal.lobby.elsewhere import Elsewhere
from terminal.lobby.folders import Folders
from terminal.lobby.model import Lobby
from terminal.lobby.visitors import User
from tests.doses import dose
from tests.relay.made import ANNOUNCED, copied
from tests.relay.server import NatsServer, nats_server, needs_nats_server
from tests.relay.test_server import running
from tests.waiting import eventually

GAMES = 60
URL = "nats://hub"
GAME = Game("north", "Ann", "game.nhgame")


@pytest.fixture
def lobby() -> Lobby:
    made = Lobby(Folders([]), User(os.getuid()))
    made.contents.elsewhere = Elsewhere(URL, {})
    return made


def hear(lobby: Lobby, body: bytes, subject: str = GAME.announcement) -> None:
    assert lobby.contents.elsewhere is not None
    lobby.contents.elsewhere.note(Stored(1, subject, {}, body))
    lobby.look()


def said(**changed: object) -> bytes:
    return encode_announcement(replace(ANNOUNCED, told=time.time_ns() // 1000, **changed))


def test_an_announced_game_is_a_row_among_the_others_games(lobby: Lobby) -> None:
    hear(lobby, said())

    assert [(row.file, row.section) for row in lobby.contents.rows] == [
        ("nats://hub/north/Ann/game.nhgame", "games of others")
    ]
    shown = "\n".join(draw_lobby(lobby, 144, 30).text())
    assert "Ann, human Valkyrie" in shown
    assert "Dungeons:2" in shown
    assert "server   north" in shown
    assert "who      Ann" in shown
    lobby.write()
    assert lobby.message == "it is played on another machine: you cannot write to it"
    lobby.enter()
    assert lobby.wants == "watch"
    assert lobby.wanted(lobby.contents.rows, (80, 10)) == []


def test_a_game_that_is_over_or_not_heard_of_any_more_is_no_row(lobby: Lobby) -> None:
    hear(lobby, said())
    hear(lobby, said(status="finished"))
    assert [*lobby.contents.rows] == []

    hear(lobby, said())
    assert len(lobby.contents.rows) == 1
    hear(lobby, encode_announcement(ANNOUNCED))
    assert [*lobby.contents.rows] == []


def test_a_recording_without_a_title_is_its_players(lobby: Lobby) -> None:
    hear(lobby, said(title=""))

    assert [row.title for row in lobby.contents.rows] == ["Ann"]


def test_games_that_are_over_make_room_for_others(lobby: Lobby, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("terminal.lobby.elsewhere.MOST", 2)
    long_ago = encode_announcement(ANNOUNCED)
    for name, body in (("a", said()), ("b", long_ago), ("c", said()), ("d", said())):
        hear(lobby, body, Game("north", "Ann", name).announcement)

    assert [row.name for row in lobby.contents.rows] == ["a", "c"]


def test_what_is_forged_is_no_row_or_does_no_harm(lobby: Lobby) -> None:
    hear(lobby, b"{")
    hear(lobby, said(), "nhlog.*.x.y.announcement")
    hear(lobby, said(), "nhlog.a.b.%2E%2E%2Fx.announcement")
    hear(lobby, said().replace(b"{", b"{" + b" " * 20_000, 1))
    assert [*lobby.contents.rows] == []

    hear(lobby, said(title="\x1b[2J\x07", place="\n\n"))
    assert not set("".join(draw_lobby(lobby, 100, 30).text())) & set("\x1b\x07\n")


def announce(server: NatsServer, *announcements: tuple[str, bytes]) -> None:
    """Store these announcements, in this order."""

    async def store() -> None:
        async with connected(server.url, {}) as connection:
            await connection.make_stream()
            for subject, body in announcements:
                await connection.publish(subject, body, {"Nats-Rollup": "sub"})

    asyncio.run(store())


@needs_nats_server
def test_a_relayed_game_is_listed_until_it_is_not_announced_any_more(tmp_path: Path) -> None:
    async def relay_for_a_moment() -> None:
        async with running(relay([copied(tmp_path)], server.url, {}, "north", None, told.append)):
            assert await asyncio.to_thread(eventually, elsewhere.rows)

    told: list[str] = []
    passed = [0]  # seconds
    (tmp_path / "nats").mkdir()
    with nats_server(tmp_path / "nats") as server:
        announce(server)
        with Elsewhere(server.url, {}, lambda: time.time_ns() + passed[0] * 1_000_000_000) as elsewhere:
            asyncio.run(relay_for_a_moment())
            (row,) = elsewhere.rows().values()
            assert row.file == f"{server.url}/north/Scripty/scripted1.nhgame"
            assert (row.title, row.game, row.turn) == ("Scripty, human Wizard", "NetHack 4.3", "91")
            assert (row.place, row.listing.changed) == (
                "Dungeons:1",
                os.stat(tmp_path / "scripted1.nhgame").st_mtime_ns // 1000,
            )
            passed[0] = int(HEARD) + 5
            assert elsewhere.rows() == {}


@needs_nats_server
def test_what_is_forged_at_the_server_is_left_out(tmp_path: Path) -> None:
    forged = [
        b"",
        b"[]",
        b"{" * 5000,
        b"x" * 900_000,
        said().replace(b"12", b"-1", 1),
        said(title="").replace(b'""', b"7", 1),
    ]
    names = [Game("evil", "Ann", f"{number}").announcement for number in range(len(forged))]
    with nats_server(tmp_path) as server:
        announce(
            server,
            *zip(names, forged, strict=True),
            ("nhlog.b@d.x.y.announcement", said()),
            (GAME.announcement, said()),
        )
        with Elsewhere(server.url, {}) as elsewhere:
            assert eventually(elsewhere.rows)  # the last one
            assert [row.name for row in elsewhere.rows().values()] == ["game.nhgame"]


@needs_nats_server
def test_a_server_that_is_not_there_is_told_until_it_is_back(tmp_path: Path, lobby: Lobby) -> None:
    with nats_server(tmp_path) as server:
        server.kill()
        with Elsewhere(server.url, {}) as elsewhere:
            lobby.contents.elsewhere = elsewhere
            assert eventually(lambda: elsewhere.trouble)
            assert f"{server.url}: cannot connect" in "\n".join(draw_lobby(lobby, 80, 24).text())
            server.start()
            announce(server, (GAME.announcement, said()))
            assert eventually(elsewhere.rows)
            assert elsewhere.trouble == ""
            server.kill()
            server.start()
            announce(server, (Game("north", "Bob", "game.nhgame").announcement, said()))
            assert eventually(lambda: len(elsewhere.rows()) == 2)


@needs_nats_server
def test_every_game_that_is_announced_again_and_again_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Announced by three relays, while each announcement removes the one before it.

    Who only listens, and does not ask again, is some seconds behind soon, and more and more; so would be its games.
    """
    games = [Game(f"server{number % 3}", f"player{number}", "game.nhgame") for number in range(GAMES)]
    monkeypatch.setattr("terminal.lobby.elsewhere._FRESH", 0.5)
    with nats_server(tmp_path) as server:
        announce(server)

        async def announce_all(number: int) -> None:
            async with connected(server.url, {}) as connection:
                for _ in range(dose("relay.announcements")):
                    for game in games[number::3]:  # a case: those of one relay of three
                        await connection.publish(game.announcement, said(), {"Nats-Rollup": "sub"})

        async def all_relays() -> None:
            await asyncio.gather(*map(announce_all, range(3)))

        with Elsewhere(server.url, {}) as elsewhere:
            asyncio.run(all_relays())
            over = time.time_ns() // 1000
            asyncio.run(announce_last(server, games))
            assert eventually(lambda: len(elsewhere.rows()) == GAMES)
            assert eventually(lambda: min(told for told, _ in elsewhere._heard.values()) >= over)


async def announce_last(server: NatsServer, games: list[Game]) -> None:
    async with connected(server.url, {}) as connection:
        for game in games:
            await connection.publish(game.announcement, said(), {"Nats-Rollup": "sub"})
