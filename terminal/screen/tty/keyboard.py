"""Decode the bytes from a keyboard into names of keys; no I/O.

The name of a printable character is the character.  Escape sequences have names; unknown ones are dropped, and never
appear as characters.

Keys that come in one piece (a slow line, a busy machine, who types ahead) may be meant for different readers: the first
opens a prompt, the second answers it, the rest belong to the program that the answer starts. So each key is decoded
when it is asked for, and the bytes of those that are not asked for stay, for whoever asks next.
"""

import codecs
import re
from collections.abc import Callable, Iterator
from typing import Final

__all__ = ["BLESSED", "Keyboard"]

_CONTROLS: Final = {
    **{chr(ord(letter) & 0x1F): f"ctrl-{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"},
    "\x1d": "ctrl-]",
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


class Keyboard(Iterator[str]):
    """A decoder, which iterates over the names of the keys that are complete; an incomplete sequence stays.

    `name` is a function from an escape sequence to the name of its key, empty for an unknown one.
    """

    def __init__(self, name: Callable[[str], str]) -> None:
        self._name = name
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._text = ""
        self._at = 0  # in the text: the keys before it were asked for

    @property
    def ready(self) -> bool:
        """Whether a key, or a sequence that is none, is complete."""
        return bool(self._text) and self._key(self._text, self._at)[1] > 0

    @property
    def waits(self) -> bool:
        """Whether a lone escape character is pending: the start of a sequence, or the escape key."""
        return bool(self._text) and not self.ready

    def feed(self, data: bytes) -> None:
        """Add what was typed."""
        self._text = self._text[self._at :] + self._decoder.decode(data)
        self._at = 0

    def __next__(self) -> str:
        while self._text:
            key, length = self._key(self._text, self._at)
            if not length:
                break
            self._at += length
            if self._at == len(self._text):
                self._text, self._at = "", 0
            if key:
                return key
        raise StopIteration

    def take(self) -> bytes:
        """Take what was typed and not asked for, as it came."""
        rest = self._text[self._at :].encode() + self._decoder.getstate()[0]
        self._text, self._at = "", 0
        self._decoder.reset()
        return rest

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
        return ["escape"] if self.waits and self.take() else []
