"""Prompts for a line of text."""

from typing import Final

from nhlog.engines.prompts import AskText
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import Line, TextAnswer

__all__ = ["TextInput"]


class TextInput:
    """A prompt for a line of text; `typed` is what was typed so far."""

    complaint: Final = ""  # any text is right
    longest: Final = 255  # bytes; what the game's own client takes (log spec section 13)

    def __init__(self, prompt: AskText) -> None:
        self._prompt = prompt
        self.typed = ""

    @property
    def line(self) -> str:
        """The prompt, and the typed text."""
        return f"{self._prompt.text} {self.typed}"

    def press(self, key: str) -> Line | None:
        """Takes a character, enter, or escape."""
        if key == "escape":
            return TextAnswer(Blob.of(b"\x1b\0"))
        if key == "enter":
            return TextAnswer(Blob.of(self.typed.encode() + b"\0"))
        if key == "backspace":
            self.typed = self.typed[:-1]
        elif len(key) == 1 and key.isprintable() and len((self.typed + key).encode()) <= self.longest:
            self.typed += key
        return None
