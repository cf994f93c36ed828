"""Prompts for a single key or character."""

from typing import Final

from nhlog.engines.prompts import AskKey, AskYesNo
from nhlog.log.wire.lines import KeyAnswer, Line, YesNoAnswer

__all__ = ["KeyInput", "YesNoInput"]

_ESCAPE: Final = 27
_MOST_DIGITS: Final = 9  # of a count


class KeyInput:
    """A prompt for a key, with a count typed before it if the prompt takes one."""

    def __init__(self, prompt: AskKey) -> None:
        self._prompt = prompt
        self._count = ""

    @property
    def line(self) -> str:
        """The prompt, the suggested keys, the count."""
        keys = f" [{self._prompt.keys}]" if self._prompt.keys else ""
        return f"{self._prompt.text}{keys} {self._count}"

    def press(self, key: str) -> Line | None:
        """Takes a digit of the count, the key, or escape."""
        counted = self._prompt.counted
        if counted and key.isdecimal() and key.isascii():
            self._count = (self._count + key)[:_MOST_DIGITS]
            return None
        if counted and key == "backspace":
            self._count = self._count[:-1]
            return None
        if key == "escape":
            return KeyAnswer(_ESCAPE, -1 if counted else None)
        if len(key) != 1:
            return None
        return KeyAnswer(ord(key), (int(self._count) if self._count else -1) if counted else None)


class YesNoInput:
    """A prompt for one of a few characters."""

    def __init__(self, prompt: AskYesNo) -> None:
        self._prompt = prompt
        self.line = f"{prompt.text} [{prompt.keys}] ({prompt.default})"

    def press(self, key: str) -> Line | None:
        """Takes one of the characters; enter is the default."""
        if key == "escape":
            return YesNoAnswer("\x1b")
        if key == "enter":
            return YesNoAnswer(self._prompt.default)
        return YesNoAnswer(key) if key in self._prompt.keys else None
