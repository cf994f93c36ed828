"""The styles of the client, by their meaning; the user may choose others for each in `config.toml`.

Every meaning is also visible without colour, by attributes, marks or words.
"""

from typing import Any, Final

from nhlog.screen import Color, Style

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
    "ROLES",
    "TITLE",
    "parse_style",
]

TITLE: Final = Style(fg=231, bg=25, bold=True, role="title")
HEAD: Final = Style(fg=109, underline=True, role="head")
HERE: Final = Style(fg=231, bg=18, bold=True, role="here")
FUTURE: Final = Style(dim=True, role="future")
QUIET: Final = Style(fg=245, role="quiet")
NOTE: Final = Style(fg=109, role="note")
RARE: Final = Style(fg=179, role="rare")
BAR: Final = Style(fg=240, role="bar")
PLAYED: Final = Style(fg=75, bold=True, role="played")
KEY: Final = Style(fg=179, bold=True, role="key")
GOOD: Final = Style(fg=114, bold=True, role="good")
CURSOR: Final = Style(reverse=True, role="cursor")
ALARM: Final = Style(fg=203, bold=True, role="alarm")

ROLES: Final = {
    "title": (TITLE, "the first row"),
    "head": (HEAD, "headings and column names"),
    "here": (HERE, "the selected row"),
    "future": (FUTURE, "later than the current moment"),
    "quiet": (QUIET, "less important text"),
    "note": (NOTE, "labels and remarks"),
    "rare": (RARE, "messages, prompts, backups and markers"),
    "bar": (BAR, "lines, and the timeline after the current moment"),
    "played": (PLAYED, "the timeline up to the current moment"),
    "key": (KEY, "keys"),
    "good": (GOOD, "success: playing, picked rows"),
    "cursor": (CURSOR, "the text cursor"),
    "alarm": (ALARM, "errors and damage"),
}
"""Each style and what it is for, by the name of its role."""

_COLORS: Final = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_NAMED: Final[dict[str, Color]] = {
    **{name: number for number, name in enumerate(_COLORS)},
    **{f"bright-{name}": number for number, name in enumerate(_COLORS, 8)},
}
_ATTRIBUTES: Final = ("bold", "dim", "italic", "underline", "reverse")


def parse_style(text: str) -> Style:
    """The style that these words name: ``bold yellow on #202040``; raises :class:`ValueError` for a wrong one.

    A colour is a name, a number of the 256, or #rrggbb; after ``on`` it is the background.  ``plain`` is none.
    """
    found: dict[str, Any] = {}
    place = "fg"
    for word in text.split():
        if word in _ATTRIBUTES:
            found[word] = True
        elif word == "on" and place == "fg":
            place = "bg"
        elif word != "plain":
            if place in found:
                raise ValueError(word)  # a second one
            found[place] = _color(word)
    if place == "bg" and place not in found:
        raise ValueError("on")
    return Style(**found)


def _color(word: str) -> Color:
    if word in _NAMED:
        return _NAMED[word]
    if word.isascii() and word.isdecimal() and int(word[:4]) < 256:
        return int(word)
    if len(word) == 7 and word[0] == "#" and word[1:].isalnum():
        red, green, blue = bytes.fromhex(word[1:])
        return red, green, blue
    raise ValueError(word)
