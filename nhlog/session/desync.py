"""Finds the last save of a log that its engine can load, by binary search (seed 003, "Recovery")."""

from nhlog.engines.protocol import Engine
from nhlog.errors import LockNotObtained, LogRecovered, NhlogError
from nhlog.log.log import Log
from nhlog.session.gamestate import Gamestate
from nhlog.values import NamedTuple

__all__ = ["PASSING", "Loadable", "last_loadable", "loadable_at", "without_file"]

PASSING = (LockNotObtained, LogRecovered)
"""Errors that say nothing about a save, only that the log could not be read at the moment."""


class Loadable(NamedTuple):
    """A save that can be loaded: its number, the number of its line, its turn, and the number of turns after it."""

    save: int
    line: int
    turn: int
    lost: int


def last_loadable(log: Log, engine: Engine, most: int) -> Loadable | None:
    """The latest of the saves 0 to `most` that loads and saves as the same bytes; None if not even the first one does.

    Assumes that all saves up to some place load (except lost ones) and none after it, which holds for an engine that
    was changed during a game and for a fault that persists.
    """
    good, bad = -1, min(most + 1, len(log.columns.save_lines))
    while bad - good > 1:
        middle = (good + bad) // 2
        if _loads(log, engine, middle):
            good = middle
        else:
            bad = middle
    if good < 0:
        return None
    return loadable_at(log, log.last_sound(good))


def loadable_at(log: Log, save: int) -> Loadable:
    """A save that was found to be loadable."""
    turns = log.columns.save_turns
    return Loadable(save, log.columns.save_lines[save], turns[save], log.columns.last_turn - turns[save])


def _loads(log: Log, engine: Engine, number: int) -> bool:
    """Whether the latest save up to `number` that is not lost can be loaded."""
    try:
        Gamestate.load(engine, log.save(log.last_sound(number))).checked()
    except PASSING:
        raise
    except NhlogError:
        return False
    return True


def without_file(error: NhlogError) -> str:
    """The text of the error without the file's name, as a state must not depend on the place of the log."""
    error.file = None
    return str(error)
