"""Late comers beside a real nats-server: they see a long game at once, and have all of it afterwards."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from nhlog.formats import open_recording
from nhlog.log.file import LogFile
from nhlog.log.log import Log
from nhlog.relay import late, screens
from nhlog.relay.connection import Connection, connected
from nhlog.relay.course import Course
from nhlog.relay.late import Late
from nhlog.relay.wire import Kind, Message, encode
from terminal.replay.player import Player
from tests.builders import played
from tests.relay.made import append
from tests.relay.server import NatsServer, needs_nats_server
from tests.relay.test_screens import pieces
from tests.relay.test_server import MOST, Scene, becomes, on, running, server

__all__ = ["server"]

pytestmark = needs_nats_server

TURNS = 4050
EVERY = 100  # turns between two save backups


@pytest.fixture(autouse=True)
def short_games_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(late, "ENOUGH", 1 << 14)


class Told(NamedTuple):
    """What is to be shown, and how many bytes had come until that was told."""

    path: Path
    before: int
    words: str
    come: int


class Comer:
    """Who comes late: what it was told, over which connections."""

    def __init__(self, scene: Scene, folder: Path) -> None:
        self.told: list[Told] = []
        self.connections: list[Connection] = []
        self._scene = scene
        self.late = Late(self.connect, scene.game, str(folder), scene.told.append, self._say)

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[Connection]:
        async with connected(self._scene.connection.name, {}) as connection:
            self.connections.append(connection)
            yield connection

    def _say(self, path: str, before: int, words: str) -> None:
        self.told.append(Told(Path(path), before, words, sum(self.bytes())))

    def bytes(self) -> list[int]:
        """What came over each of the connections."""
        return [int(connection._client.stats["in_bytes"]) for connection in self.connections]

    def messages(self) -> list[int]:
        return [int(connection._client.stats["in_msgs"]) for connection in self.connections]

    async def is_told(self, wanted: Callable[[Told], bool]) -> Told:
        await becomes(lambda: any(map(wanted, self.told)))
        return next(filter(wanted, self.told))

    async def shows(self, path: Path) -> bool:
        """Whether what is to be shown becomes this, but for what is before it."""
        return await becomes(
            lambda: (
                self.told[-1].path.read_bytes()[-1000:] == path.read_bytes()[-1000:]
                and self.told[-1].path.stat().st_size > 1000
            )
        )


@asynccontextmanager
async def coming(scene: Scene, folder: Path) -> AsyncIterator[Comer]:
    folder.mkdir()
    comer = Comer(scene, folder)
    async with comer.connect() as connection, running(comer.late.receive(connection)):
        yield comer


async def relayed(scene: Scene, size: int) -> None:
    """Wait until all of a log is stored, and its snapshot."""
    async with asyncio.timeout(MOST):
        while True:
            stored = await scene.connection.last(scene.game.snapshot)
            if stored is not None and int(stored.headers["Nhlog-Offset"]) == size:
                return
            await asyncio.sleep(0.01)


def long_game(folder: Path) -> str:
    return played(TURNS, backup_every=EVERY).write(folder / "long.nhgame")


def all_of_it(told: Told) -> bool:
    return not told.before


def last_turn(path: Path) -> int:
    """The turn of the last save in a log, which this process has open."""
    copy = path.with_name("copy.nhgame")
    copy.write_bytes(path.read_bytes())
    with LogFile(str(copy)) as file, Log(file) as log:
        return log.columns.last_turn


def test_a_late_comer_gets_one_message_then_the_lines_and_then_all_of_it(server: NatsServer, tmp_path: Path) -> None:
    async def play(scene: Scene) -> None:
        scene.path = long_game(tmp_path)
        path, size = Path(scene.path), Path(scene.path).stat().st_size
        async with scene.relay() as relay:
            await relayed(scene, size)
            async with coming(scene, tmp_path / "late") as comer:
                first = await comer.is_told(bool)
                assert first.come < size / 10
                assert first.before + first.path.stat().st_size == size
                assert last_turn(first.path) == TURNS + 1
                whole = await comer.is_told(all_of_it)
                assert whole.path.read_bytes() == path.read_bytes()

                for number in range(5):  # until that is taken, both go on
                    append(scene.path, f"search L1;{number};x")
                    relay.changed.set()
                    await becomes(lambda: whole.path.read_bytes() == path.read_bytes())
                    await becomes(lambda: first.path.read_bytes().endswith(path.read_bytes()[-50:]))
                assert first.path.read_bytes()[-200:] == path.read_bytes()[-200:]
                assert comer.messages()[1] < 15  # what it asked is answered, too
                assert comer.bytes()[1] < size / 10
                assert comer.bytes()[0] > size

                comer.late.taken()
                await becomes(lambda: not comer.connections[1]._client.is_connected)
                append(scene.path, "pray")
                relay.changed.set()
                await becomes(lambda: whole.path.read_bytes() == path.read_bytes())
                assert not first.path.read_bytes().endswith(b"pray\n")

    on(server, tmp_path, play)


@pytest.mark.parametrize("name", ["2.cast", "1.ttyrec"])
def test_of_a_recorded_terminal_the_newest_screen_comes_first_and_stays_when_all_is_there(
    server: NatsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(screens, "SPACING", late.ENOUGH)
    path = tmp_path / name
    *first, behind, live = pieces(name, 1500)
    path.write_bytes(b"".join(first))

    async def play(scene: Scene) -> None:
        scene.path, scene.game = str(path), scene.game._replace(name=f"{tmp_path.name}-{name}")
        async with scene.relay() as relay:
            await relayed(scene, path.stat().st_size)

            def add(event: bytes) -> None:
                with path.open("ab") as file:
                    file.write(event)
                relay.changed.set()

            add(behind)
            await becomes(lambda: relay.end == path.stat().st_size)
            async with coming(scene, tmp_path / "late") as comer:
                begun = await comer.is_told(bool)
                assert begun.come < path.stat().st_size / 5
                whole = await comer.is_told(all_of_it)
                add(live)
                for told in (begun, whole):
                    assert await becomes(lambda: told.path.read_bytes().endswith(behind + live))  # noqa: B023
        assert whole.path.read_bytes() == path.read_bytes()
        with showing(begun) as before, showing(whole) as after:
            before.seek(before.timeline.last)
            for _ in range(3):  # what came live, what was sent behind the snapshot, and the snapshot
                after.go_on_as(before)
                assert after.replay.state.grid.rows == before.replay.state.grid.rows
                assert (after.time, after.timeline.last - after.step) == (
                    before.time,
                    before.timeline.last - before.step,
                )
                before.step_by(-1)
            assert before.step == 0

    on(server, tmp_path, play)


@contextmanager
def showing(told: Told) -> Iterator[Player]:
    """A client that shows what there was to be shown."""
    with closing(Player(open_recording(str(told.path)))) as player:
        player.before = told.before
        yield player


def test_what_was_played_since_the_snapshot_makes_it_no_more_than_all_of_it(server: NatsServer, tmp_path: Path) -> None:
    async def play(scene: Scene) -> None:
        scene.path = long_game(tmp_path)
        path = Path(scene.path)
        async with scene.relay() as relay:
            await relayed(scene, path.stat().st_size)
            append(scene.path, *["search"] * (path.stat().st_size // 20))
            relay.changed.set()
            await becomes(lambda: relay.end == path.stat().st_size)
            async with coming(scene, tmp_path / "late") as comer:
                await comer.is_told(all_of_it)
        told = [int(told.words.split()[-1].rstrip("%")) for told in comer.told if told.words.endswith("%")]
        assert told == sorted(told)
        assert told[-1] == 99

    on(server, tmp_path, play)


def test_a_rewind_while_all_of_it_is_fetched(server: NatsServer, tmp_path: Path) -> None:
    async def play(scene: Scene) -> None:
        scene.path = long_game(tmp_path)
        path = Path(scene.path)
        async with scene.relay() as relay:
            await relayed(scene, path.stat().st_size)
            async with coming(scene, tmp_path / "late") as comer:
                await comer.is_told(bool)
                take_back(path, 3 * EVERY)
                relay.changed.set()
                whole = await comer.is_told(all_of_it)
                assert await becomes(lambda: whole.path.read_bytes() == path.read_bytes())
                append(scene.path, "pray")
                relay.changed.set()
                assert await comer.shows(path)

    on(server, tmp_path, play)


@pytest.mark.parametrize("enough", [1 << 14, 1 << 30])
def test_where_the_beginning_is_gone_there_are_snapshots(
    server: NatsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, enough: int
) -> None:
    """Also after the game was taken back to before the one with which one began."""
    monkeypatch.setattr(late, "ENOUGH", enough)

    async def play(scene: Scene) -> None:
        scene.path = long_game(tmp_path)
        path = Path(scene.path)
        async with scene.relay() as relay:
            await relayed(scene, path.stat().st_size)
            append(scene.path, "search")
            relay.changed.set()
            await becomes(lambda: relay.end == path.stat().st_size)
            await forget_all_but_the_last(scene)
            async with coming(scene, tmp_path / "late") as comer:
                first = await comer.is_told(lambda told: "no longer stored" in told.words)
                append(scene.path, "pray")
                relay.changed.set()
                assert await comer.shows(path)
                assert last_turn(first.path) == TURNS + 1

                take_back(path, 3 * EVERY)
                relay.changed.set()
                other = await comer.is_told(lambda told: told.before > 0 and told.path != first.path)
                assert last_turn(other.path) == TURNS - 3 * EVERY + 1
                assert "no longer stored" in other.words
                append(scene.path, "pray")
                relay.changed.set()
                assert await comer.shows(path)

    on(server, tmp_path, play)


def test_forged_snapshots_and_messages_do_not_keep_it_from_the_game(server: NatsServer, tmp_path: Path) -> None:
    async def play(scene: Scene) -> None:
        scene.path = long_game(tmp_path)
        path = Path(scene.path)
        async with scene.relay():
            await relayed(scene, path.stat().st_size)
        good = await scene.connection.last(scene.game.snapshot)
        assert good is not None
        forged = [({}, b"x"), ({**good.headers, "Nhlog-Offset": "9" * 30}, good.body), (good.headers, good.body[:-1])]
        for number, (headers, body) in enumerate(forged):
            await scene.connection.publish(scene.game.snapshot, body, headers)
            async with coming(scene, tmp_path / f"late{number}") as comer:
                await comer.is_told(all_of_it)
                assert await comer.shows(path)
        await scene.connection.publish(scene.game.snapshot, good.body, good.headers)
        async with coming(scene, tmp_path / "late") as comer:
            first = await comer.is_told(bool)
            before = first.path.read_bytes()
            course = Course()
            course.count = 1
            for kind, offset in ((Kind.BYTES, path.stat().st_size + 7), (Kind.BYTES, 0), (Kind.TRUNCATE, 0)):
                message = Message(kind, 1, offset, 0, course.digest, b"x" if kind is Kind.BYTES else b"")
                await scene.connection.publish(scene.game.subject, message.body, encode(message))
            await comer.is_told(all_of_it)
            assert first.path.read_bytes() == before

    on(server, tmp_path, play)


def take_back(path: Path, turns: int) -> None:
    """Take a game back by so many turns, in place, as `nhlog rewind` does."""
    game = played(TURNS - turns, backup_every=EVERY)
    with path.open("r+b") as file:
        file.write(bytes(game.data).replace(b" 00000001 ", b" 00000002 ", 1))
        file.truncate()


async def forget_all_but_the_last(scene: Scene) -> None:
    import nats

    last = await scene.connection.last(scene.game.subject)
    assert last is not None
    client = await nats.connect(scene.connection.name)
    await client.jetstream().purge_stream("NHLOG", subject=scene.game.subject, seq=last.sequence)
    await client.close()
