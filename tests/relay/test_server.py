"""Relays and mirrors beside a real nats-server, which is killed as they are: the mirrored file is the source."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

import nats
import pytest

from nhlog.errors import Damaged, NhlogError, RemoteUnreachable
from nhlog.relay.connection import STREAM, Connection, Stored, connected
from nhlog.relay.copy import Copy
from nhlog.relay.publishing import Publisher
from nhlog.relay.receiving import find, receive
from nhlog.relay.said import announcing
from nhlog.relay.wire import MOST_FILE, Game, Kind, encode, parse_place
from tests.doses import dose, seeded
from tests.relay.made import append, copied, descriptors, rewind
from tests.relay.server import NatsServer, nats_server, needs_nats_server

pytestmark = needs_nats_server

MOST = 30.0  # seconds for what takes a few hundredths


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsServer]:
    with nats_server(tmp_path_factory.mktemp("nats")) as started:
        yield started


class Scene:
    """A log, its game, and its mirror; relays and receivers of it come and go."""

    def __init__(self, connection: Connection, folder: Path) -> None:
        self.connection = connection
        self.path = copied(folder)
        self.mirror = folder / "mirror.nhgame"
        self.game = Game("here", "ann", f"{folder.name}.nhgame")
        self.told: list[str] = []

    @asynccontextmanager
    async def relay(self, connection: Connection | None = None) -> AsyncIterator[Publisher]:
        publisher = Publisher(connection or self.connection, self.game, self.path, self.told.append)
        async with running(publisher.run()):
            yield publisher

    @asynccontextmanager
    async def receiver(self) -> AsyncIterator[Copy]:
        with closing(Copy(str(self.mirror))) as copy:
            async with running(receive(self.connection, self.game, copy, self.told.append)):
                yield copy

    async def same(self) -> bool:
        """Whether the mirror becomes the source."""
        return await becomes(lambda: self.mirror.read_bytes() == Path(self.path).read_bytes())

    async def stored(self) -> list[Stored]:
        """All messages of the game."""
        found = []
        last = await self.connection.last(self.game.subject)
        async for message in self.connection.messages(self.game.subject, 1):
            found.append(message)
            if last is None or message.sequence >= last.sequence:
                return found
        raise AssertionError("the server went")


@asynccontextmanager
async def running(work: Awaitable[object]) -> AsyncIterator[None]:
    """Do it meanwhile; it ends as abruptly as a process does."""
    task = asyncio.ensure_future(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task}, timeout=MOST)
        assert task.done(), "it was cancelled, and goes on"
        with suppress(asyncio.CancelledError):
            task.result()


async def becomes(true: Callable[[], bool]) -> bool:
    """Whether something becomes true."""
    async with asyncio.timeout(MOST):
        while not true():
            await asyncio.sleep(0.002)
    return True


def on(server: NatsServer, folder: Path, play: Callable[[Scene], Awaitable[None]]) -> None:
    """Play a scene with a connection to the server."""

    async def run() -> None:
        async with connected(server.url, {}) as connection:
            await connection.make_stream()
            await play(Scene(connection, folder))

    asyncio.run(run())


def test_lines_arrive_in_order_one_message_each(server: NatsServer, tmp_path: Path) -> None:
    async def play(scene: Scene) -> None:
        async with scene.relay() as relay, scene.receiver():
            await scene.same()
            for number in range(5):
                append(scene.path, f"search L1;{number};x")
                relay.changed.set()
                assert await scene.same()
        assert [message.body for message in (await scene.stored())[1:]] == [
            b"search L1;%d;x\n" % number for number in range(5)
        ]

    on(server, tmp_path, play)


def test_an_address_finds_its_game(server: NatsServer, tmp_path: Path) -> None:
    async def play(scene: Scene) -> None:
        place = parse_place(f"{server.url}/ann/{scene.game.name}")
        with pytest.raises(RemoteUnreachable, match="no such game"):
            await find(scene.connection, place)
        async with scene.relay(), scene.receiver():
            await scene.same()
            assert await find(scene.connection, place) == scene.game

    on(server, tmp_path, play)


def test_a_file_is_closed_when_all_of_it_was_sent_and_when_it_was_replaced(server: NatsServer, tmp_path: Path) -> None:
    async def play(scene: Scene) -> None:
        async with scene.relay() as relay:
            await becomes(lambda: relay.end == os.path.getsize(scene.path))
            finished = copied(tmp_path, "died2.nhgame")
            os.replace(finished, scene.path)
            relay.changed.set()
            await becomes(lambda: relay.end == os.path.getsize(scene.path))
            assert set(descriptors(tmp_path)) <= {scene.path}
        publisher = Publisher(scene.connection, scene.game, scene.path, scene.told.append)
        assert descriptors(tmp_path)
        await publisher.run()
        assert descriptors(tmp_path) == []

    on(server, tmp_path, play)


def test_the_mirror_is_the_source_whoever_is_killed(tmp_path: Path) -> None:
    """Relay, receiver and server, in turn and while lines come and are taken back."""
    chance = seeded(20)

    async def play(scene: Scene) -> None:
        for kill in range(dose("kills.mirror")):
            async with scene.relay() as relay, scene.receiver():
                for number in range(dose("relay.lines")):
                    append(scene.path, *(f"search L1;{kill}-{number}-{more};x" for more in range(chance.randrange(60))))
                    relay.changed.set()
                    await asyncio.sleep(0)
                if kill % 2:
                    rewind(scene.path, chance.randrange(1, 200))
                if kill % 3 == 0:
                    server.kill()
                    append(scene.path, "wait")
                    server.start()
                    relay.changed.set()
                    assert await scene.same()
        async with scene.relay(), scene.receiver():
            assert await scene.same()

    (tmp_path / "nats").mkdir()
    with nats_server(tmp_path / "nats") as server:
        on(server, tmp_path, play)


def test_what_a_server_lost_is_sent_and_received_again(tmp_path: Path) -> None:
    async def play(scene: Scene) -> None:
        async with scene.relay() as relay, scene.receiver():
            await scene.same()
            server.kill()
            server.forget()
            append(scene.path, "search")
            server.start()
            relay.changed.set()
            assert await scene.same()

    (tmp_path / "nats").mkdir()
    with nats_server(tmp_path / "nats") as server:
        on(server, tmp_path, play)


def test_what_a_server_lost_of_a_game_in_which_nothing_happens_is_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for interval in ("EVERY", "_AGAIN"):
        monkeypatch.setattr(announcing, interval, 0.1)

    async def play(scene: Scene) -> None:
        async with scene.relay():
            async with scene.receiver():
                await scene.same()
            server.kill()
            server.forget()
            server.start()
            scene.mirror.unlink()
            async with asyncio.timeout(MOST):
                while not await has_messages(scene):
                    await asyncio.sleep(0.02)
            async with scene.receiver():
                assert await scene.same()

    (tmp_path / "nats").mkdir()
    with nats_server(tmp_path / "nats") as server:
        on(server, tmp_path, play)


async def has_messages(scene: Scene) -> bool:
    with suppress(NhlogError):  # there is no stream yet
        return await scene.connection.last(scene.game.subject) is not None
    return False


def test_a_rewind_while_the_receiver_is_behind(server: NatsServer, tmp_path: Path) -> None:
    async def play(scene: Scene) -> None:
        async with scene.relay() as relay:
            async with scene.receiver():
                await scene.same()
            append(scene.path, *(f"search L1;{number};x" for number in range(3000)))
            relay.changed.set()
            await becomes(lambda: relay.end == os.path.getsize(scene.path))
            rewind(scene.path, 2500)
            append(scene.path, "pray")
            relay.changed.set()
            await becomes(lambda: relay.end == os.path.getsize(scene.path))
            async with scene.receiver():
                assert await scene.same()

    on(server, tmp_path, play)


def test_two_relays_of_one_game_store_each_byte_once(server: NatsServer, tmp_path: Path) -> None:
    async def play(scene: Scene) -> None:
        path = scene.path
        twin = copied(tmp_path, "scripted1.nhgame", "twin.nhgame")
        async with connected(server.url, {}) as other, scene.relay() as relay:
            scene.path = twin  # a file of its own, as this process may open a log once
            async with scene.relay(other) as second, scene.receiver():
                for number in range(30):
                    for file in (path, twin):
                        append(file, f"search L1;{number};x")
                    relay.changed.set()
                    second.changed.set()
                    await asyncio.sleep(0)
                assert await scene.same()
        stored = await scene.stored()
        told = [message.body for message in stored if message.headers["Nhlog-Kind"] == Kind.BYTES]
        assert b"".join(told) == Path(path).read_bytes()
        behind = [int(message.headers["Nats-Expected-Last-Subject-Sequence"]) for message in stored]
        assert behind == [0, *(message.sequence for message in stored[:-1])]

    on(server, tmp_path, play)


def test_forged_messages_change_nothing(server: NatsServer, tmp_path: Path) -> None:
    """Out of order, of another count, with another body, too large, or none at all."""

    async def play(scene: Scene) -> None:
        subject = scene.game.subject
        async with scene.receiver() as copy:
            async with scene.relay():
                await scene.same()
            course = copy.course
            good = course.bytes_message(b"search\n", len(course.head))
            forged = [
                (encode(good) | {"Nhlog-Offset": str(good.offset + 7)}, good.body),
                (encode(good) | {"Nhlog-Count": "9"}, good.body),
                (encode(good), b"SEARCH\n"),
                (encode(good) | {"Nhlog-Length": "999999999999"}, good.body),
                (encode(good) | {"Nhlog-Kind": "\x1b[2J"}, good.body),
                ({}, b"x" * 900_000),
                (encode(course.truncate_message(course.end, 7, b"")), b"y"),
                (encode(good) | {"Status": "100", "Nats-Consumer-Stalled": "$JS.FC.x"}, b"SEARCH\n"),
                (encode(good) | {"Nhlog-Offset": str(MOST_FILE)}, good.body),
            ]
            for headers, body in forged:
                await scene.connection.publish(subject, body, headers)
            assert await becomes(lambda: len(scene.told) >= len(forged))
            assert await scene.same()
            async with scene.relay() as relay:  # which goes on behind all that, too
                append(scene.path, "wait")
                relay.changed.set()
                assert await scene.same()

    on(server, tmp_path, play)


def test_a_finished_game_ends_relay_and_receiver(server: NatsServer, tmp_path: Path) -> None:
    async def play(scene: Scene) -> None:
        scene.path = copied(tmp_path, "died2.nhgame")
        relay = Publisher(scene.connection, scene.game, scene.path, scene.told.append)
        with closing(Copy(str(scene.mirror))) as copy:
            async with asyncio.timeout(MOST):
                await asyncio.gather(relay.run(), receive(scene.connection, scene.game, copy, scene.told.append))
        assert await scene.same()
        assert (await scene.stored())[-1].headers["Nhlog-Kind"] == Kind.FINISHED

    on(server, tmp_path, play)


def test_a_server_that_is_not_there_is_told(tmp_path: Path) -> None:
    async def reach() -> None:
        async with connected("nats://127.0.0.1:1", {}):
            pass

    with pytest.raises(RemoteUnreachable, match="cannot connect"):
        asyncio.run(reach())


def test_a_receiver_that_stalls_gets_all_of_it_later(server: NatsServer, tmp_path: Path) -> None:
    """More than the server sends unasked is stored while the first message is looked at, and while it goes on."""
    many, size = 600, 1 << 15

    async def play(scene: Scene) -> None:
        bodies = [b"%d" % number * size for number in range(3)]

        async def store(number: int) -> None:
            await scene.connection.publish(scene.game.subject, bodies[number % 3], {})

        for number in range(many // 2):
            await store(number)
        messages = scene.connection.messages(scene.game.subject, 1)
        received = [(await anext(messages)).body]
        for number in range(many // 2, many):
            await store(number)
        async with asyncio.timeout(MOST):
            while len(received) < many:
                received.append((await anext(messages)).body)
        await messages.aclose()
        assert received == [bodies[number % 3] for number in range(many)]

    on(server, tmp_path, play)


def test_a_beginning_that_is_no_longer_kept_is_told(server: NatsServer, tmp_path: Path) -> None:
    async def play(scene: Scene) -> None:
        async with scene.relay() as relay, scene.receiver():
            await scene.same()
            append(scene.path, "search")
            relay.changed.set()
            assert await scene.same()
        await scene.connection.publish(scene.game.subject, b"", {"Nats-Rollup": "sub"})  # all before it is dropped
        scene.mirror.unlink()
        with closing(Copy(str(scene.mirror))) as copy, pytest.raises(Damaged, match="beginning is no longer stored"):
            async with asyncio.timeout(MOST):
                await receive(scene.connection, scene.game, copy, scene.told.append)

    on(server, tmp_path, play)


def test_what_is_asked_while_the_stream_is_made_does_no_harm(tmp_path: Path) -> None:
    """nats-server 2.9.10 breaks down when it is asked for a message then."""

    async def ask(url: str, made: asyncio.Event) -> None:
        async with connected(url, {}) as connection:
            while not made.is_set():
                await asyncio.gather(*(connection.last("nhlog.a.b.c") for _ in range(5)))

    async def play(server: NatsServer) -> None:
        async with connected(server.url, {}) as maker:
            client = await nats.connect(server.url)
            for _ in range(20):
                made = asyncio.Event()
                asking = [asyncio.create_task(ask(server.url, made)) for _ in range(4)]
                await asyncio.sleep(0.01)
                await maker.make_stream()
                made.set()
                await asyncio.gather(*asking)
                await client.request(f"$JS.API.STREAM.DELETE.{STREAM}")
            await client.close()

    with nats_server(tmp_path) as server:
        asyncio.run(play(server))


def test_who_is_cancelled_while_connecting_ends(server: NatsServer) -> None:
    async def connect() -> None:
        async with connected(server.url, {}):
            await asyncio.Event().wait()

    async def run() -> None:
        for steps in range(dose("relay.cancelled")):
            task = asyncio.ensure_future(connect())
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait({task}, timeout=MOST)
            assert task.cancelled()

    asyncio.run(run())
