"""What the user has chosen of how the terminal is used."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Final

from nhlog.screen import Style
from nhlog.values import dataclass
from terminal.screen.keys import KeyTable

__all__ = ["COLORS", "SYMBOLS", "USUAL", "Appearance", "Preferences"]

COLORS: Final = {"all": 256, "8": 8, "none": 0}
"""How many colours there are at most."""

SYMBOLS: Final = ("unicode", "dec", "ascii")
"""The characters that are drawn with: all, ASCII and the line drawing of DEC's terminals, or ASCII alone."""


@dataclass(frozen=True, slots=True)
class Appearance:
    """How screens look, as far as the terminal, its locale and NO_COLOR allow: one of `COLORS`, one of `SYMBOLS`."""

    colors: str = "all"
    symbols: str = "unicode"


@dataclass(frozen=True, slots=True)
class Preferences:
    """`tables` are tables of keys, by their names, and `theme` styles by their roles: those that differ from the usual.

    `appearance` is how screens look.  After `idle_minutes` without a key the client ends; None for never.  `mouse` is
    whether the terminal is asked to report the mouse.
    """

    tables: Mapping[str, KeyTable[Any]] = field(default_factory=dict)
    theme: Mapping[str, Style] = field(default_factory=dict)
    idle_minutes: float | None = None
    mouse: bool = True
    appearance: Appearance = field(default_factory=Appearance)


USUAL: Final = Preferences()
"""What is done without a configuration."""
