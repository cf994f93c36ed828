"""DDNet's teehistorian: every input to a Teeworlds server, and where the tees were.

`operations` is what the registry calls, `replay` the open recording, `state` what it shows at a tick, `race` and
`ghost` compare runs.  Must not import other formats than `datafile` (the maps), nor `session` or `terminal`.
"""

from typing import Final

__all__ = ["FORMAT", "ID"]

ID: Final = "teehistorian"
FORMAT: Final = "DDNet teehistorian"
