"""Players who may not play for a while, or ever again: a file beside that of the keys, with a JSON object in each line.

The keys stay where they are.  sshd lets a banned player in as far as the lobby, which looks here first, and says why it
ends.  A file that cannot be read lets nobody in: a ban holds until somebody lifts it.
"""

import json
import re
from pathlib import Path
from typing import Final, NamedTuple

from nhlog.errors import Damaged, NhlogError, Usage
from nhlog.players.lines import change_lines, fields_of, read_lines
from nhlog.players.names import checked_name

__all__ = ["Ban", "Banned", "Bans"]

BANS: Final = "bans"  # the file's name
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Banned(NhlogError):
    """Somebody who may not play."""


class Ban(NamedTuple):
    """The player `name` may not play before `until`, in seconds since 1970; None for ever.  `reason` may be empty."""

    name: str
    until: int | None
    reason: str

    def holds(self, now: float) -> bool:
        """Whether it is not over yet."""
        return self.until is None or now < self.until


class Bans:
    """The bans of the server whose keys are in the file `keys`."""

    def __init__(self, keys: Path) -> None:
        self._path = str(keys.with_name(BANS))

    def all(self, now: float) -> list[Ban]:
        """Those that hold."""
        return [ban for ban in map(self._parse, read_lines(self._path)) if ban.holds(now)]

    def of(self, name: str, now: float) -> Ban | None:
        """That of a player; None if the player may play."""
        return next((ban for ban in self.all(now) if _is(ban, name)), None)

    def put(self, new: Ban) -> None:
        """Let a player not play; an earlier ban gives way to it."""
        checked_name(new.name)
        line = json.dumps(new._replace(reason=_CONTROL.sub(" ", new.reason))._asdict())

        def added(lines: list[str]) -> list[str]:
            return [*(known for known in lines if not _is(self._parse(known), new.name)), line]

        change_lines(self._path, added)

    def lift(self, name: str) -> None:
        """Let a player play again; raises :class:`Usage` if nothing kept the player from it."""

        def rest(lines: list[str]) -> list[str]:
            left = [line for line in lines if not _is(self._parse(line), name)]
            if len(left) == len(lines):
                raise Usage(f"{name} is not banned", file=self._path)
            return left

        change_lines(self._path, rest)

    def _parse(self, line: str) -> Ban:
        found = fields_of(line, Ban._fields)
        if found is None:
            raise Damaged("not a list of bans", file=self._path, found=repr(line[:40]))
        name, until, reason = found
        if not isinstance(name, str) or not isinstance(until, int | None) or not isinstance(reason, str):
            raise Damaged("not a ban", file=self._path, found=repr(line[:40]))
        return Ban(name, until, reason)


def _is(ban: Ban, name: str) -> bool:
    return ban.name.casefold() == name.casefold()
