"""Teeworlds maps: the container that they are (a datafile), its typed items, and the layers of tiles.

`operations` is what the registry calls, `replay` a map as a recording of one step, `terrain` its physics layers,
`library` finds the map of a recording.  Must not import other formats, `session` or `terminal`.
"""

from typing import Final

__all__ = ["FORMAT", "ID"]

ID: Final = "datafile"
FORMAT: Final = "Teeworlds map"
