"""Legends: the signs of a view, each with what it means; a map's by asking what is on its squares."""

from collections.abc import Callable, Sequence
from typing import Final

from nhlog.screen import PLAIN, Cell, Screen, Style, width_of
from terminal.screen import theme

__all__ = ["NO_MAP", "ROWS", "Sign", "draw_signs", "signs_on"]

Sign = tuple[str, Style, str]
"""A sign, its style, and its meaning."""

MOST: Final = 8  # signs with the same meaning that are shown
NO_MAP: Final[tuple[Sign, ...]] = (("", PLAIN, "there is no map here"),)

ROWS: Final[tuple[Sign, ...]] = (
    ("▶", theme.HERE, "what happens here"),
    ("later", theme.FUTURE, "what has not happened yet"),
    ("───", theme.NOTE, "a long wait, or another day"),
)
"""Those of a table of events (:mod:`terminal.views.rows`)."""


def draw_signs(signs: Sequence[Sign]) -> Screen:
    """The signs one below the other, the meanings beside them."""
    left = 2 + max((width_of(sign) for sign, _, _ in signs), default=0)
    screen = Screen(left + max((width_of(words) for _, _, words in signs), default=0), 1 + len(signs))
    screen.put(0, 0, "What the signs mean", theme.HEAD)
    for y, (sign, style, words) in enumerate(signs, 1):
        screen.put(0, y, sign, style)
        screen.put(left if sign else 0, y, words)
    return screen


def signs_on(rows: Sequence[Sequence[Cell]], describe: Callable[[int, int], str]) -> list[Sign]:
    """The signs on a map: each with what `describe` tells of the first square that has it, up to a semicolon."""
    told: dict[str, dict[str, Style]] = {}
    known: set[Cell] = set()
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            if cell not in known and cell[0].strip():
                told.setdefault(describe(x, y).partition(";")[0], {}).setdefault(*cell)
            known.add(cell)
    return [("".join([*signs][:MOST]), next(iter(signs.values())), words) for words, signs in told.items()]
