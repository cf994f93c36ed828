"""What was cut off a recording is kept in a file beside it, named after it: ``game.nhgame.cut-00000002``.

The number is eight hexadecimal digits: of a log the recovery count that the cut gave it, of any other recording the
next that is free.  A name that is taken gets another part: ``game.nhgame.cut-00000002-2``.  Nothing is cut off before
what is kept of it is on the disk.

Whether anything was written to a recording since it was cut has to be known later: only then what was cut off makes it
what it was.  Whether the result is sound does not tell that: a recording that a crash left behind was never sound, and
is wanted back all the same.  So a file of what was cut off is as old as the recording was, and the recording is a
nanosecond younger than that (`is_as_cut`): any later write gives it the time of the system, any other cut another
nanosecond.  Putting back gives it its own time again, which lets the cut before fit in turn.  Where the file system
counts in longer steps, or the recording belongs to another user, this is never so, and only what is sound comes back.
"""

import errno
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Final

from nhlog.errors import NhlogError
from nhlog.files import (
    CHUNK,
    CannotWrite,
    Stamp,
    atomic,
    is_being_written,
    naming,
    open_regular,
    read_at,
    reason,
    refusals,
    stamp_at,
)

__all__ = [
    "CutRefused",
    "cut_of",
    "cut_open",
    "cut_tail",
    "date",
    "date_as_cut",
    "is_as_cut",
    "keep",
    "kept_of",
    "move_away",
    "replace_whole",
]

_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT)
_WAY_OUT: Final = "what would be cut off cannot be kept, and nothing was done; free some space, or use --no-keep"
_KEPT: Final = re.compile(r"\.cut-([0-9a-f]{8})(?:-[0-9]+)?")
_YOUNGER: Final = 1  # nanoseconds


class CutRefused(NhlogError):
    """Nothing was cut off: the recording is being written, or is not the one that was looked at."""


def kept_of(path: str) -> dict[str, int]:
    """The paths of the files that keep what was cut off the recording `path`, each with its number, in order."""
    folder, name = os.path.split(os.path.abspath(path))
    try:
        names = os.listdir(folder)
    except OSError:
        return {}
    found = {
        os.path.join(folder, other): int(match[1], 16)
        for other in names
        if other.startswith(name) and (match := _KEPT.fullmatch(other, len(name)))
    }
    return dict(sorted(found.items(), key=lambda item: (item[1], len(item[0]), item[0])))


def cut_of(path: str) -> tuple[str, int] | None:
    """The recording that the file `path` was cut off, and its number; None for any other file's name."""
    found = re.search(_KEPT.pattern + r"\Z", path)
    return (path[: found.start()], int(found[1], 16)) if found and found.start() else None


def is_as_cut(path: str, kept: str) -> bool:
    """Whether nothing was written to a recording since `kept` was cut off it; False also where nobody can tell."""
    return os.stat(path).st_mtime_ns == os.lstat(kept).st_mtime_ns + _YOUNGER


def date_as_cut(recording: str | int, before: os.stat_result) -> None:
    """Have a recording, a path or an open file, look as one that was cut; `before` is its status before that."""
    date(recording, before.st_mtime_ns + _YOUNGER)


def date(file: str | int, written: int) -> None:
    """Set when a file was written, in nanoseconds since 1970, as far as the system permits."""
    with suppress(PermissionError):
        os.utime(file, ns=(written, written))


def keep(path: str, parts: Callable[[], Iterable[bytes]], number: int | None = None, *, written: int) -> str:
    """Write what is about to be cut off `path`, and return the name of the new file.

    `number` is the next free one by default; `written` is when `path` was written, in nanoseconds since 1970.  Raises
    :class:`~nhlog.files.CannotWrite` where there is no room for it, with the way out, and :class:`OSError`.
    """

    def make(name: str) -> None:
        atomic.create(name, parts())
        date(name, written)

    try:
        return _place(path, make, number)
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        raise CannotWrite(f"{reason(error)}: {_WAY_OUT}", file=os.fsdecode(error.filename or path)) from None


def move_away(path: str) -> str:
    """Give a file that makes room for another one the name of what was cut off; returns that name.

    Raises :class:`CutRefused` for one that is being written, and :class:`~nhlog.files.CannotWrite`.
    """
    _check_unwritten(path)
    with refusals(path):
        kept = _place(path, lambda name: os.link(path, name, follow_symlinks=False), None)
        os.unlink(path)
        atomic.sync_folder(os.path.dirname(os.path.abspath(path)))
    return kept


def _place(path: str, make: Callable[[str], None], number: int | None) -> str:
    """Have the first name made that is not taken; `make` raises :class:`FileExistsError` for others."""
    if number is None:
        number = max(kept_of(path).values(), default=0) + 1
    first = name = f"{path}.cut-{number:08x}"
    tries = 1
    while True:
        try:
            make(name)
        except FileExistsError:
            tries += 1
            name = f"{first}-{tries}"
        else:
            return name


def cut_tail(path: str, offset: int, stamp: Stamp, *, ending: bytes = b"", keeping: bool = True) -> str | None:
    """Cut the file that has this `stamp` at `offset`, durably, and have it end with `ending` there.

    Returns the name of what is kept, None for nothing; where only the ending is written, an empty file is kept.  Not
    for logs, which have rules of their own (:mod:`nhlog.log.recovery`).  Raises :class:`CutRefused` before anything is
    done, and :class:`~nhlog.files.CannotWrite`.
    """
    _check_unwritten(path)
    with refusals(path):
        fd = open_regular(path, os.O_RDWR)
        try:
            _check_unchanged(path, stamp_at(fd), stamp)
            return cut_open(fd, path, offset, ending=ending, keeping=keeping)
        finally:
            os.close(fd)


def cut_open(fd: int, path: str, offset: int, *, ending: bytes = b"", keeping: bool = True) -> str | None:
    """The same for a file that this process has open to write, as nobody else has."""
    before = os.fstat(fd)
    size, kept = before.st_size, None
    if offset == size and not ending:
        return None
    with refusals(path):
        if keeping:
            kept = keep(path, lambda: _pieces(fd, path, offset, size), written=before.st_mtime_ns)
        with naming(path):
            os.ftruncate(fd, offset)
            written = os.pwrite(fd, ending, offset)
            date_as_cut(fd, before)
            os.fsync(fd)
    if written < len(ending):
        raise CannotWrite("the disk stored only a part of it", file=path)
    return kept


def replace_whole(
    path: str, parts: Iterable[bytes], stamp: Stamp, *, keeping: bool = True, check: Callable[[], None] = lambda: None
) -> str | None:
    """Replace the file that has this `stamp` by `parts`, for one that cannot be cut in place: one that is compressed.

    The whole file as it was is what is kept; the new one belongs to the same and is read by the same.  `check` is
    called last of all before it is replaced, and may prevent it.  Returns and raises as :func:`cut_tail`.
    """
    _check_unwritten(path)
    path = os.path.realpath(path) if os.path.islink(path) else path
    with refusals(path):
        fd = open_regular(path)
        try:
            _check_unchanged(path, stamp_at(fd), stamp)
            before = os.fstat(fd)
        finally:
            os.close(fd)

        def finish(draft: str) -> None:
            atomic.keep_status(draft, before)
            date_as_cut(draft, before)
            check()

        kept = _place(path, lambda name: os.link(path, name), None) if keeping else None
        try:
            atomic.replace(path, parts, finish)
        except BaseException:
            if kept and os.path.samefile(path, kept):  # nothing was cut off
                os.unlink(kept)
            raise
    return kept


def _check_unwritten(path: str) -> None:
    if is_being_written(path):
        raise CutRefused("another process has the file open for writing", file=path)


def _check_unchanged(path: str, found: Stamp, expected: Stamp) -> None:
    if found != expected:
        raise CutRefused("the file changed meanwhile; nothing was done", file=path)


def _pieces(fd: int, path: str, start: int, end: int) -> Iterator[bytes]:
    for at in range(start, end, CHUNK):
        yield read_at(fd, min(CHUNK, end - at), at, path)
