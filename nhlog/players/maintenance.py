"""Whether games may begin on the server: a file beside that of the keys, which is there while they may not.

It is one line, a JSON object.  A file that cannot be read lets no game begin: maintenance lasts until it is ended.
"""

import json
import os
import time
from pathlib import Path
from typing import Final, Self

from nhlog.errors import Damaged, NhlogError, Usage
from nhlog.players.lines import change_lines, fields_of, read_lines
from nhlog.values import NamedTuple

__all__ = ["Maintenance", "UnderMaintenance", "announced", "check_open", "end_maintenance"]

FILE: Final = "maintenance"
LATEST: Final = 1 << 40  # seconds since 1970: far beyond any time that can be meant, and still a date


class UnderMaintenance(NhlogError):
    """No game begins here now."""


class Maintenance(NamedTuple):
    """No game begins; at `time`, in seconds since 1970, those that run are ended.  `reason` may be empty."""

    time: int
    reason: str

    def __str__(self) -> str:
        moment = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(self.time))
        return f"maintenance from {moment}{': ' if self.reason else ''}{self.reason}"

    @classmethod
    def of(cls, keys: Path | None) -> Self | None:
        """That of the server whose keys are in the file `keys`; None if there is none."""
        if keys is None:
            return None
        path = _path(keys)
        lines = read_lines(path)
        if not lines:
            return None
        moment, reason = fields_of(lines[0], cls._fields) or (None, None)
        if not isinstance(moment, int) or not 0 <= moment < LATEST or not isinstance(reason, str):
            raise Damaged("not a time of maintenance", file=path, found=repr(lines[0][:40]))
        return cls(moment, reason)

    def begin(self, keys: Path) -> None:
        """Let no more games begin; an earlier maintenance gives way to it."""
        change_lines(_path(keys), lambda lines: [json.dumps(self._asdict())])


def end_maintenance(keys: Path) -> None:
    """Let games begin again; raises :class:`Usage` if they may already."""
    path = _path(keys)
    if not read_lines(path):
        raise Usage("there is no maintenance", file=path)
    change_lines(path, lambda lines: [])


def announced(keys: Path | None) -> str:
    """What is told to who comes, also of a file that cannot be read; empty where games may begin."""
    try:
        return str(Maintenance.of(keys) or "")
    except NhlogError as error:
        return str(error)


def check_open(keys: Path | None) -> None:
    """Raise :class:`UnderMaintenance` where no game may begin."""
    if (maintenance := Maintenance.of(keys)) is not None:
        raise UnderMaintenance(f"no new games: {maintenance}")


def _path(keys: Path) -> str:
    return os.fspath(keys.with_name(FILE))
