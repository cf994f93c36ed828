"""The one terminal emulator: Ghostty's own core (libghostty-vt), and recorded output with seeking.

`library` finds the emulator, `terminal` is one of them, `grid` what it shows, `tape` a recording of output.  Its only
result are cells: no replies, clipboard, images or notifications.  Must not import a format.
"""

from nhlog.vt.cells import with_word
from nhlog.vt.grid import Grid
from nhlog.vt.library import VERSION
from nhlog.vt.tape import Drawn, Part, Snapshots, Stops, Tape, TooSlow
from nhlog.vt.terminal import MOST_COLUMNS, MOST_ROWS, USUAL_SIZE, Size, Terminal, parse_size

__all__ = [
    "MOST_COLUMNS",
    "MOST_ROWS",
    "USUAL_SIZE",
    "VERSION",
    "Drawn",
    "Grid",
    "Part",
    "Size",
    "Snapshots",
    "Stops",
    "Tape",
    "Terminal",
    "TooSlow",
    "parse_size",
    "with_word",
]
