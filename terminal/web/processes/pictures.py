"""Screens as messages to a page: whole pictures, and the differences between two; no I/O."""

from typing import Any, Final

import msgspec

from nhlog.screen import PLAIN, Color, Screen, Style, rgb
from nhlog.screen.glyphs import glyphs
from terminal.screen.theme import CURSOR

__all__ = ["Pictures"]

MOST_STYLES: Final = 1000  # in the table of a picture; with more it begins anew
_PALETTE: Final = 16  # colours that a page may have its own for
_ATTRIBUTES: Final = (
    *("bold", "dim", "italic", "underline", "blink", "reverse", "invisible", "strikethrough", "overline"),
)


class Pictures:
    """The pictures of one size, one after the other.

    `number` is that of the newest, and `shown` the newest.
    """

    def __init__(self) -> None:
        self.number = 0
        self.shown: Screen | None = None
        self._styles = {PLAIN: 0}

    def whole(self) -> bytes:
        """The newest as a whole."""
        assert self.shown is not None
        screen = self.shown
        blank = Screen(screen.width, screen.height)
        rows: list[list[list[Any]]] = [[] for _ in range(screen.height)]
        ends = [0] * screen.height
        for x, y, text, style, *columns in self._runs(screen, blank):
            if x > ends[y]:
                rows[y].append([" " * (x - ends[y]), 0])
            rows[y].append([text, style, *columns])
            ends[y] = x + (columns[0] if columns else len(text))
        table = [_told(style) for style in self._styles]
        told: dict[str, Any] = {"t": "full", "n": self.number, "w": screen.width, "h": screen.height}
        return msgspec.json.encode(told | {"styles": table, "rows": rows, "cursor": self._cursor()})

    def next(self, screen: Screen) -> bytes | None:
        """Have this one as the newest: the difference from the one before; empty for none, None where there is none
        to differ from.
        """
        before = self.shown
        if before is None or (before.width, before.height) != (screen.width, screen.height):
            self._begin(screen)
            return None
        known = len(self._styles)
        runs = [[*run] for run in self._runs(screen, before)]
        if len(self._styles) > MOST_STYLES:
            self._styles = {PLAIN: 0}
            self._begin(screen)
            return None
        self.shown = screen
        if not runs:
            return b""
        self.number += 1
        told: dict[str, Any] = {"t": "diff", "n": self.number, "from": self.number - 1, "runs": runs}
        told["styles"] = [_told(style) for style in [*self._styles][known:]]
        told["cursor"] = self._cursor()
        return msgspec.json.encode(told)

    def _begin(self, screen: Screen) -> None:
        self.shown = screen
        self.number += 1

    def _runs(self, screen: Screen, before: Screen) -> list[tuple[Any, ...]]:
        """The runs that turn `before` into `screen`; a glyph that takes other columns than characters by itself."""
        found: list[tuple[Any, ...]] = []
        for x, y, text, style in screen.changes(before):
            index = self._index(style)
            if text.isascii():
                found.append((x, y, text, index))
                continue
            plain, begin = "", x
            for glyph, width in glyphs(text):
                if len(glyph) == width:
                    plain += glyph
                    x += width
                    continue
                if plain:
                    found.append((begin, y, plain, index))
                found.append((x, y, glyph, index, width))
                x += width
                plain, begin = "", x
            if plain:
                found.append((begin, y, plain, index))
        return found

    def _cursor(self) -> list[int] | None:
        """Where the next typed character goes."""
        assert self.shown is not None
        if CURSOR not in self._styles:
            return None
        rows = self.shown.cells()
        return next(([row.index(cell), y] for y, row in enumerate(rows) for cell in row if cell[1] == CURSOR), None)

    def _index(self, style: Style) -> int:
        return self._styles.setdefault(style, len(self._styles))


def _told(style: Style) -> list[Any]:
    words = " ".join(name for name in _ATTRIBUTES if getattr(style, name))
    return [_color(style.fg), _color(style.bg), words, style.role]


def _color(color: Color | None) -> int | str | None:
    if color is None or (isinstance(color, int) and color < _PALETTE):
        return color
    return "#{:02x}{:02x}{:02x}".format(*rgb(color))
