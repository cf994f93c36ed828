"""The last save of a log that its engine can go on from, found by binary search (seed 003, "Recovery")."""

from typing import NamedTuple

from nhlog.engines.protocol import Engine
from nhlog.errors import LockNotObtained, LogRecovered, NhlogError
from nhlog.log.log import Log
from nhlog.session.gamestate import Gamestate

__all__ = ["PASSING", "Loadable", "last_loadable", "without_file"]

PASSING = (LockNotObtained, LogRecovered)
"""What says nothing about a save, only that the log could not be read just now."""


class Loadable(NamedTuple):
    """A save that loads: its number, that of its line, its turn, and the turns that come after it."""

    save: int
    line: int
    turn: int
    lost: int


def last_loadable(log: Log, engine: Engine, most: int) -> Loadable | None:
    """The latest of the saves 0 to `most` that loads and saves the same again; None where not even the first one does.

    Of the saves that are not lost, those up to some place are taken to load and those beyond it not to, which holds for
    an engine that was changed under a game and for a fault that spreads.
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
    good = log.last_sound(good)
    turns = log.columns.save_turns
    return Loadable(good, log.columns.save_lines[good], turns[good], log.columns.last_turn - turns[good])


def _loads(log: Log, engine: Engine, number: int) -> bool:
    """Whether the latest save up to this one that is not lost can be loaded."""
    try:
        Gamestate.load(engine, log.save(log.last_sound(number))).checked()
    except PASSING:
        raise
    except NhlogError:
        return False
    return True


def without_file(error: NhlogError) -> str:
    """What is wrong, without the file's name: a state is made of the log's bytes, wherever they are kept."""
    error.file = None
    return str(error)
