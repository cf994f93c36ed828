"""`nhlog relay` here, and there `nhlog watch`: as a file is watched."""

import asyncio
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nhlog.relay.connection import connected
from nhlog.relay.late import ENOUGH
from nhlog.relay.wire import Game
from scripts.measures.processes import children_of
from tests.builders import played
from tests.relay.made import append, copied, rewind
from tests.relay.server import nats_server, needs_nats_server
from tests.terminal.pty import NHLOG, Pty


async def prepared(url: str) -> None:
    """Make the stream before anybody asks: nats-server 2.9.10 may answer nobody any more who asks at that moment."""
    async with connected(url, {}) as connection:
        await connection.make_stream()


async def stored(url: str, subject: str) -> None:
    """Wait until there is a message of a subject."""
    async with connected(url, {}) as connection:
        while await connection.last(subject) is None:
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
            asyncio.run(stored(server.url, Game("here", "Scripty", "scripted1.nhgame").subject))
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
                pty.wait_for("the game was taken back from turn 91 to ")
                pty.send("q")
                assert pty.end() == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["games", "nats"]


def long_game(folder: Path) -> str:
    """A game of which more stands before the newest save backup than a late comer waits for."""
    game = played(5)
    for number in range(ENOUGH // 2000 + 1):
        game.line(b"search L1;%d;%s" % (number, b"x" * 2000))
    return game.play(30, backup_every=10).write(folder / "long.nhgame")


@needs_nats_server
def test_a_late_comer_keeps_the_place_when_all_of_it_has_come_and_a_killed_receiver_is_told(tmp_path: Path) -> None:
    for folder in ("nats", "games"):
        (tmp_path / folder).mkdir()
    path = long_game(tmp_path / "games")
    with nats_server(tmp_path / "nats") as server:
        asyncio.run(prepared(server.url))
        with relaying(tmp_path / "games", "--to", server.url, "--server", "here"):
            game = Game("here", "Ann", "long.nhgame")
            asyncio.run(stored(server.url, game.snapshot))
            with Pty(*NHLOG, "watch", f"{server.url}/Ann/long.nhgame", TMPDIR=str(tmp_path)) as pty:
                pty.wait_for("turn 36/36")
                pty.send(",,")
                pty.wait_for("turn 34/36")
                append(path, "wait")
                pty.wait_for("behind")
                pty.wait(lambda rows: any("turn  1/36" in row for row in rows) or bool(pty.send("g")))
                pty.wait_for("this is the start")
                pty.send("F")
                append(path, "pray")
                pty.wait_for("live")
                [receiver] = children(pty.pid, b"terminal.relayed")
                os.kill(receiver, signal.SIGKILL)
                pty.wait_for("the pipe was closed")
                pty.send("q")
                assert pty.end() == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["games", "nats"]


def children(pid: int, word: bytes) -> list[int]:
    """The children of a process in whose command a word is."""
    return [child for child in children_of(pid) if word in Path(f"/proc/{child}/cmdline").read_bytes()]


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
            assert b"its beginning is no longer stored" in pty.written
