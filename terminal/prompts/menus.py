"""Prompts to pick from a menu: rows with letters, page by page."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from nhlog.engines.prompts import AskMenu, AskObjects, Choice, ObjectChoice
from nhlog.log.wire.lines import Line, MenuAnswer, ObjectMenuAnswer

__all__ = ["MenuInput", "ObjectsInput"]

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOST_DIGITS: Final = 9  # of a count
PAGE: Final = 18  # rows of a menu shown at once


class MenuInput:
    """A prompt to pick rows of a menu; `picked` are the ids picked so far, `first` is the first row of the page."""

    def __init__(self, prompt: AskMenu) -> None:
        self.prompt = prompt
        self.first = 0
        self.picked: list[int] = []

    @property
    def line(self) -> str:
        """The title, and a hint about the keys."""
        return f"{self.prompt.title} {_menu_hint(self.prompt.most, len(self.prompt.choices), self.first)}"

    @property
    def rows(self) -> list[tuple[str, bool, str]]:
        """The rows of the page: a letter (a space for what cannot be picked), whether it is picked, the label."""
        return [
            (letter, choice.id in self.picked, choice.label) for letter, choice in _lettered(self._page, self._can_pick)
        ]

    @property
    def _page(self) -> tuple[Choice, ...]:
        return self.prompt.choices[self.first : self.first + PAGE]

    def _can_pick(self, choice: Choice) -> bool:
        return bool(choice.id and self.prompt.most)

    def press(self, key: str) -> Line | None:
        """Takes a row's letter, a key to turn the page, enter, or escape."""
        if key == "escape":
            return MenuAnswer(None) if self.prompt.most else MenuAnswer(())
        if key in (">", "page-down", "<", "page-up"):
            self.first = _turned(self.first, key, len(self.prompt.choices))
        elif key == "enter" or (key == " " and not self.prompt.most):
            return MenuAnswer(tuple(self.picked)) if self.picked or self.prompt.most != 1 else MenuAnswer(None)
        else:
            for letter, choice in _lettered(self._page, self._can_pick):
                if key == letter:
                    return self._pick(choice.id)
        return None

    def _pick(self, number: int) -> Line | None:
        if self.prompt.most == 1:
            return MenuAnswer((number,))
        if number in self.picked:
            self.picked.remove(number)
        elif len(self.picked) < self.prompt.most:
            self.picked.append(number)
        return None


class ObjectsInput:
    """A prompt to pick items; `picked` has for each id how many of it, -1 for all."""

    def __init__(self, prompt: AskObjects) -> None:
        self.prompt = prompt
        self.first = 0
        self.picked: dict[int, int] = {}
        self._count = ""

    @property
    def line(self) -> str:
        """The title, a hint about the keys, and the count."""
        hint = _menu_hint(self.prompt.most, len(self.prompt.choices), self.first)
        return f"{self.prompt.title} {hint} {self._count}".rstrip()

    @property
    def rows(self) -> list[tuple[str, bool, str]]:
        """The rows of the page, as in `MenuInput.rows`; the label says if only some of an item are picked."""
        return [
            (letter, choice.id in self.picked, self._label(choice))
            for letter, choice in _lettered(self._page, self._can_pick)
        ]

    def _label(self, choice: ObjectChoice) -> str:
        count = self.picked.get(choice.id, -1)
        return choice.label if count < 0 else f"{choice.label} ({count} of {choice.count})"

    @property
    def _page(self) -> tuple[ObjectChoice, ...]:
        return self.prompt.choices[self.first : self.first + PAGE]

    def _can_pick(self, choice: ObjectChoice) -> bool:
        return bool(choice.id and self.prompt.most)

    def press(self, key: str) -> Line | None:
        """Takes a digit, an item's letter, a key to turn the page, enter, or escape."""
        if key == "escape":
            return ObjectMenuAnswer(None) if self.prompt.most else ObjectMenuAnswer(())
        if key in (">", "page-down", "<", "page-up"):
            self.first = _turned(self.first, key, len(self.prompt.choices))
        elif key.isdecimal() and key.isascii():
            self._count = (self._count + key)[:_MOST_DIGITS]
        elif key == "enter" or (key == " " and not self.prompt.most):
            return ObjectMenuAnswer(tuple(self.picked.items())) if self.picked else ObjectMenuAnswer(None)
        else:
            for letter, choice in _lettered(self._page, self._can_pick):
                if key == letter:
                    return self._pick(choice)
        return None

    def _pick(self, choice: ObjectChoice) -> Line | None:
        count = int(self._count) if self._count and int(self._count) < choice.count else -1
        self._count = ""
        if self.prompt.most == 1:
            return ObjectMenuAnswer(((choice.id, count),))
        if choice.id in self.picked:
            del self.picked[choice.id]
        elif len(self.picked) < self.prompt.most:
            self.picked[choice.id] = count
        return None


C = TypeVar("C", Choice, ObjectChoice)


def _lettered(choices: Sequence[C], can_pick: Callable[[C], bool]) -> list[tuple[str, C]]:
    """The rows of a page with the letters that pick them: an item's own if it has one, else the next free one."""
    own = {getattr(choice, "letter", "") for choice in choices}
    free = iter([letter for letter in _LETTERS if letter not in own])
    lettered = []
    for choice in choices:
        letter = getattr(choice, "letter", "").strip()
        lettered.append(((letter or next(free)) if can_pick(choice) else " ", choice))
    return lettered


def _turned(first: int, key: str, rows: int) -> int:
    """The first row of the next or the previous page."""
    step = PAGE if key in (">", "page-down") else -PAGE
    return first + step if 0 <= first + step < rows else first


def _menu_hint(most: int, rows: int, first: int) -> str:
    what = {0: "(Enter closes", 1: "(a letter picks"}.get(most, "(letters pick, Enter accepts")
    pages = -(-rows // PAGE)
    return f"{what}, page {first // PAGE + 1} of {pages}: < >)" if pages > 1 else f"{what})"
