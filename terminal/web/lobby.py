"""The lobby's page: the rows of what there is, and what changes, to all who have it open."""

from collections.abc import Callable

import msgspec

from terminal.web.connection import Connection, framed
from terminal.web.processes.keys import told_lobby_keys
from terminal.web.recordings import Change, Recordings

__all__ = ["Lobby", "LobbyGuest"]


class Lobby:
    """Those who look at the list of recordings; `viewers` tells how many look at one of them in pages."""

    def __init__(self, recordings: Recordings, viewers: Callable[[str], int]) -> None:
        self._recordings = recordings
        self._viewers = viewers
        self._guests: set[LobbyGuest] = set()
        self._whole: bytes | None = None
        self._hello = framed(msgspec.json.encode({"t": "hello", "keys": told_lobby_keys()}))

    def tell(self, change: Change) -> None:
        """Tell all what changed."""
        self._whole = None
        if not self._guests:
            return
        put = [row.told(self._viewers(row.id)) for row in change.put]
        frames = framed(msgspec.json.encode({"t": "changes", "put": put, "gone": change.gone, "ready": change.ready}))
        for guest in self._guests:
            if guest.connection.slow:
                guest.missed = True
            elif not guest.missed:
                guest.connection.write(frames)

    def join(self, guest: "LobbyGuest") -> None:
        """Tell somebody all, and then what changes."""
        self._guests.add(guest)
        guest.connection.write(self._hello + self._told())

    def leave(self, guest: "LobbyGuest") -> None:
        """Tell somebody nothing more."""
        self._guests.discard(guest)

    def _told(self) -> bytes:
        """All rows, made once for all who come before there are others."""
        if self._whole is None:
            rows = [row.told(self._viewers(row.id)) for row in self._recordings.rows.values()]
            told = {"t": "rows", "rows": rows, "ready": self._recordings.ready}
            self._whole = framed(msgspec.json.encode(told))
        return self._whole


class LobbyGuest:
    """Somebody at the lobby's page; `missed` is whether they were not told of changes."""

    def __init__(self, lobby: Lobby, connection: Connection) -> None:
        self.connection = connection
        self.missed = False
        self._lobby = lobby

    def begin(self) -> None:
        """Tell them what there is."""
        self._lobby.join(self)

    def take(self, text: bytes) -> None:
        """The page of the lobby has nothing to say."""

    def drained(self) -> None:
        """They take messages again: all that there is makes up for what they missed."""
        if self.missed:
            self.missed = False
            self._lobby.join(self)

    def gone(self) -> None:
        """They are gone."""
        self._lobby.leave(self)
