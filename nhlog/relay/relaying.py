"""Relays files, and all that is played in folders: each file in its own task, over one connection.

In a folder only unfinished games are sent, and recordings that are being written.
"""

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from nhlog.beside.file import TALK
from nhlog.errors import NhlogError, Usage
from nhlog.files import Stamp, is_being_written, stamp_of
from nhlog.files.events import FolderEvents
from nhlog.files.processes import user_name
from nhlog.formats import format_of, is_recording
from nhlog.log.file import LogFile
from nhlog.log.reading import settled
from nhlog.log.wire.header import Header, parse_header
from nhlog.players import Players
from nhlog.relay.connection import Connection, NotPermitted, Options, connected
from nhlog.relay.publishing import Publisher
from nhlog.relay.receiving import Tell
from nhlog.relay.wire import Game

__all__ = ["relay"]

_RESCAN: Final = 2.0  # seconds between two looks at what is in a folder


async def relay(
    paths: Sequence[str], url: str, options: Options, server: str, players: Players | None, tell: Tell
) -> None:
    """Send these files and folders until all files are finished; with a folder, for ever.

    Raises :class:`NhlogError` if the server cannot be reached at first, or nothing can be sent.
    """
    for path in paths:
        if not os.path.exists(path):
            raise Usage("there is no such file", file=path)
    async with connected(url, options) as connection:
        await _Relay(connection, server, players, tell).run(paths)


class _Relay:
    """The relay: a publisher for each file."""

    def __init__(self, connection: Connection, server: str, players: Players | None, tell: Tell) -> None:
        self._connection, self._server, self._players, self._tell = connection, server, players, tell
        self._publishers: dict[str, Publisher] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._over: dict[str, Stamp | None] = {}  # files that were not to be sent as they were then

    async def run(self, paths: Sequence[str]) -> None:
        folders = [path for path in paths if os.path.isdir(path) and not is_recording(path)]
        files = [os.path.realpath(path) for path in paths if path not in folders]
        loop = asyncio.get_running_loop()

        def hear(path: str) -> None:
            loop.call_soon_threadsafe(self._hear, path)

        events = FolderEvents(hear)
        try:
            for folder in {*folders, *map(os.path.dirname, files)}:
                with suppress(OSError):  # then one looks from time to time
                    events.watch(os.path.realpath(folder))
            for file in files:
                self._begin(file)
            while folders or self._tasks:
                for folder in folders:
                    self._look_in(os.path.realpath(folder))
                waiting = self._tasks.values() if not folders else [asyncio.create_task(asyncio.sleep(_RESCAN))]
                await asyncio.wait([*waiting], return_when=asyncio.FIRST_COMPLETED)
                self._collect(single=not folders and len(files) == 1)
        finally:
            events.stop()
            for task in self._tasks.values():
                task.cancel()
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def _hear(self, path: str) -> None:
        publisher = self._publishers.get(path) or self._publishers.get(path.removesuffix(TALK))
        if publisher is not None:
            publisher.changed.set()

    def _look_in(self, folder: str) -> None:
        """Start to send what is new in a folder, or is continued."""
        with suppress(OSError):
            for name in sorted(os.listdir(folder)):
                path = os.path.join(folder, name)
                if name.startswith(".") or path in self._tasks or not is_recording(path) or not os.path.isfile(path):
                    continue
                stamp = stamp_of(path)
                if self._over.get(path) == stamp:
                    continue
                self._over[path] = stamp
                if _goes_on(path):
                    self._try(path)

    def _try(self, path: str) -> None:
        try:
            self._begin(path)
        except (NhlogError, OSError) as error:
            self._tell(str(error))

    def _begin(self, path: str) -> None:
        game = Game(self._server, self._player(path), os.path.basename(path))
        Game.of(game.subject)  # raises for a name that nobody takes
        if any(publisher.game == game for publisher in self._publishers.values()):
            raise Usage("another file of this player has the same name: it is not relayed", file=path)
        publisher = Publisher(self._connection, game, path, self._tell)
        self._publishers[path] = publisher
        self._tasks[path] = asyncio.create_task(publisher.run())
        self._tell(f"{path}: relayed as {'/'.join((self._connection.name, *game))}")

    def _player(self, path: str) -> str:
        """Whose game it is: a named player's, the hero's as the log tells it, or the file's owner."""
        if self._players is not None and (owner := self._players.owner(path)):
            return owner
        header = _header(path)
        return header.player if header and header.player else user_name(os.stat(path).st_uid)

    def _collect(self, *, single: bool) -> None:
        """Forget finished files; an error of one file is reported, unless it concerns all files or the only one."""
        for path, task in [*self._tasks.items()]:
            if not task.done():
                continue
            del self._tasks[path], self._publishers[path]
            self._over[path] = stamp_of(path)
            error = task.exception()
            if error is None:
                self._tell(f"{path}: finished, and sent completely")
            elif single or isinstance(error, NotPermitted) or not isinstance(error, NhlogError | OSError):
                raise error
            else:
                self._tell(str(error))


def _goes_on(path: str) -> bool:
    """Whether it is unfinished, or still being written."""
    try:
        header = _header(path)
        return is_being_written(path) if header is None else not header.finished
    except (NhlogError, OSError):
        return False


def _header(path: str) -> Header | None:
    """The header of a log; None for other files."""
    if format_of(path).id != "nhgame":
        return None
    with LogFile(path) as file:
        return parse_header(settled(file).head)
