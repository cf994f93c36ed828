"""DDNet's teehistorian: every input to a Teeworlds server, and where the tees were.

Reader, writer, replay, and records for the verbs.  Must not import other formats than `datafile` (the maps), nor
`session`, `engines` or `terminal`.
"""

from nhlog.formats.teehistorian.dump import dump
from nhlog.formats.teehistorian.listing import listing
from nhlog.formats.teehistorian.operations import events, info, state
from nhlog.formats.teehistorian.replay import open_replay
from nhlog.formats.teehistorian.stats import stats
from nhlog.formats.teehistorian.verify import verify
from nhlog.formats.teehistorian.writing.convert import convert

__all__ = ["convert", "dump", "events", "info", "listing", "open_replay", "state", "stats", "verify"]
