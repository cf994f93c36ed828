"""What runs in the process of a live stream, or of a cast: one recording, as what asciinema's player reads."""

import math
import os
import select
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from socket import socket
from typing import Final

import msgspec

from nhlog.errors import NhlogError
from nhlog.files.changes import FileChanges
from nhlog.formats import reading
from nhlog.formats.asciicast.wire.alis import END
from nhlog.vt import Size
from terminal.replay.loop import FRAME, REFRESH
from terminal.screen.display import Changes
from terminal.streamed import LiveStream, cast_of, open_stream
from terminal.web.processes.wire import ALL, RECEIVED, SIZES, Inbox, Kind, packed

__all__ = ["Streamed", "cast", "stream"]

_LAST: Final = 3.0  # seconds for which the last screen is seen
_PIECE: Final = 1 << 16  # bytes of a cast that are sent at once,
_SLOW: Final = 1.0  # and seconds after which there may be less of them


class Streamed(msgspec.Struct, frozen=True):
    """The recording to stream, and the options that open it; if it is not of a terminal, it is drawn in this class of
    sizes."""

    file: str
    size: int
    opening: dict[str, str] = {}


def stream(channel: socket, order: Streamed) -> None:
    """Stream a live recording to the server at the other end, until it ends or nobody watches it."""
    with suppress(_Left):
        with suppress(NhlogError, OSError), ExitStack() as stack:
            stack.enter_context(reading(order.file))
            live = stack.enter_context(closing(open_stream(order.file, Size(*SIZES[order.size]), order.opening)))
            changes = FileChanges(order.file) if os.path.isfile(order.file) else None
            if changes:
                stack.callback(changes.close)
            _Streaming(channel, order.size, live, changes).run()
        _send(channel, Kind.ENDED, ALL, END)


class _Left(Exception):
    """Nobody looks any more."""


def _send(channel: socket, kind: Kind, size: int, *parts: bytes) -> None:
    try:
        channel.sendall(packed(kind, size, *parts))
    except OSError:
        raise _Left from None


class _Streaming:
    """A live stream, and the viewers that wait for its beginning."""

    def __init__(self, channel: socket, size: int, live: LiveStream, changes: Changes | None) -> None:
        self._channel, self._size = channel, size
        self._live, self._changes = live, changes
        self._inbox = Inbox()
        self._wanted = False

    def run(self) -> None:
        """Stream until it has ended, and a bit longer: players hide the last screen as soon as they know of the end."""
        poll = select.poll()
        poll.register(self._channel, select.POLLIN)
        if self._changes:
            poll.register(self._changes.fileno(), select.POLLIN)
        due, over, begun = time.monotonic(), math.inf, False
        while (now := time.monotonic()) < over:
            if (self._changes and self._changes.take()) or now >= due:
                self._look(now)
                due = now + REFRESH
            if self._wanted:
                self._wanted, begun = False, True
                _send(self._channel, Kind.WHOLE, self._size, self._live.begin())
            over = min(over, now + _LAST) if begun and self._live.ended else math.inf
            ready = dict(poll.poll(max(due - time.monotonic(), 0.0) * 1000))
            if self._channel.fileno() in ready:
                self._receive()
            if len(ready) > (self._channel.fileno() in ready):
                time.sleep(max(now + FRAME - time.monotonic(), 0.0))  # what comes in a frame is sent at once

    def _look(self, now: float) -> None:
        if messages := self._live.look(now):
            _send(self._channel, Kind.UPDATE, self._size, *messages)

    def _receive(self) -> None:
        data = self._channel.recv(RECEIVED)
        if not data:
            raise _Left
        self._wanted |= any(message.kind is Kind.WANTED for message in self._inbox.feed(data))


def cast(channel: socket, order: Streamed) -> None:
    """Send all of a recording, a piece whenever the server asks for one; it says so when this was all."""
    with suppress(_Left, NhlogError, OSError), reading(order.file):
        for piece in _pieces(cast_of(order.file, Size(*SIZES[order.size]), order.opening)):
            if not channel.recv(RECEIVED):
                return
            _send(channel, Kind.UPDATE, order.size, piece)
        _send(channel, Kind.ENDED, ALL, b"all")


def _pieces(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines in pieces; those that take long to make do not wait for more of them."""
    waiting, size, begun = [], 0, time.monotonic()
    for line in lines:
        waiting.append(line)
        size += len(line)
        if size >= _PIECE or time.monotonic() >= begun + _SLOW:
            yield b"".join(waiting)
            waiting, size, begun = [], 0, time.monotonic()
    yield b"".join(waiting)
