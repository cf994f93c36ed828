"""Prompts for a single key or character."""

from itertools import groupby
from typing import Final

from nhlog.engines.prompts import AskKey, AskScreen, AskYesNo
from nhlog.log.wire.lines import KeyAnswer, Line, YesNoAnswer
from terminal.screen.keys import key_code, key_label

__all__ = ["KeyInput", "ScreenInput", "YesNoInput"]

_ESCAPE: Final = 27
_MOST_DIGITS: Final = 9  # of a count
_SUGGESTED: Final = "?"  # the key that lists what the command is meant for
_ALL: Final = "*"  # and all that can be chosen


class KeyInput:
    """A prompt for a key, with a count typed before it if the prompt takes one.

    If it asks for an item, only an item's letter is taken; `rows` list the items after ``?`` or ``*``, as in a menu.
    """

    def __init__(self, prompt: AskKey) -> None:
        self._prompt = prompt
        self._letters = {item.letter for item in prompt.items}
        self._count = ""
        self._listed = ""
        self.complaint = ""

    @property
    def line(self) -> str:
        """What is wrong, the prompt, the suggested keys, the count."""
        lists = f" or {_SUGGESTED}{_ALL}" if self._prompt.items else ""
        keys = f" [{_ranges(self._prompt.keys)}{lists}]" if self._prompt.keys else ""
        return f"{self.complaint}{self._prompt.text}{keys} {self._count}"

    @property
    def rows(self) -> list[tuple[str, bool, str]]:
        """The items that are listed, each with its letter; none of them is picked already."""
        return [(item.letter, False, item.label) for item in self._prompt.items if item.letter in self._listed]

    def press(self, key: str) -> Line | None:
        """Take a digit of the count, the key, or escape."""
        self.complaint = ""
        counted = self._prompt.counted
        if counted and key.isdecimal() and key.isascii():
            self._count = (self._count + key)[:_MOST_DIGITS]
            return None
        if counted and key == "backspace":
            self._count = self._count[:-1]
            return None
        if key == "escape":
            return KeyAnswer(_ESCAPE, -1 if counted else None)
        if self._letters and key not in self._letters:
            self._list(key)
            return None
        if len(key) != 1:
            return None
        return KeyAnswer(ord(key), (int(self._count) if self._count else -1) if counted else None)

    def _list(self, key: str) -> None:
        """List items, or say that this is the letter of none."""
        if key == _SUGGESTED:
            self._listed = self._prompt.keys
        elif key == _ALL:
            self._listed = "".join(self._letters)
        elif len(key) == 1 and key.isalpha():
            self.complaint = f"You have no {key}. "
        else:
            self.complaint = f"{key_label(key)} is no letter; Esc cancels. "


def _ranges(keys: str) -> str:
    """The keys, of which three or more that follow one another are a range: ``a-dfg``."""
    told = ""
    for _, group in groupby(enumerate(keys), lambda place: ord(place[1]) - place[0]):
        run = "".join(key for _, key in group)
        told += f"{run[0]}-{run[-1]}" if len(run) > 2 and run.isalpha() else run
    return told


class YesNoInput:
    """A prompt for one of a few characters."""

    def __init__(self, prompt: AskYesNo) -> None:
        self._prompt = prompt
        self.complaint = ""

    @property
    def line(self) -> str:
        """What is wrong, the prompt, its characters, and the default."""
        return f"{self.complaint}{self._prompt.text} [{self._prompt.keys}] ({self._prompt.default})"

    def press(self, key: str) -> Line | None:
        """Take one of the characters; enter and space are the default."""
        if key == "escape":
            return YesNoAnswer("\x1b")
        if key in ("enter", " "):
            return YesNoAnswer(self._prompt.default)
        if len(key) == 1 and key in self._prompt.keys:
            return YesNoAnswer(key)
        self.complaint = f"{key_label(key)} is none of these. "
        return None


class ScreenInput:
    """A screen of the game's own, and a prompt for a key."""

    def __init__(self, prompt: AskScreen) -> None:
        self.prompt = prompt
        self.complaint = ""

    @property
    def line(self) -> str:
        """What is wrong, else what the screen begins with."""
        return self.complaint or self.prompt.text

    def press(self, key: str) -> Line | None:
        """Take one of the keys."""
        code = key_code(key)
        if code is not None and (not self.prompt.keys or chr(code) in self.prompt.keys):
            return KeyAnswer(code)
        self.complaint = f"{key_label(key)} does nothing here"
        return None
