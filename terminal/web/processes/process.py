"""The server's side of a process that reads recordings, or shows a terminal: a channel to it, and its end.

It is forked from a process that has imported what all need (multiprocessing's "forkserver"), so that it begins within
some milliseconds and shares their memory.
"""

import asyncio
import gc
import logging
import multiprocessing
import os
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any, Final

from nhlog.confined.limits import limit
from terminal.web.processes.wire import RECEIVED, Inbox, Message

__all__ = ["OF_RECORDINGS", "OF_TERMINALS", "Process", "prepare"]

OF_RECORDINGS: Final = (
    "terminal.web.processes.viewer",
    "terminal.web.processes.lister",
    "terminal.web.processes.glancing",
    "terminal.web.processes.history",
    "terminal.web.processes.streamer",
    "terminal.views.delve.view",
    "terminal.views.nethack4.view",
    "terminal.views.screencast",
    "nhlog.engines.delve",
    "nhlog.formats.asciicast.reader",
    "nhlog.formats.nhgame.open",
    "nhlog.formats.nhgame.operations",
    "nhlog.formats.ttyrec.operations",
    "nhlog.kernels.checksum",
    "nhlog.screencast.replay",
    "nhlog.session.replay",
    "tcod",
    "watchdog.observers",
    "zstandard",
)
"""What most recordings need; what else one needs, its process imports."""
OF_TERMINALS: Final = ("terminal.web.processes.terminal", "terminal.web.processes.rehearsed")
"""What the terminals of players need."""
_LOG: Final = logging.getLogger("nhlog.web")
_CONTEXT: Final = multiprocessing.get_context("forkserver")

Work = Callable[[socket.socket, Any], None]
"""What runs in a process, with its end of the channel and its orders."""


def prepare(modules: Sequence[str]) -> None:
    """Have the process from which the others are forked import these: it has no threads, as a fork would lose them."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    _CONTEXT.set_forkserver_preload([__name__, *modules])


class Process(asyncio.Protocol):
    """A process doing `work`; `take` gets its messages, `ended` is called once when it is gone, whatever ended it."""

    def __init__(self, work: Work, order: Any, take: Callable[[Message], None], ended: Callable[[], None]) -> None:
        self._take = take
        self._ended = ended
        self._inbox = Inbox()
        self._transport: asyncio.WriteTransport | None = None
        self._unsent: list[bytes] = []
        ours, theirs = socket.socketpair()
        self._process = _CONTEXT.Process(target=_run, args=(work, theirs, order), daemon=True)
        with theirs, _no_main(), suppress(OSError, EOFError):  # there can be no more: it is as one that ended at once
            self._process.start()
        self._connecting = asyncio.get_running_loop().create_task(self._connect(ours))

    @property
    def pid(self) -> int | None:
        """Its number."""
        return self._process.pid

    async def _connect(self, ours: socket.socket) -> None:
        await asyncio.get_running_loop().create_connection(lambda: self, sock=ours)

    def send(self, message: bytes) -> None:
        """Send it a message."""
        if self._transport is None:
            self._unsent.append(message)
        elif not self._transport.is_closing():
            self._transport.write(message)

    def end(self) -> None:
        """End it at once: it has nothing to finish."""
        self._ended = _nothing
        self._connecting.cancel()
        if self._transport is not None:
            self._transport.abort()
        self._kill()

    def _kill(self) -> None:
        with suppress(ProcessLookupError, AttributeError):  # of one that did not begin
            self._process.kill()

    # as what asyncio wants

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send what was to be sent before."""
        assert isinstance(transport, asyncio.WriteTransport) or hasattr(transport, "write")
        self._transport = transport  # type: ignore[assignment]  # uvloop's are of no common class
        for message in self._unsent:
            self.send(message)
        self._unsent.clear()

    def data_received(self, data: bytes) -> None:
        """Take its messages; one that sends rubbish is ended."""
        try:
            for message in self._inbox.feed(data):
                self._take(message)
        except ValueError as error:
            _LOG.warning("a process is ended, as it sent what is no message: %s", error)
            self._kill()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self._kill()
        ended, self._ended = self._ended, _nothing
        ended()


@contextmanager
def _no_main() -> Iterator[None]:
    """Let no process run our main module once more, as `multiprocessing` has it: each had 2 MB more to itself."""
    main, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _nothing() -> None:
    """Nobody wants to know."""


def _run(work: Work, channel: socket.socket, order: Any) -> None:
    gc.freeze()  # what was imported stays shared: nobody looks through it for garbage
    confine()
    work(channel, order)
    with suppress(OSError):  # its last message is lost if something that is sent to it fails before that was read
        channel.setblocking(True)
        channel.shutdown(socket.SHUT_WR)
        while channel.recv(RECEIVED):
            pass


# What holds for every process that reads recordings for the server: it writes nothing, and has limits.

MEMORY: Final = 1 << 30  # bytes
_NICENESS: Final = 5  # who plays comes first
_NOWHERE: Final = "/dev/null/nhlog"  # no folder can be there


def confine() -> None:
    """Let this process write to no file, and have limits; what ends it is its channel's end."""
    os.nice(_NICENESS)
    os.environ["XDG_CACHE_HOME"] = _NOWHERE
    limit(MEMORY)
