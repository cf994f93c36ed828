"""One WebSocket of the server, as uvicorn hands it over: the handshake, frames in, prepared frames out.

What goes to many is made into a frame once, and written to each as it is.  There is no queue but the transport's own:
a connection that has not taken what it was sent is `slow`, is sent nothing more, and told when that has changed.
"""

import asyncio
import logging
import socket
import time
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any, Final, Protocol

from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

__all__ = ["ALIS", "STUCK", "Connection", "Door", "Guest", "accepting", "framed"]

ALIS: Final = Subprotocol("v1.alis")
"""The one subprotocol: that of live streams, for which asciinema's player asks beside others."""


LONGEST: Final = 1024  # bytes of a message from a page
UNSENT: Final = 1 << 16  # bytes for a viewer at which it is slow
STUCK: Final = 60.0  # seconds after which one is let go who takes nothing
KERNEL: Final = 1 << 17  # bytes that the system keeps for it besides
_RATE: Final = 50  # messages a second that are obeyed
_BURST: Final = 100  # and at once
_FLOOD: Final = 1000  # more than that at once, and the connection is closed

_LOG: Final = logging.getLogger("nhlog.web")
_PING: Final = Frame(Opcode.PING, b"").serialize(mask=False)


class Guest(Protocol):
    """The viewer at the other end of a connection."""

    def begin(self) -> None:
        """The connection is open."""

    def take(self, text: bytes) -> None:
        """A message came."""

    def drained(self) -> None:
        """The connection is not slow any more."""

    def gone(self) -> None:
        """The connection is closed."""


class Door(Protocol):
    """Decides which connections are accepted, while the server runs."""

    def begin(self) -> None:
        """Begin what goes on beside connections."""

    def end(self) -> None:
        """End all of it."""

    async def enter(self, connection: "Connection", request: Request) -> Guest | HTTPStatus:
        """The guest of this connection, or the reason why it is refused."""

    def left(self, connection: "Connection") -> None:
        """A connection for which there was a guest is closed."""


def framed(*parts: bytes, opcode: Opcode = Opcode.TEXT) -> bytes:
    """Messages as frames."""
    return b"".join(Frame(opcode, part).serialize(mask=False) for part in parts)


def _chosen(protocol: ServerProtocol, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    return ALIS if ALIS in offered else None


class Connection(asyncio.Protocol):
    """A WebSocket; `source` is whom it is counted for, `sent` how many bytes it was sent, and
    `slow_since` when it became slow, None while it is not."""

    def __init__(self, door: Door, server_state: Any) -> None:
        self._door = door
        self._connections: set[Any] = server_state.connections
        self._protocol = ServerProtocol(select_subprotocol=_chosen, max_size=LONGEST, logger=_LOG)
        self._transport: Any = None
        self._guest: Guest | None = None
        self._entering: asyncio.Task[None] | None = None
        self._tokens, self._counted = float(_BURST), 0.0
        self.source = ""
        self.sent = 0
        self.slow_since: float | None = None
        self.alive = True

    @property
    def slow(self) -> bool:
        """Whether it has not taken yet what it was sent."""
        return self.slow_since is not None

    @property
    def subprotocol(self) -> str | None:
        """What was chosen of the protocols that the other end offers."""
        return self._protocol.subprotocol

    def write(self, frames: bytes) -> None:
        """Send frames."""
        if not self._transport.is_closing():
            self.sent += len(frames)
            self._transport.write(frames)

    def ping(self) -> None:
        """Ask whether the other end is still there and reading; anything that it sends sets `alive` again."""
        if not self.slow:
            self.alive = False
            self._transport.write(_PING)

    def close(self, code: int, reason: str = "") -> None:
        """Close it, with what was sent before."""
        if self._protocol.state is State.OPEN:
            self._protocol.send_close(code, reason)
            self._flush()
        if self.slow:
            self._transport.abort()
        else:
            self._transport.close()

    def abort(self) -> None:
        """Close it at once."""
        self._transport.abort()

    # as what uvicorn and asyncio want

    def connection_made(self, transport: Any) -> None:
        """Limit how much is buffered for it."""
        self._transport = transport
        self._connections.add(self)
        peer = transport.get_extra_info("peername")
        self.source = peer[0] if isinstance(peer, tuple) else ""
        transport.set_write_buffer_limits(high=UNSENT)
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let the guest go."""
        self._connections.discard(self)
        if self._entering is not None:
            self._entering.cancel()
        if self._guest is not None:
            self._guest.gone()
            self._door.left(self)

    def data_received(self, data: bytes) -> None:
        """Take what came."""
        self.alive = True
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Request):
                self._transport.pause_reading()
                self._entering = asyncio.get_running_loop().create_task(self._enter(event))
            elif isinstance(event, Frame):
                self._received(event)
        if self._entering is None or self._entering.done():
            self._flush()

    def eof_received(self) -> None:
        """The other end has closed its side; close ours."""

    def pause_writing(self) -> None:
        """The other end does not read."""
        self.slow_since = time.monotonic()

    def resume_writing(self) -> None:
        """The other end reads again."""
        self.slow_since = None
        if self._guest is not None:
            self._guest.drained()

    def shutdown(self) -> None:
        """The server ends."""
        self.close(1012, "the server ends")

    async def _enter(self, request: Request) -> None:
        response = self._protocol.accept(request)
        guest: Guest | None = None
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            answer = await self._door.enter(self, request)
            if isinstance(answer, HTTPStatus):
                response = self._protocol.reject(answer, f"{answer.phrase}\n")
            else:
                guest = answer
        self._protocol.send_response(response)
        self._flush()
        if guest is None:
            self._transport.close()
            return
        self._guest = guest
        guest.begin()
        self._transport.resume_reading()

    def _received(self, frame: Frame) -> None:
        """Pass a message on, if there are not too many; those in pieces are none of a page's."""
        now = time.monotonic()
        self._tokens = min(self._tokens + (now - self._counted) * _RATE, _BURST) - 1
        self._counted = now
        if self._tokens < _BURST - _FLOOD:
            self.close(1008, "too many messages")
        elif self._tokens >= 0 and frame.fin and frame.opcode is Opcode.TEXT and self._guest is not None:
            self._guest.take(bytes(frame.data))

    def _flush(self) -> None:
        """Send what the protocol wants to send, unless the other end does not read; an empty piece ends it."""
        for data in self._protocol.data_to_send():
            if not data:
                self._transport.close()
            elif not self.slow:
                self._transport.write(data)


def accepting(door: Door) -> Callable[..., Connection]:
    """The factory of connections for uvicorn."""

    def made(config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> Connection:
        return Connection(door, server_state)

    return made
