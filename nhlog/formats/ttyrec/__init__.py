"""ttyrec: what a program wrote to its terminal, piece by piece with times; also NLE's ttyrec2 and ttyrec3.

`wire` decodes and encodes frames, `reader` finds the frames of a file; all else is what recordings of terminals have in
common.  Must not import other formats, nor `session` or `terminal`.
"""

import re
from typing import Final

from nhlog.operations import Format, Rows

__all__ = ["FORMAT"]

_FRAME: Final = re.compile(rb".{3}[\x26-\xff]..[\0-\x0f]\0..[\0-\x10]\0", re.DOTALL)
# seconds since 1970, in 1990 or later; microseconds below a million; at most a MiB

FORMAT: Final = Format(
    "ttyrec",
    "ttyrec",
    "nhlog.formats.ttyrec.operations",
    tuple(f".ttyrec{kind}{packed}" for kind in ("", "2", "3") for packed in ("", ".gz", ".bz2", ".xz", ".zst")),
    (b"BZh", _FRAME),
    rows=Rows("nhlog.listed", "ScreencastListing", of_terminals=True),
)
