"""Teeworlds datafiles, which its maps are: container, typed items, layers, and what verbs ask of them.

Wire code here has no I/O; must not import other formats, `session`, `engines` or `terminal`.
"""

from typing import Any

from nhlog.formats.datafile.operations import dump, info, listing, state
from nhlog.formats.datafile.reading.datafile import open_datafile
from nhlog.formats.datafile.replay import MapReplay
from nhlog.formats.datafile.verify import verify

__all__ = ["convert", "dump", "info", "listing", "open_replay", "state", "verify"]


def open_replay(path: str) -> MapReplay:
    """The map in the file `path` as a recording of one step."""
    datafile = open_datafile(path)
    try:
        return MapReplay(datafile)
    except BaseException:
        datafile.close()
        raise


def convert(source: str, target: str, *, version: int = 4, force: bool = False) -> dict[str, Any]:
    """Write the datafile again, as version 3 or 4; see :mod:`nhlog.formats.datafile.writing.convert`."""
    from nhlog.formats.datafile.writing.convert import convert_datafile

    return convert_datafile(source, target, version=version, force=force)
