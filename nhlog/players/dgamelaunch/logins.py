"""The list of players of dgamelaunch: lines ``NAME:EMAIL:PASSWORD:ENVIRONMENT``, or a table of SQLite.

Passwords are hashes of crypt(3), and are not read: they would let in who cannot have a key.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from nhlog.errors import Damaged, NhlogError
from nhlog.files import first_bytes, read_whole
from nhlog.players.dgamelaunch.settings import Settings
from nhlog.values import NamedTuple

__all__ = ["Login", "list_of", "logins_in"]

_SQLITE: Final = b"SQLite format 3\0"
_LARGEST: Final = 1 << 26  # bytes of a list: a line has some 60
_FIELDS: Final = 4


class Login(NamedTuple):
    """A player."""

    name: str
    email: str


def list_of(settings: Settings) -> str:
    """The path of the list of players: the first one that is there; raises :class:`NhlogError` if none is."""
    places = [os.path.join(settings.root, place) for place in settings.lists]
    for place in places:
        if os.path.lexists(place):
            return place
    raise NhlogError("no list of players of dgamelaunch", expected=" or ".join(places))


def logins_in(path: str) -> Iterator[Login | Damaged]:
    """The players in a list, or what is wrong with a line.

    Raises :class:`~nhlog.files.CannotOpen`, and :class:`NhlogError` for what is no list.
    """
    if first_bytes(path, len(_SQLITE)) == _SQLITE:
        yield from _in_table(path)
        return
    offset = 0
    for line in read_whole(path, _LARGEST).split(b"\n"):
        fields = line.decode("utf-8", "replace").split(":", _FIELDS - 1)
        if len(fields) == _FIELDS:
            yield Login(fields[0], fields[1])
        elif line:
            yield Damaged("no player", file=path, offset=offset, expected="NAME:EMAIL:PASSWORD:ENVIRONMENT")
        offset += len(line) + 1


def _in_table(path: str) -> Iterator[Login]:
    try:
        with closing(sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as database:
            for name, email in database.execute("SELECT username, email FROM dglusers ORDER BY username"):
                yield Login(str(name), str(email or ""))
    except sqlite3.Error as error:
        raise NhlogError(f"no list of players of dgamelaunch: {error}", file=path) from None
