"""Recordings of programs that ended, packed: `NAME.cast` becomes `NAME.cast.zst`, which opens alike; and removed.

- What is written or watched is left alone, and so is what something was cut off, as long as that is kept.
- While it is packed it is locked as if it was recorded: a recorder that wants to go on with it is refused.
- The original goes when what stands for it is on the disk, and was read back.  Whoever dies before that leaves the
  original, whoever dies after it both; then the next one removes the original.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from nhlog.beside.file import move_along, remove_along
from nhlog.compression import MOST_MAGIC, NONE, ZSTD, compressed, compression_of
from nhlog.errors import LockNotObtained, NhlogError
from nhlog.files import (
    CHUNK,
    atomic,
    first_bytes,
    is_being_written,
    open_regular,
    read_at,
    refusals,
    stamp_at,
    stamp_of,
)
from nhlog.files.cuts import kept_of
from nhlog.files.processes import locks_on
from nhlog.formats import formats
from nhlog.recorder.recording import close_locked, locked
from nhlog.unpacked import pieces

__all__ = ["check_unused", "is_of_program", "is_packable", "pack", "remove"]

_ENDING: Final = ".zst"
_LEVEL: Final = 12  # nobody waits for it


def is_of_program(path: str) -> bool:
    """Whether the name is that of a recording of a program, packed or not."""
    return any(path.endswith(kind.endings) and kind.load().encoder is not None for kind in formats())


def is_packable(path: str) -> bool:
    """Whether a recording of this name is not packed yet, and its format can be read packed."""
    known = any(path.endswith(kind.endings) and (path + _ENDING).endswith(kind.endings) for kind in formats())
    return known and compression_of(first_bytes(path, MOST_MAGIC)) == NONE


def check_unused(path: str) -> None:
    """Raise :class:`LockNotObtained` for a recording that is written or watched, or of which something is kept."""
    stamp = stamp_of(path)
    if is_being_written(path):
        raise LockNotObtained("it is being written", file=path)
    if stamp and locks_on(stamp.identity).marks:
        raise LockNotObtained("it is being watched", file=path)
    if kept_of(path):
        raise LockNotObtained("what was cut off it is kept: see nhlog cuts", file=path)


def pack(path: str) -> str:
    """Pack the recording, and return its new path.

    Raises :class:`LockNotObtained` if it is left alone, :class:`NhlogError` if the new name belongs to something else,
    and :class:`~nhlog.files.CannotWrite`.
    """
    target = path + _ENDING
    with refusals(path), _held(path) as fd:
        try:
            atomic.create(target, compressed(_parts(fd, path), ZSTD, _LEVEL), lambda draft: _finish(draft, fd, path))
        except FileExistsError:  # of a process that died
            _check_same(target, fd, path)
        move_along(path, target)
        os.unlink(path)
        atomic.sync_folder(os.path.dirname(os.path.abspath(path)))
    return target


def remove(path: str) -> None:
    """Remove the recording, and what is beside it of those who watched; raises as :func:`pack`."""
    with refusals(path), _held(path):
        remove_along(path)
        os.unlink(path)


@contextmanager
def _held(path: str) -> Iterator[int]:
    """A descriptor of the recording, which meanwhile nobody writes."""
    check_unused(path)
    fd = locked(path, open_regular(path, os.O_RDWR))
    try:
        yield fd
    finally:
        close_locked(fd)


def _parts(fd: int, path: str) -> Iterator[bytes]:
    for at in range(0, stamp_at(fd).size, CHUNK):
        yield read_at(fd, CHUNK, at, path)


def _finish(draft: str, fd: int, path: str) -> None:
    _check_same(draft, fd, path)
    atomic.keep_status(draft, os.fstat(fd))


def _check_same(packed: str, fd: int, path: str) -> None:
    """Refuse what is not the recording when it is unpacked."""
    at = 0
    for piece in pieces(packed):
        if piece != read_at(fd, len(piece), at, path):
            break
        at += len(piece)
    if at != stamp_at(fd).size:
        raise NhlogError("there is another file of that name, or the disk does not keep what is written", file=packed)
