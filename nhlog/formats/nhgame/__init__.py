"""NetHack 4.3 logs as recordings: ledger, replay and `operations`.

Files are read and written by `nhlog.log`.  Must not import other formats, `session` or `terminal`.
"""

from typing import Final

__all__ = ["FORMAT", "ID"]

ID: Final = "nhgame"
FORMAT: Final = "NetHack 4 log"
