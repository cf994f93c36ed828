"""DDNet's teehistorian: recordings of every input to a Teeworlds server, and of the positions of the tees.

`operations` is the entry point, `replay` an open recording, `state` its state at a tick; `race` and `ghost` compare
runs.  Must not import other formats than `datafile` (the maps), nor `session` or `terminal`.
"""

from typing import Final

__all__ = ["FORMAT", "ID"]

ID: Final = "teehistorian"
FORMAT: Final = "DDNet teehistorian"
