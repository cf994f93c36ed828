"""ttyrec: what a program wrote to its terminal, piece by piece with times; also NLE's ttyrec2 and ttyrec3.

`wire` decodes and encodes frames, `reader` finds the frames of a file; all else is what recordings of terminals have in
common.  Must not import other formats, nor `session` or `terminal`.
"""

from typing import Final

__all__ = ["FORMAT"]

FORMAT: Final = "ttyrec"
