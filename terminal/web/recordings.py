"""The recordings by ID: the only way from an address to a file."""

import hashlib
import os
from base64 import b32encode
from typing import Final

import msgspec

from nhlog.decoding import json_decoder

__all__ = ["Change", "Recordings", "Row", "identified"]

_DIGEST: Final = 10  # bytes of an ID: sixteen characters


def identified(file: str) -> str:
    """The ID of the recording at this place."""
    digest = hashlib.blake2b(os.fsencode(file), digest_size=_DIGEST).digest()
    return b32encode(digest).decode().lower()


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What the lobby tells of a recording; its `file` and `inode` (with its device) are for the server
    alone."""

    id: str
    file: str
    inode: tuple[int, int] = (0, 0)
    player: str = ""
    title: str = ""
    game: str = ""
    size: str = ""
    turn: int | None = None
    place: str = ""
    started: int | None = None
    changed: int | None = None
    watchers: int = 0
    playing: int = 0
    status: str = ""
    state: str = ""
    kind: str = ""


class Change(msgspec.Struct, frozen=True):
    """What the lister tells: rows that are new or different, and IDs of what is gone."""

    put: list[Row] = []
    gone: list[str] = []
    ready: bool = False


class Recordings:
    """The rows that the lister sent; `ready` is whether it has seen all files."""

    def __init__(self) -> None:
        self.rows: dict[str, Row] = {}
        self.ready = False
        self._untold: set[str] = set()
        self._moved: dict[str, str] = {}  # IDs of recordings that have another place now
        self._inodes: dict[tuple[int, int], Row] = {}  # which was the last one there

    def file(self, identity: str) -> str | None:
        """The file of this ID, also if it was moved since; None for an unknown ID."""
        row = self.rows.get(self._moved.get(identity, identity))
        return None if row is None else row.file

    def begin(self) -> None:
        """A new lister begins: what it has not listed when it has seen all files, is gone."""
        self._untold = set(self.rows)

    def take(self, body: bytes) -> Change:
        """What changed, by what the lister sent."""
        change = json_decoder(Change).decode(body)
        self._untold.difference_update(row.id for row in change.put)
        if change.ready and self._untold:
            change = msgspec.structs.replace(change, gone=[*change.gone, *self._untold])
            self._untold = set()
        for row in change.put:
            self.rows[row.id] = row
            self._follow(row)
        for identity in change.gone:
            self.rows.pop(identity, None)
        self.ready = self.ready or change.ready
        return change

    def _follow(self, row: Row) -> None:
        """Keep links to a moved recording working: games are moved when they are over."""
        before, self._inodes[row.inode] = self._inodes.get(row.inode), row
        if before is None or before.id == row.id or (before.player, before.started) != (row.player, row.started):
            return
        self._moved = {old: row.id if new == before.id else new for old, new in self._moved.items()}
        self._moved[before.id] = row.id
        self._moved.pop(row.id, None)
