"""DDNet's teehistorian: recordings of every input to a Teeworlds server, and of the positions of the tees.

`operations` is the entry point, `replay` an open recording, `state` its state at a tick; `race` and `ghost` compare
runs.  Must not import other formats than `datafile` (the maps), nor `session` or `terminal`.
"""

from typing import Final

from nhlog.compression import BZIP2, MAGIC, compression_of
from nhlog.operations import Format, Rows

__all__ = ["FORMAT"]

_PACKED: Final = tuple(magic for magic in MAGIC if compression_of(magic) != BZIP2)
FORMAT: Final = Format(
    "teehistorian",
    "DDNet teehistorian",
    "nhlog.formats.teehistorian.operations",
    (".teehistorian", ".teehistorian.gz", ".teehistorian.xz", ".teehistorian.zst"),
    (b"\x69\x9d\xb1\x7b\x8e\xfb\x34\xff\xb1\xd8\xda\x6f\x60\xc1\x5d\xd1", *_PACKED),
    rows=Rows("nhlog.formats.teehistorian.listing", "TeehistorianListing"),
)
