"""Decode the bytes from a keyboard into names of keys; no I/O.

The name of a printable character is the character.  Escape sequences have names; unknown ones are dropped, and never
appear as characters.
"""

import codecs
import re
from collections.abc import Callable
from typing import Final

__all__ = ["BLESSED", "Keyboard"]

_CONTROLS: Final = {
    **{chr(ord(letter) & 0x1F): f"ctrl-{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"},
    "\t": "tab",
    "\r": "enter",
    "\n": "enter",
    "\b": "backspace",
    "\x7f": "backspace",
}
_UNREADABLE: Final = "\ufffd"  # what the decoder makes of bytes that are no character

BLESSED: Final = {
    "KEY_UP": "up",
    "KEY_DOWN": "down",
    "KEY_RIGHT": "right",
    "KEY_LEFT": "left",
    "KEY_SRIGHT": "shift-right",
    "KEY_SLEFT": "shift-left",
    **{
        f"KEY_{held}_{arrow}": f"{held}-{arrow}".lower()
        for held in ("SHIFT", "CTRL")
        for arrow in ("UP", "DOWN", "RIGHT", "LEFT")
    },
    "KEY_PGUP": "page-up",
    "KEY_PGDOWN": "page-down",
    "KEY_BTAB": "shift-tab",
    "KEY_SHIFT_TAB": "shift-tab",
    "KEY_HOME": "home",
    "KEY_END": "end",
    "KEY_INSERT": "insert",
    "KEY_DELETE": "delete",
    **{f"KEY_F{number}": f"f{number}" for number in range(1, 13)},
}
"""The names of keys, by those that blessed has for them."""

# After the escape character: function keys of the Linux console, a report of the mouse as old terminals send it, an
# ECMA-48 control sequence, or an SS3 one.
_SEQUENCE: Final = re.compile(r"\[\[[A-E]|\[M...|\[(?![\[M])[0-?]*[ -/]*[@-~]|O[0-9]?[A-Za-z]", re.DOTALL)
_UNFINISHED: Final = re.compile(r"(\[\[?|\[M.{0,2}|\[[0-?]*[ -/]*|O[0-9]?)?")
_LONGEST: Final = 64  # characters of a sequence; a longer one is noise


class Keyboard:
    """A decoder; an incomplete sequence is kept until its rest comes.

    `name` is a function from an escape sequence to the name of its key, empty for an unknown one.
    """

    def __init__(self, name: Callable[[str], str]) -> None:
        self._name = name
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._text = ""

    @property
    def waits(self) -> bool:
        """Whether a lone escape character is pending: the start of a sequence, or the escape key."""
        return bool(self._text)

    def feed(self, data: bytes) -> list[str]:
        """The names of the keys that `data` completes."""
        text = self._text + self._decoder.decode(data)
        keys = []
        at = 0
        while at < len(text):
            key, length = self._key(text, at)
            if not length:
                break
            keys.append(key)
            at += length
        self._text = text[at:]
        return [key for key in keys if key]

    def _key(self, text: str, at: int) -> tuple[str, int]:
        """The key at `at`, empty for an unknown one, and its length: 0 if it is incomplete."""
        char = text[at]
        if char != "\x1b":
            known = char.isprintable() and char != _UNREADABLE
            return (char if known else _CONTROLS.get(char, "")), 1
        if found := _SEQUENCE.match(text, at + 1):
            return self._name(text[at : found.end()]), 1 + len(found[0])
        if _UNFINISHED.fullmatch(text, at + 1) and len(text) - at < _LONGEST:
            return "", 0
        return "escape", 1

    def flush(self) -> list[str]:
        """The keys if nothing more came in time: a pending escape character is the escape key."""
        waited, self._text = self._text, ""
        return ["escape"] if waited else []
