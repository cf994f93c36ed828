"""The players of a server: what they may be called, the folder that each has, how much it holds, and the keys; who is
there, who may not come, and what administrators did.

One Unix account is all of theirs, so whose a file is tells the folder it lies in, not its owner.  Must not import
`terminal`.
"""

from nhlog.players.folders import PlayerFolder, Players
from nhlog.players.keyfile import KeyFile
from nhlog.players.names import MOST_LETTERS, checked_name, is_name
from nhlog.players.quota import OverQuota, Quota, check_quota

__all__ = [
    "MOST_LETTERS",
    "KeyFile",
    "OverQuota",
    "PlayerFolder",
    "Players",
    "Quota",
    "check_quota",
    "checked_name",
    "is_name",
]
