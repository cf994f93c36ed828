"""asciicast 1, 2 and 3: what a program wrote to its terminal, as text with times, in JSON.

`wire` parses and writes headers and events, `reader` finds the events of a file.  Must not import other formats, nor
`session` or `terminal`.
"""

from typing import Final

from nhlog.operations import Format, Rows

__all__ = ["FORMAT"]

FORMAT: Final = Format(
    "asciicast",
    "asciicast",
    "nhlog.formats.asciicast.operations",
    tuple(f".cast{packed}" for packed in ("", ".gz", ".bz2", ".xz", ".zst")),
    (b'{"version"', b'{ "version"', b'{\n  "version"', b'{\n    "version"'),
    rows=Rows("nhlog.listed", "ScreencastListing", of_terminals=True),
)
