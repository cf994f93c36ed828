"""Small pictures of the games that are played, made by one process as long as somebody has the first page open.

It is asked for one picture at a time.  A game whose picture does not come soon has none for a while: the process is
ended, and another one draws the others.
"""

import asyncio
import time
from typing import Final

import msgspec

from terminal.web.front.lobby import Lobby
from terminal.web.processes.glancing import MOST, Glance, glancing
from terminal.web.processes.process import Process
from terminal.web.processes.wire import ALL, Kind, Message, packed
from terminal.web.recordings import Recordings, Row
from terminal.web.results.records import live

__all__ = ["Glances"]

_PAUSE: Final = 3.0  # seconds between two looks at what was played
_PATIENCE: Final = 10.0  # seconds for a picture
_AGAIN: Final = 60.0  # seconds after which it is tried again


class Glances:
    """The pictures that the lobby's guests have."""

    def __init__(self, recordings: Recordings, lobby: Lobby, opening: dict[str, str]) -> None:
        self._recordings = recordings
        self._lobby = lobby
        self._opening = opening
        self._process: Process | None = None
        self._came: asyncio.Future[bytes] | None = None
        self._drawn: dict[str, int | None] = {}  # when the games had changed last that have a picture
        self._refused: dict[str, float] = {}  # until when

    @property
    def opened(self) -> frozenset[str]:
        """The IDs of the recordings that the process has open."""
        return frozenset(self._drawn)

    async def keep(self) -> None:
        """Keep the pictures as the games are, for ever."""
        while True:
            await asyncio.sleep(_PAUSE)
            shown = live(self._recordings.rows.values())[:MOST] if self._lobby.guests else []
            for identity in self._drawn.keys() - {row.id for row in shown}:
                del self._drawn[identity]
                self._lobby.show(identity, None)
            self._refused = {row.id: self._refused[row.id] for row in shown if row.id in self._refused}
            for row in shown:
                if self._drawn.get(row.id, row) != row.changed and self._refused.get(row.id, 0) < time.monotonic():
                    await self._draw(row)
            if not shown:
                self.end()

    def end(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.end()

    async def _draw(self, row: Row) -> None:
        if self._process is None:
            self._process = Process(glancing, self._opening, self._take, self._lost)
        self._came = asyncio.get_running_loop().create_future()
        self._process.send(packed(Kind.QUESTION, ALL, msgspec.json.encode(Glance(row.id, row.file))))
        try:
            picture = await asyncio.wait_for(self._came, _PATIENCE)
        except TimeoutError:
            picture = b""
            self.end()
        if picture:
            self._drawn[row.id] = row.changed
            self._lobby.show(row.id, picture)
        else:
            self._refused[row.id] = time.monotonic() + _AGAIN

    def _take(self, message: Message) -> None:
        if message.kind is Kind.PICTURE and self._came is not None and not self._came.done():
            self._came.set_result(message.parts[1])

    def _lost(self) -> None:
        """It has failed over a game."""
        self._process = None
        if self._came is not None and not self._came.done():
            self._came.set_result(b"")
