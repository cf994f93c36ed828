"""Putting back what was cut off a game.

Only those who may cut lines off a log may put them back (`nhlog.formats.nhgame.rights`): it, too, changes what happened
in a game.
"""

import os
from typing import Final

from nhlog.files.cuts import CutRefused
from nhlog.formats.nhgame.rewind import state_after
from nhlog.formats.nhgame.rights import check_right
from nhlog.log.file import LogFile
from nhlog.log.returning import carry_out_return, joined, plan_return
from nhlog.operations import Record

__all__ = ["return_to"]

_UNSEEN: Final = "it does not go as far as the game that was seen before; nothing was done"


def return_to(file: LogFile, kept: str, *, dry_run: bool = False, least: int = 0) -> Record:
    """Append what `kept` keeps, where nothing was written since; raises :class:`CutRefused` if it does not fit.

    The log is to have at least `least` bytes then.  Raises :class:`~nhlog.formats.nhgame.rights.NotAllowed` for a user
    who may not, and what `nhlog.log.returning` raises.
    """
    log = joined(file, kept)
    if log.size < least:
        raise CutRefused(_UNSEEN, file=kept, expected=f"{least} bytes", found=log.size)
    planned = plan_return(file, log, kept, state_after(log))
    if not dry_run:
        check_right(file, force=True)
        carry_out_return(file, planned, os.lstat(kept).st_mtime_ns)
    turn = log.columns.last_turn
    return {"size": log.size, "turn": turn, "lines": planned.lines, "unsound": planned.unsound}
