"""Hollow Cube recordings: the design text's layout and the shipped game's, whole files and folders of segments.

Events and chunks are decoded without I/O; a replay reads by byte ranges.  Must not import `session` or `terminal`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from nhlog.formats.hollowcube.dump import dump
from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.formats.hollowcube.records import info, listing, state
from nhlog.formats.hollowcube.replay import CubeReplay
from nhlog.formats.hollowcube.stats import events, stats
from nhlog.formats.hollowcube.verify import verify
from nhlog.formats.hollowcube.wire.header import Layout

if TYPE_CHECKING:
    from nhlog.formats.hollowcube.writing.compact import compact
    from nhlog.formats.hollowcube.writing.convert import convert
    from nhlog.formats.hollowcube.writing.facts import Facts
    from nhlog.formats.hollowcube.writing.feed import Feed
    from nhlog.formats.hollowcube.writing.metadata import get_metadata, merge_metadata, set_metadata
    from nhlog.formats.hollowcube.writing.recorder import Recorder, Triggers
    from nhlog.formats.hollowcube.writing.recover import recover
    from nhlog.formats.hollowcube.writing.ring import Ring

__all__ = [
    "Facts",
    "Feed",
    "Layout",
    "Recorder",
    "Ring",
    "Triggers",
    "compact",
    "convert",
    "dump",
    "events",
    "get_metadata",
    "info",
    "listing",
    "merge_metadata",
    "open_replay",
    "recover",
    "set_metadata",
    "state",
    "stats",
    "verify",
]


def open_replay(path: str, ghost: str | None = None) -> CubeReplay:
    """The recording at `path`, standing at its first tick; `ghost` is another one whose run it is raced against."""
    reader = open_reader(path)
    try:
        return CubeReplay(reader, None if ghost is None else open_reader(ghost))
    except BaseException:
        reader.close()
        raise


# The writing side, which nobody needs who only reads: by name, its module.
_WRITING: Final = {
    "Facts": "writing.facts",
    "Feed": "writing.feed",
    "Recorder": "writing.recorder",
    "Ring": "writing.ring",
    "Triggers": "writing.recorder",
    "compact": "writing.compact",
    "convert": "writing.convert",
    "get_metadata": "writing.metadata",
    "merge_metadata": "writing.metadata",
    "recover": "writing.recover",
    "set_metadata": "writing.metadata",
}


def __getattr__(name: str) -> Any:
    """What is imported when somebody asks for it."""
    if name not in _WRITING:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WRITING[name]}"), name)
