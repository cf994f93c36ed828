"""Teeworlds maps: the container format (datafile), its typed items, and the layers of tiles.

`operations` is the entry point, `replay` a map as a recording of one step, `terrain` its physics layers, `library`
finds the map of a recording.  Must not import other formats, `session` or `terminal`.
"""

from typing import Final

from nhlog.operations import Format, Rows

__all__ = ["FORMAT"]

FORMAT: Final = Format(
    "datafile",
    "Teeworlds map",
    "nhlog.formats.datafile.operations",
    (".map",),
    (b"DATA", b"ATAD"),
    rows=Rows("nhlog.listed", "MapListing"),
)
