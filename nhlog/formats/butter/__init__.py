"""Echo VR sessions: compact .butter files and the .echoreplay text that recorders write.

`operations` is the entry point, `replay` a session to watch.  `wire` converts between bytes and values, `reading` opens
files, `writing` converts them.  Must not import other formats, `session`, `engines` or `terminal`.
"""

from typing import Final

from nhlog.operations import Format, Rows

__all__ = ["FORMAT"]

FORMAT: Final = Format(
    "butter",
    "Echo VR recording",
    "nhlog.formats.butter.operations",
    (".butter", ".echoreplay"),
    (b"\1", b"\2", b"\3", b"20", b"PK\3\4"),  # a version, a year, or a zip
    rows=Rows("nhlog.operations", "Listing"),
)
