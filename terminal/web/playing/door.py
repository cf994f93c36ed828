"""Who comes in: the sessions of players, and the lobby of each."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlsplit

from starlette.requests import cookie_parser
from websockets.http11 import Request

from nhlog.config import Web
from nhlog.errors import NhlogError
from nhlog.players import PlayerFolder, Players
from nhlog.players.asking import Refused
from nhlog.players.asking import redeem as redeem_code
from nhlog.players.tickets import LINK, SESSION, holder, issue, redeem, revoke
from nhlog.vt import Size
from terminal.web.addresses import Rates
from terminal.web.admission import Admission, is_own_page
from terminal.web.connection import Connection, Guest
from terminal.web.playing.lobbies import Page, RunningLobby
from terminal.web.playing.talking import Talking
from terminal.web.processes.terminal import terminal_size

__all__ = ["COOKIE", "PlayersDoor"]

COOKIE: Final = "nhlog-session"
_PATH: Final = "/play/ws"
_LINGER: Final = 15.0  # seconds for which a lobby waits for its page
_MOST_OF_PLAYER: Final = 4  # lobbies, each of another session
_LOGINS: Final = (0.1, 10)  # attempts a second of an address, and at once
_LOBBIES: Final = (0.2, 10)  # that begin for a player, likewise
_LINES: Final = (0.5, 5)  # of talk from an address, likewise


class PlayersDoor:
    """The lobbies that run, by the sessions of their players; `store` is the store of accounts, if there is one."""

    def __init__(
        self, players: Players, settled: Web, talking: Talking, *, loopback: bool, store: Path | None = None
    ) -> None:
        self.admission: Final = Admission(settled, loopback=loopback)
        self.is_secure: Final = settled.play is not None and settled.play.startswith("https:")
        """Whether browsers come by TLS."""
        self.talking: Final = talking
        """What is said beside games."""
        self._players = players
        self._store = store
        self._most = settled.playing
        self._lobbies: dict[str, RunningLobby] = {}
        self._logins, self._begun, self._said = Rates(*_LOGINS), Rates(*_LOBBIES), Rates(*_LINES)
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self) -> None:
        """Begin to look who is there."""
        self._tasks.add(asyncio.get_running_loop().create_task(self.admission.watch()))

    def end(self) -> None:
        """Hang all lobbies up."""
        for task in self._tasks:
            task.cancel()
        for lobby in [*self._lobbies.values()]:
            lobby.hang_up()

    # sessions

    def player(self, cookies: Mapping[str, str]) -> PlayerFolder | None:
        """The player whose session these cookies have; None without one that is valid."""
        return holder(self._players, SESSION, cookies.get(COOKIE, ""))

    def may_log_in(self, source: str) -> bool:
        """Whether one more attempt from this address is heard."""
        return self._logins.allow(source)

    async def log_in(self, ticket: str, source: str) -> tuple[PlayerFolder, str] | None:
        """The player to whom a link leads, and a ticket of a new session; None for a link that is not valid.

        A link has a ticket, or a code of the store of accounts, which is used up.  Raises :class:`OSError`, and
        :class:`NhlogError` where the service of accounts does not answer.
        """
        if "." in ticket or self._store is None:
            folder = redeem(self._players, LINK, ticket)
        else:
            folder = await asyncio.to_thread(self._owner, self._store, ticket, source)
        return None if folder is None else (folder, issue(folder, SESSION))

    def _owner(self, store: Path, code: str, source: str) -> PlayerFolder | None:
        """The player whose code this is; None for none."""
        try:
            folder = self._players.folder(redeem_code(store, code, source))
        except Refused:
            return None
        folder.make()
        return folder

    def log_out(self, cookies: Mapping[str, str]) -> None:
        """End a session, and the lobby that it has."""
        session, folder = cookies.get(COOKIE, ""), self.player(cookies)
        if folder is not None:
            revoke(folder, SESSION, session)
            if (lobby := self._lobbies.get(session)) is not None:
                self._close(lobby, "You have logged out.")

    def may_say(self, source: str) -> bool:
        """Whether one more line from this address is heard."""
        return self._said.allow(source)

    # pages

    async def enter(self, connection: Connection, request: Request) -> Guest | HTTPStatus:
        """The page of a connection, by its session."""
        refused = self.admission.admit(connection, request.headers)
        if refused is not None:
            return refused
        refused = self._refusal(request)
        if refused is not None:
            self.left(connection)
            return refused
        session = _cookies(request).get(COOKIE, "")
        query = parse_qs(urlsplit(request.path).query, max_num_fields=10)
        size = terminal_size(query.get("size", [""])[-1])
        return Page(connection, lambda page: self._come(page, session, size), self._left)

    def _refusal(self, request: Request) -> HTTPStatus | None:
        headers = request.headers
        if urlsplit(request.path).path != _PATH:
            return HTTPStatus.NOT_FOUND
        if not is_own_page(headers.get_all("Origin"), headers.get_all("Host")):
            return HTTPStatus.FORBIDDEN
        return None if self.player(_cookies(request)) is not None else HTTPStatus.UNAUTHORIZED

    def left(self, connection: Connection) -> None:
        """A connection is closed."""
        self.admission.left(connection)

    def _come(self, page: Page, session: str, size: Size) -> None:
        """Show a page the lobby of its session, a new one if there is none."""
        lobby = self._lobbies.get(session)
        if lobby is None:
            why = self._begin(session, page.connection.source, size)
            if why:
                page.refuse(why)
                return
            lobby = self._lobbies[session]
        page.lobby = lobby
        lobby.show(page)
        page.take(b'{"size":"%dx%d"}' % size)

    def _begin(self, session: str, source: str, size: Size) -> str:
        """Begin a lobby; returns why there is none, or nothing."""
        name = session.partition(".")[0]
        theirs = Counter(lobby.name for lobby in self._lobbies.values())[name]
        if len(self._lobbies) >= self._most or theirs >= _MOST_OF_PLAYER:
            return "Too many play in browsers just now."
        if not self._begun.allow(name):
            return "That was too often: wait for a moment."
        try:
            self._lobbies[session] = RunningLobby(name, source, size, self._ended)
        except (NhlogError, OSError) as error:
            return f"The lobby cannot begin: {error}"
        return ""

    def _left(self, page: Page) -> None:
        """A page is closed: its lobby waits for another one for a moment."""
        lobby, page.lobby = page.lobby, None
        if lobby is not None:
            lobby.leave(page)
            since = lobby.unseen_since
            asyncio.get_running_loop().call_later(_LINGER, lambda: self._hang_up_unseen(lobby, since))

    def _hang_up_unseen(self, lobby: RunningLobby, since: float | None) -> None:
        if lobby.unseen_since == since and lobby in self._lobbies.values():
            lobby.hang_up()

    def _ended(self, lobby: RunningLobby) -> None:
        for session, known in [*self._lobbies.items()]:
            if known is lobby:
                del self._lobbies[session]

    def _close(self, lobby: RunningLobby, why: str) -> None:
        page = lobby.page
        lobby.hang_up()
        if page is not None:
            page.close(why)


def _cookies(request: Request) -> dict[str, str]:
    return cookie_parser("; ".join(request.headers.get_all("Cookie")))
