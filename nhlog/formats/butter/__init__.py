"""Echo VR sessions: compact .butter files and the .echoreplay text that recorders write.

`operations` is the entry point, `replay` a session to watch.  `wire` converts between bytes and values, `reading` opens
files, `writing` converts them.  Must not import other formats, `session`, `engines` or `terminal`.
"""

from typing import Final

__all__ = ["FORMAT", "ID"]

ID: Final = "butter"
FORMAT: Final = "Echo VR recording"
