"""The keyboard input for any prompt of a game."""

from typing import Protocol

from nhlog.engines.prompts import (
    AskDirection,
    AskKey,
    AskMenu,
    AskObjects,
    AskPosition,
    AskScreen,
    AskText,
    AskYesNo,
    Prompt,
)
from nhlog.log.wire.lines import Line
from terminal.prompts.characters import KeyInput, ScreenInput, YesNoInput
from terminal.prompts.directions import DirectionInput, PositionInput
from terminal.prompts.menus import MenuInput, ObjectsInput
from terminal.prompts.text import TextInput

__all__ = ["PromptInput", "prompt_input"]


class PromptInput(Protocol):
    """A prompt that is being answered."""

    @property
    def line(self) -> str:
        """The prompt and what was typed so far, on one line."""
        ...

    @property
    def complaint(self) -> str:
        """What was wrong with the last key; empty if it was right."""
        ...

    def press(self, key: str) -> Line | None:
        """Take a key, by its name; returns the answer if the key completes it, else None."""
        ...


def prompt_input(prompt: Prompt) -> PromptInput:
    """The input for a prompt; raises :class:`TypeError` for one that the session answers itself."""
    match prompt:
        case AskDirection():
            return DirectionInput(prompt)
        case AskPosition():
            return PositionInput(prompt)
        case AskKey():
            return KeyInput(prompt)
        case AskYesNo():
            return YesNoInput(prompt)
        case AskMenu():
            return MenuInput(prompt)
        case AskObjects():
            return ObjectsInput(prompt)
        case AskScreen():
            return ScreenInput(prompt)
        case AskText():
            return TextInput(prompt)
        case _:
            raise TypeError(f"nobody asks a person for {prompt}")
