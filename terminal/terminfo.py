"""What a terminal can do, from the terminfo database, and the bytes that draw on it; no I/O of its own.

Nothing is asked of the terminal itself: one that does not answer must not keep anybody waiting.
"""

import curses
import re
from dataclasses import dataclass
from typing import Final

from nhlog.errors import Usage
from nhlog.screen import PLAIN, Screen

__all__ = ["Terminal", "read_terminfo"]

UNKNOWN: Final = "xterm"  # what a terminal with a name that nobody here knows is nearly always like
_PADDING: Final = re.compile(rb"\$<[^>]*>")  # delays for terminals of paper and phosphor


@dataclass(frozen=True, slots=True)
class Terminal:
    """The sequences of one kind of terminal; an empty one does nothing.

    `enter` and `leave` surround full-screen drawing, `position` is what terminfo calls ``cup``.
    `colors` is 256, 16, 8 or 0; `styled` tells whether ECMA-48 styles are understood, `utf8` how text is encoded.
    """

    enter: bytes
    leave: bytes
    clear: bytes
    position: bytes
    colors: int
    styled: bool
    utf8: bool

    def paint(self, screen: Screen, old: Screen | None) -> bytes:
        """What to send to a terminal that shows `old` (None: anything) for it to show `screen`."""
        shown = screen if self.utf8 else screen.ascii()
        before = Screen(screen.width, screen.height) if old is None else old if self.utf8 else old.ascii()
        parts = [self.clear] if old is None else []
        place, style = (-1, -1), PLAIN
        for run in shown.changes(before):
            if (run.x, run.y) != place:
                parts.append(self._move(run.x, run.y))
            if run.style != style and self.styled:
                parts.append(run.style.sgr(self.colors).encode())
            parts.append(run.text.encode())
            place, style = (run.x + len(run.text) if run.text.isascii() else -1, run.y), run.style
        if style != PLAIN and self.styled:
            parts.append(PLAIN.sgr().encode())
        return b"".join(parts)

    def _move(self, x: int, y: int) -> bytes:
        return _unpadded(curses.tparm(self.position, y, x))


def read_terminfo(kind: str, descriptor: int, color: str, utf8: bool) -> Terminal:
    """The terminal of that kind; `color` is "auto" for the colours it has, "never", or "always" for 8 at least.

    Raises :class:`Usage` for one that cannot be drawn on.
    """
    if not kind:
        raise Usage("TERM is not set: `nhlog show` prints a screen without a terminal")
    try:
        curses.setupterm(kind, descriptor)
    except curses.error:
        curses.setupterm(UNKNOWN, descriptor)
    position = _sequence("cup")
    if not position:
        raise Usage(f"terminal {kind!r} cannot move its cursor: `nhlog show` prints a screen without that")
    clear = _sequence("clear")
    reset = _sequence("sgr0")
    return Terminal(
        enter=_sequence("smcup") + _sequence("civis") + _sequence("rmam"),
        leave=reset + _sequence("smam") + _sequence("cnorm") + (_sequence("rmcup") or clear),
        clear=reset + clear,
        position=position,
        colors=0 if color == "never" else max(_colors(), 8 if color == "always" else 0),
        styled=b"\x1b[" in reset,
        utf8=utf8,
    )


def _sequence(name: str) -> bytes:
    return _unpadded(curses.tigetstr(name) or b"")


def _unpadded(sequence: bytes) -> bytes:
    return _PADDING.sub(b"", sequence)


def _colors() -> int:
    """Of the 256 usual ones; a direct-colour terminal means something else by a number above 7."""
    number = curses.tigetnum("colors")
    if number > 256:
        return 8
    return max(count for count in (0, 8, 16, 256) if count <= max(number, 0))
