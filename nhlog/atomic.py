"""Files that are either whole or not there: written beside their place, made durable, then put into it."""

import os
from collections.abc import Callable, Iterable
from typing import Final

from nhlog.files import create_file, naming, open_folder

__all__ = ["DRAFT", "Check", "create", "replace", "sync_folder"]


DRAFT: Final = ".nhlog-"
"""What the names of drafts begin with: those of processes that died are left behind."""

Check = Callable[[str], None]
"""Gets the name of the draft, whole and durable, before it takes its place; what it raises leaves all as it was."""


def create(path: str, parts: Iterable[bytes], check: Check | None = None) -> None:
    """A new file of these parts; raises :class:`FileExistsError` if there is one, :class:`OSError` for the rest.

    Either names the file, as with :func:`replace`.
    """
    _write(path, parts, os.link, check)


def replace(path: str, parts: Iterable[bytes], check: Check | None = None) -> None:
    """A file of these parts in place of any there was; raises :class:`OSError`."""
    _write(path, parts, os.replace, check)


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


def sync_folder(folder: str) -> None:
    """Make a name durable; a directory is synced through a descriptor of its own."""
    fd = open_folder(folder)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
