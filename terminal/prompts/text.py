"""Prompts for a line of text."""

from typing import Final

from nhlog.engines.prompts import AskText
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import Line, TextAnswer

__all__ = ["TextInput"]


class TextInput:
    """A prompt for a line of text; `typed` is what was typed so far; Enter takes `usual` where that is nothing."""

    complaint: str = ""  # any text is right
    longest: Final = 255  # bytes; what the game's own client takes (log spec section 13)

    def __init__(self, prompt: AskText, usual: str = "") -> None:
        self._prompt = prompt
        self._usual = usual
        self.typed = ""

    @property
    def line(self) -> str:
        """The prompt, the usual answer, and the typed text."""
        usual = f" [{self._usual}]" if self._usual else ""
        return f"{self._prompt.text}{usual} {self.typed}"

    @property
    def text(self) -> str:
        """The text that Enter answers."""
        return self.typed or self._usual

    def press(self, key: str) -> Line | None:
        """Take a character, enter, or escape."""
        if key == "escape":
            return TextAnswer(Blob.of(b"\x1b\0"))
        if key == "enter":
            return TextAnswer(Blob.of(self.text.encode() + b"\0"))
        if key == "backspace":
            self.typed = self.typed[:-1]
        elif len(key) == 1 and key.isprintable() and len((self.typed + key).encode()) <= self.longest:
            self.typed += key
        return None
