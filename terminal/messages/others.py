"""What others say to who plays: mail and talk of those who watch, and what all on the server are told."""

from collections.abc import Callable, Sequence
from typing import Final

from nhlog.beside.mail import Mailbox
from nhlog.beside.talk import Talk, open_talk
from nhlog.players.notices import Notices, to_all
from nhlog.values import NamedTuple

__all__ = ["HIDDEN", "OFF", "SHOWN", "TALK", "FromOthers", "Wants"]

SHOWN: Final = "shown"
HIDDEN: Final = "hidden"
OFF: Final = "off"
TALK: Final = (SHOWN, HIDDEN, OFF)
"""What a player can do with the talk beside their games: see it, let others talk unseen, have nobody talk."""


class Wants(NamedTuple):
    """What a player wants of those who watch: whether they may write, and what becomes of their `talk`."""

    mail: bool = True
    talk: str = SHOWN


class FromOthers:
    """What others say to who plays the game that is recorded in a file; None of whom nobody can watch.

    What came before the time `since`, in UTC microseconds since 1970, was seen already.  `mail` and `talk` are whether
    there are such things here at all.  Nothing of it raises anything.
    """

    def __init__(
        self,
        recording: str | None = None,
        since: int = 0,
        *,
        mail: bool = True,
        talk: bool = True,
        notices: Notices | None = None,
        say: Callable[[str], None] | None = None,
    ) -> None:
        self.wants = Wants()
        """What the player wants."""

        self.say = say if talk else None
        """Says something to all who watch; None where the player cannot."""

        self._recording, self._since = recording or "", since
        self._mailbox = Mailbox(self._recording, since) if recording and mail else None
        self._talk = Talk(self._recording) if recording and talk else None
        self._notices = notices or Notices(None)

    def tend(self, *, watched: bool) -> None:
        """Let others write as far as the player wants it, as soon as somebody is there who could."""
        if self._mailbox is not None:
            self._mailbox.tend(takes=self.wants.mail, watched=watched)
        if self._talk is not None:
            open_talk(self._recording, takes=self.wants.talk != OFF, watched=watched)

    def news(self) -> Sequence[str]:
        """What was said since the last call, as far as the player wants to see it."""
        told: list[str] = []
        if self._mailbox is not None and self.wants.mail:
            told += map(str, self._mailbox.letters())
        if self._talk is not None and self._talk.look() and self.wants.talk == SHOWN:
            told += [str(said) for said in self._talk.news if said.time > self._since]
        return [*told, *map(to_all, self._notices.news())]
