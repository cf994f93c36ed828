"""What goes between the machine and who uses it: commands, and after each of them what NetHack shows; no I/O."""

import struct
from enum import IntEnum
from typing import Final

__all__ = [
    "ANSWER",
    "BEGIN",
    "CAPTION",
    "COLUMNS",
    "COMMAND",
    "FIELDS",
    "INVENTORY",
    "LONGEST",
    "MAP",
    "MOST_LINE",
    "MOST_OPTIONS",
    "ROWS",
    "SEEN",
    "SHOWN",
    "STATUS",
    "TEXT",
    "Command",
    "Outcome",
]


class Command(IntEnum):
    """What the machine is to do."""

    BEGIN = 1  # a game
    PRESS = 2  # keys, a byte each, one after the other; what is seen after the last one is told


class Outcome(IntEnum):
    """What became of a command."""

    DONE = 0
    FAILED = 1  # the body says why


COMMAND: Final = struct.Struct("<BI")  # command, bytes of the body
ANSWER: Final = struct.Struct("<BI")  # outcome, bytes of the body
BEGIN: Final = struct.Struct("<qQQQ")  # the second at which the clock stands; seeds of the core, display, levels
MOST_OPTIONS: Final = 1 << 14  # bytes of options, behind them
MOST_LINE: Final = 1024  # bytes of what NetHack wrote of a game that ended, behind what is seen
LONGEST: Final = 1 << 16  # bytes of any body that is answered

COLUMNS, ROWS = 80, 24
SHOWN: Final = COLUMNS * ROWS
MAP: Final = (79, 21)  # columns and rows of the map
_SQUARES: Final = MAP[0] * MAP[1]
STATUS: Final = 27  # numbers of the status
TEXT: Final = 256  # bytes of the message
INVENTORY: Final = 55  # items at most
CAPTION: Final = 80  # bytes of an item's name

FIELDS: Final = (  # of what is seen, in this order: name, size in bytes
    ("tty_chars", SHOWN),
    ("tty_colors", SHOWN),
    ("tty_cursor", 2),
    ("padding", 6),  # numbers begin at a multiple of their size
    ("blstats", 8 * STATUS),
    ("glyphs", 2 * _SQUARES),
    ("inv_glyphs", 2 * INVENTORY),
    ("internal", 4 * 9),
    ("misc", 4 * 3),
    ("program_state", 4 * 6),
    ("chars", _SQUARES),
    ("colors", _SQUARES),
    ("message", TEXT),
    ("inv_letters", INVENTORY),
    ("inv_oclasses", INVENTORY),
    ("inv_strs", INVENTORY * CAPTION),
)
SEEN: Final = struct.Struct("<IBBb")  # keys that were taken; whether the game is done, whether it is going on; how done
