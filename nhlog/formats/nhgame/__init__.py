"""NetHack 4.3 logs as recordings: ledger, replay, and records for `dump`.

The file itself is `nhlog.log`'s; must not import other formats, `session`, `engines` or `terminal`.
"""

from nhlog.formats.nhgame.opening import open_log, open_replay, save_at

__all__ = ["open_log", "open_replay", "save_at"]
