"""Writing of recordings: recorder, ring buffer, compaction, conversion, recovery, changes of metadata.

A new file is read back before it replaces another one.  Must not import the modules beside this folder, except `state`.
"""

from nhlog.formats.hollowcube.writing.facts import Facts
from nhlog.formats.hollowcube.writing.feed import Feed
from nhlog.formats.hollowcube.writing.moves import Move
from nhlog.formats.hollowcube.writing.recorder import Recorder, Triggers
from nhlog.formats.hollowcube.writing.ring import Ring

__all__ = ["Facts", "Feed", "Move", "Recorder", "Ring", "Triggers"]
