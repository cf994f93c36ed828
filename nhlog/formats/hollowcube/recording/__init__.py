"""Recording: ticks as they come become segments in a folder, or the last minutes of them a file.

Must not import the modules beside this folder, except `state`.
"""

from nhlog.formats.hollowcube.recording.feed import Feed
from nhlog.formats.hollowcube.recording.recorder import Recorder, Triggers
from nhlog.formats.hollowcube.recording.ring import Ring
from nhlog.formats.hollowcube.writing.facts import Facts
from nhlog.formats.hollowcube.writing.moves import Move

__all__ = ["Facts", "Feed", "Move", "Recorder", "Ring", "Triggers"]
