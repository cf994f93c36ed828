"""What util-linux script writes: a typescript, all that a program wrote, and beside it a file of times.

`wire` parses the lines of times and what stands around the output, `reader` finds the events of the two files.  Must
not import other formats, nor `session` or `terminal`.
"""

from typing import Final

from nhlog.operations import Format

__all__ = ["FORMAT"]

FORMAT: Final = Format(
    "typescript", "typescript", "nhlog.formats.typescript.operations", (".typescript",), (b"Script started on ",)
)
