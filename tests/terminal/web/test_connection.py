"""A connection of the server and its guest, on a transport that keeps what is written and says when it is full."""

import asyncio
from collections.abc import Generator
from http import HTTPStatus
from typing import Any, TypeVar

import msgspec
import pytest
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.streams import StreamReader

from terminal.web.connection import Connection, Guest
from terminal.web.front.lobby import Lobby, LobbyGuest
from terminal.web.recordings import Change, Recordings, Row

T = TypeVar("T")
OPENING = (
    b"GET /ws/lobby HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Kept(asyncio.Transport):
    """A transport to a page that is told everything at once."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.opened = asyncio.Event()

    def write(self, data: Any) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return Unlimited() if name == "socket" else default

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        self.opened.set()

    def taken(self) -> list[Frame]:
        """The frames that were written since the last call."""
        reader, frames = StreamReader(), []
        reader.feed_data(self.written.rpartition(b"\r\n\r\n")[2])  # without the answer to the opening
        reader.feed_eof()
        self.written = b""
        while not read(reader.at_eof()):
            frames.append(read(Frame.parse(reader.read_exact, mask=False)))
        return frames


class Unlimited:
    """A socket that needs no limit."""

    def setsockopt(self, *told: int) -> None:
        pass


def read(reading: Generator[None, None, T]) -> T:
    """What is read by who has all that is needed."""
    with pytest.raises(StopIteration) as ended:
        next(reading)
    found: T = ended.value.value
    return found


class Inn:
    """Lets everybody in, who is shown a lobby; `connections` is as uvicorn keeps them."""

    def __init__(self) -> None:
        self.connections: set[Any] = set()
        self.recordings = Recordings()
        self.lobby = Lobby(self.recordings, dict)

    async def enter(self, connection: Connection, request: Request) -> Guest | HTTPStatus:
        return LobbyGuest(self.lobby, connection)

    def left(self, connection: Connection) -> None:
        pass

    async def comes(self) -> tuple[Connection, Kept]:
        """A viewer of the lobby."""
        connection, transport = Connection(self, self), Kept()
        connection.connection_made(transport)
        connection.data_received(OPENING)
        await transport.opened.wait()
        return connection, transport

    def lists(self, *names: str) -> None:
        """The lister tells of new recordings."""
        rows = [Row(id=name, file=f"/{name}") for name in names]
        self.lobby.tell(self.recordings.take(msgspec.json.encode(Change(rows))))


def ids(transport: Kept) -> list[list[str]]:
    """The recordings in each message of the lobby."""
    messages = [msgspec.json.decode(frame.data) for frame in transport.taken()]
    return [[row["id"] for row in told.get("rows", told.get("put", ()))] for told in messages]


def test_who_is_slow_is_asked_nothing_and_so_is_not_taken_for_gone() -> None:
    async def scene() -> None:
        connection, transport = await Inn().comes()
        transport.taken()
        connection.pause_writing()
        connection.ping()
        assert (connection.alive, transport.taken()) == (True, [])
        connection.resume_writing()
        connection.ping()
        assert (connection.alive, [frame.opcode for frame in transport.taken()]) == (False, [Opcode.PING])

    asyncio.run(scene())


def test_who_missed_a_change_is_told_all_when_they_read_again_and_then_every_change() -> None:
    async def scene() -> None:
        inn = Inn()
        connection, transport = await inn.comes()
        assert ids(transport) == [[], []]  # what the keys are, and that there is nothing yet
        connection.pause_writing()
        inn.lists("one")
        assert ids(transport) == []
        connection.resume_writing()
        assert ids(transport) == [[], ["one"]]
        inn.lists("two")
        assert ids(transport) == [["two"]]

    asyncio.run(scene())


def test_who_comes_later_is_told_what_is_there_then() -> None:
    async def scene() -> None:
        inn = Inn()
        await inn.comes()
        inn.lists("one")
        _, transport = await inn.comes()
        assert ids(transport) == [[], ["one"]]

    asyncio.run(scene())
