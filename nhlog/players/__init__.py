"""The players of a server: what they may be called, the folder that each of them has, and the keys that let them in.

One Unix account is all of theirs, so whose a file is tells the folder it lies in, not its owner.  Must not import
`terminal`.
"""

from nhlog.players.folders import PlayerFolder, Players
from nhlog.players.keyfile import KeyFile
from nhlog.players.names import MOST_LETTERS, checked_name, is_name

__all__ = ["MOST_LETTERS", "KeyFile", "PlayerFolder", "Players", "checked_name", "is_name"]
