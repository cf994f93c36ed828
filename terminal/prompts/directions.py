"""Prompts for a direction, and for a square of the map."""

from typing import Final

from nhlog.engines.prompts import AskDirection, AskPosition
from nhlog.log.wire.lines import DirectionAnswer, Line, PositionAnswer

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
_LEAP: Final = 8  # squares that the cursor moves with a capital letter
MAP: Final = (79, 21)  # columns and rows


class DirectionInput:
    """A prompt for a direction."""

    def __init__(self, prompt: AskDirection) -> None:
        self.line = f"{prompt.text} [hjklyubn<>.]"

    def press(self, key: str) -> Line | None:
        """Takes the key of a direction, or escape."""
        if key == "escape":
            return DirectionAnswer(-1)
        return DirectionAnswer(COMPASS[key]) if key in COMPASS else None


class PositionInput:
    """A prompt for a square of the map; `cursor` is its column and row, both from 0."""

    def __init__(self, prompt: AskPosition) -> None:
        self.line = f"{prompt.text} (move the cursor, . chooses)"
        self.cursor = (prompt.x, prompt.y)

    def press(self, key: str) -> Line | None:
        """Moves the cursor, chooses its square, or cancels on escape."""
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
