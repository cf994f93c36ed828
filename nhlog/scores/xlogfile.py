"""An xlogfile as a file that many processes append to, and that many programs have written.

A line is appended under a lock and by one write, so lines of several processes never mix.  Where a full disk or a crash
left a part of a line, the next line begins on a new one: nothing but that part is lost, and no byte is ever changed.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final

from nhlog.errors import Damaged, LockNotObtained, NhlogError
from nhlog.files import CHUNK, create_file, lock_within, naming, open_only_name, read_at, read_pieces
from nhlog.scores.crawl import in_nethacks_words
from nhlog.scores.wire import MAX_ENTRY, format_entry, parse_entry

__all__ = ["DUMPLOG", "GAME", "XLOGFILE", "Xlogfile", "open_xlogfile", "read_entries"]

XLOGFILE: Final = "xlogfile"  # its name, as NetHack calls it
GAME: Final = ".nhgame"  # how the names of the games end that lie beside it
DUMPLOG: Final = ".txt"  # and of their dumplogs
PATIENCE: Final = 2.0  # seconds to obtain the lock, which others hold for milliseconds


def read_entries(path: str) -> Iterator[dict[str, str] | Damaged]:
    """The fields of each line of an xlogfile, or what is wrong with the line; empty lines are left out.

    Raises :class:`~nhlog.files.CannotOpen`, and :class:`NhlogError` on a read error.
    """
    for offset, line in _lines(path):
        try:
            yield in_nethacks_words(parse_entry(line))
        except Damaged as error:
            yield error.within(path, offset)


def _lines(path: str) -> Iterator[tuple[int, bytes]]:
    """Each line with its offset; of one that is too long no more than shows that it is."""
    offset, rest, length = 0, b"", 0  # of the line that is being read: where, what is kept of it, how long it is so far
    for piece in read_pieces(path):
        *ends, tail = piece.split(b"\n")
        for end in ends:
            if length + len(end):
                yield offset, (rest + end)[: MAX_ENTRY + 1]
            offset, rest, length = offset + length + len(end) + 1, b"", 0
        rest, length = (rest + tail)[: MAX_ENTRY + 1], length + len(tail)
    if length:
        yield offset, rest


class Xlogfile:
    """An xlogfile that is open for appending, and locked; see :func:`open_xlogfile`."""

    def __init__(self, fd: int, name: str) -> None:
        self._fd = fd
        self._name = name

    def holds(self, text: bytes) -> bool:
        """Whether `text`, of two bytes or more, occurs in the file."""
        offset, read = 0, b""
        while piece := read_at(self._fd, CHUNK, offset, self._name):
            read = read[-len(text) + 1 :] + piece
            if text in read:
                return True
            offset += len(piece)
        return False

    def append(self, fields: Mapping[str, str | int]) -> None:
        """Append a line, durably; raises :class:`OSError` where the system refuses it, as for a full disk."""
        line = format_entry(fields)
        with naming(self._name):
            size = os.fstat(self._fd).st_size
            torn = size and read_at(self._fd, 1, size - 1, self._name) != b"\n"
            data = b"\n" + line if torn else line
            written = os.write(self._fd, data)
            if written != len(data):
                raise NhlogError("only a part of the line was written", file=self._name, offset=size)
            os.fsync(self._fd)


@contextmanager
def open_xlogfile(folder: int, name: str) -> Iterator[Xlogfile]:
    """The xlogfile in an open folder, locked as long as the context lasts; `name` is what errors call it.

    The folder's owner creates it, and whoever may write to the folder may write to it.  One of a user who owns neither
    the folder nor this process is not used.  Raises :class:`NhlogError`, in particular :class:`LockNotObtained` after
    two seconds, and :class:`OSError`.
    """
    _create(folder)
    try:
        fd = open_only_name(folder, XLOGFILE, os.O_RDWR | os.O_APPEND)
    except NhlogError as error:
        error.file = name
        raise
    try:
        if os.fstat(fd).st_uid not in (os.fstat(folder).st_uid, os.geteuid(), 0):
            raise NhlogError("the xlogfile belongs to another player", file=name)
        if not lock_within(fd, PATIENCE):
            raise LockNotObtained("another process keeps the xlogfile locked", file=name)
        yield Xlogfile(fd, name)
    finally:
        os.close(fd)


def _create(folder: int) -> None:
    status = os.fstat(folder)
    if status.st_uid == os.geteuid():
        with suppress(FileExistsError):
            fd = create_file(XLOGFILE, folder=folder)
            os.fchmod(fd, 0o644 | status.st_mode & 0o022)
            os.close(fd)
