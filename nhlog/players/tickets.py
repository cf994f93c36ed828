"""Tickets: secrets, each of which stands for a player until it expires.  Whoever has one is taken for that player.

A *link* brings a player from the lobby to a browser, or from the administrator to both, and is good once; a *session*
is what the browser is known by from then on.  A ticket is ``NAME.SECRET``, and in the player's folder `tickets` is a
file for each: named by a digest of the secret, so that who reads the folder has no ticket, and with the second in
which it expires.  Each player has a few of each kind; one more takes the place of the one that expires first.

A link is used up by the removal of its file, in which one process alone succeeds.  Nothing is cached: what is revoked
stands for nobody from then on, whichever process asks.
"""

import hashlib
import os
import re
import secrets
import time
from contextlib import suppress
from typing import Final

from nhlog.errors import NhlogError
from nhlog.files import create_file, read_whole
from nhlog.players.folders import PlayerFolder, Players
from nhlog.players.names import is_name
from nhlog.values import NamedTuple

__all__ = ["LINK", "SESSION", "TicketKind", "holder", "issue", "redeem", "revoke", "revoke_all"]

_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{20,64}")
_LONGEST: Final = 100  # bytes of a file
_OWN: Final = 0o600


class TicketKind(NamedTuple):
    """What tickets are for: `size` bytes of chance in each, `seconds` until it expires, and as `most` of a player."""

    name: str
    size: int
    seconds: int
    most: int


LINK: Final = TicketKind("link", 16, 10 * 60, 4)
"""Is part of an address that a terminal of 80 columns has to show."""
SESSION: Final = TicketKind("session", 32, 30 * 24 * 3600, 8)


def issue(folder: PlayerFolder, kind: TicketKind, now: float | None = None) -> str:
    """A new ticket for the player of this folder, which is there; raises :class:`OSError`."""
    now = time.time() if now is None else now
    known = sorted((_expiry(path), path) for path in _paths(folder, kind))
    over = [path for expiry, path in known if expiry <= now]
    for path in [*over, *(path for _, path in known[len(over) : 1 - kind.most])]:
        _remove(path)
    secret = secrets.token_urlsafe(kind.size)
    fd = create_file(_path(folder, kind, secret), _OWN)
    try:
        os.write(fd, b"%d\n" % (now + kind.seconds))
    finally:
        os.close(fd)
    return f"{folder.name}.{secret}"


def holder(players: Players, kind: TicketKind, ticket: str, now: float | None = None) -> PlayerFolder | None:
    """The folder of the player for whom this stands; None for anything that is no ticket, or not any more."""
    name, _, secret = ticket.partition(".")
    if not is_name(name) or not _SECRET.fullmatch(secret):
        return None
    folder = players.folder(name)
    valid = _expiry(_path(folder, kind, secret)) > (time.time() if now is None else now)
    return folder if valid else None


def redeem(players: Players, kind: TicketKind, ticket: str, now: float | None = None) -> PlayerFolder | None:
    """The same, once: the ticket is used up."""
    folder = holder(players, kind, ticket, now)
    return folder if folder is not None and revoke(folder, kind, ticket) else None


def revoke(folder: PlayerFolder, kind: TicketKind, ticket: str) -> bool:
    """Let a ticket of the player's stand for nobody; returns whether it was there."""
    return _remove(_path(folder, kind, ticket.partition(".")[2]))


def revoke_all(folder: PlayerFolder) -> None:
    """Let all tickets of the player stand for nobody."""
    for kind in (LINK, SESSION):
        for path in _paths(folder, kind):
            _remove(path)


def _path(folder: PlayerFolder, kind: TicketKind, secret: str) -> str:
    return str(folder.tickets / f"{kind.name}-{hashlib.sha256(secret.encode()).hexdigest()}")


def _paths(folder: PlayerFolder, kind: TicketKind) -> list[str]:
    try:
        names = os.listdir(folder.tickets)
    except FileNotFoundError:  # none was ever issued
        return []
    return [str(folder.tickets / name) for name in names if name.startswith(f"{kind.name}-")]


def _expiry(path: str) -> int:
    """The second in which the ticket with this file expires; 0 where there is none."""
    try:
        return int(read_whole(path, _LONGEST))
    except (NhlogError, ValueError):
        return 0


def _remove(path: str) -> bool:
    with suppress(FileNotFoundError):
        os.unlink(path)
        return True
    return False
