"""The cells of a terminal, read a row at a time; a row that did not change since the last time is not read again.

A row comes as raw cells of 64 bits, whose layout is measured, not promised: `library` accepts one version only.  A
style is looked up once for each row that has it, as its number means the same within a row alone.  Where text is all
that is wanted, no style is looked up, and most rows are read in one go.
"""

import weakref
from array import array
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

from nhlog.screen import PLAIN, Cell, Color, Style
from nhlog.vt.library import Library

__all__ = ["CellReader", "Worth", "with_word"]

_KIND: Final = 3  # the lowest two bits: what a cell holds
_CODE_POINT, _GRAPHEME, _PALETTE = range(3)  # and a fourth one, an RGB background
_VALUE, _VALUE_BITS = 2, 0x1FFFFF
_STYLE, _STYLE_BITS = 26, 0xFFFF
_WIDTH, _WIDTH_BITS = 42, 3
_SECOND_HALF: Final = 2  # of a wide character
_SHOWN: Final = (1 << 44) - 1  # what is above says how a cell came to be, not how it looks
_MOST_TEXT: Final = 256  # bytes of one cell: a character and its marks, more of which may have been piled up
_CELL: Final = 8  # bytes
_MOST_ROWS: Final = 1 << 11  # whose text is remembered: rows move, and come back

Row = tuple[Cell, ...]
Worth = Callable[[bytes], bool]
"""Whether the raw cells of a row are worth being read."""


class CellReader:
    """Reads one terminal: it remembers what it has read of it, and would take another one for the same."""

    def __init__(self, library: Library, terminal: Any) -> None:
        self._terminal = terminal
        ffi, lib = self._ffi, self._lib = library
        self._state, self._rows, self._row = (
            ffi.new("GhosttyRenderState*"),
            ffi.new("GhosttyRenderStateRowIterator*"),
            ffi.new("GhosttyRenderStateRowCells*"),
        )
        self._view, self._style = ffi.new("GhosttyCellsView*"), ffi.new("GhosttyStyle*")
        self._style.size = ffi.sizeof("GhosttyStyle")
        self._dirty, self._y = ffi.new("GhosttyRenderStateDirty*"), ffi.new("uint16_t*")
        self._read: tuple[Row, ...] = ()
        self.texts: list[str] = []
        self._raw: list[bytes] = []  # of the rows of text; empty where they have to be compared with nothing
        self._known: dict[bytes, str] = {}
        self._text, self._buffer = ffi.new("GhosttyBuffer*"), ffi.new("uint8_t[]", _MOST_TEXT)
        for make, at, free in (
            (lib.ghostty_render_state_new, self._state, lib.ghostty_render_state_free),
            (lib.ghostty_render_state_row_iterator_new, self._rows, lib.ghostty_render_state_row_iterator_free),
            (lib.ghostty_render_state_row_cells_new, self._row, lib.ghostty_render_state_row_cells_free),
        ):
            if make(ffi.NULL, at):
                raise MemoryError
            weakref.finalize(self, free, at[0])

    def read(self) -> tuple[Row, ...]:
        """All rows."""
        lib, state = self._lib, self._state[0]
        lib.ghostty_render_state_update(state, self._terminal)
        lib.ghostty_render_state_get(state, lib.GHOSTTY_RENDER_STATE_DATA_DIRTY, self._dirty)
        if self._dirty[0] != lib.GHOSTTY_RENDER_STATE_DIRTY_FALSE or not self._read:
            whole = self._dirty[0] == lib.GHOSTTY_RENDER_STATE_DIRTY_FULL or not self._read
            lib.ghostty_render_state_get(state, lib.GHOSTTY_RENDER_STATE_DATA_ROW_ITERATOR, self._rows)
            self._read = tuple(self._all_rows() if whole else self._changed_rows())
            lib.ghostty_render_state_clean(state)
            self._raw = []  # what changed since the rows of text were read is not known any more
        return self._read

    def read_texts(self, worth: Worth | None) -> list[int]:
        """Bring `texts` up to date, the rows without trailing spaces; returns the numbers of those that changed.

        The text of a row whose raw cells are not `worth` it is taken to be empty.
        """
        lib, state, rows, view, y = self._lib, self._state[0], self._rows, self._view, self._y
        lib.ghostty_render_state_update(state, self._terminal)
        lib.ghostty_render_state_get(state, lib.GHOSTTY_RENDER_STATE_DATA_DIRTY, self._dirty)
        if self._dirty[0] == lib.GHOSTTY_RENDER_STATE_DIRTY_FALSE and self._raw:
            return []
        lib.ghostty_render_state_get(state, lib.GHOSTTY_RENDER_STATE_DATA_ROW_ITERATOR, rows)
        if self._dirty[0] == lib.GHOSTTY_RENDER_STATE_DIRTY_FULL or not self._raw:
            changed = self._all_texts(worth)
        else:
            changed, iterator, cells = [], rows[0], lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS_RAW
            step, get = lib.ghostty_render_state_row_iterator_next_dirty, lib.ghostty_render_state_row_get
            while step(iterator, y):  # for each event of a recording: every call counts
                get(iterator, cells, view)
                number, raw = y[0], self._ffi.buffer(view.ptr, view.len * _CELL)[:]
                if raw != self._raw[number]:
                    self._raw[number] = raw
                    text = self._row_text(raw) if worth is None or worth(raw) else ""
                    if text or self.texts[number]:
                        self.texts[number] = text
                        changed.append(number)
        lib.ghostty_render_state_clean(state)
        self._read = ()  # likewise
        return changed

    def _all_texts(self, worth: Worth | None) -> list[int]:
        lib, view = self._lib, self._view
        before, self.texts, self._raw = self.texts, [], []
        while lib.ghostty_render_state_row_iterator_next(self._rows[0]):
            lib.ghostty_render_state_row_get(self._rows[0], lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS_RAW, view)
            raw = self._ffi.buffer(view.ptr, view.len * _CELL)[:]
            self._raw.append(raw)
            self.texts.append(self._row_text(raw) if worth is None or worth(raw) else "")
        return [y for y, text in enumerate(self.texts) if y >= len(before) or text != before[y]]

    def _row_text(self, raw: bytes) -> str:
        """The text of the row at which one stands."""
        text = self._known.get(raw)
        if text is None:
            text = _plain_text(raw)
            if text is None:
                return self._cell_texts(raw)  # they may have marks, which are elsewhere
            if len(self._known) >= _MOST_ROWS:
                self._known.clear()
            self._known[raw] = text
        return text

    def _cell_texts(self, raw: bytes) -> str:
        lib = self._lib
        lib.ghostty_render_state_row_get(self._rows[0], lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS, self._row)
        texts = []
        for x, bits in enumerate(array("Q", raw)):
            kind = bits & _KIND
            if kind > _GRAPHEME:
                texts.append(" ")
            elif bits >> _WIDTH & _WIDTH_BITS != _SECOND_HALF:
                texts.append((kind == _GRAPHEME and self._text_at(x)) or chr(bits >> _VALUE & _VALUE_BITS or 0x20))
        return "".join(texts).rstrip(" ")

    def _all_rows(self) -> Iterator[Row]:
        while self._lib.ghostty_render_state_row_iterator_next(self._rows[0]):
            yield self._read_row()

    def _changed_rows(self) -> list[Row]:
        rows = list(self._read)
        while self._lib.ghostty_render_state_row_iterator_next_dirty(self._rows[0], self._y):
            rows[self._y[0]] = self._read_row()
        return rows

    def _read_row(self) -> Row:
        lib, view = self._lib, self._view
        lib.ghostty_render_state_row_get(self._rows[0], lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS_RAW, view)
        data = self._ffi.buffer(view.ptr, view.len * _CELL)[:]
        if not data.strip(b"\0"):  # most of a large screen, for which one does not want to wait
            return _blanks(view.len)
        raw = array("Q", data)
        lib.ghostty_render_state_row_get(self._rows[0], lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS, self._row)
        styles: dict[int, Style] = {0: PLAIN}
        known: dict[int, Cell] = {}
        cells = []
        for x, bits in enumerate(raw):
            bits &= _SHOWN
            cell = known.get(bits)
            if cell is None:
                cell = self._cell(x, bits, styles)
                if bits & _KIND != _GRAPHEME:
                    known[bits] = cell
            cells.append(cell)
        return tuple(cells)

    def _cell(self, x: int, bits: int, styles: dict[int, Style]) -> Cell:
        kind, value = bits & _KIND, bits >> _VALUE & _VALUE_BITS
        number = bits >> _STYLE & _STYLE_BITS
        style = styles.get(number)
        if style is None:
            style = styles[number] = self._style_at(x)
        if kind > _GRAPHEME:
            erased: Color = value & 0xFF if kind == _PALETTE else (value & 0xFF, value >> 8 & 0xFF, value >> 16 & 0xFF)
            return " ", Style(bg=erased)
        if bits >> _WIDTH & _WIDTH_BITS == _SECOND_HALF:
            return "", style
        return (kind == _GRAPHEME and self._text_at(x)) or chr(value or 0x20), style

    def _style_at(self, x: int) -> Style:
        self._get(x, self._lib.GHOSTTY_RENDER_STATE_ROW_CELLS_DATA_STYLE, self._style)
        told = self._style
        return Style(
            fg=self._color(told.fg_color),
            bg=self._color(told.bg_color),
            bold=told.bold,
            dim=told.faint,
            underline=told.underline,
            reverse=told.inverse,
            italic=told.italic,
            blink=told.blink,
            invisible=told.invisible,
            strikethrough=told.strikethrough,
            overline=told.overline,
            underline_color=self._color(told.underline_color),
        )

    def _color(self, told: Any) -> Color | None:
        if told.tag == self._lib.GHOSTTY_STYLE_COLOR_PALETTE:
            return int(told.value.palette)
        if told.tag == self._lib.GHOSTTY_STYLE_COLOR_RGB:
            return told.value.rgb.r, told.value.rgb.g, told.value.rgb.b
        return None

    def _text_at(self, x: int) -> str:
        """A character with its marks; empty if there are more of them than there is room for."""
        text = self._text
        text.ptr, text.cap, text.len = self._buffer, _MOST_TEXT, 0
        if self._get(x, self._lib.GHOSTTY_RENDER_STATE_ROW_CELLS_DATA_GRAPHEMES_UTF8, text):
            return ""
        return bytes(self._ffi.buffer(self._buffer, text.len)).decode()

    def _get(self, x: int, what: int, into: Any) -> int:
        self._lib.ghostty_render_state_row_cells_select(self._row[0], x)
        return int(self._lib.ghostty_render_state_row_cells_get(self._row[0], what, into))


@cache
def _in_each(bits: int, cells: int) -> int:
    """These bits for each of so many cells, as one number."""
    return int.from_bytes(bits.to_bytes(_CELL, "little") * cells, "little")


def _plain_text(raw: bytes) -> str | None:
    """The text of a row whose cells hold one narrow character each, or none; None of another row.

    All cells at once, as one large number; shifted and masked it is UTF-32, with a zero behind each character.
    """
    cells = len(raw) // _CELL
    row, each = int.from_bytes(raw, "little"), _in_each(1, cells)
    coloured = row >> 1 & each  # cells that are nothing but their background
    if row & _in_each(_WIDTH_BITS << _WIDTH, cells) or row & each & ~coloured:
        return None
    shown = row >> _VALUE & (each ^ coloured) * _VALUE_BITS
    text = shown.to_bytes(len(raw), "little").decode("utf-32-le", "replace")
    return text[::2].replace("\0", " ").rstrip(" ")


def with_word(word: str) -> Worth:
    """Tells rows that may have an ASCII word, large or small letters alike, from those that do not."""
    wanted = bytes((ord(char) & _LETTER) << _VALUE for char in word)
    return lambda raw: wanted in raw[::_CELL].translate(_LETTERS)


_LETTER: Final = 31  # the bits of a character that large and small letters have in common
_LETTERS: Final = bytes(byte & _LETTER << _VALUE for byte in range(256))  # of the first byte of a cell


@cache
def _blanks(columns: int) -> Row:
    return ((" ", PLAIN),) * columns
