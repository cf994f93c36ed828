"""What a line of the log means, in words.

One line in, a few words out; nothing here is needed to read, write or repair a log.
"""

from nhlog.errors import NhlogError
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import (
    DIRECTIONS,
    Argument,
    Backup,
    Bones,
    Command,
    Diff,
    DirectionAnswer,
    GameOver,
    KeyAnswer,
    Line,
    MenuAnswer,
    ObjectMenuAnswer,
    PositionAnswer,
    ScoreLookup,
    TextAnswer,
    Time,
    YesNoAnswer,
)

__all__ = ["in_words", "plain_text"]

MAX_TEXT = 4096  # bytes that anybody can have typed; the game's own prompts take 256
_ESCAPE = "\x1b"

# The commands of the game as what the hero does; those for wizards go by their names.
_VERBS = {
    "adjust": "rearranges the inventory",
    "annotate": "annotates the level",
    "apply": "applies an item",
    "autoexplore": "explores",
    "cast": "casts a spell",
    "chat": "talks",
    "close": "closes a door",
    "dip": "dips an item",
    "drink": "drinks",
    "drop": "drops an item",
    "eat": "eats",
    "elbereth": "engraves Elbereth",
    "engrave": "engraves",
    "enhance": "enhances a skill",
    "equip": "changes equipment",
    "fight": "fights",
    "fire": "fires",
    "force": "forces a lock",
    "go": "goes",
    "grope": "gropes",
    "identify": "identifies items",
    "interrupt": "is interrupted",
    "invoke": "invokes an item",
    "jump": "jumps",
    "kick": "kicks",
    "loot": "loots",
    "monster": "uses a monster's power",
    "move": "moves",
    "moveonly": "moves",
    "multidrop": "drops several items",
    "name": "names something",
    "offer": "makes an offering",
    "open": "opens a door",
    "pickup": "picks up",
    "pray": "prays",
    "puton": "puts on an accessory",
    "quit": "quits",
    "quiver": "readies ammunition",
    "read": "reads",
    "remove": "removes an accessory",
    "repeat": "goes on",
    "ride": "rides",
    "rub": "rubs an item",
    "run": "runs",
    "search": "searches",
    "sit": "sits down",
    "spellbook": "looks up spells",
    "swapweapon": "swaps weapons",
    "takeoff": "takes off armor",
    "throw": "throws",
    "tip": "tips a container",
    "travel": "travels",
    "turn": "turns undead",
    "twoweapon": "takes two weapons",
    "untrap": "disarms a trap",
    "wait": "waits",
    "wear": "wears armor",
    "welcome": "enters the game",
    "wield": "wields a weapon",
    "wipe": "wipes its face",
    "wish": "wishes",
    "zap": "zaps a wand",
}


def in_words(line: Line) -> str:
    """The line's meaning; never raises, whatever its data."""
    match line:
        case Command(name, arguments):
            return " ".join([_VERBS.get(name, name), *map(_argument, arguments)])
        case Time(delta):
            return f"{delta} microseconds later"
        case PositionAnswer(place):
            return "position: cancelled" if place is None else f"position: {place[0]},{place[1]}"
        case DirectionAnswer(direction):
            return "direction: cancelled" if direction == -1 else f"direction: {DIRECTIONS[direction]}"
        case KeyAnswer(key, count):
            times = "" if count in (None, -1) else f", {count} times"
            return f"key: {_key(key)}{times}"
        case YesNoAnswer(answer):
            return "answer: cancelled" if answer == _ESCAPE else f"answer: {_key(ord(answer))}"
        case MenuAnswer(picked) | ObjectMenuAnswer(picked):
            return f"menu: {_picked(picked)}"
        case TextAnswer(blob):
            text = plain_text(blob)
            return "text: cancelled" if text == _ESCAPE else f"text: {text!r}"
        case Bones(blob):
            return "bones: none found" if blob is None else "bones: found"
        case ScoreLookup():
            return "score list: looked up"
        case GameOver():
            return "game over"
        case Backup() | Diff():
            return "saved"


def plain_text(blob: Blob) -> str:
    """The string in a blob, without its NUL; what does not decode is named in angle brackets."""
    try:
        data = blob.decode(MAX_TEXT)
    except NhlogError as error:
        return f"<{error.what}>"
    return data.removesuffix(b"\0").decode("utf-8", "backslashreplace")


def _picked(picked: tuple[object, ...] | None) -> str:
    if picked is None:
        return "cancelled"
    if not picked:
        return "nothing picked"
    return "picked 1 thing" if len(picked) == 1 else f"picked {len(picked)} things"


def _argument(argument: Argument) -> str:
    match argument:
        case Argument("D", int(direction)):
            return DIRECTIONS.get(direction, f"direction {direction}")
        case Argument("P", (x, y)):
            return f"to {x},{y}"
        case Argument("T", Blob() as blob):
            return repr(plain_text(blob))
        case Argument("I", letter):
            return f"item {letter}"
        case Argument("S", letter):
            return f"spell {letter}"
        case Argument("K", int(key)):
            return f"key {_key(key)}"
        case _:
            return f"up to {argument.value} times"


def _key(code: int) -> str:
    """A key by its character, or by its name where it shows none."""
    if code == ord(_ESCAPE):
        return "escape"
    if 0 < code < ord(" "):
        return f"^{chr(code + ord('@'))}"
    if code == ord(" "):
        return "space"
    return chr(code) if ord(" ") < code < 0x7F else f"code {code}"
