"""What runs in the lister: it looks at the folders, and tells the server what there is.

A row is made of what files say, and games: one that cannot be told as it is costs itself, and says so; the others are
told.
"""

import os
import select
import time
from collections.abc import Collection
from contextlib import ExitStack
from pathlib import Path
from socket import socket
from typing import Final

import msgspec

from nhlog.decoding import json_decoder
from nhlog.listed import GameListing
from nhlog.operations import Unlisted
from nhlog.players import Players
from nhlog.replay import Status
from terminal.lobby.contents import COUNT, REFRESH
from terminal.lobby.folders import Folders
from terminal.lobby.model import Lobby
from terminal.lobby.reading.reader import Reader
from terminal.lobby.rows import FINISHED, FOLDERS, OTHERS, RECORDINGS, YOURS
from terminal.lobby.rows import Row as LobbyRow
from terminal.lobby.visitors import Spectator
from terminal.text.words import printable
from terminal.web.processes.wire import ALL, Kind, packed
from terminal.web.recordings import Change, Row, identified

__all__ = ["UNTOLD", "Places", "lasting", "listing", "tellable"]

UNTOLD: Final = "this recording cannot be listed"
"""How a row begins to say why it has nothing else."""

_LONGEST: Final = 200  # characters of why
_READINGS: Final = 20  # rows that are to be read whole, at a time
_PACKED: Final = ".zst"
_MILLISECOND: Final = 1000  # in the microseconds of a listing


class Places(msgspec.Struct, frozen=True):
    """Where recordings are: folders, files by themselves, and the folder of all players' folders.

    In `ended` are the lists of games that ended, and the dumps that these lists name.
    """

    folders: list[str] = []
    files: list[str] = []
    players: str | None = None
    ended: list[str] = []


def listing(channel: socket, places: Places) -> None:
    """Tell the server at the other end what there is, until it is gone."""
    channel.setblocking(True)
    folders = dict.fromkeys([*places.folders, *(os.path.dirname(file) for file in places.files)])
    players = None if places.players is None else Players(Path(places.players))
    with ExitStack() as stack:
        found = stack.enter_context(Folders(map(Path, folders), players))
        reader = stack.enter_context(Reader())
        told = _Told(channel, places)
        lobby = Lobby(found, Spectator())
        due = time.monotonic()
        while True:
            more = lobby.look()
            for job, answer in reader.answers():
                lobby.contents.take(job, answer)
            rows = [row for row in lobby.contents.rows if told.shows(row)]
            lobby.contents.read_near(rows)
            reader.want(lobby.wanted([row for row in rows if not row.whole][:_READINGS]))
            if time.monotonic() >= due:
                lobby.contents.count([row for row in rows if row.listing.status is not Status.FINISHED])
                due = time.monotonic() + COUNT
            told.tell(lobby, rows, ready=not more)
            ready = [channel.fileno(), *([reader.fileno()] if reader.doing is not None else [])]
            if channel.fileno() in select.select(ready, [], [], 0 if more else REFRESH)[0]:
                return  # it sends nothing: it is gone


class _Told:
    """What was sent to the server."""

    def __init__(self, channel: socket, places: Places) -> None:
        self._channel = channel
        self._folders = {os.path.realpath(folder) for folder in places.folders}
        self._files = {os.path.realpath(file) for file in places.files}
        self._players = None if places.players is None else Players(Path(os.path.realpath(places.players)))
        self._rows: dict[str, Row] = {}
        self._ready = False

    def shows(self, row: LobbyRow) -> bool:
        """Whether it is a recording of those places, wherever links to it lie."""
        real = os.path.realpath(row.file)
        named = real in self._files or os.path.dirname(real) in self._folders
        return row.section != FOLDERS and (named or self._is_seen(real))

    def _is_seen(self, real: str) -> bool:
        """Whether it is in one of the folders of a player that everybody may see."""
        name = None if self._players is None else self._players.owner(real)
        if self._players is None or name is None:
            return False
        folder = self._players.folder(name)
        return Path(real).parent in (folder.games, folder.recordings)

    def tell(self, lobby: Lobby, rows: list[LobbyRow], *, ready: bool) -> None:
        """Send what is different from what was sent before."""
        places = [os.path.realpath(row.file) for row in rows]
        known = frozenset(places)
        made = (self._made(lobby, row, lasting(place, known)) for row, place in zip(rows, places, strict=True))
        now = {row.id: row for row in made}
        put = [row for identity, row in now.items() if self._rows.get(identity) != row]
        gone = [identity for identity in self._rows if identity not in now]
        self._rows = now
        if put or gone or ready > self._ready:
            self._ready = ready
            change = Change(put, gone, ready)
            self._channel.sendall(packed(Kind.ROWS, ALL, msgspec.json.encode(change)))

    def _made(self, lobby: Lobby, row: LobbyRow, place: str) -> Row:
        """What is sent of a recording."""
        try:
            made = _row(lobby, row, place)
            return made if made == self._rows.get(made.id) else tellable(made)
        except Exception as error:  # whatever a format or a game says of itself
            why = f"{UNTOLD}: {printable(str(error))[:_LONGEST]}"
            kind = "recording" if row.section == RECORDINGS else "game"
            return Row(id=identified(place), file=row.file, inode=row.identity, title=row.name, state=why, kind=kind)


def lasting(place: str, known: Collection[str]) -> str:
    """What the ID of the recording at this place is made of: links to it hold when it is packed (`nhlog tidy`).

    `known` are all places: both may be there, and are two recordings then.
    """
    unpacked = place.removesuffix(_PACKED)
    return place if unpacked in known else unpacked


def tellable(row: Row) -> Row:
    """The row as the server will read it; raises :class:`ValueError` if it will not."""
    return json_decoder(Row).decode(msgspec.json.encode(row))


def _row(lobby: Lobby, row: LobbyRow, place: str) -> Row:
    listing, people = row.listing, lobby.contents.people.get(row.file)
    game = listing if isinstance(listing, GameListing) else None
    return Row(
        id=identified(place),
        file=row.file,
        inode=row.identity,
        player=game.player if game else row.player,
        title=row.title,
        game=row.game,
        size=row.size,
        turn=None if row.turn == "" else int(row.turn),  # whole: Crawl counts tenths
        place=row.place,
        started=None if listing.start is None else listing.start // _MILLISECOND,
        changed=None if listing.changed is None else listing.changed // _MILLISECOND,
        watchers=people.watchers if people else 0,
        playing=people.players if people else 0,
        status=str(listing.status),
        state=listing.fault if isinstance(listing, Unlisted) else game.state if game else "",
        kind="game" if row.section in (YOURS, OTHERS, FINISHED) else "recording",
    )
