"""Mail to the player of a recording: one line each, in a file beside it, ``FILE.mail``.

- The file is the player's: their client makes it as soon as somebody is there who could write.  Its permissions say
  whether mail is taken: who takes none leaves nobody the permission to write.
- A line is the time in UTC microseconds since 1970, a tab, who wrote it, a tab, and the text; one write appends it.
- Whoever may write the file may write any line: a name is a claim, and what is no line is passed over.
"""

import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from nhlog.errors import NhlogError, Usage
from nhlog.files import CannotOpen, CannotWrite, create_file, open_folder, open_only_name, read_at, reason, stamp_of
from nhlog.values import dataclass

__all__ = ["MOST_TEXT", "Letter", "MailRefused", "Mailbox", "mail_file", "send"]

MOST_TEXT: Final = 200  # characters of a letter
MOST_NAME: Final = 40
MOST_BYTES: Final = 1 << 18  # of the file, from which on no more is written
_TAKEN: Final = 0o664
_REFUSED: Final = 0o444
_WRITE: Final = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_MOST_DIGITS: Final = 18


class MailRefused(NhlogError):
    """The player accepts no mail, or the mailbox is full (exit code 1)."""


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
    return f"{recording}.mail"


def send(recording: str, sender: str, text: str) -> None:
    """Write to the player; raises :class:`MailRefused`, and :class:`Usage` for a text that says nothing."""
    name, words = _plain(sender, MOST_NAME), _plain(text, MOST_TEXT)
    if not words:
        raise Usage("there is nothing to send")
    path = mail_file(recording)
    line = f"{time.time_ns() // 1000}\t{name}\t{words}\n".encode()
    try:
        with _opened(path, os.O_WRONLY | os.O_APPEND) as fd:
            status = os.fstat(fd)
            if not status.st_mode & _WRITE:
                raise MailRefused("the player does not accept mail", file=recording)
            if status.st_size + len(line) > MOST_BYTES:
                raise MailRefused("the player's mail is full", file=recording)
            os.write(fd, line)
    except CannotOpen as error:
        gone = stamp_of(path) is None
        what = "the player does not accept mail now" if gone else f"you cannot write to this player: {error.what}"
        raise MailRefused(what, file=recording) from None
    except OSError as error:
        raise CannotWrite(reason(error), file=path) from None


class Mailbox:
    """The mail to the player of a recording; what came before the time `since` was seen already.

    Nothing of it raises anything: without mail one plays as well.
    """

    def __init__(self, recording: str, since: int) -> None:
        self._path = mail_file(recording)
        self._since = since
        self._read = 0

    def tend(self, *, takes: bool, watched: bool) -> None:
        """Have the file say whether mail is taken; make it if somebody is there who could write."""
        wanted = _TAKEN if takes else _REFUSED
        with suppress(OSError, CannotOpen):  # it is not ours, or its folder is not
            if stamp_of(self._path) is not None:
                with _opened(self._path, os.O_RDONLY) as fd:
                    if stat.S_IMODE(os.fstat(fd).st_mode) != wanted:
                        os.fchmod(fd, wanted)
            elif takes and watched:
                fd = create_file(self._path)
                os.fchmod(fd, wanted)  # whatever the umask is
                os.close(fd)

    def letters(self) -> list[Letter]:
        """What came since the last call."""
        stamp = stamp_of(self._path)
        if stamp is None or stamp.size == self._read:
            return []
        begin = self._read if self._read < stamp.size else 0
        try:
            with _opened(self._path, os.O_RDONLY) as fd:
                data = read_at(fd, MOST_BYTES, max(begin, stamp.size - MOST_BYTES), self._path)
        except NhlogError:
            return []
        data = data[: data.rfind(b"\n") + 1]
        self._read = max(begin, stamp.size - MOST_BYTES) + len(data)
        found = [letter for line in data.splitlines() if (letter := _letter(line)) and letter.time > self._since]
        self._since = 0
        return found


@contextmanager
def _opened(path: str, flags: int) -> Iterator[int]:
    """The file itself and no link: others may write its folder."""
    folder, name = os.path.split(os.path.abspath(path))
    try:
        within = open_folder(folder)
    except OSError as error:
        raise CannotOpen(reason(error), file=path) from None
    try:
        fd = open_only_name(within, name, flags)
    finally:
        os.close(within)
    try:
        yield fd
    finally:
        os.close(fd)


def _letter(line: bytes) -> Letter | None:
    """The letter in a line; None if it is not a letter."""
    moment, _, rest = line.decode(errors="replace").partition("\t")
    sender, tab, text = rest.partition("\t")
    if not tab or not moment.isdecimal() or len(moment) > _MOST_DIGITS:
        return None
    words = _plain(text, MOST_TEXT)
    return Letter(int(moment), _plain(sender, MOST_NAME) or "somebody", words) if words else None


def _plain(text: str, most: int) -> str:
    """Printable characters alone, and no more than so many."""
    return " ".join("".join(char if char.isprintable() else " " for char in text[: 2 * most]).split())[:most]
