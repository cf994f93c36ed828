"""Recordings as they are made: recording, the ring, compaction, conversion, recovery, changed metadata.

Whatever replaces a file is read back first.  Must not import the modules beside this folder, but for `state`.
"""

from nhlog.formats.hollowcube.writing.facts import Facts
from nhlog.formats.hollowcube.writing.feed import Feed
from nhlog.formats.hollowcube.writing.moves import Move
from nhlog.formats.hollowcube.writing.recorder import Recorder, Triggers
from nhlog.formats.hollowcube.writing.ring import Ring

__all__ = ["Facts", "Feed", "Move", "Recorder", "Ring", "Triggers"]
