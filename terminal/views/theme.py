"""The styles of the client, by what they mean.

Every meaning shows without colour too, by attributes, marks or words; must not import other views.
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
    "NAME",
    "NOTE",
    "PLAYED",
    "RARE",
    "TITLE",
]

TITLE: Final = Style(fg=231, bg=25, bold=True)
HEAD: Final = Style(fg=109, underline=True)  # names of columns
HERE: Final = Style(fg=231, bg=18, bold=True)  # the row where one stands
FUTURE: Final = Style(fg=245, dim=True)  # what has not happened yet
NOTE: Final = Style(fg=109)  # what is said between the rows
NAME: Final = Style(fg=109)  # names of facts
RARE: Final = Style(fg=179)  # backups and markers
BAR: Final = Style(fg=240)
PLAYED: Final = Style(fg=75, bold=True)
KEY: Final = Style(fg=179, bold=True)
GOOD: Final = Style(fg=114, bold=True)
CURSOR: Final = Style(reverse=True)  # where the next typed character goes
ALARM: Final = Style(fg=203, bold=True)
