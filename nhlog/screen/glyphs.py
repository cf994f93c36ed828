"""Characters as a terminal's cells show them: which are safe to write, their columns, their ASCII likes."""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

__all__ = ["Glyph", "clip", "fitted", "glyphs", "to_ascii", "width_of"]

_UNSHOWABLE = "\ufffd"
_SHORT = 256  # characters of a text of which this is kept
_MAX_MARKS = 4  # combining marks on one character: enough for every language, too few to pile up
_SELECTORS = range(0xFE00, 0xFE10)  # they change the width of what they follow, on some terminals only
_NARROW = (range(0x20, 0x530), range(0x2010, 0x2630))  # Latin to Cyrillic; punctuation, arrows, boxes and other signs
_CONTROL = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


class Glyph(str):
    """A character with its own ASCII replacement, where the usual one (see `Screen.ascii`) would mislead."""

    __slots__ = ("plain",)
    plain: str

    def __new__(cls, char: str, plain: str) -> "Glyph":
        """The character `char`, shown as `plain` in ASCII."""
        glyph = super().__new__(cls, char)
        glyph.plain = plain
        return glyph

    def __reduce__(self) -> tuple[type["Glyph"], tuple[str, str]]:
        """How it is made again by another process."""
        return Glyph, (str(self), self.plain)


def _width_of(char: str, category: str) -> int:
    """The columns that a character takes, by `wcwidth`."""
    usual = category[0] in "LNPSZ" and any(ord(char) in block for block in _NARROW)
    if usual and unicodedata.east_asian_width(char) not in "WF":
        return 1
    from wcwidth import wcwidth  # whose tables need not be loaded for what all games draw with

    width: int = wcwidth(char)
    return width


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
    width = _width_of(char, category)
    if category in _CONTROL or width < 0 or (width == 0 and category[0] != "M"):
        return _UNSHOWABLE, 1
    return char, width


def glyphs(text: str) -> Iterator[tuple[str, int]]:
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


@lru_cache(maxsize=4096)
def fitted(text: str, width: int) -> str:
    """What to show for the text of one cell that takes `width` columns."""
    if not text or (text.isascii() and text.isprintable() and len(text) == width == 1):
        return text
    shown, columns = next(glyphs(text), (" ", 1))
    return shown if columns == width else " " * width if columns > width else shown + " " * (width - columns)


def width_of(text: str) -> int:
    """The number of columns that `text` takes on a screen."""
    if text.isascii() and text.isprintable():
        return len(text)
    return _known_width(text) if len(text) <= _SHORT else _width(text)


def _width(text: str) -> int:
    return sum(width for _, width in glyphs(text))


def clip(text: str, width: int) -> str:
    """`text` if it fits into `width` columns, else its beginning and an ellipsis; costs no more for a longer text."""
    head = text[: max(width, 0) + 1]
    if width > 0 and head.isascii() and head.isprintable():
        return text if len(text) <= width else f"{head[: width - 1]}…"
    return _known_clip(text, width) if len(text) <= _SHORT else _clipped(text, width)


def _clipped(text: str, width: int) -> str:
    kept, taken = "", 0
    for glyph, columns in glyphs(text):
        taken += columns
        if taken > width:
            return kept + "…" if width > 0 else ""
        kept += glyph if taken < width else ""  # the last column is the ellipsis's, if there must be one
    return text


_known_width = lru_cache(maxsize=1024)(_width)
_known_clip = lru_cache(maxsize=1024)(_clipped)
"""Of texts that are drawn again and again, as most are."""

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


def to_ascii(glyph: str) -> str:
    """The nearest ASCII character."""
    return glyph.plain if isinstance(glyph, Glyph) else _nearest_ascii(glyph)


@lru_cache(maxsize=1024)
def _nearest_ascii(glyph: str) -> str:
    if glyph.isascii() and glyph:
        return glyph
    plain = unicodedata.normalize("NFKD", glyph.translate(_ASCII))[:1]
    return plain if plain.isascii() and plain else "?"
