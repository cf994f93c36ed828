"""Hollow Cube recordings: in the layout of the design text or of the released game, as files or folders of segments.

- `operations`: the operations on a recording, by its path.
- `writing`: `Recorder`, `Ring` and everything else that writes recordings.
- `replay`, `race`, `state`: a recording at a position, its ghost, and its state there.
- `wire`: encoding and decoding, without I/O; `reading`: files, folders and HTTP addresses, by byte ranges.

Imports run from `operations` and the modules beside it to `writing`, `reading`, `state` and `words`, `wire`.  Must not
import `session` or `terminal`.
"""

from typing import Final

from nhlog.operations import Format

__all__ = ["FORMAT"]

FORMAT: Final = Format(
    "hollowcube",
    "Hollow Cube recording",
    "nhlog.formats.hollowcube.operations",
    (".replay", "preamble.dat"),
    (b"HCRP",),
    ("preamble.dat", "segment-000.dat", "finished"),
)
