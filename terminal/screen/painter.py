"""The bytes that draw a screen on one kind of terminal; no I/O."""

import re
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Final

from nhlog.screen import PLAIN, Screen, Style
from nhlog.values import dataclass

__all__ = ["DEC_OFF", "ECMA_MOVE", "Painter", "ecma_move"]

ECMA_MOVE: Final = "\x1b[%i%p1%d;%p2%dH"  # how nearly every terminal goes to a place, in terminfo's language
DEC_ON, DEC_OFF = "\x1b(0", "\x1b(B"  # ECMA-35: which characters G0 has


def ecma_move(row: int, column: int) -> str:
    """What `ECMA_MOVE` says, without an interpreter of terminfo's language, which takes as long as the frame."""
    return f"\x1b[{row + 1};{column + 1}H"


@dataclass(frozen=True, slots=True)
class Painter:
    """The escape sequences of one kind of terminal; an empty one has no effect.

    `enter` and `leave` surround full-screen drawing, `move` goes to a row and a column, counted from 0. `colors` is
    256, 16, 8 or 0; `styled` is whether ECMA-48 styles are understood, `utf8` whether UTF-8 is.  `theme` has
    other styles for roles, `mouse` is whether `enter` has the terminal report it.  Where UTF-8 is not, `dec` is whether
    DEC's line drawing set is.
    """

    enter: bytes
    leave: bytes
    clear: bytes
    move: Callable[[int, int], str]
    colors: int
    styled: bool
    utf8: bool
    theme: Mapping[str, Style] = field(default_factory=dict)
    dec: bool = False
    mouse: bool = False

    def paint(self, screen: Screen, old: Screen | None) -> bytes:
        """The bytes that make a terminal show `screen`, if it shows `old` now (None: unknown content)."""
        shown = self._drawable(screen)
        before = Screen(screen.width, screen.height) if old is None else self._drawable(old)
        parts = [self.clear] if old is None else []
        place, style = (-1, -1), PLAIN
        for run in shown.changes(before):
            if (run.x, run.y) != place:
                parts.append(self.move(run.y, run.x).encode())
            if run.style != style and self.styled:
                parts.append(self.theme.get(run.style.role, run.style).sgr(self.colors).encode())
            parts.append(self._encoded(run.text))
            place, style = (run.x + len(run.text) if run.text.isascii() else -1, run.y), run.style
        if style != PLAIN and self.styled:
            parts.append(PLAIN.sgr().encode())
        return b"".join(parts)

    def _drawable(self, screen: Screen) -> Screen:
        """The screen in characters that this terminal has."""
        return screen if self.utf8 else screen.ascii(_KEPT if self.dec else frozenset())

    def _encoded(self, text: str) -> bytes:
        if self.utf8 or text.isascii():
            return text.encode()
        return _LINES.sub(lambda found: f"{DEC_ON}{found[0].translate(_DEC)}{DEC_OFF}", text).encode()


_CHARACTERS: Final = "─│┌┐└┘├┤┬┴┼▒░·◆°±≤≥π≠"
_KEPT: Final = frozenset(_CHARACTERS)
_DEC: Final = str.maketrans(_CHARACTERS, "qxlkmjtuwvnaa~`fgyz{|")
"""The characters of DEC's line drawing set, as they are sent where that is on."""
_LINES: Final = re.compile(f"[{_CHARACTERS}]+")
