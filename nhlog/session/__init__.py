"""Play, watch and replay as one mechanism: an engine's game, standing at a place of its log.

A session is made of the log, the engine and the will to write.  Of `formats` it knows logs alone; must not import
`terminal`.
"""

from nhlog.session.creation import new_game
from nhlog.session.desync import Loadable, last_loadable
from nhlog.session.following import Locations
from nhlog.session.gamestate import Gamestate, Mismatch
from nhlog.session.session import NotNow, Session

__all__ = [
    "Gamestate",
    "Loadable",
    "Locations",
    "Mismatch",
    "NotNow",
    "Session",
    "last_loadable",
    "new_game",
]
