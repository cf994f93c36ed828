"""Describes a line of the log in a few words.

Commands of NetHack 4 have words of their own, which other engines share for commands of the same names; delve's others
have theirs here.  Any other command is shown by its name.
"""

from collections.abc import Mapping
from typing import Final

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
from nhlog.nethack4.commands import COMMAND_WORDS

__all__ = ["in_words", "plain_text"]

MAX_TEXT = 4096  # bytes that anybody can have typed; the game's own prompts take 256
_ESCAPE = "\x1b"

_OTHER_WORDS: Final[Mapping[str, str]] = {
    "attack": "attacks the nearest",
    "call": "names a kind",
    "down": "goes down",
    "explore": "explores",
    "key": "",  # of NetHack 3: the argument says it
    "look": "looks around",
    "quaff": "quaffs",
    "rest": "rests",
    "rush": "runs",
    "up": "goes up",
}
"""What the hero does by commands that NetHack 4 does not have, as other engines name them."""


def in_words(line: Line) -> str:
    """The line in words; never raises, whatever its data."""
    match line:
        case Command(name, arguments):
            words = COMMAND_WORDS.get(name) or _OTHER_WORDS.get(name, name)
            return " ".join(filter(None, (words, *map(_argument, arguments)))) or name
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
    """The string in a blob, without its NUL; if it cannot be decoded, the error in angle brackets."""
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
    """A key as its character, or as a name if it is not printable."""
    if code == ord(_ESCAPE):
        return "escape"
    if 0 < code < ord(" "):
        return f"^{chr(code + ord('@'))}"
    if code == ord(" "):
        return "space"
    return chr(code) if ord(" ") < code < 0x7F else f"code {code}"
