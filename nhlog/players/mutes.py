"""Players who may not write to others for a while, or ever again: the file `mutes` beside that of the keys, with the
same lines as that of bans.

They play and watch as before.  A file that cannot be read keeps everybody from writing, as one of bans keeps everybody
from playing.
"""

import time
from pathlib import Path
from typing import Final

from nhlog.beside import mail, talk
from nhlog.errors import NhlogError
from nhlog.players.bans import Bans, Comer

__all__ = ["Author", "Muted", "mutes"]

_MUTES: Final = "mutes"  # the file's name


class Muted(NhlogError):
    """Somebody who may not write."""


def mutes(keys: Path) -> Bans:
    """Who may not write, on the server whose keys are in the file `keys`."""
    return Bans(keys, _MUTES, "muted")


class Author:
    """Somebody who writes beside games under a `name`; `keys` is the file of keys of the server, None without one."""

    def __init__(self, name: str, keys: Path | None) -> None:
        self._name, self._keys = name, keys

    def send(self, recording: str, text: str) -> None:
        """Write to who plays; raises :class:`Muted`, and as :func:`nhlog.beside.mail.send`."""
        self.check()
        mail.send(recording, self._name, text)

    def say(self, recording: str, text: str) -> None:
        """Talk to all who watch; raises :class:`Muted`, and as :func:`nhlog.beside.talk.say`."""
        self.check()
        talk.say(recording, self._name, text)

    def check(self) -> None:
        """Raise :class:`Muted` if they may not write."""
        if self._keys is None:
            return
        mute = mutes(self._keys).of(Comer(self._name), time.time())
        if mute is not None:
            raise Muted(f"you may not write to others{mute.told}")
