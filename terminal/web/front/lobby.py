"""The lobby's page: sends all rows, and then changes, to everybody who has it open."""

from collections.abc import Callable
from typing import Any

import msgspec

from terminal.web.connection import Connection, framed
from terminal.web.processes.keys import told_lobby_keys
from terminal.web.recordings import Change, Recordings, Row

__all__ = ["Lobby", "LobbyGuest"]


class Lobby:
    """Those who look at the list of recordings.

    `company` tells how many look at recordings in pages, and how many processes read them, by their IDs.
    """

    def __init__(self, recordings: Recordings, company: Callable[[], dict[str, tuple[int, int]]]) -> None:
        self._recordings = recordings
        self._company = company
        self._counted: dict[str, tuple[int, int]] = {}
        self._pictures: dict[str, bytes] = {}
        self._guests: set[LobbyGuest] = set()
        self._whole: bytes | None = None
        self._trouble = ""
        self._hello = framed(msgspec.json.encode({"t": "hello", "keys": told_lobby_keys()}))

    def tell(self, change: Change) -> None:
        """Tell all what changed."""
        self._whole = None
        if not self._guests:
            return
        put = [self._told(row) for row in change.put]
        told = {"t": "changes", "put": put, "gone": change.gone, "ready": self._recordings.ready}
        frames = framed(msgspec.json.encode(told))
        for guest in self._guests:
            if guest.connection.slow:
                guest.missed = True
            elif not guest.missed:
                guest.connection.write(frames)

    @property
    def guests(self) -> int:
        """How many look."""
        return len(self._guests)

    def show(self, identity: str, picture: bytes | None) -> None:
        """Send all the picture of a game, or that it has none any more."""
        told = {"t": "picture", "id": identity, "picture": None if picture is None else msgspec.Raw(picture)}
        frames = framed(msgspec.json.encode(told))
        if picture is None:
            self._pictures.pop(identity, None)
        else:
            self._pictures[identity] = frames
        for guest in self._guests:
            if not guest.connection.slow:  # the next one comes soon
                guest.connection.write(frames)

    def trouble(self, text: str) -> None:
        """Tell all what is wrong with the list; empty if nothing is."""
        if text != self._trouble:
            self._trouble = text
            for guest in self._guests:
                guest.connection.write(self._told_trouble())

    def _told_trouble(self) -> bytes:
        return framed(msgspec.json.encode({"t": "trouble", "text": self._trouble}))

    def recount(self) -> None:
        """Send all viewers the changed numbers of watchers."""
        before, self._counted = self._counted, self._company()
        different = [one for one in before.keys() | self._counted.keys() if before.get(one) != self._counted.get(one)]
        rows = self._recordings.rows
        if put := [rows[identity] for identity in different if identity in rows]:
            self.tell(Change(put))

    def join(self, guest: "LobbyGuest") -> None:
        """Send a viewer everything, and later what changes."""
        self._guests.add(guest)
        if self._whole is None:  # once for all who come before there is another
            rows = [self._told(row) for row in self._recordings.rows.values()]
            self._whole = framed(msgspec.json.encode({"t": "rows", "rows": rows, "ready": self._recordings.ready}))
        guest.connection.write(self._hello + self._whole + (self._told_trouble() if self._trouble else b""))
        guest.connection.write(b"".join(self._pictures.values()))

    def leave(self, guest: "LobbyGuest") -> None:
        """Send a viewer nothing more."""
        self._guests.discard(guest)

    def watchers(self, row: Row) -> int:
        """How many watch a recording; our own processes watch for the pages, and are not counted."""
        viewers, processes = self._counted.get(row.id, (0, 0))
        return max(row.watchers - processes, 0) + viewers

    def _told(self, row: Row) -> dict[str, Any]:
        """All of a row that a page may know."""
        told = msgspec.structs.asdict(row) | {"watchers": self.watchers(row)}
        del told["file"], told["inode"]
        return told


class LobbyGuest:
    """A viewer of the lobby's page; `missed` is whether they missed changes."""

    def __init__(self, lobby: Lobby, connection: Connection) -> None:
        self.connection = connection
        self.missed = False
        self._lobby = lobby

    def begin(self) -> None:
        """Tell them what there is."""
        self._lobby.join(self)

    def take(self, text: bytes) -> None:
        """Ignore it: the page of the lobby sends nothing of use."""

    def drained(self) -> None:
        """They read again: send everything, because they missed changes."""
        if self.missed:
            self.missed = False
            self._lobby.join(self)

    def gone(self) -> None:
        """They are gone."""
        self._lobby.leave(self)
