"""The cells of a terminal, read a row at a time; a row that did not change since the last time is not read again.

A row comes as raw cells of 64 bits, whose layout is measured, not promised: `library` accepts one version only.  It is
passed on as it is, with what it refers to, as what makes cells of it does not trust this process (`wire`).  Where text
is all that is wanted, no style is looked up, and most rows are read in one go.
"""

import weakref
from array import array
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby
from typing import Any, Final

from nhlog.emulator.library import Library
from nhlog.emulator.wire import (
    ATTRIBUTES,
    CELL,
    GRAPHEME,
    GRAPHEMES,
    KIND,
    LINK,
    LINKED,
    MOST_LINK,
    MOST_TEXT,
    PALETTE,
    RGB,
    SECOND_HALF,
    STYLE,
    STYLE_AT,
    STYLE_BITS,
    STYLES,
    VALUE_AT,
    VALUE_BITS,
    WIDTH_AT,
    WIDTH_BITS,
)

__all__ = ["CellReader", "with_word"]

_MOST_LINKS: Final = 1 << 16  # bytes of addresses in a row: all that real programs show there take a hundredth
_MOST_STYLES: Final = 1 << 10  # that are remembered
_MOST_ROWS: Final = 1 << 11  # whose text is remembered: rows move, and come back

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
        self._styles: dict[bytes, tuple[int, ...]] = {}  # what is told of a style, by its bytes
        self._dirty, self._y = ffi.new("GhosttyRenderStateDirty*"), ffi.new("uint16_t*")
        self._told = False  # whether all rows were told, and nothing else was read since
        self.texts: list[str] = []
        self._raw: list[bytes] = []  # of the rows of text; empty where they have to be compared with nothing
        self._known: dict[bytes, str] = {}
        self._text, self._buffer = ffi.new("GhosttyBuffer*"), ffi.new("uint8_t[]", MOST_TEXT)
        self._addresses = _Addresses(library, terminal)
        for make, at, free in (
            (lib.ghostty_render_state_new, self._state, lib.ghostty_render_state_free),
            (lib.ghostty_render_state_row_iterator_new, self._rows, lib.ghostty_render_state_row_iterator_free),
            (lib.ghostty_render_state_row_cells_new, self._row, lib.ghostty_render_state_row_cells_free),
        ):
            if make(ffi.NULL, at):
                raise MemoryError
            weakref.finalize(self, free, at[0])

    def read(self) -> list[tuple[int, bytes]]:
        """The rows that changed since the last time, with their numbers; empty bytes are a blank one."""
        lib, state = self._lib, self._state[0]
        lib.ghostty_render_state_update(state, self._terminal)
        lib.ghostty_render_state_get(state, lib.GHOSTTY_RENDER_STATE_DATA_DIRTY, self._dirty)
        if self._dirty[0] == lib.GHOSTTY_RENDER_STATE_DIRTY_FALSE and self._told:
            return []
        whole = self._dirty[0] == lib.GHOSTTY_RENDER_STATE_DIRTY_FULL or not self._told
        lib.ghostty_render_state_get(state, lib.GHOSTTY_RENDER_STATE_DATA_ROW_ITERATOR, self._rows)
        found = [*(self._all_rows() if whole else self._changed_rows())]
        lib.ghostty_render_state_clean(state)
        self._told, self._raw = True, []  # what changed since the rows of text were read is not known any more
        return found

    def forget_texts(self) -> None:
        """All rows of text count as changed."""
        self.texts, self._raw = [], []

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
                number, raw = y[0], self._ffi.buffer(view.ptr, view.len * CELL)[:]
                if raw != self._raw[number]:
                    self._raw[number] = raw
                    text = self._row_text(number, raw) if worth is None or worth(raw) else ""
                    if text != self.texts[number]:
                        self.texts[number] = text
                        changed.append(number)
        lib.ghostty_render_state_clean(state)
        self._told = False  # likewise
        return changed

    def _all_texts(self, worth: Worth | None) -> list[int]:
        lib, view = self._lib, self._view
        before, self.texts, self._raw = self.texts, [], []
        while lib.ghostty_render_state_row_iterator_next(self._rows[0]):
            lib.ghostty_render_state_row_get(self._rows[0], lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS_RAW, view)
            raw = self._ffi.buffer(view.ptr, view.len * CELL)[:]
            self._raw.append(raw)
            self.texts.append(self._row_text(len(self.texts), raw) if worth is None or worth(raw) else "")
        return [y for y, text in enumerate(self.texts) if y >= len(before) or text != before[y]]

    def _row_text(self, y: int, raw: bytes) -> str:
        """The text of the row at which one stands, row `y`."""
        text = self._known.get(raw)
        if text is None:
            text = _plain_text(raw)
            if text is None:
                return self._cell_texts(y, raw)  # they may have marks, which are elsewhere
            if len(self._known) >= _MOST_ROWS:
                self._known.clear()
            self._known[raw] = text
        return text

    def _cell_texts(self, y: int, raw: bytes) -> str:
        lib = self._lib
        lib.ghostty_render_state_row_get(self._rows[0], lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS, self._row)
        texts = []
        for x, bits in enumerate(array("Q", raw)):
            kind = bits & KIND
            if kind > GRAPHEMES:
                texts.append(" ")
            elif bits >> WIDTH_AT & WIDTH_BITS != SECOND_HALF:
                texts.append((kind == GRAPHEMES and self._text_at(x)) or chr(bits >> VALUE_AT & VALUE_BITS or 0x20))
            if kind == GRAPHEMES:
                self._raw[y] = b""  # with one mark more its cells are the same: it is read whenever it was written to
        return "".join(texts).rstrip(" ")

    def _all_rows(self) -> Iterator[tuple[int, bytes]]:
        y = 0
        while self._lib.ghostty_render_state_row_iterator_next(self._rows[0]):
            yield y, self._read_row(y)
            y += 1

    def _changed_rows(self) -> Iterator[tuple[int, bytes]]:
        while self._lib.ghostty_render_state_row_iterator_next_dirty(self._rows[0], self._y):
            yield self._y[0], self._read_row(self._y[0])

    def _read_row(self, y: int) -> bytes:
        lib, view = self._lib, self._view
        lib.ghostty_render_state_row_get(self._rows[0], lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS_RAW, view)
        data = self._ffi.buffer(view.ptr, view.len * CELL)[:]
        if not data.strip(b"\0"):  # most of a large screen, for which one does not want to wait
            return b""
        lib.ghostty_render_state_row_get(self._rows[0], lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS, self._row)
        raw = array("Q", data)
        row, places = int.from_bytes(data, "little"), dict(zip(raw, range(len(raw)), strict=True))
        styled = {bits >> STYLE_AT & STYLE_BITS: x for bits, x in places.items()}  # of many cells few are different
        styled.pop(0, None)  # what is plain
        styles = [self._style_at(number, x) for number, x in styled.items()]
        marked = [*self._marked(raw)] if row & _in_each(GRAPHEMES, len(raw)) else []
        links = [*self._links(y, raw)] if row & _in_each(LINKED, len(raw)) else []
        return b"".join((data, STYLES.pack(len(styles), len(marked), len(links)), *styles, *marked, *links))

    def _marked(self, raw: "array[int]") -> Iterator[bytes]:
        return (self._grapheme_at(x) for x, bits in enumerate(raw) if bits & KIND == GRAPHEMES)

    def _links(self, y: int, raw: "array[int]") -> Iterator[bytes]:
        """The runs of cells that lead to one address, as long as there is room for it."""
        room = _MOST_LINKS
        for address, run in groupby(range(len(raw)), lambda x: self._addresses.at(x, y) if raw[x] & LINKED else b""):
            if address and (room := room - len(address)) >= 0:
                columns = [*run]
                yield LINK.pack(columns[0], columns[-1] + 1, len(address)) + address

    def _style_at(self, number: int, x: int) -> bytes:
        self._get(x, self._lib.GHOSTTY_RENDER_STATE_ROW_CELLS_DATA_STYLE, self._style)
        raw = self._ffi.buffer(self._style)[:]
        told = self._styles.get(raw)
        if told is None:
            if len(self._styles) >= _MOST_STYLES:
                self._styles.clear()
            told = self._styles[raw] = self._told_style()
        return STYLE.pack(number, *told)

    def _told_style(self) -> tuple[int, ...]:
        """The attributes and colours of the style that was looked up."""
        style = self._style
        attributes = sum(bool(getattr(style, name)) << bit for bit, name in enumerate(ATTRIBUTES))
        colors = map(self._color, (style.fg_color, style.bg_color, style.underline_color))
        return attributes | style.underline << len(ATTRIBUTES), *colors

    def _color(self, told: Any) -> int:
        if told.tag == self._lib.GHOSTTY_STYLE_COLOR_PALETTE:
            return PALETTE | int(told.value.palette)
        if told.tag == self._lib.GHOSTTY_STYLE_COLOR_RGB:
            return RGB | int(told.value.rgb.r) << 16 | int(told.value.rgb.g) << 8 | int(told.value.rgb.b)
        return 0

    def _grapheme_at(self, x: int) -> bytes:
        text = self._text_at(x).encode()
        return GRAPHEME.pack(x, len(text)) + text

    def _text_at(self, x: int) -> str:
        """A character with its marks; empty if there are more of them than there is room for."""
        text = self._text
        text.ptr, text.cap, text.len = self._buffer, MOST_TEXT, 0
        if self._get(x, self._lib.GHOSTTY_RENDER_STATE_ROW_CELLS_DATA_GRAPHEMES_UTF8, text):
            return ""
        return bytes(self._ffi.buffer(self._buffer, text.len)).decode()

    def _get(self, x: int, what: int, into: Any) -> int:
        self._lib.ghostty_render_state_row_cells_select(self._row[0], x)
        return int(self._lib.ghostty_render_state_row_cells_get(self._row[0], what, into))


class _Addresses:
    """Where the cells of a terminal lead to."""

    def __init__(self, library: Library, terminal: Any) -> None:
        self._terminal = terminal
        ffi, _ = self._ffi, self._lib = library
        self._point, self._place = ffi.new("GhosttyPoint*"), ffi.new("GhosttyGridRef*")
        self._place.size = ffi.sizeof("GhosttyGridRef")
        self._link, self._length = ffi.new("uint8_t[]", MOST_LINK), ffi.new("size_t*")
        self._refer = _by_value(library)

    def at(self, x: int, y: int) -> bytes:
        """Where a cell leads to; empty if it cannot be told."""
        lib, place = self._lib, self._place
        coordinate = self._point.value.coordinate
        self._point.tag, coordinate.x, coordinate.y = lib.GHOSTTY_POINT_TAG_ACTIVE, x, y
        if self._refer(self._terminal, self._point, place):
            return b""
        if lib.ghostty_grid_ref_hyperlink_uri(place, self._link, MOST_LINK, self._length):
            return b""
        return bytes(self._ffi.buffer(self._link, self._length[0]))


@cache
def _by_value(library: Library) -> Callable[[Any, Any, Any], int]:
    """`ghostty_terminal_grid_ref`, for a pointer to a point.

    The library takes the point itself, in which there is a union: cffi passes none without a compiler.  So it is told
    that this is another structure of the same size, which is passed alike: one of 24 bytes, in memory.
    """
    ffi, lib = library
    if ffi.sizeof("GhosttyPoint") != ffi.sizeof("GhosttyGridRef"):
        raise TypeError("a point is not as large as it was")
    kind = "GhosttyResult(*)(GhosttyTerminal, GhosttyGridRef, GhosttyGridRef*)"
    call = ffi.cast(kind, ffi.addressof(lib, "ghostty_terminal_grid_ref"))
    return lambda terminal, point, place: int(call(terminal, ffi.cast("GhosttyGridRef*", point)[0], place))


@cache
def _in_each(bits: int, cells: int) -> int:
    """These bits for each of so many cells, as one number."""
    return int.from_bytes(bits.to_bytes(CELL, "little") * cells, "little")


def _plain_text(raw: bytes) -> str | None:
    """The text of a row whose cells hold one narrow character each, or none; None of another row.

    All cells at once, as one large number; shifted and masked it is UTF-32, with a zero behind each character.
    """
    cells = len(raw) // CELL
    row, each = int.from_bytes(raw, "little"), _in_each(1, cells)
    coloured = row >> 1 & each  # cells that are nothing but their background
    if row & _in_each(WIDTH_BITS << WIDTH_AT, cells) or row & each & ~coloured:
        return None
    shown = row >> VALUE_AT & (each ^ coloured) * VALUE_BITS
    text = shown.to_bytes(len(raw), "little").decode("utf-32-le", "replace")
    return text[::2].replace("\0", " ").rstrip(" ")


def with_word(word: str) -> Worth:
    """Tell rows that may have an ASCII word, large or small letters alike, from those that do not."""
    wanted = bytes((ord(char) & _LETTER) << VALUE_AT for char in word)
    return lambda raw: wanted in raw[::CELL].translate(_LETTERS)


_LETTER: Final = 31  # the bits of a character that large and small letters have in common
_LETTERS: Final = bytes(byte & _LETTER << VALUE_AT for byte in range(256))  # of the first byte of a cell
