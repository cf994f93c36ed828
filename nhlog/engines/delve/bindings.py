"""The commands of the game, and their keys in the order in which help lists them.

The keys do not conflict with the client's.  Imports nothing that plays the game.
"""

from typing import Final

from nhlog.engines.protocol import Binding, Option
from nhlog.log.wire.lines import Argument, Command

__all__ = ["BINDINGS", "COMMANDS", "HINTS", "LOOKS", "OPTIONS"]

COMMANDS: Final = {
    "welcome": "",
    "repeat": "",
    "interrupt": "",
    "move": "D",
    "run": "D",
    "rush": "D",
    "explore": "",
    "attack": "",
    "fight": "D",
    "travel": "P",
    "up": "",
    "down": "",
    "search": "L",
    "rest": "L",
    "look": "",
    "pickup": "",
    "drop": "",
    "multidrop": "",
    "wield": "I",
    "wear": "I",
    "takeoff": "I",
    "puton": "I",
    "remove": "I",
    "quiver": "I",
    "quaff": "I",
    "read": "I",
    "zap": "I",
    "eat": "I",
    "apply": "I",
    "throw": "DI",
    "fire": "D",
    "cast": "S",
    "open": "D",
    "close": "D",
    "kick": "D",
    "engrave": "T",
    "call": "IT",
    "pray": "",
    "option": "T",
    "quit": "",
    "wish": "T",
    "levelteleport": "L",
    "map": "",
    "identify": "",
    "create": "T",
}
"""For each command, the letters of the arguments that it takes; the actions are in `commands.actions`."""

LOOKS: Final = frozenset({"look"})
"""The commands that take no time and change nothing; in logs of earlier versions they are lines like the others."""

OPTIONS: Final = (
    Option("autopickup", "what you pick up by walking over it", ("gold", "magic", "all", "nothing")),
    Option("confirm", "ask before a prayer, or a step on a trap", ("on", "off")),
)
"""What `hero.options` does; in a save an option is the number of its value, 0 in those of earlier games."""

_COMPASS: Final = (
    ("h", "left", 0, "west"),
    ("j", "down", 6, "south"),
    ("k", "up", 2, "north"),
    ("l", "right", 4, "east"),
    ("y", "home", 1, "north-west"),
    ("u", "page-up", 3, "north-east"),
    ("b", "end", 7, "south-west"),
    ("n", "page-down", 5, "south-east"),
)


def _moves() -> list[Binding]:
    found = []
    for letter, arrow, number, name in _COMPASS:
        step, run = (Command(word, (Argument("D", number),)) for word in ("move", "run"))
        found.append(Binding(letter, step, "", "Moving", f"walk {name}, or attack"))
        found.append(Binding(arrow, step, "", "Moving", f"walk {name}, or attack"))
        found.append(Binding(letter.upper(), run, "", "Moving", f"run {name}"))
        if number % 2 == 0:
            far = Command("rush", (Argument("D", number),))
            found.append(Binding(f"shift-{arrow}", run, "", "Moving", f"run {name}"))
            found.append(Binding(f"ctrl-{arrow}", far, "", "Moving", f"run {name}, past doors and branches"))
    return found


def _key(key: str, name: str, asks: str, group: str, does: str) -> Binding:
    return Binding(key, Command(name), asks, group, does)


BINDINGS: Final = (
    *_moves(),
    _key("<", "up", "", "Moving", "go up a staircase, or walk to one that you know"),
    _key(">", "down", "", "Moving", "go down a staircase, or walk to one that you know"),
    _key("G", "rush", "", "Moving", "run past doors and branches (Ctrl with arrows, too)"),
    _key("x", "explore", "", "Moving", "explore this level, until something is of interest"),
    _key("_", "travel", "", "Moving", "travel to a place that you know"),
    _key("s", "search", "", "Waiting", "search for what is hidden (20s: twenty times)"),
    _key(".", "rest", "", "Waiting", "rest (20.: twenty turns)"),
    _key("tab", "attack", "", "Fighting", "attack the nearest that you see, or go towards it"),
    _key("f", "fire", "", "Fighting", "fire what is ready"),
    _key("t", "throw", "", "Fighting", "throw an item"),
    _key("z", "zap", "", "Fighting", "zap a wand"),
    _key("Z", "cast", "", "Fighting", "cast a spell, chosen from those you know"),
    _key("+", "cast", "S", "Fighting", "cast a spell by its letter (Ctrl-X lists them)"),
    _key("F", "fight", "", "Fighting", "strike, even where nobody is seen"),
    _key("ctrl-d", "kick", "", "Fighting", "kick a door or something else"),
    _key(",", "pickup", "", "Things", "pick up what lies here"),
    _key("d", "drop", "", "Things", "drop an item, or some of it"),
    _key("D", "multidrop", "", "Things", "drop several items"),
    _key("w", "wield", "", "Things", "wield a weapon; what is in hand: let it go"),
    _key("v", "quiver", "", "Things", "make something ready to fire"),
    _key("W", "wear", "", "Things", "wear armour"),
    _key("T", "takeoff", "", "Things", "take armour off"),
    _key("P", "puton", "", "Things", "put on a ring or an amulet"),
    _key("M", "remove", "", "Things", "remove a ring or an amulet"),
    _key("q", "quaff", "", "Things", "drink a potion"),
    _key("r", "read", "", "Things", "read a scroll or a book"),
    _key("e", "eat", "", "Things", "eat"),
    _key("a", "apply", "", "Things", "use a tool: a light, a key, a pick-axe"),
    _key("C", "call", "", "Things", "give an unknown thing a name"),
    _key("o", "open", "", "Doing", "open a door"),
    _key("c", "close", "", "Doing", "close a door"),
    _key(":", "look", "", "Doing", "look at what lies here"),
    _key("E", "engrave", "", "Doing", "write in the dust"),
    _key("p", "pray", "", "Doing", "pray"),
)

HINTS: Final = (
    ("move", "walk, fight"),
    ("explore", "explore"),
    ("pickup", "pick up"),
    ("down", "go down"),
    ("travel", "travel"),
    ("attack", "attack the nearest"),
    ("fire", "fire"),
    ("rest", "rest"),
)
"""What a new player needs first."""
