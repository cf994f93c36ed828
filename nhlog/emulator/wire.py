"""What goes between the process that emulates terminals and who uses it: commands, and answers; no I/O.

A command has a number of a terminal, which its user chooses.  Who does nothing but change a terminal is not answered,
so that many changes are on their way at once; what fails then is told with the next answer about that terminal.

A row is the emulator's own cells, and what they refer to: its styles, the characters of more than one code
point, and where links lead.
"""

import struct
from enum import IntEnum
from typing import Final

__all__ = [
    "ANSWER",
    "ATTRIBUTES",
    "CELL",
    "CODE_POINTS",
    "COMMAND",
    "GRAPHEME",
    "GRAPHEMES",
    "KIND",
    "LINK",
    "LINKED",
    "LONGEST",
    "LOOK",
    "MOST_LINK",
    "MOST_TEXT",
    "PALETTE",
    "PALETTES",
    "RGB",
    "ROW",
    "SECOND_HALF",
    "SHOWN",
    "SIZE",
    "STYLE",
    "STYLES",
    "STYLE_AT",
    "STYLE_BITS",
    "TEXTS",
    "VALUE_AT",
    "VALUE_BITS",
    "WIDTH_AT",
    "WIDTH_BITS",
    "WORKER",
    "Command",
    "Outcome",
]

WORKER: Final = "nhlog.emulator.worker"
"""The module that the process runs."""


class Command(IntEnum):
    """What is to be done with a terminal: up to FREE without an answer."""

    NEW = 1  # of a size
    FEED = 2
    RESIZE = 3
    FREE = 4
    RESTORE = 5  # make one of a snapshot
    SNAPSHOT = 6
    LOOK = 7  # the rows that changed since the last look, cursor and title
    TEXTS = 8  # rows of text: all (1) or those that changed since (0); those without the word that follows are empty
    SIZE_OF = 9
    UNFINISHED = 10
    STATE = 11  # all but what is on the screen, as output that makes it
    SPENT = 12  # nothing but the head of an answer


class Outcome(IntEnum):
    """What became of a command."""

    DONE = 0
    NOTHING = 1  # there is none of what was asked for
    FAILED = 2  # the body says why
    UNSUPPORTED = 3  # there is no emulator: what, expected and found, a zero byte between


COMMAND: Final = struct.Struct("<BII")  # command, terminal, bytes of the body
ANSWER: Final = struct.Struct("<BQI")  # outcome, nanoseconds of the processor for that terminal, bytes of the body
LONGEST: Final = 1 << 28  # bytes of a body: the largest screen, full of the longest characters, has half of it

SIZE: Final = struct.Struct("<HH")  # columns, rows
LOOK: Final = struct.Struct("<HHHHBHH")  # columns and rows, of the cursor, too; if it shows; title, rows told
ROW: Final = struct.Struct("<HI")  # its number, bytes of it: none for one that is blank
STYLES: Final = struct.Struct("<HHH")  # behind the cells: how many, how many characters of more code points, and links
STYLE: Final = struct.Struct("<HHIII")  # its number in the cells, attributes as bits, and three colours
GRAPHEME: Final = struct.Struct("<HH")  # column, bytes of UTF-8
LINK: Final = struct.Struct("<HHH")  # first column, the one after the last, bytes of the address to which they lead
TEXTS: Final = struct.Struct("<BBHH")  # whether what is printed is in order, something is unfinished; rows, told
MOST_TEXT: Final = 256  # bytes of one cell: a character and its marks, more of which may have been piled up
MOST_LINK: Final = 2048  # bytes of an address: no longer sequence with one is obeyed

CELL: Final = 8  # bytes of a cell in a row, of which are bits
KIND: Final = 3  # what it holds, the lowest two:
CODE_POINTS, GRAPHEMES, PALETTES = range(3)  # one, more than one, a background of the palette, or (3) another one
VALUE_AT, VALUE_BITS = 2, 0x1FFFFF
STYLE_AT, STYLE_BITS = 26, 0xFFFF
WIDTH_AT, WIDTH_BITS = 42, 3
LINKED: Final = 1 << 45  # it leads somewhere
SECOND_HALF: Final = 2  # of a wide character
SHOWN: Final = (1 << 44) - 1  # what is above says how a cell came to be, not how it looks
ATTRIBUTES: Final = ("bold", "faint", "inverse", "italic", "blink", "invisible", "strikethrough", "overline")
"""The attributes of a style, from the lowest bit up; above them stands the kind of its underline."""
PALETTE, RGB = 1 << 24, 2 << 24  # a colour is 0 for none, or one of these with a number, or with red, green and blue
