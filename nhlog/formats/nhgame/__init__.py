"""NetHack 4.3 logs as recordings: ledger, replay, and records for `dump`.

The file itself is `nhlog.log`'s; must not import other formats, `session`, `engines` or `terminal`.
"""

from nhlog.formats.nhgame.opening import open_log, open_replay, save_at
from nhlog.formats.nhgame.verbs import dump, info, listing, recover, state, verify

__all__ = ["dump", "info", "listing", "open_log", "open_replay", "recover", "save_at", "state", "verify"]
