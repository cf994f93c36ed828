"""The recorder: a program in a terminal of its own, and all that it writes in a recording before anybody sees it.

`program` runs the program, `recording` is the file under the discipline of logs, `exchange` passes on what goes from
the one to the other, and to and from the terminal of who plays, `between` where in that something else can be shown.
`piped` is a program without a terminal.
Must not import `terminal`.
"""

from nhlog.recorder.exchange import ENDING, NOTICED, Exchange, Player, Recorded, Signals, Unrecorded
from nhlog.recorder.piped import Piped
from nhlog.recorder.program import CannotRun, NotExecutable, Program, find_program, pixels_of
from nhlog.recorder.recording import RECORDING, Recording, open_recording_for

__all__ = [
    "ENDING",
    "NOTICED",
    "RECORDING",
    "CannotRun",
    "Exchange",
    "NotExecutable",
    "Piped",
    "Player",
    "Program",
    "Recorded",
    "Recording",
    "Signals",
    "Unrecorded",
    "find_program",
    "open_recording_for",
    "pixels_of",
]
