"""`nhlog relay` here, and there `nhlog watch`: as a file is watched."""

import asyncio
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nhlog.relay.connection import connected
from nhlog.relay.wire import Game
from tests.relay.made import append, copied, rewind
from tests.relay.server import nats_server, needs_nats_server
from tests.terminal.pty import NHLOG, Pty


async def prepared(url: str) -> None:
    """Make the stream before anybody asks: nats-server 2.9.10 may answer nobody any more who asks at that moment."""
    async with connected(url, {}) as connection:
        await connection.make_stream()


async def stored(url: str, game: Game) -> None:
    """Wait until there is something of a game."""
    async with connected(url, {}) as connection:
        while await connection.last(game.subject) is None:
            await asyncio.sleep(0.02)


@contextmanager
def relaying(*arguments: str | Path) -> Iterator[None]:
    """A relay, which is killed in the end."""
    with subprocess.Popen([*NHLOG, "relay", *arguments], stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.kill()


@needs_nats_server
def test_a_relayed_game_is_watched_looked_back_at_and_followed(tmp_path: Path) -> None:
    for folder in ("nats", "games"):
        (tmp_path / folder).mkdir()
    path = copied(tmp_path / "games")
    with nats_server(tmp_path / "nats") as server:
        address = f"{server.url}/Scripty/scripted1.nhgame"
        asyncio.run(prepared(server.url))
        with relaying(tmp_path / "games", "--to", server.url, "--server", "here"):
            asyncio.run(stored(server.url, Game("here", "Scripty", "scripted1.nhgame")))
            with Pty(*NHLOG, "watch", address, TMPDIR=str(tmp_path)) as pty:
                pty.wait_for("turn 91/91")
                pty.send(",")
                pty.wait_for("paused")
                append(path, "wait")
                pty.wait_for("2 behind")
                pty.send("F")
                pty.wait_for("live")
                pty.send(",")
                pty.wait_for("paused")
                rewind(path, 40)
                pty.wait_for("recovered: ")
                pty.send("q")
                assert pty.end() == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["games", "nats"]


@needs_nats_server
def test_a_game_whose_beginning_is_no_longer_kept_is_told(tmp_path: Path) -> None:
    async def drop(url: str) -> None:
        async with connected(url, {}) as connection:
            await connection.make_stream()
            await connection.publish(Game("here", "ann", "old.nhgame").subject, b"", {"Nats-Rollup": "sub"})

    with nats_server(tmp_path) as server:
        asyncio.run(drop(server.url))
        with Pty(*NHLOG, "watch", f"{server.url}/ann/old.nhgame", TMPDIR=str(tmp_path)) as pty:
            assert pty.end() == 7
            assert b"its beginning is not stored any more" in pty.written
