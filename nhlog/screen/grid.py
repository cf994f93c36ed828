"""A grid of styled cells, independent of any terminal.

A screen never grows: text outside it is clipped.  A wide character that does not fit whole is replaced by a space. No
cell ever holds a control character: control, bidirectional and invisible characters are replaced by visible ones, so
untrusted text may be written as it is.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from nhlog.screen.glyphs import fitted, glyphs, to_ascii
from nhlog.screen.style import PLAIN, Style
from nhlog.values import NamedTuple

__all__ = ["Cell", "Run", "Screen"]

Cell = tuple[str, Style]  # text and style; the second half of a wide character has the text ""

_Aim = tuple[int, int, int, int, int, int, "str | list[str] | tuple[_Aim, ...]"]
"""What the cells of a part of a screen have as click targets: its left, top, right and bottom, and an origin.

From there on a list has the targets of one row, a string is that of each cell; a tuple is that of another screen, which
was pasted there, or empty.
"""

_BLANK: Cell = (" ", PLAIN)
_SPAN = 16  # cells that are compared at once


class _Styled(dict[str, Cell]):
    """The cells of one style, by their text."""

    def __init__(self, style: Style) -> None:
        self._style = style

    def __missing__(self, text: str) -> Cell:
        cell = self[text] = text, self._style
        return cell


@lru_cache(maxsize=256)
def _styled(style: Style) -> _Styled:
    """The cells in this style. Equal ones are the same object: rows of them are compared sixty times as fast."""
    return _Styled(style)


def _cells(text: str, style: Style) -> list[Cell]:
    if text.isascii() and text.isprintable():
        return [*map(_styled(style).__getitem__, text)]
    return _other_cells(text, style)


@lru_cache(maxsize=1024)
def _other_cells(text: str, style: Style) -> list[Cell]:
    """The cells of a text that has to be looked at character by character; not to be changed."""
    cells: list[Cell] = []
    for glyph, width in glyphs(text):
        cells.append(_cell(glyph, style))
        cells.extend([_cell("", style)] * (width - 1))
    return cells


@lru_cache(maxsize=4096)
def _cell(text: str, style: Style) -> Cell:
    return text, style


class Run(NamedTuple):
    """Adjacent cells of one style: `text` goes to column `x` of row `y`."""

    x: int
    y: int
    text: str
    style: Style


class Screen:
    """`width` by `height` cells, initially blank; (0, 0) is the top left one.

    A cell can have a click target (`aim`) until something else is drawn there; copies of the cell have it, too.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width = max(width, 0)
        self.height = max(height, 0)
        self._rows: list[list[Cell]] = [[_BLANK] * self.width for _ in range(self.height)]
        self._aims: list[_Aim] = []  # the later ones over the earlier

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Screen) and self.width == other.width and self._rows == other._rows

    __hash__ = None  # type: ignore[assignment]  # a screen changes

    def put(self, x: int, y: int, text: str, style: Style = PLAIN) -> int:
        """Write `text` from column `x` of row `y`; returns the column after it, even if that is clipped."""
        cells = _cells(text, style)
        self._place(x, y, cells)
        return x + len(cells)

    def place(self, x: int, y: int, cells: Sequence[Cell]) -> None:
        """Put cells whose characters the caller has checked: printable, and one column wide."""
        self._place(x, y, list(cells))

    def fill(self, x: int, y: int, cells: Sequence[Cell]) -> None:
        """Put cells of untrusted text; each takes the columns that it has in `cells`, whatever its text."""
        after = [*(text for text, _ in cells[1:]), " "]
        self._place(
            x, y, [(fitted(text, 2 - bool(rest)), style) for (text, style), rest in zip(cells, after, strict=True)]
        )

    def aim(self, x: int, y: int, width: int, target: str) -> None:
        """Make `width` cells from column `x` of row `y` the click target `target`; drawing there later removes it."""
        self._aims.append((x, y, x + width, y + 1, x, y, target))

    def aim_each(self, x: int, y: int, targets: list[str]) -> None:
        """Give each cell from column `x` of row `y` on its own click target of `targets`."""
        self._aims.append((x, y, x + len(targets), y + 1, x, y, targets))

    def target_at(self, x: int, y: int) -> str:
        """The click target of this cell; empty if it has none or is outside of the screen."""
        return _target_in(self._aims, x, y) if 0 <= x < self.width and 0 <= y < self.height else ""

    def paste(self, x: int, y: int, other: "Screen") -> None:
        """Copy `other` with its top left cell at column `x` of row `y`."""
        first = max(y, 0)
        after = max(min(y + other.height, self.height), first)
        if x == 0 and other.width == self.width:  # whole rows
            self._rows[first:after] = [row[:] for row in other._rows[first - y : after - y]]
        else:
            for row, cells in zip(self._rows[first:after], other._rows[first - y : after - y], strict=True):
                _overwrite(row, x, cells)
        if self._aims or other._aims:
            self._aims.append((x, y, x + other.width, y + other.height, x, y, tuple(other._aims)))

    def crop(self, x: int, y: int, width: int, height: int) -> "Screen":
        """A new screen with the part that begins at column `x` of row `y`, smaller if this one ends before."""
        rows = [row[x : x + width] for row in self._rows[y : y + height]]
        part = Screen(len(rows[0]) if rows else 0, 0)
        part.height, part._rows = len(rows), rows
        for cells, row in zip(rows, self._rows[y:], strict=False) if part.width else ():
            if cells[0][0] == "":  # the first half of it is not there
                cells[0] = (" ", cells[0][1])
            if x + width < self.width and row[x + width][0] == "":
                cells[-1] = (" ", cells[-1][1])
        part._aims = [(0, 0, part.width, part.height, -x, -y, tuple(self._aims))] if self._aims else []
        return part

    def pick(self, rows: Sequence[int]) -> "Screen":
        """A new screen of these rows, one below the other."""
        part = Screen(self.width, 0)
        part.height, part._rows = len(rows), [self._rows[row][:] for row in rows]
        aims = tuple(self._aims)
        part._aims = [(0, y, self.width, y + 1, 0, y - row, aims) for y, row in enumerate(rows) if aims]
        return part

    def is_blank(self, y: int) -> bool:
        """Whether there is nothing but spaces in row `y`."""
        return not "".join([glyph for glyph, _ in self._rows[y]]).strip(" ")

    def style_at(self, x: int, y: int) -> Style:
        """The style of one cell."""
        return self._rows[y][x][1]

    def cells(self) -> list[list[Cell]]:
        """The rows; the second half of a wide character has the text ``""``."""
        return [row[:] for row in self._rows]

    def text(self) -> list[str]:
        """The rows as text, without trailing spaces."""
        return ["".join([glyph for glyph, _ in row]).rstrip(" ") for row in self._rows]

    def ansi(self, colors: int = 256) -> str:
        """The rows as text with ECMA-48 escape sequences, for printing."""
        return "\n".join(_printed(row, colors) for row in self._rows)

    def ascii(self, kept: frozenset[str] = frozenset()) -> "Screen":
        """A copy in ASCII, cell for cell: each character but those in `kept` replaced by its nearest ASCII one."""
        plain = Screen(self.width, self.height)
        plain._rows = [
            [(glyph if glyph in kept else to_ascii(glyph), style) for glyph, style in row] for row in self._rows
        ]
        return plain

    def changes(self, old: "Screen") -> Iterator[Run]:
        """The runs that turn `old`, a screen of the same size, into this one."""
        for y, (row, before) in enumerate(zip(self._rows, old._rows, strict=True)):
            if row != before:
                yield from _changes(y, row, before)

    def _place(self, x: int, y: int, cells: list[Cell]) -> None:
        if 0 <= y < self.height:
            _overwrite(self._rows[y], x, cells)
        if self._aims:
            self._aims.append((x, y, x + len(cells), y + 1, x, y, ()))


def _overwrite(row: list[Cell], x: int, cells: list[Cell]) -> None:
    """Put cells into a row from column `x` on, as many as it has; of a wide character that is cut a space is left."""
    start, end = max(x, 0), min(x + len(cells), len(row))
    if start >= end:
        return
    if end - start < len(cells) or not cells[0][0]:
        after = cells[end - x :]
        cells = cells[start - x : end - x]
        if not cells[0][0]:
            cells[0] = (" ", cells[0][1])
        if after and not after[0][0]:
            cells[-1] = (" ", cells[-1][1])
    if not row[start][0]:
        row[start - 1] = (" ", row[start - 1][1])
    if end < len(row) and not row[end][0]:
        row[end] = (" ", row[end][1])
    row[start:end] = cells


def _target_in(aims: Sequence[_Aim], x: int, y: int) -> str:
    for left, top, right, bottom, origin_x, origin_y, what in reversed(aims):
        if left <= x < right and top <= y < bottom:
            if isinstance(what, tuple):
                return _target_in(what, x - origin_x, y - origin_y)
            return what if isinstance(what, str) else what[x - origin_x]
    return ""


def _changes(y: int, row: list[Cell], before: list[Cell]) -> Iterator[Run]:
    """The runs of `row` that differ from `before`."""
    x = 0
    while x < len(row):
        if row[x : x + _SPAN] == before[x : x + _SPAN]:
            x += _SPAN
            continue
        while row[x] == before[x]:
            x += 1
        start, style = x, row[x][1]
        while x < len(row) and (cell := row[x])[1] == style and cell != before[x]:
            x += 1
        yield Run(start, y, "".join([glyph for glyph, _ in row[start:x]]), style)


def _printed(row: list[Cell], colors: int) -> str:
    parts = []
    for style, cells in groupby(row, key=lambda cell: cell[1]):
        text = "".join(glyph for glyph, _ in cells)
        parts.append(text if style == PLAIN else f"{style.sgr(colors)}{text}{PLAIN.sgr()}")
    return "".join(parts).rstrip(" ")
