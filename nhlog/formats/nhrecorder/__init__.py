"""nh_recorder: what a program wrote to its terminal, with the time after a NUL where it changes.

`wire` finds the pieces, `reader` those of a file; all else is what recordings of terminals share.  Must not import
other formats, nor `session` or `terminal`.
"""

from typing import Final

from nhlog.operations import Format

__all__ = ["FORMAT"]

FORMAT: Final = Format("nhrecorder", "nh_recorder", "nhlog.formats.nhrecorder.operations", (".nh",))
