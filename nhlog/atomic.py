"""Files that are either whole or not there: written beside their place, made durable, then put into it."""

import os
import tempfile
from collections.abc import Callable, Iterable

__all__ = ["create", "replace"]


def create(path: str, parts: Iterable[bytes]) -> None:
    """A new file of these parts; raises :class:`FileExistsError` if there is one, :class:`OSError` for the rest."""
    _write(path, parts, os.link)


def replace(path: str, parts: Iterable[bytes]) -> None:
    """A file of these parts in place of any there was; raises :class:`OSError`."""
    _write(path, parts, os.replace)


def _write(path: str, parts: Iterable[bytes], place: Callable[[str, str], None]) -> None:
    folder, name = os.path.split(os.path.abspath(path))
    fd, draft = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
    try:
        with open(fd, "wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        place(draft, path)
    finally:
        if os.path.exists(draft):
            os.unlink(draft)
    _sync_folder(folder)


def _sync_folder(folder: str) -> None:
    """Make a name durable; a directory is synced through a descriptor of its own."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
