"""Files beside a recording to which those who watch append lines: the mail to its player, and the talk of them all.

- Such a file is the player's: their client makes it as soon as somebody is there who could write; who came just now is
  told that this has not happened yet (`NotYet`), and tries again.  Its permissions say whether lines are taken: who
  takes none leaves nobody the permission to write.
- One write appends one line.  Whoever may write the file may write any line, so a reader takes nothing on trust but
  what a line says of itself, and passes over what is none.
- It is neither written nor read by a link, as others may write its folder, and of one that is too large the end alone
  is read.
- Where the recording goes, it goes: who moves, packs or removes a recording calls `move_along` or `remove_along`.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from nhlog.errors import NhlogError
from nhlog.files import (
    CannotOpen,
    CannotWrite,
    Identity,
    create_file,
    open_file,
    open_folder,
    open_only_name,
    read_at,
    reason,
    refusals,
    stamp_of,
)

__all__ = [
    "MAIL",
    "MOST_BYTES",
    "TALK",
    "FileAfar",
    "FileBeside",
    "NotTaken",
    "NotYet",
    "move_along",
    "plain",
    "remove_along",
]

MAIL: Final = ".mail"
TALK: Final = ".talk"
"""What is appended to the name of the recording."""

_ENDINGS: Final = (MAIL, TALK)
MOST_BYTES: Final = 1 << 18  # of a file, from which on no more is written
_TAKEN: Final = 0o664
_REFUSED: Final = 0o444
_WRITE: Final = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


class NotTaken(NhlogError):
    """No line is taken here, or not now, or not of this writer (exit code 1)."""


class NotYet(NotTaken):
    """No line is taken here as long as the player's client has not noticed that somebody is there."""


class FileBeside:
    """The file with this `ending` beside a recording, which messages call by `what` its lines are."""

    def __init__(self, recording: str, ending: str, what: str) -> None:
        self.path = f"{recording}{ending}"
        """Where it is."""
        self._recording, self._what = recording, what
        self._read = 0
        self._seen: Identity | None = None

        self.is_other = False
        """Whether the last news are of another file than those before, or of one that was cut, from its beginning."""

    def tend(self, *, takes: bool, watched: bool) -> None:
        """Have the file say whether lines are taken; make it if somebody is there who could write.

        Nothing of it raises anything: without the file one plays as well.
        """
        wanted = _TAKEN if takes else _REFUSED
        with suppress(OSError, CannotOpen):  # it is not ours, or its folder is not
            if stamp_of(self.path) is not None:
                with self._opened(os.O_RDONLY) as fd:
                    if stat.S_IMODE(os.fstat(fd).st_mode) != wanted:
                        os.fchmod(fd, wanted)
            elif watched:
                fd = create_file(self.path)
                os.fchmod(fd, wanted)  # whatever the umask is
                os.close(fd)

    def make(self, lines: bytes) -> None:
        """Have it with these lines, to which nobody adds any, unless it is there; raises as :meth:`append`."""
        with refusals(self.path), suppress(FileExistsError):
            fd = create_file(self.path, _REFUSED)
            try:
                os.write(fd, lines)
            finally:
                os.close(fd)

    def append(self, line: bytes, *, forced: bool = False) -> None:
        """Append a line, which has its newline.

        Raises :class:`NotTaken`, :class:`NotYet` if nobody has made the file, and :class:`~nhlog.files.CannotWrite`.
        With `forced` it is appended where none is taken, if this user may do so.
        """
        try:
            with self._opened(os.O_RDWR | os.O_APPEND) as fd:
                status = os.fstat(fd)
                if not status.st_mode & _WRITE and not forced:
                    raise NotTaken(f"the player does not accept {self._what}", file=self._recording)
                if status.st_size + len(line) > MOST_BYTES and not forced:
                    raise NotTaken(f"the player's {self._what} is full", file=self._recording)
                whole = not status.st_size or read_at(fd, 1, status.st_size - 1, self.path) == b"\n"
                os.write(fd, line if whole else b"\n" + line)  # a disk that was full has a part of a line
        except CannotOpen as error:
            if stamp_of(self.path) is None:
                raise NotYet(f"the player does not accept {self._what} now", file=self._recording) from None
            raise NotTaken(f"you cannot write to this player: {error.what}", file=self._recording) from None
        except OSError as error:
            raise CannotWrite(reason(error), file=self.path) from None

    def tail(self, most: int) -> bytes:
        """Its last bytes; nothing of what cannot be read."""
        stamp = stamp_of(self.path)
        return b"" if stamp is None else self._bytes(max(stamp.size - most, 0), most)

    def news(self) -> list[tuple[int, bytes]]:
        """The lines that came since the last call, each with its offset; from the first one on in another file."""
        stamp, self.is_other = stamp_of(self.path), False
        if stamp is None or (stamp.identity == self._seen and stamp.size == self._read):
            return []
        self.is_other = stamp.identity != self._seen or stamp.size < self._read
        begin = max(0 if self.is_other else self._read, stamp.size - MOST_BYTES)
        data = self._bytes(begin, MOST_BYTES)
        data = data[: data.rfind(b"\n") + 1]
        self._read, self._seen = begin + len(data), stamp.identity
        return _placed(data, begin)

    def _bytes(self, begin: int, most: int) -> bytes:
        try:
            with self._opened(os.O_RDONLY) as fd:
                return read_at(fd, most, begin, self.path)
        except NhlogError:
            return b""

    @contextmanager
    def _opened(self, flags: int) -> Iterator[int]:
        """The file itself and no link."""
        folder, name = os.path.split(os.path.abspath(self.path))
        try:
            within = open_folder(folder)
        except OSError as error:
            raise CannotOpen(reason(error), file=self.path) from None
        try:
            fd = open_only_name(within, name, flags)
        finally:
            os.close(within)
        try:
            yield fd
        finally:
            os.close(fd)


class FileAfar:
    """What came with a recording at an address: all of it is there at the first look, and then no more."""

    def __init__(self, address: str) -> None:
        self._address: str | None = address

        self.is_other = False
        """Whether the last news are of another file: never."""

    def news(self) -> list[tuple[int, bytes]]:
        """The lines that came since the last call, each with its offset."""
        address, self._address = self._address, None
        if address is None:
            return []
        try:
            with open_file(address) as file:
                return _placed(file.talk[:MOST_BYTES], 0)
        except NhlogError:
            return []


def _placed(data: bytes, begin: int) -> list[tuple[int, bytes]]:
    """The lines of these bytes, each with its offset; they begin at this one."""
    found = []
    for line in data.splitlines(keepends=True):
        found.append((begin, line.rstrip(b"\n")))
        begin += len(line)
    return found


def move_along(recording: str, target: str) -> None:
    """Have the files beside a recording that is called `target` now be beside that; one that is not ours stays."""
    for ending in _ENDINGS:
        with suppress(OSError):
            os.rename(recording + ending, target + ending)


def remove_along(recording: str) -> None:
    """Remove the files beside a recording that is removed; raises :class:`OSError`."""
    for ending in _ENDINGS:
        with suppress(FileNotFoundError):
            os.unlink(recording + ending)


def plain(text: str, most: int) -> str:
    """Printable characters alone, and no more than so many."""
    return " ".join("".join(char if char.isprintable() else " " for char in text[: 2 * most]).split())[:most]
