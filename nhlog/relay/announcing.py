"""Announces the relayed games at intervals, for lobbies of other machines; each subject keeps its last announcement."""

import asyncio
import time
from contextlib import suppress
from typing import Final

from nhlog.errors import NhlogError
from nhlog.files import Stamp
from nhlog.formats import operation
from nhlog.formats.nhgame.listing import list_open
from nhlog.operations import Listing
from nhlog.relay.connection import Connection
from nhlog.relay.sources import LogSource, Source
from nhlog.relay.wire import Announcement, Game, encode_announcement

__all__ = ["HEARD", "Announcer", "announcement_of"]

EVERY: Final = 5.0  # seconds until something new is said
_AGAIN: Final = 30.0  # seconds after which the same is said again
HEARD: Final = 3 * _AGAIN  # seconds after which what is not said again is taken to be over
_MICROSECONDS: Final = 1_000_000


class Announcer:
    """Announces a game."""

    def __init__(self, connection: Connection, game: Game) -> None:
        self._connection, self._game = connection, game
        self._said: tuple[Stamp | None, float] = None, 0.0

    async def say(self, source: Source, stamp: Stamp | None) -> None:
        """Announce the game if it is time; if that is not possible now, it is done later."""
        before, when = self._said
        now = time.monotonic()
        if now - when < (_AGAIN if stamp == before else EVERY):
            return
        self._said = stamp, now
        with suppress(NhlogError, OSError):
            told = announcement_of(await _listing(source))
            headers = {"Nats-Rollup": "sub"}
            await self._connection.publish(self._game.announcement, encode_announcement(told), headers)


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
