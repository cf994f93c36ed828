"""The keys of the game: all that a terminal sends are NetHack's own, but for the one that comes before the client's.

Arrows walk, whatever keys NetHack has for that: with the number pad other ones than without (`code_of`).  Ctrl-P is the
client's, which has a list of all that was said: NetHack as NLE has it knows no earlier messages, says "Noop" and lets a
turn pass, and falls where it asks `Die?`.

Imports nothing that plays the game.
"""

import string
from typing import Final

from nhlog.engines.protocol import Binding
from nhlog.log.wire.lines import DIRECTIONS, Argument, Command

__all__ = ["BINDINGS", "COMMANDS", "KEY", "PREFIX", "code_of"]

KEY: Final = "key"
"""The command that is a key."""

COMMANDS: Final = {KEY: "K", "walk": "D", "run": "D"}
"""The commands that give a key to NetHack, with the letters of their arguments."""

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
    **{f"ctrl-{letter}": code for code, letter in enumerate(string.ascii_lowercase, 1) if letter not in "chijmpqsvz"},
    "escape": 0x1B,
    "enter": 0x0D,
    "backspace": 0x08,
    "tab": 0x09,
    "delete": 0x7F,
}
"""The code of each key that NetHack has itself."""
_WALKS: Final = {"left": 0, "home": 1, "up": 2, "page-up": 3, "right": 4, "page-down": 5, "down": 6, "end": 7}
"""The direction of each key that walks, by its number in the log (west, and on clockwise)."""
_LETTERS: Final = "hykulnjb"
_SWAPPED: Final = "hzkulnjb"  # as a German keyboard has it: number_pad:-1
_DIGITS: Final = "47896321"
_PHONE: Final = "41236987"  # number_pad:3 and 4
_META: Final = 0x80  # which NetHack has for running, where digits walk


def code_of(command: Command, pad: int) -> int | None:
    """The code of the key that a command gives to NetHack, whose option `number_pad` is `pad`; None for no such one."""
    letter = COMMANDS.get(command.name)
    values = [argument.value for argument in command.arguments if argument.letter == letter]
    if not values or not isinstance(value := values[-1], int):
        return None
    if letter == "K":
        return value if 0 <= value <= 0xFF else None
    if not 0 <= value < len(_LETTERS):
        return None
    if pad > 0:
        digit = ord((_PHONE if pad > 2 else _DIGITS)[value])
        return digit | _META if command.name == "run" else digit
    key = (_SWAPPED if pad < 0 else _LETTERS)[value]
    return ord(key.upper() if command.name == "run" else key)


def _bindings() -> tuple[Binding, ...]:
    told = {_CODES[key]: (group, does) for group, words in _WORDS.items() for key, does in words.items()}
    ordered = sorted(_CODES.items(), key=lambda row: [*told].index(row[1]) if row[1] in told else len(told) + row[1])
    walks = [(name, _MOVE, DIRECTIONS[way], Command("walk", (Argument("D", way),))) for name, way in _WALKS.items()]
    runs = [
        (f"shift-{name}", _MOVE, f"run {DIRECTIONS[way]}", Command("run", (Argument("D", way),)))
        for name, way in _WALKS.items()
        if way % 2 == 0
    ]
    keys = [
        (key, *told.get(code, (_OTHER, "as NetHack has it")), Command(KEY, (Argument("K", code),)))
        for key, code in ordered
    ]
    return tuple(Binding(key, command, "", group, does) for key, group, does, command in (*keys, *walks, *runs))


BINDINGS: Final = _bindings()
