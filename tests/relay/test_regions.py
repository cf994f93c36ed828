"""A server near the spectators, which mirrors the stream of another, both as docs/scale.md has them; other mirrors."""

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import nats
import pytest
from nats.js.api import StreamConfig, StreamSource

from nhlog.config import Relay, read_config
from nhlog.errors import RemoteUnreachable
from nhlog.relay.connection import STREAM, Connection, connected
from nhlog.relay.copy import Copy
from nhlog.relay.login import options_of
from nhlog.relay.publishing import Publisher
from nhlog.relay.receiving import find, receive
from nhlog.relay.relaying import relay
from nhlog.relay.wire import ANNOUNCEMENTS, Game, parse_place
from tests.conftest import Done
from tests.relay.documented import documented, make_certificates
from tests.relay.made import append, copied, rewind
from tests.relay.server import NatsServer, nats_server, needs_nats_server
from tests.relay.test_server import MOST, running

pytestmark = [
    needs_nats_server,
    pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl"),
]

GAME = Game("north", "Scripty", "scripted1.nhgame")


def make_mirror(west: NatsServer, folder: Path) -> None:
    program = documented("import asyncio", folder).replace("//localhost", f"//localhost:{west.port}")
    subprocess.run([sys.executable, "-c", program], check=True)


async def first_announcement(connection: Connection) -> str:
    """Of those that are stored, and of those to come."""
    while True:
        async for stored in connection.messages(ANNOUNCEMENTS, 1):
            return stored.subject


async def found(connection: Connection, address: str) -> Game:
    """The game of an address, once its first line is there: it may be announced before."""
    while True:
        with suppress(RemoteUnreachable):
            return await find(connection, parse_place(address))
        await asyncio.sleep(0.01)


async def becomes_the_same(path: str, copy: Path) -> None:
    while copy.read_bytes() != Path(path).read_bytes():
        await asyncio.sleep(0.01)


def test_what_is_sent_to_the_hub_is_received_and_listed_at_the_leaf(tmp_path: Path) -> None:
    hubs, wests, games = (tmp_path / name for name in ("hub", "west", "games"))
    for folder in (hubs, wests, games):
        folder.mkdir()
    make_certificates(hubs)
    shutil.copy(hubs / "ca.pem", wests)
    path, copy = copied(games), games / "copy.nhgame"
    north = {"user": "north", "password": "secret of north", "inbox_prefix": "_INBOX_north"}

    async def play(hub: NatsServer, west: NatsServer) -> None:
        login = options_of(Relay(options=north, authority=hubs / "ca.pem"))
        async with (
            connected(f"tls://localhost:{hub.port}", login) as there,
            connected(west.url, {}) as here,
            asyncio.timeout(MOST),
        ):
            await there.make_stream()
            await asyncio.to_thread(make_mirror, west, wests)
            publisher = Publisher(there, GAME, path, lambda told: None)
            async with running(publisher.run()):
                assert await first_announcement(here) == GAME.announcement
                assert await found(here, f"{west.url}/Scripty/{GAME.name}") == GAME
                with closing(Copy(str(copy))) as made:
                    async with running(receive(here, GAME, made, lambda told: None)):
                        await becomes_the_same(path, copy)
                        append(path, "search", "wait")
                        rewind(path, 5)
                        publisher.changed.set()
                        await becomes_the_same(path, copy)
                        hub.kill()
                        append(path, "pray")
                        hub.start()
                        publisher.changed.set()
                        await becomes_the_same(path, copy)

    config = documented("# /etc/nats/hub.conf", hubs)
    with nats_server(hubs, config) as hub:
        before, _, after = config.rpartition("127.0.0.1:-1")
        hub.configure(f"{before}127.0.0.1:{hub.leaf_port}{after}")  # the same port when it is started again
        leaf = documented("# /etc/nats/west.conf", wests).replace(":7422", f":{hub.leaf_port}")
        with nats_server(wests, leaf) as west:
            asyncio.run(play(hub, west))


def test_a_mirror_of_another_name_is_read_by_whoever_is_told_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nhlog: Callable[..., Done]
) -> None:
    """It stands beside the stream, of which nothing is left when it is read."""

    async def prepare(url: str) -> None:
        async with connected(url, {}) as connection:
            await connection.make_stream()
        client = await nats.connect(url)
        streams = client.jetstream()
        await streams.add_stream(StreamConfig("WEST", mirror=StreamSource(STREAM), allow_rollup_hdrs=True))
        await relay([path], url, {}, GAME.server, None, lambda told: None)
        sent = await streams.stream_info(STREAM)
        async with asyncio.timeout(MOST):
            while (await streams.stream_info("WEST")).state.last_seq < sent.state.last_seq:
                await asyncio.sleep(0.01)
        await streams.purge_stream(STREAM)
        await client.close()

    async def announced(url: str) -> str:
        async with connected(url, options_of(read_config().relay)) as connection, asyncio.timeout(MOST):
            return await first_announcement(connection)

    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    settings = tmp_path / "nhlog" / "config.toml"
    settings.parent.mkdir()
    path, copy = copied(tmp_path, "died2.nhgame"), tmp_path / "copy.nhgame"
    with nats_server(tmp_path) as server:
        asyncio.run(prepare(server.url))
        address = f"{server.url}/Dies2/died2.nhgame"
        for name, told in ((STREAM, "no such game is relayed there"), ("EAST", "the server has no stream EAST")):
            settings.write_text(f'[relay]\nstream = "{name}"\n')
            refused = nhlog("mirror", address, copy)
            assert (refused.code, told in refused.err) == (7, True)
        settings.write_text('[relay]\nstream = "WEST"\n')
        assert nhlog("mirror", address, copy).code == 0
        assert copy.read_bytes() == Path(path).read_bytes()
        assert asyncio.run(announced(server.url)) == Game("north", "Dies2", "died2.nhgame").announcement


def test_a_mirror_leaves_every_other_game_as_it_is(tmp_path: Path, nhlog: Callable[..., Done]) -> None:
    async def prepare(url: str) -> None:
        async with connected(url, {}) as connection:
            await connection.make_stream()
        await relay([path], url, {}, GAME.server, None, lambda told: None)

    path, copy = copied(tmp_path, "died2.nhgame"), tmp_path / "copy.nhgame"
    other = Path(copied(tmp_path, "scripted1.nhgame", "copy.nhgame")).read_bytes()
    with nats_server(tmp_path) as server:
        asyncio.run(prepare(server.url))
        address = f"{server.url}/Dies2/died2.nhgame"
        refused = nhlog("mirror", address, copy)
        assert (refused.code, copy.read_bytes()) == (2, other)
        assert "there is another game in this file" in refused.err
        assert nhlog("mirror", address, copy, "--force").code == 0
        assert Path(f"{copy}.cut-00000001").read_bytes() == other
        assert copy.read_bytes() == Path(path).read_bytes()
        copy.write_bytes(Path(path).read_bytes()[:9000])
        assert nhlog("mirror", address, copy).code == 0
        assert copy.read_bytes() == Path(path).read_bytes()
