"""Echo VR sessions: the compact .butter files and the .echoreplay text they are made from.

`primitives`, `header`, `bones`, `wire`, `decode`, `correct` and `packing` turn bytes into values and do no I/O; nothing
here may import other formats, `session`, `engines` or `terminal`.
"""

from nhlog.formats.butter.convert import convert
from nhlog.formats.butter.diff import diff
from nhlog.formats.butter.records import dump, events, info, listing, open_replay, state, stats, verify

__all__ = ["convert", "diff", "dump", "events", "info", "listing", "open_replay", "state", "stats", "verify"]
