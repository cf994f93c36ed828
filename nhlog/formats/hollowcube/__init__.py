"""Hollow Cube recordings: the design text's layout and the shipped game's, whole files and folders of segments.

Events and chunks are decoded without I/O; a replay reads by byte ranges.  Must not import `session` or `terminal`.
"""

from nhlog.formats.hollowcube.dump import dump
from nhlog.formats.hollowcube.reader import open_reader
from nhlog.formats.hollowcube.records import info, listing, state
from nhlog.formats.hollowcube.replay import CubeReplay
from nhlog.formats.hollowcube.stats import events, stats
from nhlog.formats.hollowcube.verify import verify

__all__ = ["dump", "events", "info", "listing", "open_replay", "state", "stats", "verify"]


def open_replay(path: str, ghost: str | None = None) -> CubeReplay:
    """The recording at `path`, standing at its first tick; `ghost` is another one whose run it is raced against."""
    reader = open_reader(path)
    try:
        return CubeReplay(reader, None if ghost is None else open_reader(ghost))
    except BaseException:
        reader.close()
        raise
