"""Running the server until a signal ends it."""

import asyncio
import contextlib
import logging
import os
import resource
import signal
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from ipaddress import ip_address
from types import MappingProxyType
from typing import Final

import uvicorn
import uvloop
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from nhlog.config import Web
from nhlog.errors import NhlogError
from nhlog.scores.tournament import Tournament
from terminal.web.connection import Door, accepting
from terminal.web.processes.lister import Places
from terminal.web.processes.process import OF_RECORDINGS, prepare
from terminal.web.routes import application
from terminal.web.site import Site

__all__ = ["Sparing", "is_loopback", "listening", "run", "serve"]

# What strangers can make the server say in its log is bounded: each thing once a minute, and few things.
#
# What is left out is counted, and told with the next thing that is said.

_WINDOW: Final = 60.0  # seconds
_MOST: Final = 20  # things that are said in them
_LOGGERS: Final = ("asyncio", "nhlog.web", "uvicorn.asgi", "uvicorn.error", "websockets", "websockets.server")
"""Whose words depend on what is asked of the server."""


class Sparing(logging.Filter):
    """Lets each sentence through once in a while, whatever is filled into it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._begun = clock()
        self._said: set[object] = set()
        self._left_out = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it is said now."""
        if self._clock() - self._begun >= _WINDOW:
            self._begun = self._clock()
            self._said.clear()
        if record.msg in self._said or len(self._said) >= _MOST:
            self._left_out += 1
            return False
        self._said.add(record.msg)
        if self._left_out:
            record.msg, record.args = f"{record.getMessage()} (and {self._left_out} lines like those before)", None
            self._left_out = 0
        return True


def spare() -> None:
    """Have what the server says be bounded from now on."""
    sparing = Sparing()
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(sparing)


_PATIENCE = 15.0  # seconds in which a request has to come
_LOCAL = "127.0.0.1"
BACKLOG = 2048  # connections that wait to be accepted: all come back at once when a server starts again


class _Server(uvicorn.Server):
    """uvicorn's, without its handling of signals, which would end the process before we have."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class _Requests(H11Protocol):
    """uvicorn's HTTP, with a timeout for clients that do not finish their request."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(_PATIENCE, self._look, None)

    def _look(self, before: object) -> None:
        """Close it if it still waits for the same part of a request as at the last look."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return
        if self.cycle is before and (before is None or self.cycle.response_complete):
            self.transport.close()
        else:
            self.loop.call_later(_PATIENCE, self._look, self.cycle)


def serve(
    places: Places,
    host: str,
    port: int,
    settled: Web,
    opening: Mapping[str, str],
    tell: Callable[[str], None],
    metrics: int | None = None,
    tournaments: Mapping[str, Tournament] = MappingProxyType({}),
) -> None:
    """Serve the recordings of these places until SIGINT or SIGTERM; `tell` gets the address when it does.

    `opening` are the options that open recordings, each used for those that it fits.  `metrics` is the port of the
    loopback address for numbers about the server.  `tournaments` are by the names of their pages.
    """
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(listening(host, port))
        measuring = None if metrics is None else stack.enter_context(listening(_LOCAL, metrics))
        prepare(OF_RECORDINGS)
        site = Site(
            places, settled, loopback=is_loopback(listener), opening=opening, metrics=measuring, tournaments=tournaments
        )
        run(listener, site, application(site), tell)


def is_loopback(listener: socket.socket) -> bool:
    """Whether only this machine can connect."""
    return ip_address(listener.getsockname()[0]).is_loopback


def run(listener: socket.socket, served: Door, answers: ASGIApp, tell: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; `tell` gets the address when it does."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    spare()
    uvloop.run(_run(listener, served, answers, tell))


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there; raises :class:`NhlogError`."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except socket.gaierror as error:
        raise NhlogError(f"no such address: {host}", found=error.strerror) from None
    except OSError as error:
        raise NhlogError(f"cannot listen on {host}, port {port}", found=os.strerror(error.errno or 0).lower()) from None


async def _run(listener: socket.socket, served: Door, answers: ASGIApp, tell: Callable[[str], None]) -> None:
    host, port = listener.getsockname()[:2]
    config = uvicorn.Config(
        answers,
        http=_Requests,
        ws=accepting(served),  # type: ignore[arg-type]  # it is called with what a class would be
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=2,
        backlog=BACKLOG,
    )
    server = _Server(config)
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, _end, server)
    served.begin()
    tell(f"http://{f'[{host}]' if ':' in host else host}:{port}/")
    try:
        await server.serve([listener])
    finally:
        served.end()


def _end(server: uvicorn.Server) -> None:
    server.should_exit = True
