"""Every recording that can be opened, told apart by name and content.

One folder per format; one line in `FORMATS` each.  Must not import `session`, `engines` or `terminal`.
"""

from importlib import import_module
from typing import Any

from nhlog.replay import Replay

__all__ = ["FORMATS", "open_recording"]

# File name endings and the module that opens such files with `open_replay(path)`; the first one opens what has no
# known ending.
FORMATS = ((".nhgame", "nhlog.formats.nhgame"),)


def open_recording(path: str) -> Replay[Any]:
    """The recording in the file `path` (``-`` for standard input), standing at its first step.

    Raises :class:`~nhlog.errors.NhlogError`: `Unsupported` for what is no recording that we know.
    """
    module = next((module for ending, module in FORMATS if path.endswith(ending)), FORMATS[0][1])
    replay: Replay[Any] = import_module(module).open_replay(path)
    return replay
