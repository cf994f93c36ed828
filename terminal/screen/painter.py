"""The bytes that draw a screen on one kind of terminal; no I/O."""

from collections.abc import Callable, Mapping
from dataclasses import field

from nhlog.screen import PLAIN, Screen, Style
from nhlog.values import dataclass

__all__ = ["Painter"]


@dataclass(frozen=True, slots=True)
class Painter:
    """The escape sequences of one kind of terminal; an empty one has no effect.

    `enter` and `leave` surround full-screen drawing, `move` goes to a row and a column, counted from 0. `colors` is
    256, 16, 8 or 0; `styled` is whether ECMA-48 styles are understood, `utf8` whether UTF-8 is.  `theme` has
    other styles for roles.
    """

    enter: bytes
    leave: bytes
    clear: bytes
    move: Callable[[int, int], str]
    colors: int
    styled: bool
    utf8: bool
    theme: Mapping[str, Style] = field(default_factory=dict)

    def paint(self, screen: Screen, old: Screen | None) -> bytes:
        """The bytes that make a terminal show `screen`, if it shows `old` now (None: unknown content)."""
        shown = screen if self.utf8 else screen.ascii()
        before = Screen(screen.width, screen.height) if old is None else old if self.utf8 else old.ascii()
        parts = [self.clear] if old is None else []
        place, style = (-1, -1), PLAIN
        for run in shown.changes(before):
            if (run.x, run.y) != place:
                parts.append(self.move(run.y, run.x).encode())
            if run.style != style and self.styled:
                parts.append(self.theme.get(run.style.role, run.style).sgr(self.colors).encode())
            parts.append(run.text.encode())
            place, style = (run.x + len(run.text) if run.text.isascii() else -1, run.y), run.style
        if style != PLAIN and self.styled:
            parts.append(PLAIN.sgr().encode())
        return b"".join(parts)
