"""Echo VR sessions: compact .butter files and the .echoreplay text that recorders write.

`operations` is what can be done with them, `replay` a session as a recording to watch.  `wire` has bytes and values,
`reading` open files, `writing` conversions.  Must not import other formats, `session`, `engines` or `terminal`.
"""

from typing import Final

__all__ = ["FORMAT", "ID"]

ID: Final = "butter"
FORMAT: Final = "Echo VR recording"
