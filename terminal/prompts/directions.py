"""Prompts for a direction, and for a square of the map."""

from collections.abc import Sequence
from typing import Final

from nhlog.engines.prompts import AskDirection, AskPosition, Place
from nhlog.log.wire.lines import DirectionAnswer, Line, PositionAnswer
from terminal.screen.keys import edited, key_label

__all__ = ["COMPASS", "DirectionInput", "PositionInput"]

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
"""The keys of directions, with their numbers in the log (log spec section 6.4)."""
_OFFSETS: Final = ((-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1))
EVERY: Final = "_"  # the key of all places
SLASH: Final = "/"
_LEAP: Final = 8  # squares that the cursor moves with a capital letter
MAP: Final = (79, 21)  # columns and rows


class DirectionInput:
    """A prompt for a direction."""

    def __init__(self, prompt: AskDirection) -> None:
        self._prompt = prompt
        self.complaint = ""

    @property
    def line(self) -> str:
        """What is wrong, the prompt, and the keys of directions."""
        return f"{self.complaint}{self._prompt.text} [hjklyubn<>.]"

    def press(self, key: str) -> Line | None:
        """Take the key of a direction, or escape."""
        if key == "escape":
            return DirectionAnswer(-1)
        if key in COMPASS:
            return DirectionAnswer(COMPASS[key])
        self.complaint = f"{key_label(key)} is no direction; Esc cancels. "
        return None


class PositionInput:
    """A prompt for a square of the map; `cursor` is its column and row, both from 0.

    `_` takes the cursor to the next of the prompt's places, the symbol of a place to the next of that kind, and `/` to
    that whose name is typed then.
    """

    complaint: str = ""  # other keys have no meaning at all

    def __init__(self, prompt: AskPosition) -> None:
        self._prompt = prompt
        self._name: str | None = None  # what was typed of a place's
        self.cursor = (prompt.x, prompt.y)

    @property
    def line(self) -> str:
        """The prompt, the keys that it takes, and the name of the place under the cursor."""
        here = next((place.name for place in self._prompt.places if (place.x, place.y) == self.cursor), "")
        if self._name is not None:
            return f"{self._prompt.text} /{self._name}  {here}"
        if not self._prompt.places:
            return f"{self._prompt.text} (move the cursor, . chooses)"
        symbols = "".join(sorted({place.symbol for place in self._prompt.places} - {EVERY}))
        return f"{self._prompt.text} [{symbols}{EVERY} or . , /name] {here}"

    def press(self, key: str) -> Line | None:
        """Move the cursor, choose its square, or cancel on escape."""
        if self._name is not None:
            return self._type(key)
        if key == "escape":
            return PositionAnswer(None)
        places = self._prompt.places
        if places and key == SLASH:
            self._name = ""
            return None
        if among := [place for place in places if key in (place.symbol, EVERY)]:
            self._go_on(among)
            return None
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

    def _type(self, key: str) -> Line | None:
        """Take the letters of a place's name; enter chooses the place, escape ends the name."""
        assert self._name is not None
        found = self._named(self._name)
        if key == "enter":
            return PositionAnswer((found[0].x, found[0].y, ".")) if found else None
        name = edited(self._name, key)
        if name is None or self._name.startswith(name):
            self._name = name
        elif found := self._named(name):
            self._name, self.cursor = name, (found[0].x, found[0].y)
        return None

    def _named(self, typed: str) -> list[Place]:
        return [place for place in self._prompt.places if typed.lower() in place.name.lower()] if typed else []

    def _go_on(self, among: Sequence[Place]) -> None:
        """Move the cursor to the next of the places, after the one where it is; from the last to the first."""
        at = next((number for number, place in enumerate(among) if (place.x, place.y) == self.cursor), -1)
        place = among[(at + 1) % len(among)]
        self.cursor = (place.x, place.y)
