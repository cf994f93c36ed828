"""A grid of styled cells, independent of any terminal.

A screen never grows: text outside it is clipped.  A wide character that does not fit whole is replaced by a space. No
cell ever holds a control character: control, bidirectional and invisible characters are replaced by visible ones, so
untrusted text may be written as it is.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

from wcwidth import wcwidth

__all__ = ["ALL_COLORS", "PLAIN", "Cell", "Color", "Glyph", "Run", "Screen", "Style", "clip", "rgb", "width_of"]

Color = int | tuple[int, int, int]
"""An index into the 256-colour palette, or red, green and blue from 0 to 255."""

ALL_COLORS = 1 << 24
"""The colours of a terminal that shows every one, and every kind of underline."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a cell looks; a colour that is None is the terminal's default.

    `underline` is 0 for none, else the kind of ECMA-48's ``4:n``: single, double, curly, dotted, dashed.
    """

    fg: Color | None = None
    bg: Color | None = None
    bold: bool = False
    dim: bool = False
    underline: int = 0
    reverse: bool = False
    italic: bool = False
    blink: bool = False
    invisible: bool = False
    strikethrough: bool = False
    overline: bool = False
    underline_color: Color | None = None

    def reduced(self, colors: int) -> "Style":
        """The nearest style for a terminal with `ALL_COLORS`, 256, 16, 8 or 0 colours.

        Without colours, a background becomes reverse video.
        """
        special = self.underline > 1 or self.underline_color is not None  # few terminals know these
        if colors == ALL_COLORS or (colors >= 256 and not special and tuple not in (type(self.fg), type(self.bg))):
            return self
        line = min(self.underline, 1)
        if not colors:
            reverse = self.reverse or bool(self.bg)  # black is no colour
            return replace(self, fg=None, bg=None, reverse=reverse, underline=line, underline_color=None)
        fg = None if self.fg is None else _nearest(self.fg, colors)
        bg = None if self.bg is None else _nearest(self.bg, colors)
        if fg == 0 and bg is None and colors < 256:
            fg = None  # black text would vanish on most terminals
        if fg is not None and fg == bg and self.fg != self.bg and colors < 256:
            fg = 0 if bg else 7  # two shades of one colour
        return replace(self, fg=fg, bg=bg, underline=line, underline_color=None)

    def sgr(self, colors: int = 256) -> str:
        """The ECMA-48 sequence that sets this style and nothing else."""
        return _sgr(self.reduced(colors))


PLAIN = Style()

_ATTRIBUTES = (
    *(("bold", 1), ("dim", 2), ("italic", 3), ("underline", 4), ("blink", 5), ("reverse", 7), ("invisible", 8)),
    *(("strikethrough", 9), ("overline", 53)),
)


@lru_cache(maxsize=1024)
def _sgr(style: Style) -> str:
    codes = ["0", *(str(code) for name, code in _ATTRIBUTES if getattr(style, name))]
    if style.underline > 1:
        codes.append(f"4:{style.underline}")
    for base, color in ((30, style.fg), (40, style.bg), (50, style.underline_color)):
        if color is None:
            continue
        if isinstance(color, tuple):
            codes.append(f"{base + 8};2;{color[0]};{color[1]};{color[2]}")
        elif base == 50:
            codes.append(f"58;5;{color}")
        elif color < 8:
            codes.append(str(base + color))
        elif color < 16:
            codes.append(str(base + 60 + color - 8))
        else:
            codes.append(f"{base + 8};5;{color}")
    return f"\x1b[{';'.join(codes)}m"


# xterm's first sixteen colours; the rest of the 256 are a 6x6x6 cube and a grey ramp.
_ANSI_RGB = (
    *(
        (0, 0, 0),
        (205, 0, 0),
        (0, 205, 0),
        (205, 205, 0),
        (0, 0, 238),
        (205, 0, 205),
        (0, 205, 205),
        (229, 229, 229),
    ),
    *((127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255)),
    (255, 255, 255),
)
_CUBE = (0, 95, 135, 175, 215, 255)


def rgb(color: Color) -> tuple[int, int, int]:
    """Red, green and blue of a colour, as xterm has them, from 0 to 255."""
    if isinstance(color, tuple):
        return color
    if color < 16:
        return _ANSI_RGB[color]
    if color < 232:
        red, rest = divmod(color - 16, 36)
        return _CUBE[red], _CUBE[rest // 6], _CUBE[rest % 6]
    grey = 8 + 10 * (color - 232)
    return grey, grey, grey


@lru_cache(maxsize=1 << 16)
def _nearest(color: Color, colors: int) -> int:
    if isinstance(color, int) and color < colors:
        return color
    wanted = rgb(color)

    def distance(index: int) -> int:
        return sum((a - b) ** 2 for a, b in zip(rgb(index), wanted, strict=True))

    exact = range(16, colors) if colors > 16 else range(colors)  # the first sixteen look different everywhere
    return min(exact, key=distance)


class Glyph(str):
    """A character with its own ASCII replacement, where the usual one (see `Screen.ascii`) would mislead."""

    __slots__ = ("plain",)
    plain: str

    def __new__(cls, char: str, plain: str) -> "Glyph":
        """The character `char`, shown as `plain` in ASCII."""
        glyph = super().__new__(cls, char)
        glyph.plain = plain
        return glyph


Cell = tuple[str, Style]  # text and style; the second half of a wide character has the text ""

_BLANK: Cell = (" ", PLAIN)
_UNSHOWABLE = "\ufffd"
_MAX_MARKS = 4  # combining marks on one character: enough for every language, too few to pile up
_SELECTORS = range(0xFE00, 0xFE10)  # they change the width of what they follow, on some terminals only
_CONTROL = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@lru_cache(maxsize=4096)
def _visible(char: str) -> tuple[str, int]:
    """The character to show for `char`, and its width; width 0 is a combining mark on the character before it."""
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code), 1
    if code == 0x7F:
        return "\u2421", 1
    if code in _SELECTORS:
        return "", 0
    category = unicodedata.category(char)
    width = wcwidth(char)
    if category in _CONTROL or width < 0 or (width == 0 and category[0] != "M"):
        return _UNSHOWABLE, 1
    return char, width


def _glyphs(text: str) -> Iterator[tuple[str, int]]:
    """The characters of `text` as they are shown, each with its marks, and their widths."""
    glyph, glyph_width = "", 0
    for char in unicodedata.normalize("NFC", text):
        shown, width = _visible(char)
        if width == 0 and glyph:
            glyph += shown if len(glyph) <= _MAX_MARKS else ""
            continue
        if glyph:
            yield glyph, glyph_width
        glyph, glyph_width = (shown, width) if width else (_UNSHOWABLE, 1)
    if glyph:
        yield glyph, glyph_width


def _cells(text: str, style: Style) -> list[Cell]:
    if text.isascii() and text.isprintable():
        return [(char, style) for char in text]
    cells: list[Cell] = []
    for glyph, width in _glyphs(text):
        cells.append((glyph, style))
        cells.extend([("", style)] * (width - 1))
    return cells


@lru_cache(maxsize=4096)
def _fitted(text: str, width: int) -> str:
    """What to show for the text of one cell that takes `width` columns."""
    if not text or (text.isascii() and text.isprintable() and len(text) == width == 1):
        return text
    shown, columns = next(_glyphs(text), (" ", 1))
    return shown if columns == width else " " * width if columns > width else shown + " " * (width - columns)


def width_of(text: str) -> int:
    """The number of columns that `text` takes on a screen."""
    return len(_cells(text, PLAIN))


def clip(text: str, width: int) -> str:
    """`text` if it fits into `width` columns, else its beginning and an ellipsis; costs no more for a longer text."""
    kept, taken = "", 0
    for glyph, columns in _glyphs(text):
        taken += columns
        if taken > width:
            return kept + "…" if width > 0 else ""
        kept += glyph if taken < width else ""  # the last column is the ellipsis's, if there must be one
    return text


@dataclass(frozen=True, slots=True)
class Run:
    """Adjacent cells of one style: `text` goes to column `x` of row `y`."""

    x: int
    y: int
    text: str
    style: Style


class Screen:
    """`width` by `height` cells, initially blank; (0, 0) is the top left one."""

    def __init__(self, width: int, height: int) -> None:
        self.width = max(width, 0)
        self.height = max(height, 0)
        self._rows: list[list[Cell]] = [[_BLANK] * self.width for _ in range(self.height)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Screen) and self.width == other.width and self._rows == other._rows

    __hash__ = None  # type: ignore[assignment]  # a screen changes

    def put(self, x: int, y: int, text: str, style: Style = PLAIN) -> int:
        """Write `text` from column `x` of row `y`; returns the column after it, even if that is clipped."""
        cells = _cells(text, style)
        self._place(x, y, cells)
        return x + len(cells)

    def place(self, x: int, y: int, cells: Sequence[Cell]) -> None:
        """Put cells whose characters are known to be printable and one column wide."""
        self._place(x, y, list(cells))

    def fill(self, x: int, y: int, cells: Sequence[Cell]) -> None:
        """Put cells of untrusted text; each keeps the columns that it has in `cells`, whatever its text."""
        after = [*(text for text, _ in cells[1:]), " "]
        self._place(
            x, y, [(_fitted(text, 2 - bool(rest)), style) for (text, style), rest in zip(cells, after, strict=True)]
        )

    def paste(self, x: int, y: int, other: "Screen") -> None:
        """Copy `other` with its top left cell at column `x` of row `y`."""
        for down, cells in enumerate(other._rows):
            self._place(x, y + down, cells)

    def crop(self, x: int, y: int, width: int, height: int) -> "Screen":
        """A new screen with the part that begins at column `x` of row `y`, smaller if this one ends before."""
        rows = [row[x : x + width] for row in self._rows[y : y + height]]
        part = Screen(len(rows[0]) if rows else 0, len(rows))
        for row, cells in enumerate(rows):
            part._place(0, row, cells)
        return part

    def style_at(self, x: int, y: int) -> Style:
        """The style of one cell."""
        return self._rows[y][x][1]

    def cells(self) -> list[list[Cell]]:
        """The rows; the second half of a wide character has the text ``""``."""
        return [row[:] for row in self._rows]

    def text(self) -> list[str]:
        """The rows as text, without trailing spaces."""
        return ["".join(glyph for glyph, _ in row).rstrip(" ") for row in self._rows]

    def ansi(self, colors: int = 256) -> str:
        """The rows as text with ECMA-48 escape sequences, for printing."""
        return "\n".join(_printed(row, colors) for row in self._rows)

    def ascii(self) -> "Screen":
        """A copy in ASCII, cell for cell: each character replaced by its nearest ASCII one."""
        plain = Screen(self.width, self.height)
        plain._rows = [[(_ascii(glyph), style) for glyph, style in row] for row in self._rows]
        return plain

    def changes(self, old: "Screen") -> Iterator[Run]:
        """The runs that turn `old`, a screen of the same size, into this one."""
        for y, (row, before) in enumerate(zip(self._rows, old._rows, strict=True)):
            if row != before:
                yield from _changes(y, row, before)

    def _place(self, x: int, y: int, cells: list[Cell]) -> None:
        end = min(x + len(cells), self.width)
        start = max(x, 0)
        if not (0 <= y < self.height and start < end):
            return
        shown = cells[start - x : end - x]
        if shown[0][0] == "":
            shown[0] = (" ", shown[0][1])
        if end - x < len(cells) and cells[end - x][0] == "":
            shown[-1] = (" ", shown[-1][1])
        row = self._rows[y]
        if row[start][0] == "":
            row[start - 1] = (" ", row[start - 1][1])
        if end < self.width and row[end][0] == "":
            row[end] = (" ", row[end][1])
        row[start:end] = shown


def _changes(y: int, row: list[Cell], before: list[Cell]) -> Iterator[Run]:
    """The runs of `row` that differ from `before`."""
    x = 0
    while x < len(row):
        if row[x] == before[x]:
            x += 1
            continue
        start, style = x, row[x][1]
        while x < len(row) and row[x][1] == style and row[x] != before[x]:
            x += 1
        yield Run(start, y, "".join(glyph for glyph, _ in row[start:x]), style)


def _printed(row: list[Cell], colors: int) -> str:
    parts = []
    for style, cells in groupby(row, key=lambda cell: cell[1]):
        text = "".join(glyph for glyph, _ in cells)
        parts.append(text if style == PLAIN else f"{style.sgr(colors)}{text}{PLAIN.sgr()}")
    return "".join(parts).rstrip(" ")


# Glyphs that stand for something in a view, and the ASCII characters that stand for the same.
_ASCII = str.maketrans(
    {
        "─": "-",
        "━": "=",
        "│": "|",
        "┊": ":",
        **dict.fromkeys("┌┐└┘┬┴", "-"),
        **dict.fromkeys("├┤■", "|"),
        **dict.fromkeys("┼┿", "+"),
        **dict.fromkeys("░▒≡±█", "#"),
        **dict.fromkeys("▓", "%"),
        "▀": '"',
        "▄": "_",
        "♥": "+",
        "»": ">",
        **dict(zip("↑↗↘↓↙↖", "^/\\v/\\", strict=True)),
        # Braille, by how many of its dots there are: code 0x2800 and one bit each
        **{chr(0x2800 + dots): " ..::++##"[dots.bit_count()] for dots in range(256)},
        "≈": "}",
        "Ω": "_",
        "⌠": "{",
        "╬": "^",
        **dict.fromkeys("▶→", ">"),
        **dict.fromkeys("◀←", "<"),
        "●": "*",
        "◆": "#",
        **dict.fromkeys("…·", "."),
        **dict.fromkeys("–—", "-"),
        "⏸": "|",
        "×": "x",
    }
)


def _ascii(glyph: str) -> str:
    return glyph.plain if isinstance(glyph, Glyph) else _nearest_ascii(glyph)


@lru_cache(maxsize=1024)
def _nearest_ascii(glyph: str) -> str:
    if glyph.isascii() and glyph:
        return glyph
    plain = unicodedata.normalize("NFKD", glyph.translate(_ASCII))[:1]
    return plain if plain.isascii() and plain else "?"
