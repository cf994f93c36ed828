"""Who may cut lines off a log: the one question that `#rewind` in the client, `nhlog rewind` and `nhlog recover` ask.

The owner of an explore or wizard game may, and the administrators that the system's config names.  Where it names none
the owner of any other game may, too, by force.  Players who share one account own nothing.  Who asks is the process's
real user, as the system knows it: neither environment variables nor what `sudo -u` makes of the effective user count;
that one only has to be able to write.
"""

import os
from typing import Final

from nhlog.config import Config, read_config
from nhlog.errors import NhlogError
from nhlog.files.processes import user_name
from nhlog.log.file import LogFile
from nhlog.log.reading import settled
from nhlog.log.wire.header import MODES, parse_header

__all__ = ["NotAllowed", "can_write", "check_right"]

_OPEN_MODES: Final = ("explore", "wizard")  # games that are no contest


class NotAllowed(NhlogError):
    """The user may not cut lines off this log, or could not write to it."""


def check_right(file: LogFile, *, force: bool = False) -> None:
    """Raise :class:`NotAllowed`, with what to do instead, unless the user may cut lines off this log, and can."""
    config = read_config()
    administrators = config.administrators
    user, owner = user_name(os.getuid()), user_name(file.status().st_uid)
    ours = os.getuid() == file.status().st_uid and not _is_shared_account(config, os.getuid())
    if user in administrators or (ours and (_is_open(file) or (force and not administrators))):
        _check_writable(file, owner)
    elif administrators:
        who = f"{user} is no administrator, and this is no explore or wizard game of theirs"
        raise NotAllowed(f"{who}: ask {' or '.join(administrators)}", file=file.name)
    elif ours:
        does = "`nhlog rewind --force` or `nhlog recover --force` cuts it, as it is yours"
        raise NotAllowed(f"a normal game: {does}", file=file.name)
    else:
        raise NotAllowed(f"the game is {owner}'s, and there are no administrators; ask {owner}", file=file.name)


def _is_shared_account(config: Config, user: int) -> bool:
    """Whether many play as this user."""
    try:
        return config.players is not None and os.stat(config.players).st_uid == user
    except OSError:
        return False


def can_write(path: str) -> bool:
    """Whether the system lets this process write to the file."""
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _check_writable(file: LogFile, owner: str) -> None:
    if file.writable or can_write(file.name):
        return
    if os.geteuid() == file.status().st_uid:
        raise NotAllowed("your game is write-protected; use chmod u+w", file=file.name)
    way = f"sudo -u {owner} nhlog rewind does it, or write permission for the game's group (docs/server.md)"
    raise NotAllowed(f"{user_name(os.geteuid())} cannot write to this game: {way}", file=file.name)


def _is_open(file: LogFile) -> bool:
    mode = parse_header(settled(file).head).mode
    return mode in map(MODES.index, _OPEN_MODES)
