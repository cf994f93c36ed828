"""Which requests and connections a server accepts: for its own host names, from its own pages, and not too many.

A host name that is none of ours is refused so that no other site's name leads to a server that listens on the loopback
address; the origin, so that no other site's page uses what a browser sends along.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from websockets.datastructures import Headers

from nhlog.config import Web
from terminal.web.addresses import Rates, source_of
from terminal.web.connection import STUCK, Connection

__all__ = ["Admission", "is_own_page"]

_BEAT: Final = 20.0  # seconds between two looks at who is there
_REQUESTS: Final = 5  # that a viewer makes at once: a page, and what it needs
_AGAIN: Final = 25.0  # seconds in which all of an address may do so once
_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")  # other sites' names may lead to it, too


class Admission:
    """The open connections, the limits of `settled` for them, and those for requests."""

    def __init__(self, settled: Web, *, loopback: bool) -> None:
        requests = settled.viewers_of_address * _REQUESTS
        self.rates: Final = Rates(requests / _AGAIN, requests)
        """How often an address may ask for something."""
        self._settled = settled
        self._names = {*settled.names, *(_LOOPBACK if loopback else ())}
        self._connections: set[Connection] = set()
        self._of_source = Counter[str]()
        self._sent_to_others = 0  # that have left

    def source_of(self, peer: str, forwarded: Sequence[str]) -> str:
        """The address for which a request is counted."""
        return source_of(peer, forwarded, self._settled.proxies)

    def answers(self, hosts: Sequence[str]) -> bool:
        """Whether the requested host name is one of the site."""
        with suppress(ValueError):
            return not self._names or [urlsplit(f"//{host}").hostname in self._names for host in hosts] == [True]
        return False

    def admit(self, connection: Connection, headers: Headers) -> HTTPStatus | None:
        """Count a connection in, until it has left; the reason if it is refused."""
        connection.source = self.source_of(connection.source, headers.get_all("X-Forwarded-For"))
        if not self.answers(headers.get_all("Host")):
            return HTTPStatus.MISDIRECTED_REQUEST
        others = self._of_source[connection.source]
        if not self.rates.allow(connection.source) or others >= self._settled.viewers_of_address:
            return HTTPStatus.TOO_MANY_REQUESTS
        if len(self._connections) >= self._settled.viewers:
            return HTTPStatus.SERVICE_UNAVAILABLE
        self._connections.add(connection)
        self._of_source[connection.source] += 1
        return None

    @property
    def connected(self) -> int:
        """The number of open connections."""
        return len(self._connections)

    @property
    def sent(self) -> int:
        """The bytes that all connections were sent."""
        return self._sent_to_others + sum(connection.sent for connection in self._connections)

    def left(self, connection: Connection) -> None:
        """A connection that was counted in is closed."""
        self._connections.discard(connection)
        self._sent_to_others += connection.sent
        self._of_source[connection.source] -= 1
        if not self._of_source[connection.source]:
            del self._of_source[connection.source]

    async def watch(self) -> None:
        """Ping all connections for ever, and close those that do not answer or take nothing."""
        while True:
            await asyncio.sleep(_BEAT)
            now = time.monotonic()
            for connection in [*self._connections]:
                stuck = connection.slow_since is not None and now - connection.slow_since > STUCK
                if stuck or not connection.alive:
                    connection.abort()
                else:
                    connection.ping()


def is_own_page(origins: Sequence[str], hosts: Sequence[str]) -> bool:
    """Whether a request with these headers is from a page of the same host; a browser sends one Origin."""
    with suppress(ValueError):
        return [urlsplit(origin).netloc.casefold() for origin in origins] == [*map(str.casefold, hosts)]
    return False
