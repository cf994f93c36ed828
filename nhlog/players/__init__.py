"""The players of a server: what they may be called, and the folder that each of them has.

One Unix account is all of theirs, so whose a file is tells the folder it lies in, not its owner.  Must not import
`terminal`.
"""

from nhlog.players.folders import PlayerFolder, Players
from nhlog.players.names import MOST_LETTERS, checked_name, is_name

__all__ = ["MOST_LETTERS", "PlayerFolder", "Players", "checked_name", "is_name"]
