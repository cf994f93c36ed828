"""NetHack 4.3 logs as recordings: ledger, replay, and what can be done with them (`operations`).

The file itself is `nhlog.log`'s; must not import other formats, `session` or `terminal`.
"""

from typing import Final

__all__ = ["FORMAT", "ID"]

ID: Final = "nhgame"
FORMAT: Final = "NetHack 4 log"
