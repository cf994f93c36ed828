"""Talk beside a relayed game: who watches it elsewhere reads what is said, and nothing that is sent does harm."""

import asyncio
from pathlib import Path

import pytest

from nhlog.beside.talk import Talk, carried, open_talk, remove, say, talk_file
from nhlog.relay.connection import connected
from nhlog.relay.publishing import Publisher
from nhlog.relay.said import talking
from nhlog.relay.said.talking import Teller, hear, hear_last
from nhlog.relay.wire import MOST_TALK, BadMessage, Game, decode_talk
from tests.builders import played
from tests.relay.made import copied
from tests.relay.server import NatsServer, nats_server, needs_nats_server
from tests.relay.test_server import Scene, becomes, on, running, server
from tests.relay.test_watching import long_game, prepared, relaying, stored
from tests.terminal.pty import NHLOG, Pty

__all__ = ["server"]

LINE = b'{"time": 1, "name": "bob", "text": "%d"}\n'
GOOD = LINE % 1


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said is sent at once."""
    monkeypatch.setattr(talking, "EVERY", 0.0)


def said(lines: bytes, tmp_path: Path) -> list[str]:
    """What is said by such lines beside a copy."""
    Path(talk_file(str(tmp_path / "copy"))).write_bytes(lines)
    talk = Talk(str(tmp_path / "copy"))
    talk.look()
    return [str(one) for one in talk.said]


@needs_nats_server
def test_what_is_said_arrives_with_all_before_it_and_what_is_removed_is_gone(
    server: NatsServer, tmp_path: Path
) -> None:
    async def play(scene: Scene) -> None:
        heard, late = list[bytes](), list[bytes]()
        open_talk(scene.path, takes=True, watched=True)
        say(scene.path, "bob", "one")
        async with scene.relay() as relay, running(hear(scene.connection, scene.game, heard.append)):
            assert await becomes(lambda: heard != [] and said(heard[-1], tmp_path) == ["bob: one"])
            say(scene.path, "eve", "rude")
            relay.changed.set()
            assert await becomes(lambda: said(heard[-1], tmp_path) == ["bob: one", "eve: rude"])
            talk = Talk(scene.path)
            talk.look()
            remove(scene.path, talk.said[1].offset)
            relay.changed.set()
            assert await becomes(lambda: said(heard[-1], tmp_path) == ["bob: one"])
            await hear_last(scene.connection, scene.game, late.append)
            assert late == [heard[-1]] == [carried(scene.path)]

    on(server, tmp_path, play)


@needs_nats_server
def test_a_relay_that_begins_again_takes_back_what_was_removed_meanwhile(server: NatsServer, tmp_path: Path) -> None:
    async def play(scene: Scene) -> None:
        async def stored_now() -> bytes:
            found = await scene.connection.last(scene.game.talk)
            assert found is not None
            return found.body

        open_talk(scene.path, takes=True, watched=True)
        say(scene.path, "eve", "rude")
        await Teller(scene.connection, scene.game, scene.path).say()
        assert b"rude" in await stored_now()
        remove(scene.path, 0)
        await Teller(scene.connection, scene.game, scene.path).say()
        assert await stored_now() == b""

    on(server, tmp_path, play)


@needs_nats_server
def test_of_a_long_talk_the_latest_is_sent_and_nothing_twice(server: NatsServer, tmp_path: Path) -> None:
    async def play(scene: Scene) -> None:
        Path(talk_file(scene.path)).write_bytes(b"".join(LINE % number for number in range(5000)))
        teller = Teller(scene.connection, scene.game, scene.path)
        await teller.say()
        first = await scene.connection.last(scene.game.talk)
        assert first is not None
        assert MOST_TALK - len(GOOD) - 9 < len(first.body) <= MOST_TALK
        assert said(first.body, tmp_path)[-1] == "bob: 4999"
        await teller.say()
        await teller.end()
        again = await scene.connection.last(scene.game.talk)
        assert again == first

    on(server, tmp_path, play)


@needs_nats_server
def test_a_game_without_talk_sends_none(server: NatsServer, tmp_path: Path) -> None:
    async def play(scene: Scene) -> None:
        teller = Teller(scene.connection, scene.game, scene.path)
        await teller.say()
        await teller.end()
        assert await scene.connection.last(scene.game.talk) is None

    on(server, tmp_path, play)


@needs_nats_server
def test_what_is_said_as_the_game_ends_arrives(server: NatsServer, tmp_path: Path) -> None:
    async def play(scene: Scene) -> None:
        scene.path = copied(tmp_path, "died2.nhgame")
        Path(talk_file(scene.path)).write_bytes(GOOD)
        await Publisher(scene.connection, scene.game, scene.path, scene.told.append).run()
        heard = list[bytes]()
        await hear_last(scene.connection, scene.game, heard.append)
        assert [said(lines, tmp_path) for lines in heard] == [["bob: 1"]]

    on(server, tmp_path, play)


BAD = [b"x" * (MOST_TALK + 1), b"no line", GOOD + b"{"]


@needs_nats_server
def test_a_talk_that_others_forged_is_passed_over_and_a_better_one_is_taken(server: NatsServer, tmp_path: Path) -> None:
    async def play(scene: Scene) -> None:
        heard = list[bytes]()
        async with running(hear(scene.connection, scene.game, heard.append)):
            for body in (*BAD, GOOD):
                await scene.connection.publish(scene.game.talk, body, {"Nats-Rollup": "sub"})
            assert await becomes(lambda: heard != [])
        assert heard == [GOOD]

    on(server, tmp_path, play)


@pytest.mark.parametrize("body", BAD)
def test_what_is_no_talk_is_refused_in_a_line(body: bytes) -> None:
    with pytest.raises(BadMessage) as refused:
        decode_talk(body)
    assert "\n" not in refused.value.message


@needs_nats_server
def test_who_watches_by_a_relay_reads_what_is_said_from_the_newest_state_on_and_when_all_has_come(
    tmp_path: Path,
) -> None:
    for folder in ("nats", "games"):
        (tmp_path / folder).mkdir()
    path = long_game(tmp_path / "games")
    open_talk(path, takes=True, watched=True)
    say(path, "bob", "before you came")
    with nats_server(tmp_path / "nats") as server:
        asyncio.run(prepared(server.url))
        with relaying(tmp_path / "games", "--to", server.url, "--server", "here"):
            game = Game("here", "Ann", "long.nhgame")
            asyncio.run(stored(server.url, game.snapshot))
            asyncio.run(stored(server.url, game.talk))
            address = f"{server.url}/Ann/long.nhgame"
            with Pty(*NHLOG, "watch", address, TMPDIR=str(tmp_path), size=(120, 30)) as pty:
                pty.wait_for("bob: before you came")
                say(path, "eve", "\u202elook\x1b[2J behind you")
                pty.wait_for("eve: look [2J behind you")
                pty.send("H")
                pty.wait_for("talk is hidden")
                pty.wait(lambda rows: any("turn  1/36" in row for row in rows) or bool(pty.send("g")))
                pty.send("F")
                assert "eve: look" not in "".join(pty.wait_for("turn 36/36"))
                pty.send("H")
                pty.wait_for("eve: look [2J behind you")
                pty.send("q")
                assert pty.end() == 0


@needs_nats_server
def test_a_forged_talk_ends_no_viewer_and_is_shown_as_far_as_it_is_one(tmp_path: Path) -> None:
    async def forge(url: str, body: bytes) -> None:
        async with connected(url, {}) as connection:
            game = Game("here", "Ann", "short.nhgame")
            await connection.publish(game.talk, body, {"Nats-Rollup": "sub"})

    for folder in ("nats", "games"):
        (tmp_path / folder).mkdir()
    played(5).write(tmp_path / "games" / "short.nhgame")
    with nats_server(tmp_path / "nats") as server:
        asyncio.run(prepared(server.url))
        with relaying(tmp_path / "games", "--to", server.url, "--server", "here"):
            asyncio.run(stored(server.url, Game("here", "Ann", "short.nhgame").subject))
            with Pty(*NHLOG, "watch", f"{server.url}/Ann/short.nhgame", TMPDIR=str(tmp_path), size=(120, 30)) as pty:
                pty.wait_for("live")
                for body in (*BAD, b"[" * 5000 + b"\n\xff\n{}\n" + GOOD):
                    asyncio.run(forge(server.url, body))
                pty.wait_for("bob: 1")
                pty.send("q")
                assert pty.end() == 0
