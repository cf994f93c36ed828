"""Makes a file from the stored messages of a game, and continues with new ones.

A message that does not continue the file is skipped and reported: anybody who may send can spoil a game, but no more.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

from nhlog.errors import Damaged, LockNotObtained, RemoteUnreachable
from nhlog.relay.connection import Connection, Stored
from nhlog.relay.copy import Copy, Likeness, Shortened
from nhlog.relay.wire import BadMessage, Game, Place, decode

__all__ = ["BeginningGone", "find", "receive", "was"]

_AGAIN: Final = 0.25  # seconds until the next attempt
_NAMED: Final = 10  # servers that are named at most

Tell = Callable[[str], None]
"""Told in a sentence what went wrong and does not end the work."""


class BeginningGone(Damaged):
    """The first messages of a game are no longer stored."""


async def find(connection: Connection, place: Place) -> Game:
    """The game that an address names; raises :class:`RemoteUnreachable` unless there is exactly one."""
    found = []
    for subject in await connection.subjects(place.subject):
        with suppress(BadMessage):  # of a server that nobody has
            found.append(Game.of(subject))
    if len(found) == 1:
        return found[0]
    if not found:
        raise RemoteUnreachable("no such game is relayed there", file=f"{place.url}/{place.player}/{place.name}")
    servers = ", ".join(sorted(game.server for game in found)[:_NAMED])
    raise RemoteUnreachable(f"several servers have this game: {servers}", expected="nats://HOST/SERVER/PLAYER/GAME")


async def was(connection: Connection, game: Game, path: str, tell: Tell) -> bool:
    """Whether the file `path` is what a game is or once was, or the beginning of that, so that it can be continued.

    Only all messages tell: what stands in the file may be what the game was before it was taken back.
    """
    while True:
        likeness = Likeness(path)
        try:
            async for stored in connection.messages(game.subject, 1):
                with suppress(BadMessage):  # `receive` tells of it
                    likeness.take(decode(stored.headers, stored.body))
                if likeness.whole or not stored.pending:
                    return likeness.whole or not likeness.begun  # `receive` says that the beginning is gone
        except RemoteUnreachable as error:
            tell(error.message)
            await asyncio.sleep(_AGAIN)
        finally:
            likeness.close()


async def receive(connection: Connection, game: Game, copy: Copy | Shortened, tell: Tell) -> None:
    """Receive a game into a file until it is finished; raises :class:`NhlogError` if that is not possible.

    While the server cannot be reached one waits for it.
    """
    last: Stored | None = None
    while not copy.course.finished:
        try:
            first = await _first(connection, last, copy)
            async for stored in connection.messages(game.subject, first):
                last = stored
                await _take(copy, stored, tell)
                if not stored.pending:
                    if not copy.course.begun:
                        raise BeginningGone("its beginning is no longer stored", file=_address(connection, game))
                    await _locked(copy.caught_up, tell)
                    if copy.course.finished:
                        return
        except RemoteUnreachable as error:
            tell(error.message)
            await asyncio.sleep(_AGAIN)


def _address(connection: Connection, game: Game) -> str:
    return "/".join((connection.name, *game))


async def _first(connection: Connection, last: Stored | None, copy: Copy | Shortened) -> int:
    """The number of the first message to ask for: behind the last one, unless that was lost with its server."""
    oldest, newest = await connection.sequences()
    if last is None:
        if newest < copy.behind:
            copy.begin()
        return copy.behind + 1
    if last.sequence < oldest:
        return last.sequence + 1  # it is no longer kept
    again = await connection.message(last.sequence)
    if again is not None and (again.subject, again.headers, again.body) == (last.subject, last.headers, last.body):
        return last.sequence + 1
    copy.begin()
    return copy.behind + 1


async def _take(copy: Copy | Shortened, stored: Stored, tell: Tell) -> None:
    try:
        message = decode(stored.headers, stored.body)
        await _locked(partial(copy.take, message), tell)
    except BadMessage as error:
        tell(f"message {stored.sequence} is skipped: {error.message}")


async def _locked(work: Callable[[], None], tell: Tell) -> None:
    """Do what needs the lock of the file; retry, because a process that reads it may be stopped."""
    while True:
        try:
            return work()
        except LockNotObtained as error:
            tell(error.message)
            await asyncio.sleep(_AGAIN)
