"""A game for viewers who join late: at once from its newest snapshot on, and all of it as soon as that has arrived.

Each is a file that can be read by itself; the viewer is told which one to show now, and what it lacks.
"""

import asyncio
import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, closing, suppress
from typing import Final

from nhlog.beside.talk import renew
from nhlog.errors import RemoteUnreachable
from nhlog.relay.connection import Connection
from nhlog.relay.copy import Copy, Outdated, Shortened
from nhlog.relay.receiving import BeginningGone, Tell, receive
from nhlog.relay.wire import BadMessage, Game, Message, decode_snapshot
from nhlog.values import NamedTuple

__all__ = ["ENOUGH", "Late", "Say"]

ENOUGH: Final = 1 << 20  # bytes before a snapshot that are worth not to be waited for
_AGAIN: Final = 1.0  # seconds until one looks again for a newer snapshot

_FETCHING: Final = "the beginning is still being received"
_GONE: Final = "the beginning is no longer stored"

Connect = Callable[[], AbstractAsyncContextManager[Connection]]
Say = Callable[[str, int, str], None]
"""Called with the file to show, the number of bytes that are missing before it, and a remark about these."""


class _Snapshot(NamedTuple):
    """A stored snapshot, message `number`; `behind` is the number of the last message before it."""

    number: int
    message: Message
    behind: int

    @property
    def before(self) -> int:
        """How many bytes of the game it leaves out."""
        return self.message.offset - len(self.message.body)


async def _newest(connection: Connection, game: Game) -> _Snapshot | None:
    """The newest snapshot; None if there is none that can be used."""
    stored = await connection.last(game.snapshot)
    if stored is None:
        return None
    with suppress(BadMessage):
        return _Snapshot(stored.sequence, *decode_snapshot(stored.headers, stored.body))
    return None


class _Whole(Copy):
    """The whole game; calls `coming` with how much has arrived, until all that is stored has, and then `there`."""

    def __init__(self, path: str, coming: Callable[[int], None], there: Callable[[], None]) -> None:
        super().__init__(path)
        self._coming, self._there = coming, there
        self.complete = False

    def take(self, message: Message) -> None:
        """Do what a message says."""
        super().take(message)
        if not self.complete:
            self._coming(self.course.end)

    def caught_up(self) -> None:
        """There is no more for now."""
        super().caught_up()
        if not self.complete:
            self.complete = True
            self._there()


class Late:
    """Receives a game into a `folder` until it is finished; calls `say` with the file to show.

    Where much is stored before the newest snapshot, or the beginning is no longer stored, that is first one which
    begins with the snapshot, and goes on until the other one, with all of the game, is `taken`.
    """

    def __init__(self, connect: Connect, game: Game, folder: str, tell: Tell, say: Say) -> None:
        self._connect, self._game, self._folder, self._tell, self._say = connect, game, folder, tell, say
        self._said = "", 0, ""
        self._talk: bytes | None = None  # all that was said beside the game
        self._snapshot: _Snapshot
        self._whole: _Whole | None = None
        self._showing: asyncio.Future[None] | None = None

    async def receive(self, connection: Connection) -> None:
        """Receive it; raises :class:`NhlogError` if that cannot be."""
        snapshot = await _newest(connection, self._game)
        if snapshot is None:
            await self.receive_whole(connection)
        elif snapshot.before > ENOUGH:
            await self._receive_both(connection, snapshot)
        else:
            try:
                await self.receive_whole(connection)
            except BeginningGone:
                await self._show(self._begin(snapshot, _GONE))

    async def receive_whole(self, connection: Connection) -> None:
        """Receive all of it, and show that from the first message on."""
        with closing(Copy(self._path("all"))) as copy:
            self._tell_file(copy.name, 0, "")
            await receive(connection, self._game, copy, self._tell)

    def taken(self) -> None:
        """The last announced file is shown: if it is the whole game, the one with the snapshot is no longer needed."""
        if self._whole is not None and self._whole.complete and self._showing is not None:
            self._showing.cancel()

    def hear(self, talk: bytes) -> None:
        """Have what was said beside the game be beside the file that is shown."""
        if talk != self._talk:
            self._talk = talk
            self._bring_talk(self._said[0])

    def _bring_talk(self, path: str) -> None:
        if path and self._talk is not None:
            with suppress(OSError):  # without it one watches as well
                renew(path, self._talk)

    async def _receive_both(self, connection: Connection, snapshot: _Snapshot) -> None:
        """Go on from a snapshot, and receive all of it over this connection."""
        showing = self._showing = asyncio.ensure_future(self._show(self._begin(snapshot, _FETCHING)))
        try:
            with closing(_Whole(self._path("all"), self._tell_coming, self._tell_there)) as self._whole:
                await receive(connection, self._game, self._whole, self._tell)
        except BeginningGone:
            self._tell_lacking(_GONE)
            await showing
        finally:
            showing.cancel()
            await asyncio.gather(showing, return_exceptions=True)

    def _begin(self, snapshot: _Snapshot, told: str) -> Shortened:
        """A file that begins with a snapshot, to be shown."""
        self._snapshot = snapshot
        short = Shortened(Copy(self._path(str(snapshot.number))), snapshot.message, snapshot.behind)
        self._tell_lacking(told)
        return short

    async def _show(self, short: Shortened) -> None:
        """Receive new messages over a second connection, so that they do not wait behind all the old ones."""
        async with self._connect() as connection:
            while True:
                with closing(short), suppress(Outdated):
                    return await receive(connection, self._game, short, self._tell)
                short = self._begin(await self._newer(connection), self._said[2])

    async def _newer(self, connection: Connection) -> _Snapshot:
        """Wait for another snapshot."""
        while True:
            with suppress(RemoteUnreachable):
                found = await _newest(connection, self._game)
                if found is not None and found.number != self._snapshot.number:
                    return found
            await asyncio.sleep(_AGAIN)

    def _path(self, which: str) -> str:
        """Where a file is made that has the name of the game."""
        folder = os.path.join(self._folder, which)
        os.makedirs(folder, exist_ok=True)
        return os.path.join(folder, self._game.name)

    def _tell_coming(self, end: int) -> None:
        percent = 100 * end // max(self._snapshot.message.offset, 1)
        self._tell_lacking(f"{_FETCHING}: {min(percent, 99)}%")

    def _tell_there(self) -> None:
        self._tell_file(self._path("all"), 0, "")

    def _tell_lacking(self, told: str) -> None:
        """Tell of the file that begins with the snapshot, unless there is a better one."""
        if self._whole is None or not self._whole.complete:
            self._tell_file(self._path(str(self._snapshot.number)), self._snapshot.before, told)

    def _tell_file(self, path: str, before: int, told: str) -> None:
        if (path, before, told) != self._said:
            if path != self._said[0]:
                self._bring_talk(path)
            self._said = path, before, told
            self._say(path, before, told)
