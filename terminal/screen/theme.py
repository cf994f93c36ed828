"""The styles of the client, by their meaning.

Every meaning is also visible without colour, by attributes, marks or words.
"""

from typing import Final

from nhlog.screen import Style

__all__ = [
    "ALARM",
    "BAR",
    "CURSOR",
    "FUTURE",
    "GOOD",
    "HEAD",
    "HERE",
    "KEY",
    "NOTE",
    "PLAYED",
    "QUIET",
    "RARE",
    "TITLE",
]

TITLE: Final = Style(fg=231, bg=25, bold=True)
HEAD: Final = Style(fg=109, underline=True)  # names of columns
HERE: Final = Style(fg=231, bg=18, bold=True)  # the row where one stands
FUTURE: Final = Style(dim=True)  # what has not happened yet
QUIET: Final = Style(fg=245)  # what one seldom reads
NOTE: Final = Style(fg=109)  # names of facts, and what is said between the rows
RARE: Final = Style(fg=179)  # backups and markers
BAR: Final = Style(fg=240)  # lines and what lies ahead on the bar
PLAYED: Final = Style(fg=75, bold=True)
KEY: Final = Style(fg=179, bold=True)
GOOD: Final = Style(fg=114, bold=True)
CURSOR: Final = Style(reverse=True)  # where the next typed character goes
ALARM: Final = Style(fg=203, bold=True)
