"""DDNet's teehistorian: every input to a Teeworlds server, and where the tees were.

Reader, writer, replay, and records for the verbs.  Must not import other formats than `datafile` (the maps), nor
`session`, `engines` or `terminal`.
"""

from nhlog.formats.teehistorian.records import dump
from nhlog.formats.teehistorian.replay import open_replay

__all__ = ["dump", "open_replay"]
