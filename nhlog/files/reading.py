"""Bytes of a file, of standard input, or in memory: anywhere in it, all of it, or piece by piece.

Sizes and offsets are bytes.
"""

import os
import sys
from collections.abc import Callable, Iterator
from typing import ClassVar, Final, Protocol, Self, TypeVar

from nhlog import plugins
from nhlog.errors import NhlogError
from nhlog.files.locking import mark
from nhlog.files.opening import open_regular
from nhlog.files.refusals import CannotOpen, reason
from nhlog.files.stamps import Fate, Stamp, fate_of, fate_told, place_of, stamp_at
from nhlog.progress import report

__all__ = [
    "CHUNK",
    "STDIN",
    "STDOUT",
    "File",
    "Memory",
    "Source",
    "first_bytes",
    "made_of",
    "open_file",
    "open_source",
    "read_at",
    "read_pieces",
    "read_whole",
]

CHUNK: Final = 1 << 20  # bytes asked of the system at a time
PIECE: Final = 1 << 16  # bytes given at a time of what is read from start to end
STDIN: Final = "standard input"
STDOUT: Final = "standard output"
MAX_PIPED: Final = 1 << 30  # bytes of what came through a pipe and has to be held


class Source(Protocol):
    """Bytes with random access; `name` is used in messages."""

    name: str

    def size(self) -> int:
        """The current size."""
        ...

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`, fewer only at the end; raises :class:`NhlogError` on a read error."""
        ...

    def stamp(self) -> Stamp | None:
        """The stamp of the file; None for a source that is not a file."""
        ...

    def close(self) -> None:
        """Close the source; may be called again."""


class File:
    """A regular file opened for reading; the constructor raises :class:`CannotOpen`.

    `far` is whether its bytes have to be fetched from another machine.
    """

    far: ClassVar[bool] = False

    def __init__(self, path: str) -> None:
        self.name = path
        self._fd = open_regular(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def size(self) -> int:
        """The file's current size."""
        return os.fstat(self._fd).st_size

    def stamp(self) -> Stamp:
        """The file's stamp."""
        return stamp_at(self._fd)

    @property
    def fate(self) -> Fate:
        """What became of its name."""
        return fate_of(self.name, self._fd)

    @property
    def fate_told(self) -> str:
        """Its fate in words."""
        return fate_told(self.name, self._fd)

    @property
    def place(self) -> str | None:
        """The name by which it is found now: its own, or the one it was moved to; None if nobody knows one."""
        return place_of(self.name, self._fd)

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`, fewer only at the end; raises :class:`NhlogError` on a read error."""
        return read_at(self._fd, size, offset, self.name)

    @property
    def talk(self) -> bytes:
        """What was said beside it, if that came with it from elsewhere; beside a local file lies a file of it."""
        return b""

    def mark(self) -> None:
        """Tell other processes that this one has it open to watch it (see :func:`nhlog.files.locking.mark`)."""
        mark(self._fd)

    def close(self) -> None:
        """Close the file; may be called again."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


class Memory:
    """Bytes in memory, such as those read from standard input."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self._data = data

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def size(self) -> int:
        """The number of bytes."""
        return len(self._data)

    def stamp(self) -> None:
        """None: it is not a file."""

    @property
    def fate(self) -> Fate:
        """It has no name that others could give away."""
        return Fate.KEPT

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`."""
        return self._data[offset : offset + size]

    def close(self) -> None:
        """Do nothing."""


def open_file(path: str) -> File:
    """Open the file `path`, or what the first entry point of the group `nhlog.addresses` opens at an address.

    Raises :class:`CannotOpen`.
    """
    if "://" not in path:
        return File(path)
    opener = next(iter(plugins.plugins(plugins.ADDRESSES)), None)
    if opener is None:
        raise CannotOpen("nothing that is installed opens files at addresses", file=path)
    opened: File = plugins.load(plugins.ADDRESSES, opener)(path)
    return opened


def open_source(path: str) -> File | Memory:
    """Open the file `path`, or read all of standard input for ``-``.

    Raises :class:`CannotOpen`, and :class:`NhlogError` for more than 1 GiB of standard input.
    """
    return Memory(STDIN, _read_stdin(MAX_PIPED)) if path == "-" else open_file(path)


def read_whole(path: str, most: int) -> bytes:
    """All bytes of the file `path`, or of standard input for ``-``.

    Raises :class:`CannotOpen`, and :class:`NhlogError` on a read error or for more than `most` bytes.
    """
    if path == "-":
        return _read_stdin(most)
    with open_file(path) as file:
        return _bounded(file.pread(most + 1, 0), most, path)


class Closing(Protocol):
    """What is open, and can be closed."""

    def close(self) -> None:
        """Close it."""


_Opened = TypeVar("_Opened", bound=Closing)
_Made = TypeVar("_Made")


def made_of(opened: _Opened, make: Callable[[_Opened], _Made]) -> _Made:
    """What `make` makes of something open, which is closed if that fails."""
    try:
        return make(opened)
    except BaseException:
        opened.close()
        raise


def read_pieces(path: str, size: int = PIECE) -> Iterator[bytes]:
    """The bytes of the file `path`, or of standard input for ``-``, in pieces of at most `size`.

    For input of any length that is read once from start to end.  Raises :class:`CannotOpen`, and :class:`NhlogError` on
    a read error.
    """
    if path == "-":
        yield from iter(lambda: sys.stdin.buffer.read(size), b"")
        return
    with open_file(path) as file:
        offset = 0
        while piece := file.pread(size, offset):
            yield piece
            offset += len(piece)
            report("reading", offset, file.size())


def first_bytes(path: str, size: int) -> bytes:
    """Up to `size` bytes from the start of a file, for recognising its format.

    Raises :class:`CannotOpen`, and :class:`NhlogError` on a read error.
    """
    with open_file(path) as file:
        return file.pread(size, 0)


def read_at(fd: int, size: int, offset: int, name: str) -> bytes:
    """Up to `size` bytes of the open file `fd` at `offset`, fewer only at its end.

    Raises :class:`NhlogError` on a read error; `name` is used in its message.
    """
    parts = []
    try:
        while size > 0 and (part := os.pread(fd, min(size, CHUNK), offset)):  # which may give less than it was asked
            parts.append(part)
            size -= len(part)
            offset += len(part)
    except (OSError, OverflowError) as error:  # of the disk, or of an offset that no file reaches
        why = reason(error) if isinstance(error, OSError) else "no file is that long"
        raise NhlogError(f"cannot be read: {why}", file=name, offset=offset) from None
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _read_stdin(most: int) -> bytes:
    return _bounded(sys.stdin.buffer.read(most + 1), most, STDIN)


def _bounded(data: bytes, most: int, name: str) -> bytes:
    if len(data) > most:
        raise NhlogError("file is too large", file=name, expected=f"at most {most} bytes")
    return data
