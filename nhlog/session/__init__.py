"""Playing, watching and replaying as one mechanism: an engine's game, standing at a place of its log.

A session consists of a log, its engine and, for a player, a writer.  Of `formats` it imports only `nhgame`; must not
import `terminal`.
"""

from nhlog.session.creation import new_game
from nhlog.session.desync import Loadable, last_loadable
from nhlog.session.gamestate import Gamestate, Mismatch
from nhlog.session.going_back import last_agreeing, last_leading_on
from nhlog.session.session import NotNow, Session

__all__ = [
    "Gamestate",
    "Loadable",
    "Mismatch",
    "NotNow",
    "Session",
    "last_agreeing",
    "last_leading_on",
    "last_loadable",
    "new_game",
]
