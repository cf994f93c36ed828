"""Atomic file creation and replacement: write a draft in the same folder, sync it, then link or rename it."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Final

from nhlog.errors import Usage
from nhlog.files import create_file, naming, open_folder, open_regular, refusals

__all__ = ["DRAFT", "Check", "create", "keep_status", "make_folders", "replace", "sync_file", "sync_folder", "write"]


DRAFT: Final = ".nhlog-"
"""Prefix of the names of drafts; a process that dies leaves its draft behind."""

Check = Callable[[str], None]
"""Called with the path of the complete, synced draft before it is put in place; if it raises, nothing is changed."""


def create(path: str, parts: Iterable[bytes], check: Check | None = None) -> None:
    """Create a file from `parts`; raises :class:`FileExistsError` if it exists, else :class:`OSError` on failure.

    Either error names the file, as with :func:`replace`.
    """
    _write(path, parts, os.link, check)


def replace(path: str, parts: Iterable[bytes], check: Check | None = None) -> None:
    """Create or replace a file with the content `parts`; raises :class:`OSError`."""
    _write(path, parts, os.replace, check)


def write(path: str, parts: Iterable[bytes], *, force: bool, check: Check | None = None) -> int:
    """Create a file, or replace it if that is wanted by `force`; returns its size.

    Raises :class:`Usage` if it exists, before the first of the `parts` is asked for where that can be told, and
    :class:`CannotWrite`.
    """
    exists = Usage("there is such a file already", file=path, expected="--force to replace it")
    if not force and os.path.lexists(path):
        raise exists
    size = 0

    def counted() -> Iterator[bytes]:
        nonlocal size
        for part in parts:
            size += len(part)
            yield part

    with refusals(path):
        try:
            (replace if force else create)(path, counted(), check)
        except FileExistsError:
            raise exists from None
    return size


def _write(path: str, parts: Iterable[bytes], place: Callable[[str, str], None], check: Check | None) -> None:
    folder = os.path.dirname(os.path.abspath(path))
    draft = os.path.join(folder, f"{DRAFT}{os.urandom(8).hex()}")
    with naming(path, draft):
        fd = create_file(draft)
        try:
            with open(fd, "wb") as file:
                for part in parts:
                    file.write(part)
                file.flush()
                os.fsync(file.fileno())
            if check is not None:
                check(draft)
            place(draft, path)
        finally:
            if os.path.exists(draft):
                os.unlink(draft)
        sync_folder(folder)


def keep_status(draft: str, status: os.stat_result) -> None:
    """Make a copy as old as what it is a copy of, whose `status` this is, and read by the same."""
    os.utime(draft, ns=(status.st_atime_ns, status.st_mtime_ns))
    if os.geteuid() == 0:
        os.chown(draft, status.st_uid, status.st_gid)
    os.chmod(draft, stat.S_IMODE(status.st_mode))


def sync_file(path: str) -> None:
    """Make what others wrote to a file durable with fsync; raises :class:`CannotOpen` and :class:`OSError`."""
    fd = open_regular(path)
    try:
        with naming(path):
            os.fsync(fd)
    finally:
        os.close(fd)


def make_folders(folder: str) -> None:
    """Make a folder, with those that it is in, where they are not there; each outlives a crash.  Raises OSError."""
    above = os.path.dirname(os.path.abspath(folder))
    if not os.path.isdir(folder):
        make_folders(above)
        with suppress(FileExistsError):  # of another process, which may not have come to sync it
            os.mkdir(folder)
        sync_folder(above)


def sync_folder(folder: str) -> None:
    """Make changes of names in `folder` durable with fsync; raises :class:`OSError`."""
    fd = open_folder(folder)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
