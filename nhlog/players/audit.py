"""What administrators did to players, and who registered: a file beside that of the keys, to which a JSON object is
added for each act.
"""

import fcntl
import json
import os
import time
from pathlib import Path
from typing import Final

from nhlog.files import create_file, open_regular, refusals
from nhlog.files.owners import as_owner_of
from nhlog.files.processes import user_name

__all__ = ["AUDIT", "note"]

AUDIT: Final = "audit"
"""The file's name."""
RIGHTS: Final = 0o600  # it has reasons, and who gave them


def note(keys: Path, action: str, name: str | None, detail: str = "") -> None:
    """Write down that this user did something to the player `name`, None for all of them; with sudo, who used it.

    Raises :class:`~nhlog.files.CannotWrite`.
    """
    path = os.path.abspath(keys.with_name(AUDIT))
    by = os.environ.get("SUDO_USER") or user_name(os.getuid())
    told = {"time": int(time.time()), "by": by, "action": action, "player": name, "detail": detail}
    with as_owner_of(os.path.dirname(path)), refusals(path):
        fd = _opened(path)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            os.write(fd, json.dumps(told).encode() + b"\n")
            os.fsync(fd)
        finally:
            os.close(fd)


def _opened(path: str) -> int:
    try:
        return create_file(path, RIGHTS, os.O_WRONLY | os.O_APPEND)
    except FileExistsError:
        return open_regular(path, os.O_WRONLY | os.O_APPEND)
