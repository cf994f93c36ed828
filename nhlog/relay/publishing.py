"""Sends a file's messages: each is stored directly after the one before it, or not at all.

After any error, the relay asks for the last stored message and continues after it.  So nothing is missing or doubled
after a crash of a server or a relay; if two relays send one file, the second only fills in for the first.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from nhlog.errors import LockNotObtained, RemoteUnreachable
from nhlog.files import Fate, Stamp, stamp_of
from nhlog.relay.connection import Conflict, Connection, Stored
from nhlog.relay.following import Following
from nhlog.relay.said.announcing import Announcer
from nhlog.relay.said.talking import Teller
from nhlog.relay.snapshots import Snapshots
from nhlog.relay.sources import open_source
from nhlog.relay.wire import BadMessage, Game, Kind, Message, decode, encode

__all__ = ["Publisher"]

_LOOK: Final = 1.0  # seconds after which one looks at a file of which nothing was told
_AGAIN: Final = 0.5  # seconds until the next attempt
_STRANGER: Final = 10.0  # seconds until one sends all of it again, where others send another file by its name


class Publisher:
    """Sends the file `path` as a game; calls `tell` with errors after which it continues.

    `changed` is to be set when the file may have changed.
    """

    def __init__(self, connection: Connection, game: Game, path: str, tell: Callable[[str], None]) -> None:
        self.game, self.path = game, path
        self.changed = asyncio.Event()
        self._connection, self._tell = connection, tell
        self._announcer = Announcer(connection, game)
        self._snapshots = Snapshots(connection, game)
        self._teller = Teller(connection, game, path)
        self._told = ""
        self._shared = False  # with another relay
        self._following = Following(open_source(path))
        self._sequence = 0  # of the last message of this game that is stored
        self._seen: Stamp | None = None

    @property
    def end(self) -> int:
        """How much of the file is stored."""
        return self._following.end

    async def run(self) -> None:
        """Send everything, and what is added, until the game is finished or the file is gone; raises NhlogError."""
        begun = False
        try:
            while not self._following.finished and self._following.source.fate is not Fate.DELETED:
                try:
                    await self._go_on(begun)
                    begun = True
                    await self._send()
                except Conflict as error:
                    self._share(error)
                except (RemoteUnreachable, LockNotObtained) as error:
                    self._say(error.message)
                    await asyncio.sleep(_AGAIN)
        finally:
            self._announcer.close()
            self._following.source.close()

    def _say(self, text: str) -> None:
        """Tell it, once."""
        if text != self._told:
            self._told = text
            self._tell(f"{self.path}: {text}")

    def _share(self, error: Conflict) -> None:
        if not self._shared:
            self._shared = True
            self._tell(f"{self.path}: {error.what}: another relay may send this, too")

    async def _go_on(self, begun: bool) -> None:
        """Continue after what is stored; if another program sent it while we sent, wait a while first."""
        await self._connection.make_stream()
        last = await self._connection.last(self.game.subject)
        self._sequence = last.sequence if last else 0
        self._following.go_on_from(None if last is None else _decoded(last))
        if begun and self._following.astray:
            self._say("another relay sends a different file under this name")
            await asyncio.sleep(_STRANGER)

    async def _send(self) -> None:
        """Send what there is and what comes, until the game is finished."""
        while not self._following.finished:
            self.changed.clear()
            self._seen = stamp_of(self.path)
            message = self._following.next()
            if message is not None:
                await self._store(message)
                if self._following.finished:
                    await self._teller.end()
                    await self._announcer.end(self._following.source)
            elif self._following.source.fate is Fate.REPLACED:
                self._reopen()
            elif self._following.source.fate is Fate.DELETED:
                return
            else:
                await self._wait()

    async def _store(self, message: Message) -> None:
        subject, number = self.game.subject, self._sequence
        again = message.offset if message.kind is Kind.BYTES else f"{message.kind}/{number}"
        headers = {
            **encode(message),
            "Nats-Msg-Id": f"{subject}/{message.count}/{again}",
            "Nats-Expected-Last-Subject-Sequence": str(number),
        }
        self._sequence = await self._connection.publish(subject, message.body, headers)
        self._following.take(message)
        self._told = ""

    async def _wait(self) -> None:
        """Wait until the file may have changed, also if there are no notifications."""
        while await self._snapshots.store(self._following.source, self._following.course, self._sequence):
            await asyncio.sleep(0)  # there are other games
            if self.changed.is_set():
                return
        await self._say_what_is_new()
        while not self.changed.is_set() and stamp_of(self.path) == self._seen:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK):
                    await self.changed.wait()
            await self._say_what_is_new()

    async def _say_what_is_new(self) -> None:
        """Say what there is to say of the game, and what was said beside it."""
        await self._announcer.say(self._following.source, self._seen)
        await self._teller.say()

    def _reopen(self) -> None:
        """Go on with the file that has the name now."""
        source = open_source(self.path)
        self._following.source.close()
        self._following.source = source


def _decoded(stored: Stored) -> Message:
    """The stored message; for a bad one, a message that fits no file, with a count that none has."""
    try:
        return decode(stored.headers, stored.body)
    except BadMessage:
        return Message(Kind.TRUNCATE, int(time.time()), 0, 0, "", b"")
