"""What the process that emulates tells of a screen, as cells and texts (`nhlog.emulator.wire`).

Whatever comes from there may be made by whoever wrote what it emulates: sizes, numbers and characters are checked, and
what does not fit is :class:`Garbled`.
"""

import struct
from array import array
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, Final

from nhlog.emulator.wire import (
    ATTRIBUTES,
    CELL,
    GRAPHEME,
    GRAPHEMES,
    KIND,
    LINK,
    LOOK,
    MOST_LINK,
    MOST_TEXT,
    PALETTE,
    PALETTES,
    RGB,
    ROW,
    SECOND_HALF,
    SHOWN,
    STYLE,
    STYLE_AT,
    STYLE_BITS,
    STYLES,
    TEXTS,
    VALUE_AT,
    VALUE_BITS,
    WIDTH_AT,
    WIDTH_BITS,
)
from nhlog.screen import PLAIN, Cell, Color, Style
from nhlog.values import NamedTuple
from nhlog.vt.grid import Grid
from nhlog.vt.size import MOST_COLUMNS, MOST_ROWS

__all__ = ["Garbled", "Reading", "Rows", "Texts"]

_MOST_KNOWN: Final = 1 << 11  # rows whose cells are remembered: rows move, and come back
_NAMES: Final = {"faint": "dim", "inverse": "reverse"}  # of attributes that a style calls otherwise
_ATTRIBUTES: Final = [_NAMES.get(name, name) for name in ATTRIBUTES]
_UNDERLINES: Final = 5
_MOST_STYLES: Final = 1 << 12

Row = tuple[Cell, ...]


class Garbled(Exception):
    """It is not what such a process sends."""


class Rows:
    """The rows of one terminal, brought up to date by each look."""

    def __init__(self) -> None:
        self._rows: list[Row | None] = []
        self._columns = 0
        self._known: dict[bytes, Row] = {}

    def look(self, told: bytes) -> Grid:
        """What is shown, after this is told of it."""
        try:
            columns, rows, x, y, visible, title, count = LOOK.unpack_from(told)
            if not (1 <= columns <= MOST_COLUMNS and 1 <= rows <= MOST_ROWS and x < columns and y < rows):
                raise Garbled
            if (columns, rows) != (self._columns, len(self._rows)):
                self._columns, self._rows = columns, [None] * rows
            at = LOOK.size + title
            for number, row in _pieces(told, at, count):
                self._rows[number] = self._row(row)
        except (struct.error, IndexError, ValueError, UnicodeError):
            raise Garbled from None
        if None in self._rows:
            raise Garbled
        return Grid(
            columns=columns,
            rows=tuple(self._rows),  # type: ignore[arg-type]  # it was looked for
            cursor=(x, y),
            cursor_visible=bool(visible),
            title=told[LOOK.size : at].decode(errors="replace"),
        )

    def _row(self, told: bytes) -> Row:
        if not told:
            return _blanks(self._columns)
        row = self._known.get(told)
        if row is None:
            row = _cells(told, self._columns)
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[told] = row
        if len(row) != self._columns:
            raise Garbled
        return row


class Texts(NamedTuple):
    """The texts of the rows that changed, of so many rows.

    `in_order` is whether what is printed stands in a row as it came, `unfinished` whether a sequence or a character is.
    """

    in_order: bool
    unfinished: bool
    rows: int
    changed: list[tuple[int, str]]

    @classmethod
    def told(cls, told: bytes) -> "Texts":
        """What is told of them."""
        try:
            in_order, unfinished, rows, count = TEXTS.unpack_from(told)
            changed = [(number, text.decode()) for number, text in _pieces(told, TEXTS.size, count)]
        except (struct.error, ValueError):
            raise Garbled from None
        if not 1 <= rows <= MOST_ROWS or any(number >= rows for number, _ in changed):
            raise Garbled
        return cls(bool(in_order), bool(unfinished), rows, changed)


class Reading:
    """What the rows of a terminal say, without trailing spaces, read again and again: first all, then what changed.

    Rows that cannot have the ASCII `word`, in large or small letters, are taken to be empty.
    """

    def __init__(self, word: str = "") -> None:
        self.word = word
        self.texts: list[str] = []
        self.changed: list[int] = []
        """The numbers of the rows that say something else than the last time."""
        self.prints_in_order = True
        """Whether what is printed stands in a row as it came."""
        self.is_unfinished = False
        """Whether what was fed ends in a sequence or a character."""

    def take(self, told: Texts) -> None:
        """Take in what is told of the rows that changed."""
        before = self.texts
        texts = (before + [""] * told.rows)[: told.rows]
        for number, text in told.changed:
            texts[number] = text
        self.changed = [
            number for number, _ in told.changed if number >= len(before) or texts[number] != before[number]
        ]
        self.texts, self.prints_in_order, self.is_unfinished = texts, told.in_order, told.unfinished


def _pieces(told: bytes, at: int, count: int) -> Iterator[tuple[int, bytes]]:
    for _ in range(count):
        number, size = ROW.unpack_from(told, at)
        at += ROW.size + size
        if at > len(told):
            raise Garbled
        yield number, told[at - size : at]


def _cells(told: bytes, columns: int) -> Row:
    end = columns * CELL
    raw = array("Q", told[:end])
    styles, texts, links = _referred(told, end)
    styles[0] = PLAIN
    shown = {bits: _cell(bits & SHOWN, styles) for bits in {*raw}}
    cells = [shown[bits] for bits in raw]
    for x, text in texts.items():
        if raw[x] & KIND == GRAPHEMES and cells[x][0]:
            cells[x] = text or cells[x][0], cells[x][1]
    for first, last, address in links:
        cells[first:last] = [(text, style._replace(link=address)) for text, style in cells[first:last]]
    return tuple(cells)


def _cell(bits: int, styles: dict[int, Style]) -> Cell:
    """What a cell shows, without marks."""
    kind, value = bits & KIND, bits >> VALUE_AT & VALUE_BITS
    style = styles.get(bits >> STYLE_AT & STYLE_BITS, PLAIN)
    if kind > GRAPHEMES:
        erased: Color = value & 0xFF if kind == PALETTES else (value & 0xFF, value >> 8 & 0xFF, value >> 16 & 0xFF)
        return " ", Style(bg=erased)
    if bits >> WIDTH_AT & WIDTH_BITS == SECOND_HALF:
        return "", style
    return chr(value or 0x20), style


def _referred(told: bytes, at: int) -> tuple[dict[int, Style], dict[int, str], list[tuple[int, int, str]]]:
    """The styles of a row by their numbers, characters of more than one code point by their columns, and its links."""
    columns = at // CELL
    styles, texts, links = STYLES.unpack_from(told, at)
    at += STYLES.size
    numbered = {}
    for _ in range(styles):
        number, attributes, *colors = STYLE.unpack_from(told, at)
        numbered[number] = _style(attributes, *colors)
        at += STYLE.size
    found = {}
    for _ in range(texts):
        x, size = GRAPHEME.unpack_from(told, at)
        at += GRAPHEME.size + size
        if size > MOST_TEXT or at > len(told):
            raise Garbled
        found[x] = told[at - size : at].decode()
    addresses = []
    for _ in range(links):
        first, last, size = LINK.unpack_from(told, at)
        at += LINK.size + size
        if size > MOST_LINK or at > len(told) or not first < last <= columns:
            raise Garbled
        addresses.append((first, last, _address(told[at - size : at])))
    return numbered, found, addresses


def _address(told: bytes) -> str:
    """Where a link leads to, as addresses are written; empty for what is none."""
    return told.decode() if told.isascii() and b" " not in told and told.decode().isprintable() else ""


@lru_cache(_MOST_STYLES)
def _style(attributes: int, fg: int, bg: int, underline_color: int) -> Style:
    underline = attributes >> len(_ATTRIBUTES)
    if underline > _UNDERLINES:
        raise Garbled
    style = Style(fg=_color(fg), bg=_color(bg), underline=underline, underline_color=_color(underline_color))
    named: dict[str, Any] = {name: True for bit, name in enumerate(_ATTRIBUTES) if attributes >> bit & 1}
    return style._replace(**named)


def _color(told: int) -> Color | None:
    if told >= RGB:
        return told >> 16 & 0xFF, told >> 8 & 0xFF, told & 0xFF
    return told & 0xFF if told >= PALETTE else None


@cache
def _blanks(columns: int) -> Row:
    return ((" ", PLAIN),) * columns
