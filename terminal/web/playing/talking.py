"""What players say beside games from the pages that show these: the recordings are those of the players' folders.

A page names a recording by its ID, as the address of its own page does; whoever watches, its player's client has made
the file of the talk beside it, and there are few of these.  Guests have no name: each is called by a number of the
address, which is another one when the server begins again.
"""

import hashlib
import os
import secrets
import time
from pathlib import Path
from typing import Final

from nhlog.beside.file import TALK, NotYet
from nhlog.errors import NhlogError
from nhlog.players import Players
from nhlog.players.bans import Bans, Comer
from nhlog.players.mutes import Author
from terminal.web.recordings import identified

__all__ = ["NotHeard", "Talking"]

_DIGITS: Final = 2  # bytes of a guest's number: a name that tells two from each other, and nobody who they are


class NotHeard(NhlogError):
    """Nothing can be said there, or not by this one."""


class Talking:
    """The talk beside the games of these players; `keys` is the file of keys, beside which are bans and mutes."""

    def __init__(self, players: Players, keys: Path | None, *, talk: bool, guests: bool) -> None:
        self.guests: Final = talk and guests
        """Whether people say something who are not logged in."""

        self.talk: Final = talk
        """Whether anybody does."""

        self._players, self._keys = players, keys
        self._secret = secrets.token_bytes(16)

    def say(self, identity: str, name: str | None, source: str, text: str) -> None:
        """Say something beside the recording with this ID, as a player or, without a name, as a guest from `source`.

        Raises :class:`NhlogError`: :class:`NotHeard` where there is no talk, :class:`NotYet` where there is none beside
        that recording, as just after somebody came to watch it.
        """
        if not self.talk or (name is None and not self.guests):
            raise NotHeard("log in to talk" if self.talk else "there is no talk here")
        called = self._guest(source) if name is None else name
        self._refuse_banned(Comer(called, address=source))
        author = Author(called, self._keys)
        author.check()  # who is muted is told so first
        author.say(self._found(identity), text)

    def _guest(self, source: str) -> str:
        """No player has such a name, as there is a space in it."""
        return f"guest {hashlib.blake2b(source.encode(), digest_size=_DIGITS, key=self._secret).hexdigest()}"

    def _refuse_banned(self, comer: Comer) -> None:
        ban = None if self._keys is None else Bans(self._keys).of(comer, time.time())
        if ban is not None:
            raise NotHeard(f"you may not talk here{ban.told}")

    def _found(self, identity: str) -> str:
        """The recording with this ID; raises :class:`NotYet`."""
        for folder in self._players.shown:
            for name in _names(folder):
                recording = os.path.join(folder, name.removesuffix(TALK))
                if name.endswith(TALK) and identified(os.path.realpath(recording)) == identity:
                    return recording
        raise NotYet("nobody plays this now, or its player does not accept talk")


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:  # it is not there yet, or no folder
        return []
