"""NetHack 4.3 logs as recordings: ledger, replay, and records for `dump`.

The file itself is `nhlog.log`'s; must not import other formats, `session` or `terminal`.
"""

from nhlog.formats.nhgame.opening import PlacedLog, open_log, open_replay

__all__ = ["PlacedLog", "open_log", "open_replay"]
