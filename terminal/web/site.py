"""Who views what: viewers of the newest state share one process, a viewer who looks back gets a separate one.

The server knows recordings by their IDs alone.
"""

import asyncio
import logging
import socket
import time
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Final
from urllib.parse import parse_qs, urlsplit

from websockets.http11 import Request

from nhlog.config import Web
from nhlog.scores.tournament import Tournament
from terminal.web.admission import Admission, is_own_page
from terminal.web.audience import Audience
from terminal.web.connection import ALIS, Connection, Guest
from terminal.web.front.glances import Glances
from terminal.web.front.lobby import Lobby, LobbyGuest
from terminal.web.metrics import Metric, answering
from terminal.web.processes.lister import Places, listing
from terminal.web.processes.process import Process
from terminal.web.processes.viewer import Order, view
from terminal.web.processes.wire import Message, size_class
from terminal.web.recordings import Recordings, Row
from terminal.web.results.asking import Asking
from terminal.web.streams import StreamViewer
from terminal.web.viewers import BROKEN, GONE, Viewer

__all__ = ["Site"]

_VIEW: Final = "/ws/view/"
_LIVE: Final = "/ws/live/"
assert len(_VIEW) == len(_LIVE)
_LOBBY: Final = "/ws/lobby"
_COUNT: Final = 2.0  # seconds between two looks at how many look at what
_SOON: Final = 10.0  # seconds to wait for the list of recordings
_WELL: Final = 60.0  # seconds after which the process that lists has no trouble any more
_UNLISTED: Final = "The list may be out of date: what makes it fails again and again."
_LOG: Final = logging.getLogger("nhlog.web")
_LINGER: Final = 10.0  # seconds for which a process waits for viewers
_IDLE: Final = 30.0  # seconds without a key after which a place to look back is another's, if they ask
_LONGEST: Final = 200  # characters of a position
_NOWHERE: Final = ("gone", "the recording is gone", GONE)
_FULL: Final = ("busy", "too many recordings are watched just now: try again in a while", BROKEN)


class Site:
    """The recordings, their viewers, and the processes that read them; `opening` are options that open recordings.

    `metrics` is a listening socket at which a program on this machine may ask for numbers.
    """

    def __init__(
        self,
        places: Places,
        settled: Web,
        *,
        loopback: bool,
        opening: Mapping[str, str] = MappingProxyType({}),
        metrics: socket.socket | None = None,
        tournaments: Mapping[str, Tournament] = MappingProxyType({}),
    ) -> None:
        self.settled = settled
        self.play: Final = settled.play
        """The address of the page where players play; None where there is none."""
        self.opening = dict(opening)
        self.admission: Final = Admission(settled, loopback=loopback)
        self.recordings = Recordings()
        self.ready = asyncio.Event()
        self.lobby = Lobby(self.recordings, self.company)
        self.asking: Final = Asking((places.ended, dict(tournaments)))
        self._glances: Final = Glances(self.recordings, self.lobby, self.opening)
        self._places = places
        self._shared: dict[Hashable, Audience] = {}
        self._own: dict[Audience, Viewer] = {}
        self._lister: Process | None = None
        self._listing_since, self._listers_lost = 0.0, 0
        self._list_took, self._lists_failed = 0.0, 0
        self._metrics = metrics
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self) -> None:
        """Begin to look for recordings."""
        self._list()
        measuring = [] if self._metrics is None else [answering(self._metrics, self.measured)]
        for work in (self.admission.watch(), self._count(), self._glances.keep(), *measuring):
            self._tasks.add(asyncio.get_running_loop().create_task(work))

    def end(self) -> None:
        """End all processes."""
        for task in self._tasks:
            task.cancel()
        for audience in (*self._shared.values(), *self._own):
            audience.end()
        if self._lister is not None:
            self._lister.end()
        self.asking.end()
        self._glances.end()

    def _list(self) -> None:
        self._listing_since = time.monotonic()
        self._list_took = 0.0
        self.recordings.begin()
        self._lister = Process(listing, self._places, self._take, self._list_again)

    def _list_again(self) -> None:
        """Start again what ended; if it ends again and again, log that: the list does not show then what is live."""
        self._lists_failed += 1
        self._listers_lost = 1 if self._is_listed_well() else self._listers_lost + 1
        if self._listers_lost > 1:
            _LOG.error("what lists the recordings has ended %d times: nhlog doctor says why", self._listers_lost)
            self.lobby.trouble(_UNLISTED)
        self.later(1.0, self._list)

    def _is_listed_well(self) -> bool:
        return time.monotonic() - self._listing_since >= _WELL

    def later(self, seconds: float, do: Callable[[], None]) -> None:
        """Do something in a while, unless the server ends before."""
        asyncio.get_running_loop().call_later(seconds, do)

    def _take(self, message: Message) -> None:
        change = self.recordings.take(message.parts[0])
        self.lobby.tell(change)
        if change.ready and not self._list_took:
            self._list_took = time.monotonic() - self._listing_since
        if self.recordings.ready:
            self.ready.set()

    def measured(self) -> list[Metric]:
        """What there is to be seen of the server and the games, in numbers."""
        played = [row for row in self.recordings.rows.values() if row.playing]
        processes = {"shared": len(self._shared), "own": len(self._own)}
        return [
            Metric("players", "gauge", "Players who play.", len({row.player.casefold() for row in played})),
            Metric("games", "gauge", "Games being played.", label="game", values=Counter(row.game for row in played)),
            Metric("watchers", "gauge", "Watchers of these games.", sum(map(self.watchers, played))),
            Metric("recordings", "gauge", "Recordings in the list.", len(self.recordings.rows)),
            Metric("page_connections", "gauge", "Pages that are open.", self.admission.connected),
            Metric("page_processes", "gauge", "Processes that read for pages.", label="kind", values=processes),
            Metric("sent_bytes_total", "counter", "Bytes sent to open pages.", self.admission.sent),
            Metric("list_failures_total", "counter", "Processes that failed to make the list.", self._lists_failed),
            Metric("list_seconds", "gauge", "How long the first whole list took.", self._list_took),
        ]

    async def found(self, identity: str) -> str | None:
        """The file of this recording, None if there is none; waits for the first list."""
        if self.recordings.file(identity) is None and not self.ready.is_set():
            try:
                await asyncio.wait_for(self.ready.wait(), _SOON)
            except TimeoutError:
                return None
        return self.recordings.file(identity)

    def company(self) -> dict[str, tuple[int, int]]:
        """The number of viewers of a recording and of processes that read it for them, by its ID."""
        viewers, processes = Counter[str](), Counter[str]()
        for audience in (*self._shared.values(), *self._own):
            for identity in {member.identity for member in audience.members}:
                viewers[identity] += len(audience.members)
                processes[identity] += 1
        processes.update(self._glances.opened)
        return {identity: (viewers[identity], count) for identity, count in processes.items()}

    # who comes and goes

    def address(self, scheme: str, host: str) -> str:
        """The address of the site, for who reads it elsewhere: by its first name, which is behind TLS, or as asked."""
        return f"https://{self.settled.names[0]}" if self.settled.names else f"{scheme}://{host}"

    def watchers(self, row: Row) -> int:
        """How many watch a recording: our own processes watch for the pages, and are not counted."""
        return self.lobby.watchers(row)

    async def enter(self, connection: Connection, request: Request) -> Guest | HTTPStatus:
        """The guest of a connection, by the requested address."""
        refused = self.admission.admit(connection, request.headers)
        if refused is not None:
            return refused
        guest: Guest | HTTPStatus = HTTPStatus.BAD_REQUEST
        try:
            guest = await self._guest(connection, request)
        except ValueError:
            return guest  # no address that can be read
        finally:
            if isinstance(guest, HTTPStatus):
                self.left(connection)
        return guest

    async def _guest(self, connection: Connection, request: Request) -> Guest | HTTPStatus:
        """Raise :class:`ValueError` for a bad address."""
        address = urlsplit(request.path)
        kind, identity = address.path[: len(_VIEW)], address.path[len(_VIEW) :]
        origins, hosts = request.headers.get_all("Origin"), request.headers.get_all("Host")
        if kind != _LIVE and origins and not is_own_page(origins, hosts):  # what is no browser sends none
            return HTTPStatus.FORBIDDEN
        if address.path == _LOBBY:
            return LobbyGuest(self.lobby, connection)
        if kind not in (_VIEW, _LIVE) or await self.found(identity) is None:
            return HTTPStatus.NOT_FOUND
        query = {name: values[-1] for name, values in parse_qs(address.query, max_num_fields=10).items()}
        size = size_class(query.get("size", ""))
        if kind == _VIEW:
            return Viewer(self, connection, identity, size, query.get("at", "")[:_LONGEST])
        if connection.subprotocol != ALIS:
            return HTTPStatus.BAD_REQUEST
        return StreamViewer(self, connection, identity, size)

    def left(self, connection: Connection) -> None:
        """A connection is closed."""
        self.admission.left(connection)

    async def _count(self) -> None:
        while True:
            await asyncio.sleep(_COUNT)
            self.lobby.recount()
            if self._is_listed_well():
                self.lobby.trouble("")

    # where they look

    def join(self, viewer: "Viewer | StreamViewer") -> None:
        """Add a viewer to the shared process."""
        audience = self._shared.get(viewer.crowd)
        if audience is None:
            file = self.recordings.file(viewer.identity)
            if file is None or len(self._shared) >= self.settled.watched:
                viewer.refuse(*(_NOWHERE if file is None else _FULL))
                return
            audience = self._shared[viewer.crowd] = viewer.shared(file, self._ended)
        viewer.audience = audience
        audience.join(viewer)

    def join_own(self, viewer: "Viewer", at: str = "") -> bool:
        """Give a viewer a separate process to look back; returns whether one is free."""
        file = self.recordings.file(viewer.identity)
        theirs = sum(one.connection.source == viewer.connection.source for one in self._own.values())
        if file is None or theirs >= self.settled.looking_back_of_address or not self._has_room():
            return False
        audience = Audience(view, Order(file, self.opening, own=True, at=at), self._ended, self._back)
        self._own[audience] = viewer
        self.leave(viewer)
        viewer.audience = audience
        audience.join(viewer)
        return True

    def is_own(self, viewer: "Viewer") -> bool:
        """Whether the viewer has a separate process."""
        return viewer.audience in self._own

    def leave(self, viewer: "Viewer | StreamViewer") -> None:
        """Remove a viewer."""
        audience, viewer.audience = viewer.audience, None
        if audience is None:
            return
        audience.leave(viewer)
        if audience in self._own:
            del self._own[audience]
            audience.end()
        elif not audience.members:
            self.later(_LINGER, lambda: self._end_unwatched(audience))

    def _has_room(self) -> bool:
        """Whether one more viewer may look back; if need be, the one who was idle longest loses the process."""
        if len(self._own) < self.settled.looking_back:
            return True
        idlest = min(self._own.values(), key=lambda viewer: viewer.pressed)
        if time.monotonic() - idlest.pressed < _IDLE:
            return False
        self.leave(idlest)
        self.join(idlest)
        idlest.tell("busy", "others wanted to look back, too: you are where the recording is now")
        return True

    def _end_unwatched(self, audience: Audience) -> None:
        if not audience.members:
            self._forget(audience)
            audience.end()

    def _forget(self, audience: Audience) -> None:
        self._own.pop(audience, None)
        for crowd, shared in [*self._shared.items()]:
            if shared is audience:
                del self._shared[crowd]

    def _ended(self, audience: Audience, said: bytes) -> None:
        """A process has ended: it said why, or crashed."""
        self._forget(audience)
        for member in [*audience.members]:
            member.ended(said)

    def _back(self, audience: Audience) -> None:
        viewer = self._own.get(audience)
        if viewer is not None:
            self.leave(viewer)
            self.join(viewer)
