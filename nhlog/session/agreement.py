"""The last point of a game where its saves and its commands agree: up to there the engine is the one that played."""

from typing import Final

from nhlog.engines.protocol import Engine
from nhlog.log.log import Log
from nhlog.session.desync import Loadable
from nhlog.session.session import Session

__all__ = ["last_agreeing"]

MOST: Final = 100  # turns that are looked at, 20 ms each: somebody waits for it


def last_agreeing(log: Log, engine: Engine) -> Loadable | None:
    """The latest save that the engine makes of the commands before it; None if none of the newest `MOST` is.

    Raises :class:`~nhlog.errors.LockNotObtained` and :class:`~nhlog.errors.LogRecovered`.
    """
    columns = log.columns
    game = Session(log, engine)
    for save in range(len(columns.save_lines) - 1, max(len(columns.save_lines) - MOST, 0), -1):
        game.seek(columns.save_lines[save])
        if not game.check() and not game.desync and not game.frozen:
            turn = columns.save_turns[save]
            return Loadable(save, columns.save_lines[save], turn, columns.last_turn - turn)
    return None
