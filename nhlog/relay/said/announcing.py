"""Announces the relayed games at intervals, for lobbies of other machines; each subject keeps its last announcement."""

import asyncio
import time
from contextlib import suppress
from dataclasses import replace
from typing import Final

from nhlog.errors import NhlogError, RemoteUnreachable
from nhlog.files import Stamp, stamp_of
from nhlog.formats import format_of, operation
from nhlog.formats.nhgame.listing import list_open
from nhlog.operations import Listing
from nhlog.relay.connection import Connection
from nhlog.relay.sources import LogSource, Source
from nhlog.relay.wire import Announcement, Game, encode_announcement
from nhlog.replay import Status

__all__ = ["HEARD", "Announcer", "announcement_of"]

EVERY: Final = 5.0  # seconds until something new is said
_AGAIN: Final = 30.0  # seconds after which the same is said again
HEARD: Final = 3 * _AGAIN  # seconds after which what is not said again is taken to be over
_SOON: Final = 1.0  # seconds that one waits to know what to say first
_MICROSECONDS: Final = 1_000_000


class Announcer:
    """Announces a game.

    What is told of it may take long to find out, on a busy machine longer than a game is remembered.  So that is done
    beside, one time after the other, and meanwhile what was found out before is said again.
    """

    def __init__(self, connection: Connection, game: Game) -> None:
        self._connection, self._game = connection, game
        self._known: Announcement | None = None
        self._finding: asyncio.Task[Announcement] | None = None
        self._found: Stamp | None = None  # of the file, when that was begun to be found out
        self._said: Announcement | None = None
        self._again = self._new = 0.0  # when the same is to be said again, and when something else may be

    async def say(self, source: Source, stamp: Stamp | None) -> None:
        """Announce the game if it is time; if that is not permitted, it is done later.

        Raises :class:`RemoteUnreachable` where nothing can be stored: of a game in which nothing happens, only this
        tells that the server has lost it.
        """
        self._find_out(source, stamp)
        if self._finding is not None and self._known is self._said is None:
            await asyncio.wait({self._finding}, timeout=_SOON)
            self._find_out(source, stamp)
        now = time.monotonic()
        if now < (self._again if self._known is self._said else self._new):
            return
        self._again = self._new = now + EVERY  # if it cannot be said
        if await self._publish(self._known or _bare(source, self._game)):
            self._said, self._again = self._known, now + _AGAIN

    async def end(self, source: Source) -> None:
        """Announce it for the last time, as it is."""
        self.close()
        with suppress(NhlogError, OSError):
            await self._publish(announcement_of(await _listing(source)))

    def close(self) -> None:
        """Find out nothing more."""
        if self._finding is not None:
            self._finding.cancel()

    def _find_out(self, source: Source, stamp: Stamp | None) -> None:
        """Take in what was found out; begin again if the file is another one since."""
        if self._finding is not None and self._finding.done():
            with suppress(NhlogError, OSError, asyncio.CancelledError):
                self._known = self._finding.result()
            self._finding = None
        if self._finding is None and (self._known is None or stamp != self._found) and time.monotonic() >= self._new:
            self._found = stamp
            self._finding = asyncio.create_task(_announcement(source))

    async def _publish(self, told: Announcement) -> bool:
        """Say it as of now; returns whether that was possible."""
        now = replace(told, told=time.time_ns() // 1000)
        try:
            await self._connection.publish(self._game.announcement, encode_announcement(now), {"Nats-Rollup": "sub"})
        except RemoteUnreachable:
            raise
        except (NhlogError, OSError):
            return False
        return True


async def _announcement(source: Source) -> Announcement:
    return announcement_of(await _listing(source))


def _bare(source: Source, game: Game) -> Announcement:
    """What can be said of a game at once."""
    now = time.time_ns() // 1000
    form = format_of(source.name).name
    stamp = stamp_of(source.name)
    return Announcement(
        title="",
        format=form,
        game=form,
        place="",
        turn=None,
        status=str(Status.LIVE),
        start=None,
        changed=stamp.modified // 1000 if stamp else now,
        size=stamp.size if stamp else 0,
        told=now,
    )


async def _listing(source: Source) -> Listing:
    if isinstance(source, LogSource):
        return list_open(source.file)
    return await asyncio.to_thread(operation(source.name, "listing"), source.name)


def announcement_of(listing: Listing) -> Announcement:
    """The announcement of a recording with this listing."""
    game = getattr(listing, "engine", "") or getattr(listing, "game", "") or listing.format
    turn = getattr(listing, "turn", None)
    now = time.time_ns() // 1000
    return Announcement(
        title=listing.title,
        format=listing.format,
        game=str(game),
        place=getattr(listing, "place", None) or "",
        turn=None if turn is None else int(turn),
        status=str(listing.status),
        start=listing.start if listing.start and listing.start > 0 else None,
        changed=listing.changed or now,
        size=listing.size,
        told=now,
    )
