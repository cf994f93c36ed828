"""Mail to the player of a recording: one line each, in a file beside it, ``FILE.mail`` (`nhlog.beside.file`).

A line is the time in UTC microseconds since 1970, a tab, who wrote it, a tab, and the text.  A name is a claim.
"""

import time
from typing import Final

from nhlog.beside.file import MAIL, MOST_BYTES, FileBeside, NotTaken, plain
from nhlog.errors import Usage
from nhlog.values import dataclass

__all__ = ["MOST_BYTES", "MOST_TEXT", "Letter", "MailRefused", "Mailbox", "mail_file", "send"]

MOST_TEXT: Final = 200  # characters of a letter
MOST_NAME: Final = 40
_MOST_DIGITS: Final = 18

MailRefused = NotTaken
"""The player accepts no mail, or the mailbox is full."""


@dataclass(frozen=True, slots=True)
class Letter:
    """What somebody wrote; `time` is in UTC microseconds since 1970."""

    time: int
    sender: str
    text: str

    def __str__(self) -> str:
        return f"{self.sender} writes: {self.text}"


def mail_file(recording: str) -> str:
    """The file of the mail to the player of a recording."""
    return _beside(recording).path


def send(recording: str, sender: str, text: str) -> None:
    """Write to the player; raises :class:`MailRefused`, and :class:`Usage` for a text that says nothing."""
    name, words = plain(sender, MOST_NAME), plain(text, MOST_TEXT)
    if not words:
        raise Usage("there is nothing to send")
    _beside(recording).append(f"{time.time_ns() // 1000}\t{name}\t{words}\n".encode())


class Mailbox:
    """The mail to the player of a recording; what came before the time `since` was seen already.

    Nothing of it raises anything: without mail one plays as well.
    """

    def __init__(self, recording: str, since: int) -> None:
        self._file = _beside(recording)
        self._since = since

    def tend(self, *, takes: bool, watched: bool) -> None:
        """Have the file say whether mail is taken; make it if somebody is there who could write."""
        self._file.tend(takes=takes, watched=watched)

    def letters(self) -> list[Letter]:
        """What came since the last call."""
        lines = self._file.news()
        found = [letter for _, line in lines if (letter := _letter(line)) and letter.time > self._since]
        self._since = 0 if lines else self._since
        return found


def _beside(recording: str) -> FileBeside:
    return FileBeside(recording, MAIL, "mail")


def _letter(line: bytes) -> Letter | None:
    """The letter in a line; None if it is not a letter."""
    moment, _, rest = line.decode(errors="replace").partition("\t")
    sender, tab, text = rest.partition("\t")
    if not tab or not moment.isdecimal() or len(moment) > _MOST_DIGITS:
        return None
    words = plain(text, MOST_TEXT)
    return Letter(int(moment), plain(sender, MOST_NAME) or "somebody", words) if words else None
