"""The recorder: a program in a terminal of its own, and all that it writes in a recording before anybody sees it.

`program` runs the program, `recording` is the file under the discipline of logs, `relay` passes on what goes from the
one to the other, and to and from the terminal of who plays, `between` where in that something else can be
shown.  Must not import `terminal`.
"""

from nhlog.recorder.program import BY_SIGNAL, CannotRun, Program, find_program
from nhlog.recorder.recording import RECORDING, Recording, open_recording_for
from nhlog.recorder.relay import ENDING, NOTICED, Player, Relay, Signals

__all__ = [
    "BY_SIGNAL",
    "ENDING",
    "NOTICED",
    "RECORDING",
    "CannotRun",
    "Player",
    "Program",
    "Recording",
    "Relay",
    "Signals",
    "find_program",
    "open_recording_for",
]
