"""A line that who plays a program types in the last row of the terminal, over the game's screen; no I/O.

The key that begins it is never the game's, and what is typed until Enter or Esc is not either; what was typed behind
that, in the same moment, is the game's again, byte for byte.
"""

from typing import Final

from terminal.screen.keys import edited, key_code
from terminal.screen.tty.keyboard import Keyboard

__all__ = ["Line", "sends_more"]

_ASCII: Final = 128


def sends_more(key: str) -> str:
    """Why a key cannot be kept from a game, in which it is looked for by its code; empty if it can."""
    code = key_code(key)
    return "" if code is not None and code < _ASCII else "does not send a single ASCII character"


class Line:
    """A line of at most `longest` characters."""

    def __init__(self, prompt: str, longest: int) -> None:
        self._prompt, self._longest = prompt, longest
        self._keyboard = Keyboard(lambda sequence: "")

        self.text = ""
        """What was typed; empty after Esc."""

    def __str__(self) -> str:
        return self._prompt + self.text

    @property
    def waits(self) -> bool:
        """Whether an escape character is pending, which is Esc if nothing follows it (`flush`)."""
        return self._keyboard.waits

    def feed(self, data: bytes) -> bytes | None:
        """Take what was typed; returns what was typed after the line's end, None where that is still to come."""
        self._keyboard.feed(data)
        return self._keyboard.take() if any(map(self._ends, self._keyboard)) else None

    def flush(self) -> bytes | None:
        """Take a pending escape character as a key; returns as `feed`."""
        return b"" if any(map(self._ends, self._keyboard.flush())) else None

    def _ends(self, key: str) -> bool:
        if key == "enter":
            return True
        text = edited(self.text, key)
        self.text = (text or "")[: self._longest]
        return text is None
