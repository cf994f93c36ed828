"""Dots in the cells of a screen, as Braille characters have them: two across and four down.

A cell has one style, that of the dot that was put there last.
"""

from typing import Final

from nhlog.screen import PLAIN, Screen, Style

__all__ = ["ACROSS", "BITS", "DOWN", "Dots", "braille"]

ACROSS, DOWN = 2, 4  # dots in a cell
BITS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # by row: left, right
_EMPTY: Final = 0x2800  # Unicode's pattern without a dot; each bit of the code is one


def braille(bits: int) -> str:
    """The character with these dots (see `BITS`)."""
    return chr(_EMPTY + bits)


class Dots:
    """Dots that are collected, to be drawn on a screen."""

    def __init__(self) -> None:
        self._bits: dict[tuple[int, int], int] = {}
        self._styles: dict[tuple[int, int], Style] = {}

    def put(self, x: int, y: int, style: Style = PLAIN) -> None:
        """Put a dot at column `x` of row `y`, both counted in dots."""
        cell = x // ACROSS, y // DOWN
        self._bits[cell] = self._bits.get(cell, 0) | BITS[y % DOWN][x % ACROSS]
        self._styles[cell] = style

    def draw(self, screen: Screen, left: int = 0, top: int = 0) -> None:
        """Draw the dots, the first one's cell at column `left` of row `top`; those outside the screen are left out."""
        for (x, y), bits in self._bits.items():
            screen.put(left + x, top + y, braille(bits), self._styles[x, y])
