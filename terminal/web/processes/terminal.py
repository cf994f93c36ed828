"""What runs in the process of a player's terminal: it emulates what the lobby writes to it, draws that, and types.

It has the other side of the pseudo-terminal in which the lobby runs, and nobody else has: when it ends, for whatever
reason, the system hangs the lobby up, as when the connection of an ssh is lost.  It may do no more than the processes
that read recordings.
"""

import fcntl
import os
import select
import struct
import termios
import time
from contextlib import suppress
from multiprocessing.reduction import DupFd
from socket import socket
from typing import Any, Final

import msgspec

from nhlog.decoding import json_decoder
from nhlog.errors import NhlogError
from nhlog.screen import Screen
from nhlog.values import NamedTuple
from nhlog.vt import Grid, Size, Terminal, fork_emulator
from terminal.replay.loop import FRAME
from terminal.screen.theme import CURSOR
from terminal.web.processes.hearing import Hearing
from terminal.web.processes.pictures import Pictures
from terminal.web.processes.typing import clicked, key_bytes, modes_of, pasted, turned
from terminal.web.processes.wire import RECEIVED, Inbox, Kind, packed

__all__ = ["LEAST", "MOST", "SIZE", "Descriptor", "Lent", "play", "terminal_size"]

SIZE: Final = 0  # the only class of size: a terminal has one viewer
LEAST: Final = Size(80, 24)  # what programs take for granted
MOST: Final = Size(200, 60)
_TOGETHER: Final = 0.006  # seconds in which all is written that one key does
_MOST_READ: Final = 1 << 16  # bytes of output that are taken at a time
_WINSIZE: Final = struct.Struct("4H")  # struct winsize: rows, columns, pixels


class Descriptor:
    """An open file on its way to another process of ours; `fd` is its number here."""

    def __init__(self, fd: int) -> None:
        self.fd = fd

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (DupFd(self.fd),)


def _received(sent: Any) -> Descriptor:
    return Descriptor(sent.detach())


class Lent(NamedTuple):
    """The other side of a pseudo-terminal, and its size."""

    terminal: Descriptor
    size: Size


class Input(msgspec.Struct, frozen=True):
    """What a page sends; anything else in it is ignored."""

    key: str = ""
    paste: str = ""
    size: str = ""
    click: tuple[int, int] | None = None
    wheel: int = 0


def terminal_size(text: str) -> Size:
    """The size that a page asks for, as ``100x30``, within what there can be; the least for anything else."""
    columns, _, rows = text.partition("x")
    if not (columns.isdecimal() and rows.isdecimal() and len(text) <= len("9999x9999")):
        return LEAST
    return Size(
        min(max(int(columns), LEAST.columns), MOST.columns),
        min(max(int(rows), LEAST.rows), MOST.rows),
    )


def play(channel: socket, lent: Lent) -> None:
    """Draw the terminal for the server at the other end, and type into it, until either is gone."""
    try:
        fork_emulator()
        told = _Playing(channel, lent.terminal.fd, lent.size).run()
    except NhlogError as error:
        told = str(error)
    channel.setblocking(True)
    channel.sendall(packed(Kind.ENDED, SIZE, msgspec.json.encode({"t": "gone", "text": told})))


class _Playing:
    """The terminal, and what the server has been sent of it."""

    def __init__(self, channel: socket, fd: int, size: Size) -> None:
        self._channel, self._fd = channel, fd
        self._terminal = Terminal(size)
        self._inbox = Inbox()
        self._pictures = Pictures()
        self._hearing = Hearing()
        self._title = ""
        self._watched = self._wanted = False
        os.set_blocking(fd, False)

    def run(self) -> str:
        """Go on until the server or the lobby is gone; returns what there is to say about it."""
        poll = select.poll()
        for fd in (self._channel.fileno(), self._fd):
            poll.register(fd, select.POLLIN)
        stale, drawn = True, 0.0
        while True:
            ready = dict(poll.poll())
            due = max(drawn + FRAME, time.monotonic() + _TOGETHER)  # from the first byte on, after however long a wait
            if self._channel.fileno() in ready and not self._receive():
                return ""
            if self._fd in ready:
                ended = not self._feed_until(due)
                stale = True
            else:
                ended = False
            if self._watched and (stale or self._wanted):
                self._draw()
                stale, drawn = False, time.monotonic()
            if ended:
                return "You have left the lobby."

    def _feed_until(self, due: float) -> bool:
        """Feed the terminal what is written until then; returns whether there may be more."""
        while (left := due - time.monotonic()) > 0:
            if select.select([self._fd, self._channel.fileno()], [], [], left)[0] != [self._fd]:
                return True
            try:
                data = os.read(self._fd, _MOST_READ)
            except BlockingIOError:
                continue
            except OSError:  # nobody has it any more
                return False
            self._terminal.feed(data)
        return True

    # what comes from the server

    def _receive(self) -> bool:
        """Do what the server sent; returns whether it is still there."""
        data = self._channel.recv(RECEIVED)
        for kind, _, parts in self._inbox.feed(data):
            if kind is Kind.WATCHED:
                self._watched = b"".join(parts) != b""
            elif kind is Kind.WANTED:
                self._wanted = True
            elif kind is Kind.INPUT:
                self._obey(parts[0])
        return bool(data)

    def _obey(self, body: bytes) -> None:
        try:
            asked = json_decoder(Input).decode(body)
        except (ValueError, RecursionError):
            return
        if asked.size:
            self._resize(terminal_size(asked.size))
            return
        self._hearing.typed()
        modes = modes_of(self._terminal.state)
        if asked.click is not None:
            self._type(clicked(*asked.click, modes))
        elif asked.wheel:
            self._type(turned(asked.wheel, modes))
        else:
            self._type(key_bytes(asked.key, modes) if asked.key else pasted(asked.paste, modes))

    def _type(self, data: bytes) -> None:
        """Type it; what a lobby that does not read has no room for is lost, as in any terminal."""
        with suppress(OSError):
            os.write(self._fd, data)

    def _resize(self, size: Size) -> None:
        if size != self._terminal.size:
            self._terminal.resize(size)
            fcntl.ioctl(self._fd, termios.TIOCSWINSZ, _WINSIZE.pack(size.rows, size.columns, 0, 0))

    # what goes to it

    def _draw(self) -> None:
        grid = self._terminal.grid()
        title, heard = _printable(grid.title), self._hearing.next(grid)
        parts = [_told(title=title)] if title != self._title else []
        parts += [_told(told=heard)] if heard else []
        self._title = title
        told = self._pictures.next(_with_cursor(grid))
        if told is None:
            self._send(Kind.RESET, *self._whole(grid))
        elif told or parts:
            self._send(Kind.UPDATE, *parts, *([told] if told else []))
        if self._wanted and told is not None:
            self._send(Kind.WHOLE, *self._whole(grid))
        self._wanted = False

    def _whole(self, grid: Grid) -> tuple[bytes, ...]:
        return _told(title=self._title, told=Hearing().next(grid)), self._pictures.whole()

    def _send(self, kind: Kind, *parts: bytes) -> None:
        self._channel.sendall(packed(kind, SIZE, *parts))


def _told(**state: str) -> bytes:
    return msgspec.json.encode({"t": "state", **state})


def _printable(text: str) -> str:
    return "".join(filter(str.isprintable, text))


def _with_cursor(grid: Grid) -> Screen:
    """What the terminal shows, with its cursor as that of our own screens."""
    screen, (x, y) = grid.screen(), grid.cursor
    if grid.cursor_visible:
        screen.put(x, y, grid.rows[y][x][0] or " ", CURSOR)
    return screen
