"""Nothing is sent unless it is asked for: not by other verbs, nor of other files."""

import asyncio
import socket
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from nhlog.relay import relaying
from nhlog.relay.connection import Connection, connected
from nhlog.relay.wire import Game
from tests.corpus import ROOT
from tests.relay.made import append, copied
from tests.relay.server import nats_server, needs_nats_server
from tests.relay.test_server import running
from tests.terminal.pty import NHLOG, Pty

MOST = 30.0  # seconds for what takes a few hundredths
GAME = Game("file", "Scripty", "named.nhgame")
OF_FOLDER = [Game("folder", "Scripty", f"{name}.nhgame") for name in ("named", "other", "begun-later")]
OVERHEARD = """
import os, sys

def note(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        os.write(file, repr((event, sys.argv, arguments[-4:])).encode() + b"\\n")

file = os.open({file!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
sys.addaudithook(note)
"""


class Overheard:
    """Programs with a server in `[relay]`, and what they and their children connect to."""

    def __init__(self, folder: Path) -> None:
        self._file, self._folder = folder / "connections", folder
        (folder / "sitecustomize.py").write_text(OVERHEARD.format(file=str(self._file)))
        (folder / "nhlog").mkdir()
        with closing(socket.create_server(("127.0.0.1", 0))) as unused:
            self.url = f"nats://127.0.0.1:{unused.getsockname()[1]}"
        settings = f'[relay]\nserver = "{self.url}"\nuser = "ann"\npassword = "secret"\n'
        (folder / "nhlog" / "config.toml").write_text(settings)

    def run(self, *arguments: object, steps: Mapping[str, str] | None = None) -> int:
        """Run a verb, and when this and that is seen press a key; returns its exit code."""
        places = dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME", "HOME", "TMPDIR"), str(self._folder))
        with Pty(*NHLOG, *map(str, arguments), PYTHONPATH=f"{self._folder}:{ROOT}", **places) as pty:
            for seen, key in (steps or {}).items():
                pty.wait_for(seen)
                pty.send(key)
            return pty.end()

    def connections(self) -> str:
        return self._file.read_text()


def test_no_verb_connects_to_a_server_without_its_address(tmp_path: Path) -> None:
    overheard, games = Overheard(tmp_path), tmp_path / "games"
    games.mkdir()
    copied(games)
    assert overheard.run("lobby", games, steps={"1 game": "w", "turn 91/91": "q", "games of others": "q"}) == 0
    assert overheard.run("play", "--new", "--name", "Ann", "--role", "Wiz", steps={" T:1": "s", " T:2": "S"}) == 0
    assert overheard.run("record", tmp_path / "made.cast", "--", "true") == 0
    assert overheard.connections() == ""
    assert overheard.run("mirror", f"{overheard.url}/ann/game.nhgame") == 7
    assert "socket.connect" in overheard.connections()


@needs_nats_server
def test_a_relay_sends_the_file_that_is_named_and_of_a_folder_what_goes_on_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relaying, "_RESCAN", 0.05)
    games, beside = tmp_path / "games", tmp_path / "games-of-others"
    for folder in (games, games / "private", beside, tmp_path / "nats"):
        folder.mkdir()
    copied(games, "died2.nhgame")
    (games / "notes.txt").write_text("a line\n")
    private = [copied(games / "private"), copied(beside), copied(games, copy=".hidden.nhgame")]
    named = copied(games, copy="named.nhgame")
    copied(games, copy="other.nhgame")
    told: list[str] = []

    async def play(url: str) -> list[str]:
        async with connected(url, {}) as connection, asyncio.timeout(MOST):
            async with running(relaying.relay([named], url, {}, "file", None, told.append)):
                await go_on(connection, GAME)
            async with running(relaying.relay([str(games)], url, {}, "folder", None, told.append)):
                await go_on(connection, *OF_FOLDER[:2])
                copied(games, copy="begun-later.nhgame")
                await sent(connection, OF_FOLDER[2])
            return await connection.subjects("nhlog.>")

    async def go_on(connection: Connection, *wanted: Game) -> None:
        """Have all files go on as soon as those wanted are sent, and wait until that is, too."""
        for game in wanted:
            await sent(connection, game)
        for path in (*private, named):
            append(path, f"search L1;{wanted[0].server};x")
        await sent(connection, wanted[0], b";%s;x\n" % wanted[0].server.encode())

    with nats_server(tmp_path / "nats") as server:
        found = asyncio.run(play(server.url))
    assert {Game.of(subject) for subject in found} == {GAME, *OF_FOLDER}
    assert len(told) == 4


async def sent(connection: Connection, game: Game, line: bytes = b"") -> None:
    """Wait until the last message of a game ends with this line, and it is announced."""
    while (last := await connection.last(game.subject)) is None or not last.body.endswith(line):
        await asyncio.sleep(0.01)
    while await connection.last(game.announcement) is None:
        await asyncio.sleep(0.01)
