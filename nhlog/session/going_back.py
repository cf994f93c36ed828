"""The saves of a log that its player is offered to go back to, where the game cannot go on from the latest.

There are two reasons: an engine falls at some places over every command, and an engine of other rules makes another
game of the same commands.
"""

from typing import Final

from nhlog.engines import guarded
from nhlog.engines.protocol import Engine, MayFall, NeedsPast
from nhlog.errors import NhlogError
from nhlog.log.log import Log
from nhlog.savehead import HEAD_SIZE
from nhlog.session.desync import PASSING, Loadable, last_loadable, loadable_at
from nhlog.session.following import recall_past
from nhlog.session.session import Session

__all__ = ["last_agreeing", "last_leading_on"]

_TRIED: Final = 20  # saves: each of them is played up to from the beginning, which takes a second after 40,000 commands
_MOST: Final = 100  # turns that are compared, 20 ms each: somebody waits for it


def last_leading_on(log: Log, engine: Engine) -> Loadable | None:
    """The latest save from which the game goes on: the last one that loads, or, where the engine falls there over
    every command, one of those before it; the last one that loads if that is true of many.
    """
    found = last_loadable(log, engine, len(log.columns.save_lines))
    if found is None or not (isinstance(engine, MayFall) and isinstance(engine, NeedsPast)):
        return found
    for number in range(found.save, max(found.save - _TRIED, -1), -1):
        if log.last_sound(number) == number and _leads_on(log, engine, number):
            return loadable_at(log, number)
    return found


def _leads_on(log: Log, engine: Engine, number: int) -> bool:
    assert isinstance(engine, MayFall)
    assert isinstance(engine, NeedsPast)
    try:
        recall_past(log, engine, engine.name, number)
        return guarded.leads_on(engine, engine.name, log.save(number)[HEAD_SIZE:])
    except PASSING:
        raise
    except NhlogError:
        return False


def last_agreeing(log: Log, engine: Engine) -> Loadable | None:
    """The latest save that the engine makes of the commands before it; None if none of the newest `_MOST` is.

    Raises :class:`~nhlog.errors.LockNotObtained` and :class:`~nhlog.errors.LogRecovered`.
    """
    columns = log.columns
    game = Session(log, engine)
    for save in range(len(columns.save_lines) - 1, max(len(columns.save_lines) - _MOST, 0), -1):
        game.seek(columns.save_lines[save])
        if not game.following.check() and not game.following.desync and not game.following.frozen:
            return loadable_at(log, save)
    return None
