"""A question being answered at the keyboard: keys in, the log's answer out.

One class for each kind of prompt; `press` gives the answer when there is one, and `line` is what the question's line
says meanwhile.  They know neither the game nor the screen.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeVar

from nhlog.engines.prompts import (
    AskDirection,
    AskKey,
    AskMenu,
    AskObjects,
    AskPosition,
    AskText,
    AskYesNo,
    Choice,
    ObjectChoice,
    Prompt,
)
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import (
    Argument,
    Command,
    DirectionAnswer,
    KeyAnswer,
    Line,
    MenuAnswer,
    ObjectMenuAnswer,
    PositionAnswer,
    TextAnswer,
    YesNoAnswer,
)

__all__ = ["COMPASS", "Asking", "Direction", "Key", "Menu", "Objects", "Place", "Text", "Wanted", "YesNo", "asking"]

COMPASS: Final = {
    **dict.fromkeys(("left", "h"), 0),
    "y": 1,
    **dict.fromkeys(("up", "k"), 2),
    "u": 3,
    **dict.fromkeys(("right", "l"), 4),
    "n": 5,
    **dict.fromkeys(("down", "j"), 6),
    "b": 7,
    "<": 8,
    ">": 9,
    **dict.fromkeys((".", "s"), 10),
}
"""Keys of directions, and their numbers in the log (log spec section 6.4)."""
_OFFSETS: Final = ((-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1))
_LEAP: Final = 8  # squares that the cursor moves with a capital letter
_ESCAPE: Final = 27
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
PAGE: Final = 18  # rows of a menu shown at once
MAP: Final = (79, 21)


class Asking(Protocol):
    """A question that waits for keys."""

    @property
    def line(self) -> str:
        """The question, and what was typed so far."""

    def press(self, key: str) -> Line | None:
        """Take a key; the answer, if that is what the key completes."""


class Direction:
    """Asks for a direction."""

    def __init__(self, prompt: AskDirection) -> None:
        self.line = f"{prompt.text} [hjklyubn<>.]"

    def press(self, key: str) -> Line | None:
        """A direction's key, or escape."""
        if key == "escape":
            return DirectionAnswer(-1)
        return DirectionAnswer(COMPASS[key]) if key in COMPASS else None


class Place:
    """Asks for a square of the map: `cursor` is where."""

    def __init__(self, prompt: AskPosition) -> None:
        self.line = f"{prompt.text} (move the cursor, . chooses)"
        self.cursor = (prompt.x, prompt.y)

    def press(self, key: str) -> Line | None:
        """Move the cursor, choose its square, or escape."""
        if key == "escape":
            return PositionAnswer(None)
        if key in ("enter", " "):
            key = "."
        if key in (".", ",", ";", ":"):
            return PositionAnswer((*self.cursor, key))
        direction = COMPASS.get(key, COMPASS.get(key.lower(), 8) if len(key) == 1 else 8)
        if direction < len(_OFFSETS):
            reach = _LEAP if key.isupper() else 1
            (x, y), (across, down) = self.cursor, _OFFSETS[direction]
            self.cursor = (min(max(x + reach * across, 0), MAP[0] - 1), min(max(y + reach * down, 0), MAP[1] - 1))
        return None


class Key:
    """Asks for a key, with a count typed before it where that makes sense."""

    def __init__(self, prompt: AskKey) -> None:
        self._prompt = prompt
        self._count = ""

    @property
    def line(self) -> str:
        """The question, the keys that make sense, the count."""
        keys = f" [{self._prompt.keys}]" if self._prompt.keys else ""
        return f"{self._prompt.text}{keys} {self._count}"

    def press(self, key: str) -> Line | None:
        """A digit of the count, the key, or escape."""
        counted = self._prompt.counted
        if counted and key.isdecimal() and key.isascii():
            self._count = (self._count + key)[:9]
            return None
        if counted and key == "backspace":
            self._count = self._count[:-1]
            return None
        if key == "escape":
            return KeyAnswer(_ESCAPE, -1 if counted else None)
        if len(key) != 1:
            return None
        return KeyAnswer(ord(key), (int(self._count) if self._count else -1) if counted else None)


class YesNo:
    """Asks for one of a few characters."""

    def __init__(self, prompt: AskYesNo) -> None:
        self._prompt = prompt
        self.line = f"{prompt.text} [{prompt.keys}] ({prompt.default})"

    def press(self, key: str) -> Line | None:
        """One of them; enter is the default."""
        if key == "escape":
            return YesNoAnswer("\x1b")
        if key == "enter":
            return YesNoAnswer(self._prompt.default)
        return YesNoAnswer(key) if key in self._prompt.keys else None


class Menu:
    """Asks to pick from rows; `rows` are the page's: a letter or a space, whether it is picked, what it says."""

    def __init__(self, prompt: AskMenu) -> None:
        self.prompt = prompt
        self.first = 0
        self.picked: list[int] = []

    @property
    def line(self) -> str:
        """The title, and what the keys do."""
        return f"{self.prompt.title} {_menu_hint(self.prompt.most, len(self.prompt.choices), self.first)}"

    @property
    def rows(self) -> list[tuple[str, bool, str]]:
        """What is shown."""
        return [
            (letter, choice.id in self.picked, choice.label) for letter, choice in _lettered(self._page, self._can_pick)
        ]

    @property
    def _page(self) -> tuple[Choice, ...]:
        return self.prompt.choices[self.first : self.first + PAGE]

    def _can_pick(self, choice: Choice) -> bool:
        return bool(choice.id and self.prompt.most)

    def press(self, key: str) -> Line | None:
        """A row's letter, a page forth or back, enter, or escape."""
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


class Objects:
    """Asks to pick items, all of each or as many as were typed before the letter."""

    def __init__(self, prompt: AskObjects) -> None:
        self.prompt = prompt
        self.first = 0
        self.picked: dict[int, int] = {}
        self._count = ""

    @property
    def line(self) -> str:
        """The title, what the keys do, and the count."""
        hint = _menu_hint(self.prompt.most, len(self.prompt.choices), self.first)
        return f"{self.prompt.title} {hint} {self._count}".rstrip()

    @property
    def rows(self) -> list[tuple[str, bool, str]]:
        """What is shown; some of an item are told by their number."""
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
        """A digit, an item's letter, a page forth or back, enter, or escape."""
        if key == "escape":
            return ObjectMenuAnswer(None) if self.prompt.most else ObjectMenuAnswer(())
        if key in (">", "page-down", "<", "page-up"):
            self.first = _turned(self.first, key, len(self.prompt.choices))
        elif key.isdecimal() and key.isascii():
            self._count = (self._count + key)[:9]
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


class Text:
    """Asks for a line of text: `typed` so far."""

    longest: Final = 255  # bytes; what the game's own client takes (log spec section 13)

    def __init__(self, prompt: AskText) -> None:
        self._prompt = prompt
        self.typed = ""

    @property
    def line(self) -> str:
        """The question, and what was typed."""
        return f"{self._prompt.text} {self.typed}"

    def press(self, key: str) -> Line | None:
        """A character, enter, or escape."""
        if key == "escape":
            return TextAnswer(Blob.of(b"\x1b\0"))
        if key == "enter":
            return TextAnswer(Blob.of(self.typed.encode() + b"\0"))
        if key == "backspace":
            self.typed = self.typed[:-1]
        elif len(key) == 1 and key.isprintable() and len((self.typed + key).encode()) <= self.longest:
            self.typed += key
        return None


C = TypeVar("C", Choice, ObjectChoice)


def _lettered(choices: Sequence[C], can_pick: Callable[[C], bool]) -> list[tuple[str, C]]:
    """The rows of a page with the letters that pick them: an item's own where it has one, else the next one free."""
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


def asking(prompt: Prompt) -> Asking:
    """The question for a person; what the session answers itself is none."""
    match prompt:
        case AskDirection():
            return Direction(prompt)
        case AskPosition():
            return Place(prompt)
        case AskKey():
            return Key(prompt)
        case AskYesNo():
            return YesNo(prompt)
        case AskMenu():
            return Menu(prompt)
        case AskObjects():
            return Objects(prompt)
        case AskText():
            return Text(prompt)
        case _:
            raise TypeError(f"nobody asks a person for {prompt}")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A command whose arguments are being asked for: `asks` has the letters still to come."""

    command: Command
    asks: str

    def question(self, x: int, y: int) -> Prompt:
        """What a person is asked for the next one; `x` and `y` are where the hero is."""
        match self.asks[0]:
            case "P":
                return AskPosition("Where to?", x, y)
            case "D":
                return AskDirection("In what direction?")
            case "T":
                return AskText("What?")
            case "S":
                return AskKey("Which spell?", "", counted=False)
            case _:
                return AskKey("Which item?", "", counted=False)

    def answered(self, answer: Line) -> "Wanted | None":
        """The command with the argument that the answer comes to; None for a cancelled question."""
        argument = _argument(self.asks[0], answer)
        if argument is None:
            return None
        return Wanted(replace(self.command, arguments=(*self.command.arguments, argument)), self.asks[1:])


def _argument(letter: str, answer: Line) -> Argument | None:
    match answer:
        case PositionAnswer((x, y, _)):
            return Argument(letter, (x, y))
        case DirectionAnswer(direction) if direction >= 0:
            return Argument(letter, direction)
        case KeyAnswer(key) if 32 < key < 127:
            return Argument(letter, chr(key))
        case TextAnswer(blob) if blob.decode() != b"\x1b\0":
            return Argument(letter, blob)
        case _:
            return None
