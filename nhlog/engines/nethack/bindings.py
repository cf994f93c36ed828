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
_BY_NAME: Final = "Commands with a name"
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
_ALT: Final = {
    word[0]: word[2:]
    for word in """
    ?:? a:adjust A:annotate c:chat C:conduct d:dip e:enhance f:force i:invoke j:jump l:loot m:monster n:name o:offer
    O:overview p:pray q:quit r:rub R:ride s:sit t:turn T:tip u:untrap v:version w:wipe 2:twoweapon
    """.split()  # noqa: SIM905
}
"""NetHack's Meta keys, and the names that its `#` has for them."""
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
_META: Final = 0x80  # of a Meta key; which NetHack has for running, too, where digits walk


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
    named = [
        (f"alt-{char}", _BY_NAME, f"#{name}", Command(KEY, (Argument("K", ord(char) | _META),)))
        for char, name in _ALT.items()
    ]
    every = (*keys, *walks, *runs, *named)
    return tuple(Binding(key, command, "", group, does) for key, group, does, command in every)


BINDINGS: Final = _bindings()
