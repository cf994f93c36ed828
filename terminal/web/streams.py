"""Live streams in ALiS, for asciinema's player on any page; a new or slow viewer is sent the whole screen first."""

from collections.abc import Callable
from typing import Final, Protocol

from websockets.frames import Opcode

from nhlog.formats.asciicast.wire.alis import END, MAGIC
from terminal.web.audience import Audience
from terminal.web.connection import Connection, framed
from terminal.web.processes.streamer import Streamed, stream

__all__ = ["StreamViewer"]

_ENDED: Final = 1000  # the codes of a close: of a stream that is over,
_BROKEN: Final = 1011  # and of one for which a player is to come again


class Streams(Protocol):
    """Where a viewer joins the others who watch the same stream."""

    opening: dict[str, str]

    def join(self, viewer: "StreamViewer") -> None:
        """Add a viewer."""

    def leave(self, viewer: "StreamViewer") -> None:
        """Remove a viewer."""


class StreamViewer:
    """Somebody's player, which watches a live stream of this size; players say nothing."""

    audience: Audience | None = None

    def __init__(self, streams: Streams, connection: Connection, identity: str, size: int) -> None:
        self.connection = connection
        self.identity = identity
        self.size = size
        self.crowd = identity, size
        self._unsent = _framed(MAGIC)  # a player waits for it for 5 seconds, for what follows only for one
        self._streams = streams

    def begin(self) -> None:
        """Let them watch."""
        self._streams.join(self)

    def shared(self, file: str, ended: Callable[[Audience, bytes], None]) -> Audience:
        """A group for viewers of the same stream; this one is its first."""
        return Audience(stream, Streamed(file, self.size, self._streams.opening), ended, opcode=Opcode.BINARY)

    def take(self, text: bytes) -> None:
        """Nothing is asked for."""

    def drained(self) -> None:
        """They take messages again."""
        if self.audience is not None:
            self.audience.catch_up(self)

    def gone(self) -> None:
        """They are gone."""
        self._streams.leave(self)

    def begin_with(self, frames: bytes) -> None:
        """Show them the screen as it is."""
        self.connection.write(self._unsent + frames)
        self._unsent = b""

    def ended(self, said: bytes) -> None:
        """There is nothing more to see; `said` is the reason, empty if it is unknown."""
        self.begin_with(said)
        self.connection.close(_ENDED if said else _BROKEN)

    def refuse(self, kind: str, text: str, code: int) -> None:
        """There is nothing to see."""
        self.ended(_framed(END) if kind == "gone" else b"")


def _framed(message: bytes) -> bytes:
    return framed(message, opcode=Opcode.BINARY)
