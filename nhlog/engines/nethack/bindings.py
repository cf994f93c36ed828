"""The keys of the game: all that a terminal sends are NetHack's own, but for the one that comes before the client's.

Imports nothing that plays the game.
"""

import string
from typing import Final

from nhlog.engines.protocol import Binding
from nhlog.log.wire.lines import Argument, Command

__all__ = ["BINDINGS", "PREFIX"]

PREFIX: Final = "f1"
"""The key before the client's keys."""

_MOVE: Final = "Move (Shift runs)"
_ACT: Final = "Act"
_ITEMS: Final = "Items"
_ASK: Final = "Ask and answer"
_OTHER: Final = "NetHack's other keys"

_WORDS: Final = {
    _MOVE: {
        **dict(zip("hjkl", ("west", "south", "north", "east"), strict=True)),
        **dict(zip("yubn", ("northwest", "northeast", "southwest", "southeast"), strict=True)),
        ">": "down the stairs",
        "<": "up the stairs",
        "_": "travel to a place",
        ".": "wait",
        "s": "search",
    },
    _ACT: {
        "F": "fight in a direction",
        "f": "fire what is readied",
        "t": "throw",
        "ctrl-d": "kick",
        "Z": "cast a spell",
        "o": "open a door",
        "c": "close a door",
        "E": "engrave",
        "p": "pay",
        "#": "a command by its name: #pray",
    },
    _ITEMS: {
        "i": "inventory",
        ",": "pick up",
        "d": "drop",
        "D": "drop several",
        "w": "wield",
        "x": "swap weapons",
        "W": "wear armour",
        "T": "take armour off",
        "P": "put on a ring",
        "R": "remove a ring",
        "Q": "ready arrows",
        "e": "eat",
        "q": "quaff",
        "r": "read",
        "z": "zap",
        "a": "apply a tool",
    },
    _ASK: {
        ":": "look here",
        ";": "what is there",
        "/": "what is this",
        "^": "what trap is there",
        "\\": "discoveries",
        "?": "NetHack's help",
        "O": "NetHack's options",
        "ctrl-p": "earlier messages",
        "ctrl-x": "attributes",
        "ctrl-o": "overview of the dungeon",
        "escape": "cancel",
        " ": "go on",
        "enter": "go on",
        "ctrl-r": "redraw",
    },
}
_CODES: Final = {
    **{char: ord(char) for char in map(chr, range(0x20, 0x7F))},
    **{f"ctrl-{letter}": code for code, letter in enumerate(string.ascii_lowercase, 1) if letter not in "chijmqsvz"},
    "escape": 0x1B,
    "enter": 0x0D,
    "backspace": 0x08,
    "tab": 0x09,
    "delete": 0x7F,
    "left": ord("h"),
    "down": ord("j"),
    "up": ord("k"),
    "right": ord("l"),
    "home": ord("y"),
    "page-up": ord("u"),
    "end": ord("b"),
    "page-down": ord("n"),
    **{f"shift-{arrow}": ord(key) for arrow, key in (("left", "H"), ("down", "J"), ("up", "K"), ("right", "L"))},
}
"""The code of each key; arrows are the letters of their direction."""


def _bindings() -> tuple[Binding, ...]:
    told = {_CODES[key]: (group, does) for group, words in _WORDS.items() for key, does in words.items()}
    ordered = sorted(_CODES.items(), key=lambda row: [*told].index(row[1]) if row[1] in told else len(told) + row[1])
    return tuple(
        Binding(key, Command("key", (Argument("K", code),)), "", *told.get(code, (_OTHER, "as NetHack has it")))
        for key, code in ordered
    )


BINDINGS: Final = _bindings()
