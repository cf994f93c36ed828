"""Prompts to pick from a menu: rows with letters, page by page."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Generic, TypeVar

from nhlog.engines.prompts import AskMenu, AskObjects, Choice, ObjectChoice
from nhlog.log.wire.lines import Line, MenuAnswer, ObjectMenuAnswer
from terminal.screen.keys import key_label

__all__ = ["MenuInput", "ObjectsInput"]

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOST_DIGITS: Final = 9  # of a count
_ON, _BACK = (">", "page-down", "wheel-down"), ("<", "page-up", "wheel-up")  # keys that turn the page
PAGE: Final = 18  # rows of a menu shown at once
_HINTS: Final = {0: "Enter closes", 1: "a letter picks, Enter takes the marked one"}

C = TypeVar("C", bound=Choice | ObjectChoice)


class _Menu(Generic[C]):
    """A menu of these choices, of which at most `most` may be picked.

    `first` is the first row of the page, `marked` the row that Enter takes where one is to be picked; -1 elsewhere.
    """

    def __init__(self, choices: Sequence[C], most: int) -> None:
        self.most = most
        self.first = 0
        self.complaint = ""
        self._choices: Sequence[C] = choices
        pickable = [number for number, choice in enumerate(choices) if choice.id]
        self.marked = pickable[0] if most == 1 and pickable else -1

    @property
    def hint(self) -> str:
        """What the keys do, and what was wrong with the last one."""
        what = _HINTS.get(self.most, "letters pick, Enter accepts")
        pages = -(-len(self._choices) // PAGE)
        turning = f", page {self.first // PAGE + 1} of {pages}: < >" if pages > 1 else ""
        return f"({what}{turning}){self.complaint}"

    @property
    def page(self) -> Sequence[C]:
        """The choices of the page."""
        return self._choices[self.first : self.first + PAGE]

    @property
    def mark(self) -> int:
        """The row of the page that is marked; -1 if none is."""
        return self.marked - self.first if self.first <= self.marked < self.first + PAGE else -1

    def lettered(self) -> list[tuple[str, C]]:
        """The rows of the page with the letters that pick them."""
        return _lettered(self.page, lambda choice: bool(choice.id and self.most))

    def turn(self, key: str) -> bool:
        """Turn the page or move the mark, if that is what the key does; returns whether it is."""
        last = self.first + PAGE >= len(self._choices)
        if any(_own(choice) == key for choice in self.page if choice.id and self.most):
            return False
        if key in (*_ON, *_BACK) or (key == " " and not last):
            step = -PAGE if key in _BACK else PAGE
            if 0 <= self.first + step < len(self._choices):
                self.first += step
                self.marked = self._pickable(range(self.first, len(self._choices))) if self.marked >= 0 else -1
        elif key in ("up", "down") and self.marked >= 0:
            rows = range(self.marked - 1, -1, -1) if key == "up" else range(self.marked + 1, len(self._choices))
            self.marked = self._pickable(rows)
            self.first = self.marked // PAGE * PAGE
        else:
            return False
        return True

    def _pickable(self, rows: Iterable[int]) -> int:
        """The first of these rows that can be picked, else the marked one."""
        return next((row for row in rows if self._choices[row].id), self.marked)

    def chosen(self, key: str) -> C | None:
        """The choice that the key picks: by its letter, or the marked one by Enter; None if it picks nothing."""
        if key == "enter":
            return self._choices[self.marked]
        found = next((choice for letter, choice in self.lettered() if letter == key != " "), None)
        self.complaint = "" if found is not None else f" {key_label(key)} is none of these"
        return found


class MenuInput:
    """A prompt to pick rows of a menu; `picked` are the ids picked so far."""

    def __init__(self, prompt: AskMenu) -> None:
        self.prompt = prompt
        self.menu = _Menu(prompt.choices, prompt.most)
        self.picked: list[int] = []

    @property
    def complaint(self) -> str:
        """What was wrong with the last key."""
        return self.menu.complaint

    @property
    def line(self) -> str:
        """The title, and a hint about the keys."""
        return f"{self.prompt.title} {self.menu.hint}"

    @property
    def rows(self) -> list[tuple[str, bool, str]]:
        """The rows of the page: a letter (a space for what cannot be picked), whether it is picked, the label."""
        return [(letter, choice.id in self.picked, choice.label) for letter, choice in self.menu.lettered()]

    def press(self, key: str) -> Line | None:
        """Take a row's letter, a key to turn the page or to move the mark, enter, or escape."""
        self.menu.complaint = ""
        if key == "escape":
            return MenuAnswer(None) if self.prompt.most else MenuAnswer(())
        if self.menu.turn(key):
            return None
        if key in _done(self.prompt.most) and self.menu.marked < 0:
            return MenuAnswer(tuple(self.picked)) if self.picked or self.prompt.most != 1 else MenuAnswer(None)
        choice = self.menu.chosen(key)
        return None if choice is None else self._pick(choice.id)

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
        self.menu = _Menu(prompt.choices, prompt.most)
        self.picked: dict[int, int] = {}
        self._count = ""

    @property
    def complaint(self) -> str:
        """What was wrong with the last key."""
        return self.menu.complaint

    @property
    def line(self) -> str:
        """The title, a hint about the keys, and the count."""
        return f"{self.prompt.title} {self.menu.hint} {self._count}".rstrip()

    @property
    def rows(self) -> list[tuple[str, bool, str]]:
        """The rows of the page, as in `MenuInput.rows`; the label says if only some of an item are picked."""
        return [(letter, choice.id in self.picked, self._label(choice)) for letter, choice in self.menu.lettered()]

    def _label(self, choice: ObjectChoice) -> str:
        count = self.picked.get(choice.id, -1)
        return choice.label if count < 0 else f"{choice.label} ({count} of {choice.count})"

    def press(self, key: str) -> Line | None:
        """Take a digit, an item's letter, a key to turn the page or to move the mark, enter, or escape."""
        self.menu.complaint = ""
        if key == "escape":
            return ObjectMenuAnswer(None) if self.prompt.most else ObjectMenuAnswer(())
        if self.menu.turn(key):
            return None
        if key.isdecimal() and key.isascii():
            self._count = (self._count + key)[:_MOST_DIGITS]
            return None
        if key in _done(self.prompt.most) and self.menu.marked < 0:
            return ObjectMenuAnswer(tuple(self.picked.items())) if self.picked else ObjectMenuAnswer(None)
        choice = self.menu.chosen(key)
        return None if choice is None else self._pick(choice)

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


def _lettered(choices: Sequence[C], can_pick: Callable[[C], bool]) -> list[tuple[str, C]]:
    """The rows of a page with the letters that pick them: an item's own if it has one, else the next free one."""
    own = {_own(choice) for choice in choices}
    free = iter([letter for letter in _LETTERS if letter not in own])
    lettered = []
    for choice in choices:
        lettered.append(((_own(choice) or next(free)) if can_pick(choice) else " ", choice))
    return lettered


def _own(choice: Choice | ObjectChoice) -> str:
    """The letter that a choice has of its own; empty if it has none."""
    return choice.letter if len(choice.letter) == 1 and choice.letter.isprintable() and choice.letter != " " else ""


def _done(most: int) -> tuple[str, ...]:
    """The keys that end a menu of which so many rows may be picked: what says to go on, unless one has to be picked."""
    return ("enter",) if most == 1 else ("enter", " ")
