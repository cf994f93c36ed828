"""ttyrec: what a program wrote to its terminal, piece by piece with times; also NLE's ttyrec2 and ttyrec3.

`wire` decodes frames and guesses what they do not tell, `index` finds the frames of a file, `replay` is an open one.
Must not import other formats, nor `session` or `terminal`.
"""

from typing import Final

__all__ = ["FORMAT", "ID"]

ID: Final = "ttyrec"
FORMAT: Final = "ttyrec"
