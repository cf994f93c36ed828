"""Emulated terminals as others use them: one of them, what it shows, and recorded output with seeking.

They are emulated in a process of their own (`process`), which may end at any time: `terminal` is one of them, `grid`
what it shows, `tape` a recording of output.  Its only result are cells: no replies, clipboard, images or notifications.
Must not import a format.
"""

from nhlog.emulator.declared import VERSION
from nhlog.vt.grid import Grid
from nhlog.vt.process import fork_emulator, rest
from nhlog.vt.rows import Reading
from nhlog.vt.size import MOST_COLUMNS, MOST_ROWS, USUAL_SIZE, Size, parse_size
from nhlog.vt.snapshots import Drawn, Gap, Snapshots, TooSlow
from nhlog.vt.tape import MOST_AHEAD, Stops, Tape, salvaged
from nhlog.vt.terminal import FAILED, EmulatorFailed, Part, Terminal

__all__ = [
    "FAILED",
    "MOST_AHEAD",
    "MOST_COLUMNS",
    "MOST_ROWS",
    "USUAL_SIZE",
    "VERSION",
    "Drawn",
    "EmulatorFailed",
    "Gap",
    "Grid",
    "Part",
    "Reading",
    "Size",
    "Snapshots",
    "Stops",
    "Tape",
    "Terminal",
    "TooSlow",
    "fork_emulator",
    "parse_size",
    "rest",
    "salvaged",
]
