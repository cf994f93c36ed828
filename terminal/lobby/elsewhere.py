"""The games that relays of all servers announce: rows of the lobby like those of files.

A thread of its own listens, and nobody waits for it; what it hears may be forged, and is checked by `nhlog.relay.wire`.

It asks for the last announcement of each game, listens to what comes for a while, and asks again.  An announcement
replaces the one before it, and of messages that come while others are removed nats-server (seen with 2.9.10) does not
deliver some to who listens: with 999 games that are announced each ten seconds, the oldest that was heard came to be 43
seconds old after a minute, and older and older.  Who only listens forgets games that go on.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import aclosing, suppress
from types import TracebackType
from typing import Any, Final, Self

from nhlog.errors import NhlogError
from nhlog.operations import Listing
from nhlog.relay.connection import Connection, Stored, connected
from nhlog.relay.said.announcing import HEARD
from nhlog.relay.wire import ANNOUNCEMENTS, Announcement, BadMessage, Game, decode_announcement
from nhlog.replay import Status
from nhlog.values import dataclass
from terminal.lobby.rows import OTHERS, Row

__all__ = ["Elsewhere", "RelayedListing"]

MOST: Final = 10_000  # games that are remembered
_FRESH: Final = 15.0  # seconds after which one asks for all again: much less than those after which a game is over
assert 2 * _FRESH < HEARD
_AGAIN: Final = 1.0  # seconds until the next attempt
_MICROSECONDS: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RelayedListing(Listing):
    """A game that is announced; its `file` is its address."""

    game: str
    turn: int | None
    place: str


class Elsewhere:
    """The games that are announced on a NATS server; a context manager that listens inside its block.

    `trouble` is why nothing is heard, empty while one listens.  `clock` gives nanoseconds since 1970.
    """

    def __init__(self, url: str, options: Mapping[str, Any], clock: Callable[[], int] = time.time_ns) -> None:
        self.trouble = ""
        self._url, self._options, self._clock = url, options, clock
        self._heard: dict[Game, tuple[int, Row]] = {}  # when it was said, and what; changed by the thread alone
        self._thread = threading.Thread(target=self._listen, name="nhlog elsewhere", daemon=True)
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop

    def __enter__(self) -> Self:
        from nhlog.files.events import unheard

        self._loop = asyncio.new_event_loop()
        with unheard():
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._leave)
        self._thread.join()

    def _leave(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _listen(self) -> None:
        self._task = self._loop.create_task(self._hear_all())
        with suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self._task)
        self._loop.close()

    async def _hear_all(self) -> None:
        while True:
            try:
                async with connected(self._url, self._options) as connection:
                    await self._hear(connection)
            except NhlogError as error:
                self.trouble = str(error)
            await asyncio.sleep(_AGAIN)

    async def _hear(self, connection: Connection) -> None:
        while True:
            await connection.sequences()  # the server answers
            self.trouble = ""
            with suppress(TimeoutError):
                async with asyncio.timeout(_FRESH), aclosing(connection.messages(ANNOUNCEMENTS, None)) as messages:
                    async for stored in messages:
                        self.note(stored)
                    await asyncio.sleep(_AGAIN)

    def note(self, stored: Stored) -> None:
        """Take in an announcement."""
        with suppress(BadMessage):
            game, told = Game.of(stored.subject), decode_announcement(stored.body)
            if told.status == Status.FINISHED:
                self._heard.pop(game, None)
                return
            if game not in self._heard and len(self._heard) >= MOST:
                self._heard = {known: heard for known, heard in self._heard.items() if self._is_new(heard[0])}
            if game in self._heard or len(self._heard) < MOST:
                self._heard[game] = told.told, self._row(game, told)

    def _is_new(self, told: int) -> bool:
        return abs(self._clock() // 1000 - told) < HEARD * _MICROSECONDS

    def rows(self) -> dict[str, Row]:
        """The rows of the games that go on, by their addresses."""
        return {row.file: row for told, row in [*self._heard.values()] if self._is_new(told)}

    def _row(self, game: Game, told: Announcement) -> Row:
        listing = RelayedListing(
            file="/".join((self._url, *game)),
            format=told.format,
            title=told.title or game.player,
            people=(game.player,),
            start=told.start,
            duration=None,
            changed=told.changed,
            size=told.size,
            status=Status.LIVE,
            game=told.game,
            turn=told.turn,
            place=told.place,
        )
        return Row(listing.file, OTHERS, listing, (0, 0), -1, told.changed * 1000, whole=True)
