"""What is said beside a game: its relay sends all of it each time that something is said, and those who watch read it.

One message has the whole talk, the latest of it if need be, and replaces the one before (see `wire`).  So who comes
late asks for one message, a line that was removed is gone for everybody, and nothing can be missing or come twice.  It
costs at most `MOST_TALK` bytes for each watcher, `EVERY` so many seconds.

Who watches by a relay does not talk.  Rejected: a subject to which spectators publish, and from which the relay appends
to the talk.  They publish nothing now, which is what keeps them from spoiling games; names would be claims of other
machines, whose mutes and bans this one does not have; and a relay, which only reads files, would write beside games of
which it need not be the owner.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from nhlog.beside.talk import carried, talk_file
from nhlog.errors import NhlogError, RemoteUnreachable
from nhlog.files import Stamp, stamp_of
from nhlog.relay.connection import Connection
from nhlog.relay.wire import MOST_TALK, BadMessage, Game, decode_talk

__all__ = ["EVERY", "Teller", "hear", "hear_last"]

EVERY: Final = 1.0  # seconds until what was said meanwhile is sent
_AGAIN: Final = 1.0  # seconds until the next attempt to receive it

Take = Callable[[bytes], None]
"""Called with all that was said, as lines beside a copy of the game."""


class Teller:
    """Stores what is said beside a game that is the file `recording`."""

    def __init__(self, connection: Connection, game: Game, recording: str) -> None:
        self._connection, self._game, self._recording = connection, game, recording
        self._stored: bytes | None = None  # what is stored, if that was us
        self._seen: Stamp | None = None  # of the file of the talk
        self._due = 0.0

    async def say(self) -> None:
        """Store it if anything was said, and it is time; if that is not permitted, it is done later.

        Raises :class:`RemoteUnreachable` where nothing can be stored.
        """
        now = time.monotonic()
        if now >= self._due and stamp_of(talk_file(self._recording)) != self._seen:
            self._due = now + EVERY
            await self._store()

    async def end(self) -> None:
        """Store it for the last time."""
        with suppress(NhlogError):
            await self._store()

    async def _store(self) -> None:
        stamp = stamp_of(talk_file(self._recording))
        said = carried(self._recording, min(MOST_TALK, self._connection.most))
        try:
            if stamp is not None and said != self._stored:
                await self._connection.publish(self._game.talk, said, {"Nats-Rollup": "sub"})
        except RemoteUnreachable:
            raise
        except NhlogError:
            return
        self._stored, self._seen = said, stamp


async def hear(connection: Connection, game: Game, take: Take) -> None:
    """Have each talk of a game taken that comes, the one that is stored first, without end."""
    while True:
        with suppress(NhlogError):  # without it one watches as well
            async for stored in connection.messages(game.talk, None):
                _pass_on(stored.body, take)
        await asyncio.sleep(_AGAIN)


async def hear_last(connection: Connection, game: Game, take: Take) -> None:
    """Have the talk taken that is stored."""
    with suppress(NhlogError):
        stored = await connection.last(game.talk)
        if stored is not None:
            _pass_on(stored.body, take)


def _pass_on(body: bytes, take: Take) -> None:
    with suppress(BadMessage):  # anybody who may send can spoil it, but no more
        take(decode_talk(body))
