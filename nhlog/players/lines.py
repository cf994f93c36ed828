"""Files of an administrator's with a line for each thing: changed by one process at a time, and always whole."""

import json
import os
from collections.abc import Callable, Sequence
from typing import Any, Final

from nhlog.errors import LockNotObtained
from nhlog.files import atomic, lock, open_folder, read_whole, refusals
from nhlog.files.owners import as_owner_of

__all__ = ["change_lines", "fields_of", "read_lines"]

LARGEST: Final = 64 << 20  # bytes of a file
RIGHTS: Final = 0o644  # the players' account reads the file; sshd heeds none that others may write


def read_lines(path: str) -> list[str]:
    """The lines of the file; none if there is no file."""
    if not os.path.lexists(path):
        return []
    text = read_whole(path, LARGEST).decode("utf-8", "surrogateescape")
    return text.removesuffix("\n").split("\n") if text else []


def fields_of(line: str, names: Sequence[str]) -> list[Any] | None:
    """What a line that is a JSON object has in these fields; None for one that is none, or lacks one of them."""
    try:
        found = json.loads(line)
        return [found[name] for name in names]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def change_lines(path: str, changed: Callable[[list[str]], list[str]]) -> None:
    """Give the file the lines that `changed` makes of those that it has.

    Raises :class:`LockNotObtained` if somebody else changes a file of this folder just now.
    """
    above = os.path.dirname(os.path.abspath(path))
    with as_owner_of(above), refusals(path):
        folder = open_folder(above)
        try:
            lock(folder, path)
            text = "".join(f"{line}\n" for line in changed(read_lines(path)))
            data = text.encode("utf-8", "surrogateescape")
            atomic.replace(path, [data], lambda draft: os.chmod(draft, RIGHTS))
        except LockNotObtained:
            raise LockNotObtained("somebody else is changing a file of this folder now", file=path) from None
        finally:
            os.close(folder)
